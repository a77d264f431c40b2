// Property-directed reachability on a circuit (Bradley, "SAT-Based Model Checking without Unrolling", 2011; Eén,
// Mishchenko, Brayton, "Efficient Implementation of Property Directed Reachability", 2011), with counterexamples to
// generalisation (Hassan, Bradley, Somenzi, "Better Generalization in IC3", 2013).
//
// Frame i over-approximates the states that are reached in at most i steps: clauses over latches. A lemma is kept as the
// cube that it excludes, at the last frame where it is known to hold. Laws: no lemma excludes a first state; the lemmas
// of frame i + 1 hold after every step from frame i that the constraints allow.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "lifting.hpp"
#include "sat.hpp"

namespace argosy::circuit {

using Cube = std::vector<Lit>;  // of latches, sorted: all of them hold

inline bool includes(const Cube& large, const Cube& small) {
    return small.size() <= large.size() && std::includes(large.begin(), large.end(), small.begin(), small.end());
}

struct Lemma {
    Cube cube;
    std::uint64_t signature = 0;

    explicit Lemma(Cube c) : cube(std::move(c)) {
        for (const Lit literal : cube) signature |= std::uint64_t{1} << (literal * 0x9e3779b1u >> 26);
    }
    // Whether this excludes all that the other excludes.
    bool subsumes(const Lemma& other) const {
        return (signature & ~other.signature) == 0 && includes(other.cube, cube);
    }
};

// From every state of the cube the inputs lead to the cube of `next`, or to the bad state where there is no next.
struct Obligation {
    std::uint32_t frame, depth;
    Lemma lemma;
    std::vector<bool> inputs;
    std::int64_t next;
    float activity = 0;
};

// How hard a lemma is worked on: how many counterexamples in a row, of how many states each, are blocked for the sake of
// one literal less.
struct Effort {
    int counterexamples = 0, states = 0;

    // Obligations that come back again and again are those of which better lemmas are needed (rIC3 chooses so too).
    static Effort of(float activity) {
        if (activity < 10) return {};
        if (activity < 40) return {static_cast<int>((activity - 10) / 10) + 2, 1};
        return {5, static_cast<int>(std::pow(activity - 40, 0.3f) * 2 + 5)};
    }
};

struct Statistics {
    sat::Counts counts;
    std::uint64_t frames = 0, lemmas = 0, obligations = 0, generalisations = 0, bytes = 0;
    double seconds = 0;
};

struct Answer {
    std::string status;  // "safe", "unsafe" or "stopped"
    std::string reason;  // of "stopped"
    std::vector<Clause> invariant;            // over literals of the original latches
    std::vector<std::uint8_t> latches;        // of the original circuit
    std::vector<std::vector<std::uint8_t>> inputs;  // per step
};

// The step relation, loaded gate by gate as queries ask for it, and the lemmas of one frame.
class FrameSolver {
public:
    FrameSolver(const Circuit& c, const Definitions& definitions, Guard& guard, sat::Counts& counts)
        : definitions_(definitions), solver(guard, counts), loaded_(c.variables(), 0) {
        solver.grow(c.variables());
        solver.add(std::vector<Lit>{1}, sat::Kind::definition);
        for (const Lit constraint : c.constraints) {
            demand(constraint >> 1, true);
            solver.add(std::vector<Lit>{constraint}, sat::Kind::definition);
        }
    }

    // Everything that the variable depends on within the step. What is fixed has its value in every model.
    void demand(Var root, bool permanent = false) {
        stack_.assign(1, root);
        while (!stack_.empty()) {
            const Var v = stack_.back();
            stack_.pop_back();
            if (solver.fixed(v) || solver.in_domain(v)) continue;
            solver.insert(v, permanent);
            if (!definitions_.is_gate(v)) continue;
            if (!loaded_[v]) {
                loaded_[v] = 1;
                for (const Clause& clause : definitions_.clauses(v)) solver.add(clause, sat::Kind::definition);
            }
            for (const Var d : definitions_.dependencies(v)) stack_.push_back(d);
        }
    }

    void add_lemma(const Cube& cube) {
        Clause clause;
        for (const Lit literal : cube) {
            clause.push_back(literal ^ 1);
            solver.insert(literal >> 1, true);
        }
        solver.add(clause, sat::Kind::lemma);
        ++lemmas_;
    }

