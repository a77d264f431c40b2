// A circuit step after step in one solver: bounded model checking (Biere, Cimatti, Clarke, Zhu, "Symbolic Model Checking
// without BDDs", 1999) and k-induction (Eén, Sörensson, "Temporal Induction by Incremental SAT Solving", 2003).
#pragma once

#include <unordered_map>

#include "pdr.hpp"

namespace argosy::circuit {

// Literals of the circuit in each step. Gates are hashed over all steps, and constants propagated, so that a run from
// the resets is no larger than what is not yet known of it.
class Unrolling {
public:
    Unrolling(const Circuit& c, bool from_reset, Guard& guard, sat::Counts& counts)
        : solver(guard, counts), c_(c), from_reset_(from_reset) {
        solver.keep_heap();
        solver.add(std::vector<Lit>{2 * fresh() + 1}, sat::Kind::definition);
    }

    // The literal of the solver for a literal of the circuit in a step.
    Lit at(std::uint32_t step, Lit literal) {
        while (steps_.size() <= step) steps_.emplace_back(c_.variables(), none);
        const Lit known = steps_[step][literal >> 1];
        return (known != none ? known : build(step, literal >> 1)) ^ (literal & 1);
    }

    // After a model: whether the literal holds; what no query depends on is false.
    bool holds(std::uint32_t step, Lit literal) const {
        const Lit known = step < steps_.size() ? steps_[step][literal >> 1] : none;
        return known != none && solver.holds(known ^ (literal & 1));
    }

    std::size_t bytes() const {
        return solver.bytes() + steps_.size() * c_.variables() * sizeof(Lit) + hashed_.size() * 40;
    }

    Lit both(Lit a, Lit b) {
        if (a > b) std::swap(a, b);
        if (a == 0 || a == (b ^ 1)) return 0;
        if (a == 1 || a == b) return b;
        const auto [found, made] = hashed_.emplace(std::uint64_t{a} << 32 | b, 0);
        if (made) {
            const Lit gate = found->second = 2 * fresh();
            solver.add(std::vector<Lit>{gate ^ 1, a}, sat::Kind::definition);
            solver.add(std::vector<Lit>{gate ^ 1, b}, sat::Kind::definition);
            solver.add(std::vector<Lit>{gate, a ^ 1, b ^ 1}, sat::Kind::definition);
        }
        return found->second;
    }

    sat::Solver solver;

private:
    static constexpr Lit none = ~Lit{0};

    Var fresh() {
        const Var made = solver.variables();
        solver.grow(made + 1);
        solver.insert(made, true);
        return made;
    }

    Lit build(std::uint32_t step, Var v) {
        stack_.assign(1, {step, v});
        while (!stack_.empty()) {
            const auto [t, u] = stack_.back();
            Lit& its = steps_[t][u];
            if (its != none) {
                stack_.pop_back();
                continue;
            }
            const Var latch = u - 1 - c_.inputs;
            if (u == 0) {
                its = 0;
            } else if (u <= c_.inputs) {
                its = 2 * fresh();
            } else if (u < c_.first_gate()) {
                if (t == 0) {
                    const bool known = from_reset_ && c_.reset[latch] != arbitrary;
                    its = known ? Lit{c_.reset[latch]} : 2 * fresh();
                } else {
                    const Lit before = c_.next[latch];
                    const Lit image = steps_[t - 1][before >> 1];
                    if (image == none) {
                        stack_.push_back({t - 1, before >> 1});
                        continue;
                    }
                    its = image ^ (before & 1);
                }
            } else {
                const Lit a = c_.gates[2 * (u - c_.first_gate())], b = c_.gates[2 * (u - c_.first_gate()) + 1];
                const Lit left = steps_[t][a >> 1], right = steps_[t][b >> 1];
                if (left == none || right == none) {
                    if (left == none) stack_.push_back({t, a >> 1});
                    if (right == none) stack_.push_back({t, b >> 1});
                    continue;
                }
                its = both(left ^ (a & 1), right ^ (b & 1));
            }
            stack_.pop_back();
        }
        return steps_[step][v];
    }

    const Circuit& c_;
    bool from_reset_;
    std::vector<std::vector<Lit>> steps_;
    std::unordered_map<std::uint64_t, Lit> hashed_;
    std::vector<std::pair<std::uint32_t, Var>> stack_;
};

// Runs of one step, two steps, and so on, until one reaches the bad state.
class BoundedSearch {
public:
    explicit BoundedSearch(const Circuit& whole)
        : netlist_(Reduction(whole).run()), whole_reset_(whole.reset),
          unrolling_(netlist_.circuit, true, guard_, statistics_.counts) {}
    BoundedSearch(const BoundedSearch&) = delete;

    // "unsafe", "stopped", or "bounded" where no run of at most `most` steps (0: any) is bad.
    Answer run(double seconds, double wall, std::size_t bytes, std::uint32_t most, std::function<bool()> interrupted) {
        guard_.start(seconds, wall, bytes, std::move(interrupted));
        Answer answer;
        try {
            const Circuit& c = netlist_.circuit;
            for (answer.status = "bounded"; most == 0 || depth_ < most; ++depth_) {
                for (; constrained_ <= depth_; ++constrained_)
                    for (const Lit constraint : c.constraints)
                        unrolling_.solver.add(std::vector<Lit>{unrolling_.at(constrained_, constraint)}, sat::Kind::definition);
                const Lit bad = unrolling_.at(depth_, c.bad);
                statistics_.bytes = unrolling_.bytes();
                guard_.used(statistics_.bytes);
                guard_.check();
                if (unrolling_.solver.solve(std::vector<Lit>{bad})) {
                    answer = counterexample();
                    break;
                }
                unrolling_.solver.add(std::vector<Lit>{bad ^ 1}, sat::Kind::definition);
                statistics_.frames = depth_ + 1;
            }
        } catch (const OutOfLimits& limit) {
            answer.status = "stopped";
            answer.reason = limit.reason;
        }
        statistics_.seconds += guard_.seconds();
        return answer;
    }