    // A lemma that another makes superfluous is taken out when there are many of them.
    void count_superfluous() { ++superfluous_; }
    bool crowded() const { return superfluous_ > 200 && 2 * superfluous_ > lemmas_; }
    void forget_lemmas() {
        solver.forget_lemmas();
        lemmas_ = superfluous_ = 0;
    }

private:
    const Definitions& definitions_;

public:
    sat::Solver solver;
    std::uint64_t owner = 0;  // of the domain: whoever set it last

private:
    std::vector<std::uint8_t> loaded_;
    std::vector<Var> stack_;
    std::size_t lemmas_ = 0, superfluous_ = 0;
};

class Pdr {
public:
    explicit Pdr(const Circuit& whole)
        : netlist_(Reduction(whole).run()), c_(netlist_.circuit), definitions_(c_), lifting_(c_),
          activity_(c_.latches(), 0.0f) {
        whole_reset_ = whole.reset;
        open_frame();
    }

    Pdr(const Pdr&) = delete;

    // May be called again after "stopped", and goes on.
    Answer run(double seconds, double wall, std::size_t bytes, std::function<bool()> interrupted);
    const Statistics& statistics() const { return statistics_; }
    std::uint32_t level() const { return static_cast<std::uint32_t>(frames_.size()) - 1; }

private:
    Lit next_literal(Lit latch) const { return c_.next[(latch >> 1) - 1 - c_.inputs] ^ (latch & 1); }
    bool excluded_at_start(Lit latch) const {
        const std::uint8_t reset = c_.reset[(latch >> 1) - 1 - c_.inputs];
        return reset != arbitrary && reset == (latch & 1);
    }
    bool may_start(const Cube& cube) const {
        return std::none_of(cube.begin(), cube.end(), [&](Lit latch) { return excluded_at_start(latch); });
    }
    float activity(Lit latch) const { return activity_[(latch >> 1) - 1 - c_.inputs]; }
    void bump(const Cube& cube);

    void open_frame();
    bool bad_state();
    bool block();
    bool pushed();
    bool is_blocked(std::uint32_t frame, const Cube& cube, bool strengthen, std::uint64_t owner = 0);
    Cube core(const Cube& cube, std::uint32_t frame);
    Cube predecessor(std::uint32_t frame, const Cube& successor, std::vector<bool>* inputs);
    Cube generalised(std::uint32_t frame, Cube cube, Effort effort);
    Effort effort(std::int64_t obligation) const;
    std::optional<Cube> smaller(std::uint32_t frame, Cube cube, const Cube& kept, Effort effort, std::uint64_t owner);
    bool block_counterexample(std::uint32_t frame, const Cube& cube, int& states);
    std::uint32_t push_forward(std::uint32_t frame, Cube& cube);
    void add_lemma(std::uint32_t frame, Cube cube);
    std::optional<std::uint32_t> excluded_from(std::uint32_t frame, const Lemma& lemma) const;
    void add_obligation(Obligation obligation);
    void move_obligation(std::int64_t index, std::uint32_t frame);
    Answer proof() const;
    Answer counterexample(std::int64_t first) const;

    Netlist netlist_;
    const Circuit& c_;
    Definitions definitions_;
    Lifting lifting_;
    Guard guard_;
    Statistics statistics_;
    std::vector<std::unique_ptr<FrameSolver>> frames_;
    std::vector<std::vector<Lemma>> lemmas_;  // by the last frame where they are known to hold
    std::vector<Obligation> obligations_;
    // By frame; among those of a frame the ones that are furthest from the bad state come first.
    using Key = std::tuple<std::uint32_t, std::int64_t, std::size_t, std::int64_t>;
    static Key key(const Obligation& its, std::int64_t index) {
        return {its.frame, -std::int64_t{its.depth}, its.lemma.cube.size(), index};
    }
    std::set<Key> queue_;
    std::vector<float> activity_;
    float increment_ = 1.0f;
    std::uint64_t owners_ = 0;
    std::int64_t failed_ = -1;
    std::size_t obligation_bytes_ = 0;
    std::vector<std::uint8_t> whole_reset_;
    std::vector<Lit> targets_, assumptions_;
};

inline void Pdr::bump(const Cube& cube) {
    for (const Lit latch : cube) {
        float& its = activity_[(latch >> 1) - 1 - c_.inputs];
        its += increment_;
        if (its > 1e30f) {
            for (float& value : activity_) value *= 1e-30f;
            increment_ *= 1e-30f;
        }
    }
    increment_ /= 0.99f;
}

inline void Pdr::open_frame() {
    frames_.push_back(std::make_unique<FrameSolver>(c_, definitions_, guard_, statistics_.counts));
    lemmas_.emplace_back();
    if (frames_.size() > 1) return;
    for (Var k = 0; k < c_.latches(); ++k) {
        if (c_.reset[k] == arbitrary) continue;
        const Lit latch = 2 * (1 + c_.inputs + k) + (c_.reset[k] ? 0 : 1);
        frames_[0]->solver.add(std::vector<Lit>{latch}, sat::Kind::definition);
    }
}

// Whether a step from frame - 1 leads into the cube; `strengthen`: from outside of it.
inline bool Pdr::is_blocked(std::uint32_t frame, const Cube& cube, bool strengthen, std::uint64_t owner) {
    FrameSolver& its = *frames_[frame - 1];
    if (owner == 0 || its.owner != owner) {
        its.owner = owner;
        its.solver.clear_domain();
    }
    assumptions_.clear();
    for (const Lit latch : cube) {
        its.demand(next_literal(latch) >> 1);
        if (strengthen) its.demand(latch >> 1);
    }
    std::vector<std::pair<float, Lit>> order;
    for (const Lit latch : cube) order.push_back({-activity(latch), latch});
    std::sort(order.begin(), order.end());
    Clause outside;
    for (const auto& [rank, latch] : order) {
        assumptions_.push_back(next_literal(latch));
        if (strengthen) outside.push_back(latch ^ 1);
    }
    guard_.used(obligation_bytes_ + statistics_.bytes);
    return !its.solver.solve(assumptions_, outside);
}

// After a query that was blocked: what of the cube is enough, and still excludes every first state.
inline Cube Pdr::core(const Cube& cube, std::uint32_t frame) {
    const sat::Solver& solver = frames_[frame - 1]->solver;
    Cube made;
    for (const Lit latch : cube)
        if (solver.in_core(next_literal(latch))) made.push_back(latch);
    if (!may_start(made)) return made;
    Lit best = 0;
    for (const Lit latch : cube)
        if (excluded_at_start(latch) && (best == 0 || activity(latch) > activity(best))) best = latch;
    made.insert(std::lower_bound(made.begin(), made.end(), best), best);
    return made;
}

// After a query that was not blocked.
inline Cube Pdr::predecessor(std::uint32_t frame, const Cube& successor, std::vector<bool>* inputs) {
    const sat::Solver& solver = frames_[frame - 1]->solver;
    targets_ = c_.constraints;
    for (const Lit latch : successor) targets_.push_back(next_literal(latch));
    const auto leaf = [&](Var v) { return static_cast<std::uint8_t>(solver.holds(2 * v)); };
    if (inputs != nullptr) {
        inputs->resize(c_.inputs);
        for (Var v = 1; v <= c_.inputs; ++v) (*inputs)[v - 1] = leaf(v);
    }
    return lifting_.reasons(targets_, leaf, activity_);
}

inline std::optional<std::uint32_t> Pdr::excluded_from(std::uint32_t frame, const Lemma& lemma) const {
    for (std::uint32_t i = level() + 1; i-- > frame;)
        for (const Lemma& other : lemmas_[i])
            if (other.subsumes(lemma)) return i;
    return std::nullopt;
}

inline void Pdr::add_lemma(std::uint32_t frame, Cube cube) {
    Lemma lemma(std::move(cube));
    std::uint32_t known = 0;  // up to here the solvers have it
    for (std::uint32_t i = 1; i <= frame; ++i) {
        auto& its = lemmas_[i];
        std::size_t kept = 0;
        for (std::size_t k = 0; k < its.size(); ++k) {
            if (!lemma.subsumes(its[k])) {
                if (kept != k) its[kept] = std::move(its[k]);
                ++kept;
                continue;
            }
            if (its[k].cube.size() == lemma.cube.size()) known = i;
            else
                for (std::uint32_t j = 1; j <= i; ++j) frames_[j]->count_superfluous();
        }
        its.erase(its.begin() + static_cast<std::ptrdiff_t>(kept), its.end());
    }
    for (std::uint32_t i = known + 1; i <= frame; ++i) frames_[i]->add_lemma(lemma.cube);
    lemmas_[frame].push_back(std::move(lemma));
    ++statistics_.lemmas;
    for (std::uint32_t i = 1; i <= frame; ++i) {
        if (!frames_[i]->crowded()) continue;
        frames_[i]->forget_lemmas();
        for (std::uint32_t j = i; j < lemmas_.size(); ++j)
            for (const Lemma& other : lemmas_[j]) frames_[i]->add_lemma(other.cube);
    }
}

// As far as the cube stays blocked. The lemma then holds up to the frame that is returned.
inline std::uint32_t Pdr::push_forward(std::uint32_t frame, Cube& cube) {
    while (frame < level() && is_blocked(frame + 1, cube, true)) {
        cube = core(cube, frame + 1);
        ++frame;
    }
    return frame;
}

inline Cube Pdr::generalised(std::uint32_t frame, Cube cube, Effort effort) {
    ++statistics_.generalisations;
    const std::uint64_t owner = ++owners_;
    std::vector<Lit> order(cube);
    std::stable_sort(order.begin(), order.end(), [&](Lit a, Lit b) { return activity(a) < activity(b); });
    Cube kept;  // literals that could not go, sorted
    for (const Lit latch : order) {
        if (cube.size() == 1) break;
        const auto at = std::lower_bound(cube.begin(), cube.end(), latch);
        if (at == cube.end() || *at != latch) continue;
        Cube without(cube);
        without.erase(without.begin() + (at - cube.begin()));
        if (auto found = smaller(frame, std::move(without), kept, effort, owner)) cube = std::move(*found);
        else kept.insert(std::lower_bound(kept.begin(), kept.end(), latch), latch);
    }
    bump(cube);
    return cube;
}

// A part of the cube that is blocked at the frame, or none that was found.
inline std::optional<Cube> Pdr::smaller(std::uint32_t frame, Cube cube, const Cube& kept, Effort effort,
                                        std::uint64_t owner) {
    int counterexamples = 0;
    for (;;) {
        if (may_start(cube)) return std::nullopt;
        if (is_blocked(frame, cube, true, owner)) return core(cube, frame);
        const sat::Solver& solver = frames_[frame - 1]->solver;
        for (const Lit latch : kept)
            if (!solver.holds(latch)) return std::nullopt;
        if (effort.counterexamples > 0) {
            Cube state = predecessor(frame, cube, nullptr);
            if (counterexamples < effort.counterexamples && frame > 1 && !may_start(state)) {
                int states = effort.states;
                if (block_counterexample(frame - 1, state, states)) {
                    ++counterexamples;
                    continue;
                }
            }
            counterexamples = 0;
            Cube joined;
            std::set_intersection(cube.begin(), cube.end(), state.begin(), state.end(), std::back_inserter(joined));
            if (!includes(joined, kept)) return std::nullopt;
            cube = std::move(joined);
        } else {
            std::erase_if(cube, [&](Lit latch) { return !solver.holds(latch); });
        }
    }
}

inline bool Pdr::block_counterexample(std::uint32_t frame, const Cube& cube, int& states) {
    if (frame == 0 || may_start(cube) || states-- <= 0) return false;
    while (!is_blocked(frame, cube, true)) {
        if (states <= 0) return false;
        const Cube state = predecessor(frame, cube, nullptr);
        if (!block_counterexample(frame - 1, state, states)) return false;
    }
    Cube made = generalised(frame, core(cube, frame), {});
    const std::uint32_t to = push_forward(frame, made);
    add_lemma(to, std::move(made));
    return true;
}

// By the obligations that this one serves.
inline Effort Pdr::effort(std::int64_t obligation) const {
    float most = 0;
    std::int64_t at = obligations_[obligation].next;
    for (int k = 0; k < 3 && at >= 0; ++k, at = obligations_[at].next) most = std::max(most, obligations_[at].activity);
    return Effort::of(most);
}

inline void Pdr::add_obligation(Obligation obligation) {
    obligation_bytes_ += sizeof(Obligation) + obligation.lemma.cube.size() * sizeof(Lit) + obligation.inputs.size() / 8 + 64;
    const auto index = static_cast<std::int64_t>(obligations_.size());
    queue_.insert(key(obligation, index));
    obligations_.push_back(std::move(obligation));
    ++statistics_.obligations;
}

inline void Pdr::move_obligation(std::int64_t index, std::uint32_t frame) {
    Obligation& its = obligations_[index];
    queue_.erase(key(its, index));
    for (; its.frame < frame; ++its.frame) its.activity *= 0.6f;
    queue_.insert(key(its, index));
}

// False where an obligation begins in a first state.
inline bool Pdr::block() {
    while (!queue_.empty() && std::get<0>(*queue_.begin()) <= level()) {
        const std::int64_t index = std::get<3>(*queue_.begin());
        Obligation& its = obligations_[index];
        const std::uint32_t frame = its.frame;
        if (may_start(its.lemma.cube)) {
            failed_ = index;
            return false;
        }
        statistics_.bytes = 0;
        for (const auto& frame_solver : frames_) statistics_.bytes += frame_solver->solver.bytes();
        if (const auto blocked = excluded_from(frame, its.lemma)) {
            move_obligation(index, *blocked + 1);
            continue;
        }
        its.activity += 1;
        const Cube cube = its.lemma.cube;
        if (is_blocked(frame, cube, false)) {
            Cube made = generalised(frame, core(cube, frame), effort(index));
            const std::uint32_t to = push_forward(frame, made);
            add_lemma(to, std::move(made));
            move_obligation(index, to + 1);
        } else {
            std::vector<bool> inputs;
            Cube before = predecessor(frame, cube, &inputs);
            add_obligation({frame - 1, its.depth + 1, Lemma(std::move(before)), std::move(inputs), index});
        }
    }
    return true;
}

// Whether the last frame has a bad state; an obligation is then there for it.
inline bool Pdr::bad_state() {
    FrameSolver& its = *frames_.back();
    its.owner = 0;
    its.solver.clear_domain();
    its.demand(c_.bad >> 1);
    const std::vector<Lit> bad{c_.bad};
    if (!its.solver.solve(bad)) return false;
    targets_ = c_.constraints;
    targets_.push_back(c_.bad);
    const auto leaf = [&](Var v) { return static_cast<std::uint8_t>(its.solver.holds(2 * v)); };
    std::vector<bool> inputs(c_.inputs);
    for (Var v = 1; v <= c_.inputs; ++v) inputs[v - 1] = leaf(v);
    add_obligation({level(), 0, Lemma(lifting_.reasons(targets_, leaf, activity_)), std::move(inputs), -1});
    return true;
}

// Whether two frames have become the same.
inline bool Pdr::pushed() {
    for (std::uint32_t i = 1; i < level(); ++i) {
        std::vector<Lemma> candidates = lemmas_[i];
        std::sort(candidates.begin(), candidates.end(), [](const Lemma& a, const Lemma& b) { return a.cube.size() < b.cube.size(); });
        for (const Lemma& lemma : candidates) {
            const auto& now = lemmas_[i];
            if (std::none_of(now.begin(), now.end(), [&](const Lemma& other) { return other.cube == lemma.cube; })) continue;
            if (is_blocked(i + 1, lemma.cube, false)) add_lemma(i + 1, core(lemma.cube, i + 1));
        }
        if (lemmas_[i].empty()) return true;
    }
    return false;
}

inline Answer Pdr::run(double seconds, double wall, std::size_t bytes, std::function<bool()> interrupted) {
    guard_.start(seconds, wall, bytes, std::move(interrupted));
    Answer answer;
    try {
        for (;;) {
            if (failed_ >= 0 || !block()) {
                answer = counterexample(failed_);
                break;
            }
            if (bad_state()) continue;
            open_frame();
            statistics_.frames = level();
            if (pushed()) {
                answer = proof();
                break;
            }
        }
    } catch (const OutOfLimits& limit) {
        answer.status = "stopped";
        answer.reason = limit.reason;
    }
    statistics_.seconds += guard_.seconds();
    return answer;
}

inline Answer Pdr::proof() const {
    Answer answer{.status = "safe", .reason = "", .invariant = netlist_.facts, .latches = {}, .inputs = {}};
    std::uint32_t same = 1;
    while (!lemmas_[same].empty()) ++same;
    for (std::uint32_t i = same + 1; i < lemmas_.size(); ++i) {
        for (const Lemma& lemma : lemmas_[i]) {
            answer.invariant.emplace_back();
            for (const Lit literal : lemma.cube) answer.invariant.back().push_back(netlist_.original(literal ^ 1));
        }
    }
    return answer;
}

inline Answer Pdr::counterexample(std::int64_t first) const {
    Answer answer{.status = "unsafe", .reason = "", .invariant = {}, .latches = {}, .inputs = {}};
    for (const std::uint8_t reset : whole_reset_) answer.latches.push_back(reset & 1);
    for (const Lit literal : obligations_[first].lemma.cube)
        answer.latches[netlist_.latch_of[(literal >> 1) - 1 - c_.inputs]] = !(literal & 1);
    for (std::int64_t at = first; at >= 0; at = obligations_[at].next) {
        answer.inputs.emplace_back(netlist_.original_inputs, 0);
        for (Var k = 0; k < c_.inputs; ++k) answer.inputs.back()[netlist_.input_of[k]] = obligations_[at].inputs[k];
    }
    return answer;
}

}  // namespace argosy::circuit