    // No run of so many steps reaches the bad state.
    std::uint32_t depth() const { return depth_; }
    const Statistics& statistics() const { return statistics_; }

private:
    Answer counterexample() const {
        Answer answer{.status = "unsafe", .reason = "", .invariant = {}, .latches = {}, .inputs = {}};
        const Circuit& c = netlist_.circuit;
        for (const std::uint8_t reset : whole_reset_) answer.latches.push_back(reset & 1);
        for (Var k = 0; k < c.latches(); ++k)
            if (c.reset[k] == arbitrary) answer.latches[netlist_.latch_of[k]] = unrolling_.holds(0, 2 * (1 + c.inputs + k));
        for (std::uint32_t step = 0; step <= depth_; ++step) {
            answer.inputs.emplace_back(netlist_.original_inputs, 0);
            for (Var k = 0; k < c.inputs; ++k) answer.inputs.back()[netlist_.input_of[k]] = unrolling_.holds(step, 2 * (1 + k));
        }
        return answer;
    }

    Netlist netlist_;
    std::vector<std::uint8_t> whole_reset_;
    Guard guard_;
    Statistics statistics_;
    Unrolling unrolling_;
    std::uint32_t depth_ = 0, constrained_ = 0;
};

// Whether good states in `k` steps, whatever the first of them, lead to a good state: one more `k` with each round.
class InductionStep {
public:
    InductionStep(const Circuit& whole, bool simple_path)
        : netlist_(Reduction(whole).run()), unrolling_(netlist_.circuit, false, guard_, statistics_.counts),
          simple_path_(simple_path) {}
    InductionStep(const InductionStep&) = delete;

    // "safe": the bad state is excluded after `k` good states, so that it is never reached where no run of `k` steps
    // reaches it. "bounded": not for any k up to `most`.
    Answer run(double seconds, double wall, std::size_t bytes, std::uint32_t most, std::function<bool()> interrupted) {
        guard_.start(seconds, wall, bytes, std::move(interrupted));
        Answer answer;
        try {
            const Circuit& c = netlist_.circuit;
            for (answer.status = "bounded"; k_ <= most; ++k_) {
                for (; constrained_ <= k_; ++constrained_)
                    for (const Lit constraint : c.constraints)
                        unrolling_.solver.add(std::vector<Lit>{unrolling_.at(constrained_, constraint)}, sat::Kind::definition);
                const Lit bad = unrolling_.at(k_, c.bad);
                statistics_.bytes = unrolling_.bytes();
                guard_.used(statistics_.bytes);
                guard_.check();
                bool found = true;
                while ((found = unrolling_.solver.solve(std::vector<Lit>{bad})) && simple_path_ && separate()) {}
                if (!found) {
                    answer.status = "safe";
                    answer.invariant = netlist_.facts;
                    break;
                }
                unrolling_.solver.add(std::vector<Lit>{bad ^ 1}, sat::Kind::definition);
                statistics_.frames = k_ + 1;
            }
        } catch (const OutOfLimits& limit) {
            answer.status = "stopped";
            answer.reason = limit.reason;
        }
        statistics_.seconds += guard_.seconds();
        return answer;
    }

    std::uint32_t k() const { return k_; }
    const Statistics& statistics() const { return statistics_; }

private:
    // After a model in which a state comes twice: never again these two.
    bool separate() {
        const Circuit& c = netlist_.circuit;
        std::unordered_map<std::size_t, std::vector<std::uint32_t>> seen;
        std::vector<std::vector<bool>> states(k_ + 1);
        for (std::uint32_t step = 0; step <= k_; ++step) {
            for (Var k = 0; k < c.latches(); ++k) states[step].push_back(unrolling_.holds(step, 2 * (1 + c.inputs + k)));
            const std::size_t hash = std::hash<std::vector<bool>>()(states[step]);
            for (const std::uint32_t other : seen[hash]) {
                if (states[other] != states[step]) continue;
                Clause different;
                for (Var k = 0; k < c.latches(); ++k) {
                    const Lit latch = 2 * (1 + c.inputs + k);
                    const Lit a = unrolling_.at(other, latch), b = unrolling_.at(step, latch);
                    const Lit same = unrolling_.both(unrolling_.both(a, b ^ 1) ^ 1, unrolling_.both(a ^ 1, b) ^ 1);
                    different.push_back(same ^ 1);
                }
                unrolling_.solver.add(different, sat::Kind::definition);
                return true;
            }
            seen[hash].push_back(step);
        }
        return false;
    }

    Netlist netlist_;
    Guard guard_;
    Statistics statistics_;
    Unrolling unrolling_;
    bool simple_path_;
    std::uint32_t k_ = 0, constrained_ = 0;
};

}  // namespace argosy::circuit
