// The symbolic semantics of a network (`models/network.py` states the rules): from a discrete state and a zone to its
// successors, delayed and extrapolated. A zone has rows for the active clocks only: those that some current location
// may still compare with a constant.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "activity.hpp"
#include "dbm.hpp"
#include "machine.hpp"
#include "model.hpp"

namespace argosy {

// Edges that move together: the sender first, then the receivers in the order of the processes.
struct Action {
    std::uint32_t begin, count;
    std::int32_t channel;  // negative: internal
};

class Expander {
public:
    explicit Expander(const Model& model)
        : source(model), target(model), model_(model),
          machine_(model.code, model.ranges, model.functions, model.stack_size), activity_(model),
          row_of_(model.clocks, -1), reset_to_(model.clocks, -1) {}

    Discrete source;           // set by the caller, then `prepare`
    Zone zone;                 // the zone of `source`, over the clocks that `prepare` found
    Discrete target;           // valid inside the callback of `expand`
    Zone result;               // likewise
    const Constraint* stay = nullptr;  // what else must hold on entering a state, and while time passes in it
    bool lingers = true;               // whether time passes in the state that is entered
    std::int32_t tick_clock = 0;       // a clock that every action resets besides; 0: none

    // Finds the active clocks of `source`; the caller then fills `zone.matrix`.
    void prepare() {
        for (const std::int32_t clock : zone.clocks) row_of_[clock] = -1;
        current_ = -1;
        activity_.compute(model_, source.locations());
        zone.clocks = activity_.clocks;
        zone.matrix.resize(zone.clocks.size() * zone.clocks.size());
        index_rows();
    }

    // Like `prepare`, for a state that another expander has just produced.
    void adopt(const Discrete& state, const Zone& its_zone) {
        for (const std::int32_t clock : zone.clocks) row_of_[clock] = -1;
        source.copy(state, model_);
        zone = its_zone;
        index_rows();
    }

    // Like `prepare`, for a zone of `source` that is known.
    void adopt(const Zone& its_zone) {
        for (const std::int32_t clock : zone.clocks) row_of_[clock] = -1;
        zone = its_zone;
        index_rows();
    }

    // All actions of the discrete state whose integer guards hold, in an order that depends on nothing else.
    void enumerate();

    std::span<const std::int32_t> participants(const Action& action) const {
        return {participants_.data() + action.begin, action.count};
    }
    const std::vector<Action>& actions() const { return actions_; }

    // Calls yield(ordinal) once for each successor, which is then in `target` and `result`. Call `enumerate` before.
    template <class Yield>
    void expand(Yield&& yield) {
        if (model_.priorities) {
            expand_by_priority(yield);
            return;
        }
        for (std::uint32_t ordinal = 0; ordinal < actions_.size(); ++ordinal) {
            current_ = ordinal;
            const dbm::Bound* matrix = guarded(actions_[ordinal]);
            if (matrix == nullptr) continue;
            update(actions_[ordinal]);
            enter(matrix, zone.size(), [&] { yield(ordinal); });
        }
    }

    // Calls yield() for the initial state, which is then in `target` and `result`. False: there is none.
    template <class Yield>
    bool start(Yield&& yield) {
        std::copy(model_.initial_locations.begin(), model_.initial_locations.end(), target.locations());
        std::copy(model_.initial_slots.begin(), model_.initial_slots.end(), target.slots());
        for (const std::int32_t clock : zone.clocks) row_of_[clock] = -1;
        zone.clocks.assign(1, 0);
        machine_.resets.clear();
        for (std::int32_t clock = 1; clock < model_.clocks; ++clock) machine_.resets.push_back({clock, 0});
        for (const ClockValue& initial : model_.initial_clocks)
            machine_.resets.push_back({initial.clock, initial.value});
        const dbm::Bound origin = dbm::zero;
        machine_.start_counting();
        return enter(&origin, 1, yield);
    }

    // Up to which constants the rows of `result` matter; valid inside the callbacks of `expand` and `start`.
    RowBounds row_bounds() const { return {activity_.lower.data(), activity_.upper.data()}; }

    // Does a valuation of `its_zone` meet the goal? `pieces` are then all of them, as matrices over the same rows.
    // Overwrites `source` and `zone`.
    using Matrices = std::vector<std::vector<dbm::Bound>>;
    bool meets(const Goal& goal, const Discrete& state, const Zone& its_zone, Matrices& pieces);

    // What runs do that stay in a union of constraints (`staying.hpp`).
    template <class Yield>
    void again(const std::vector<dbm::Bound>& from, std::int32_t clock, Yield&& yield);
    bool within(const Constraint& constraint, std::vector<dbm::Bound>& matrix);
    void crossings(const Constraint& other, Matrices& before, Matrices& after);
    bool may_end(std::span<const Constraint> parts, const std::vector<Constraint>* dead, bool timelocks,
                 Matrices& where);

    // May a literal hold in the state? (A clock that is not active may have any value.) Overwrites `source`.
    bool may_hold(const Constraint& literal, const Discrete& state, const Zone& its_zone);

    // The action that is being computed, for the trace of a model error; -1: none in particular.
    std::int64_t current() const { return current_; }

private:
    void index_rows() {
        for (int k = 0; k < zone.size(); ++k) row_of_[zone.clocks[k]] = k;
    }
    bool holds(std::int32_t condition, Discrete& state) {
        if (condition < 0) return true;
        machine_.start_counting();
        return machine_.run(condition, state.locations(), state.slots()) != 0;
    }
    void differences(const std::vector<Atom>& atoms, Discrete& state, std::vector<Difference>& found);
    std::int32_t channel_of(const EdgeEntry& edge) {
        return edge.channel_code < 0
            ? edge.channel
            : static_cast<std::int32_t>(machine_.run(edge.channel_code, source.locations(), source.slots()));
    }
    void broadcast(std::int32_t sender, std::int32_t channel, bool committed);
    void add_action(std::int32_t channel, std::initializer_list<std::int32_t> edges) {
        const auto begin = static_cast<std::uint32_t>(participants_.size());
        participants_.insert(participants_.end(), edges);
        actions_.push_back({begin, static_cast<std::uint32_t>(edges.size()), channel});
    }
    bool leaves_committed(std::int32_t edge) const {
        const EdgeEntry& e = model_.edges[edge];
        return model_.locations[e.process][e.source].committed;
    }

    const dbm::Bound* guarded(const Action& action);
    void update(const Action& action);
    bool may_delay(Discrete& state);
    bool find_rates();
    bool let_time_pass(dbm::Bound* d, int n);
    bool urgent_synchronisation(Discrete& state);
    bool possible(const Action& action, std::vector<dbm::Bound>& out);
    bool substitute(Difference& difference) const;
    std::int32_t row(std::int32_t clock) const {
        if (row_of_[clock] < 0) throw std::logic_error("a clock is read where it was found inactive");
        return row_of_[clock];
    }
    std::pair<std::int32_t, std::int32_t> priority(const Action& action) const;

    template <class Yield>
    bool enter(const dbm::Bound* from, int rows, Yield&& yield);
    template <class Yield>
    void split(Yield&& yield);
    template <class Yield>
    void expand_by_priority(Yield&& yield);

    const Model& model_;
    Machine machine_;
    Activity activity_;
    std::vector<std::int32_t> row_of_;    // clock -> row of `zone`
    std::vector<std::int32_t> reset_to_;  // clock -> value it is reset to, or -1
    std::int64_t current_ = -1;
    std::vector<Action> actions_;
    std::vector<std::int32_t> participants_;
    struct Offer {
        std::int32_t edge, channel;
    };
    std::vector<Offer> sends_, receives_;
    std::vector<Difference> differences_, uppers_;
    std::vector<std::int32_t> rates_;  // of the rows of `result`
    std::vector<dbm::Bound> work_;
    std::vector<std::int32_t> origin_, shift_, row_in_result_;
    std::vector<int> enlarged_;
};

inline void Expander::differences(const std::vector<Atom>& atoms, Discrete& state, std::vector<Difference>& found) {
    for (const Atom& atom : atoms) {
        if (atom.code < 0) {
            found.push_back({atom.left, atom.right, atom.bound});
            continue;
        }
        machine_.start_counting();
        if (machine_.run(atom.code, state.locations(), state.slots()) == 0) continue;
        const auto constant = static_cast<std::int32_t>(machine_.below(1));
        const auto right = static_cast<std::int32_t>(machine_.below(2));
        const auto left = static_cast<std::int32_t>(machine_.below(3));
        switch (atom.relation) {
        case Atom::less: found.push_back({left, right, dbm::strict(constant)}); break;
        case Atom::at_most: found.push_back({left, right, dbm::weak(constant)}); break;
        case Atom::equal:
            found.push_back({left, right, dbm::weak(constant)});
            found.push_back({right, left, dbm::weak(-constant)});
            break;
        case Atom::at_least: found.push_back({right, left, dbm::weak(-constant)}); break;
        case Atom::greater: found.push_back({right, left, dbm::strict(-constant)}); break;
        }
    }
}

inline void Expander::enumerate() {
    current_ = -1;
    actions_.clear();
    participants_.clear();
    sends_.clear();
    receives_.clear();
    bool committed = false;
    for (std::int32_t p = 0; p < model_.processes; ++p)
        committed |= model_.locations[p][source.locations()[p]].committed;
    for (std::int32_t p = 0; p < model_.processes; ++p) {
        const LocationEntry& location = model_.locations[p][source.locations()[p]];
        for (const std::int32_t e : location.internal)
            if (holds(model_.edges[e].guard.condition, source) && (!committed || location.committed))
                add_action(-1, {e});
        for (const std::int32_t e : location.sending)
            if (holds(model_.edges[e].guard.condition, source)) sends_.push_back({e, channel_of(model_.edges[e])});
        for (const std::int32_t e : location.receiving)
            if (holds(model_.edges[e].guard.condition, source)) receives_.push_back({e, channel_of(model_.edges[e])});
    }
    for (const Offer& send : sends_) {
        if (model_.channels[send.channel].broadcast) {
            broadcast(send.edge, send.channel, committed);
            continue;
        }
        for (const Offer& receive : receives_) {
            if (receive.channel != send.channel) continue;
            if (model_.edges[receive.edge].process == model_.edges[send.edge].process) continue;
            if (committed && !leaves_committed(send.edge) && !leaves_committed(receive.edge)) continue;
            add_action(send.channel, {send.edge, receive.edge});
        }
    }
}

// One action for each choice of one receiving edge per process that can receive (an odometer over the choices).
inline void Expander::broadcast(std::int32_t sender, std::int32_t channel, bool committed) {
    std::vector<std::vector<std::int32_t>> choices;
    std::int32_t last = -1;
    for (const Offer& receive : receives_) {
        const std::int32_t process = model_.edges[receive.edge].process;
        if (receive.channel != channel || process == model_.edges[sender].process) continue;
        if (process != last) choices.emplace_back();
        last = process;
        choices.back().push_back(receive.edge);
    }
    std::vector<std::size_t> chosen(choices.size(), 0);
    for (;;) {
        bool moves = !committed || leaves_committed(sender);
        const auto begin = static_cast<std::uint32_t>(participants_.size());
        participants_.push_back(sender);
        for (std::size_t k = 0; k < choices.size(); ++k) {
            participants_.push_back(choices[k][chosen[k]]);
            moves |= leaves_committed(choices[k][chosen[k]]);
        }
        if (moves) actions_.push_back({begin, static_cast<std::uint32_t>(choices.size() + 1), channel});
        else participants_.resize(begin);
        std::size_t k = choices.size();
        while (k > 0 && ++chosen[k - 1] == choices[k - 1].size()) chosen[--k] = 0;
        if (k == 0) return;
    }
}

// The part of the zone where the clock guards hold, or nullptr. Valid until the next call.
inline const dbm::Bound* Expander::guarded(const Action& action) {
    const int n = zone.size();
    differences_.clear();
    for (const std::int32_t e : participants(action)) differences(model_.edges[e].guard.atoms, source, differences_);
    bool tightens = false;
    for (Difference& d : differences_) {
        d.left = row(d.left);
        d.right = row(d.right);
        if (!dbm::allows(zone.matrix.data(), n, d.left, d.right, d.bound)) return nullptr;
        tightens |= d.bound < zone.matrix[d.left * n + d.right];
    }
    if (!tightens) return zone.matrix.data();
    work_ = zone.matrix;
    for (const Difference& d : differences_)
        if (!dbm::constrain(work_.data(), n, d.left, d.right, d.bound)) return nullptr;
    return work_.data();
}

inline void Expander::update(const Action& action) {
    target.copy(source, model_);
    machine_.resets.clear();
    machine_.start_counting();
    for (const std::int32_t e : participants(action))
        if (model_.edges[e].update >= 0) machine_.run(model_.edges[e].update, target.locations(), target.slots());
    for (const std::int32_t e : participants(action))
        target.locations()[model_.edges[e].process] = model_.edges[e].target;
    if (tick_clock > 0) machine_.resets.push_back({tick_clock, 0});
}

inline bool Expander::may_delay(Discrete& state) {
    bool maybe_urgent = false;
    for (std::int32_t p = 0; p < model_.processes; ++p) {
        const LocationEntry& location = model_.locations[p][state.locations()[p]];
        if (location.urgent || location.committed) return false;
        maybe_urgent |= location.may_be_urgent;
    }
    return !maybe_urgent || !urgent_synchronisation(state);
}

inline bool Expander::urgent_synchronisation(Discrete& state) {
    std::vector<Offer> sends, receives;
    for (std::int32_t p = 0; p < model_.processes; ++p) {
        const LocationEntry& location = model_.locations[p][state.locations()[p]];
        if (!location.may_be_urgent) continue;
        for (const auto* list : {&location.sending, &location.receiving}) {
            for (const std::int32_t e : *list) {
                const EdgeEntry& edge = model_.edges[e];
                if (!edge.may_be_urgent || !holds(edge.guard.condition, state)) continue;
                const std::int32_t channel = edge.channel_code < 0
                    ? edge.channel
                    : static_cast<std::int32_t>(machine_.run(edge.channel_code, state.locations(), state.slots()));
                if (!model_.channels[channel].urgent) continue;
                if (edge.sends && model_.channels[channel].broadcast) return true;
                (edge.sends ? sends : receives).push_back({e, channel});
            }
        }
    }
    for (const Offer& send : sends)
        for (const Offer& receive : receives)
            if (send.channel == receive.channel &&
                model_.edges[send.edge].process != model_.edges[receive.edge].process)
                return true;
    return false;
}

// How fast the clocks of `result` run in `target`. False: all measure time.
inline bool Expander::find_rates() {
    bool found = false;
    for (std::int32_t p = 0; p < model_.processes; ++p) {
        for (const RateEntry& rate : model_.locations[p][target.locations()[p]].rates) {
            machine_.start_counting();
            const auto value = static_cast<std::int32_t>(machine_.run(rate.code, target.locations(), target.slots()));
            const std::int32_t its_row = row_in_result_[rate.clock];
            if (value == 1 || its_row < 0) continue;
            if (!found) rates_.assign(result.clocks.size(), 1);
            found = true;
            rates_[its_row] = value;
        }
    }
    if (found) rates_[0] = 0;
    return found;
}

// Inside the invariants in `differences_`, which the zone keeps; the delay is as long as the first of them permits.
inline bool Expander::let_time_pass(dbm::Bound* d, int n) {
    dbm::Span longest;
    for (const Difference& u : uppers_) {
        if (rates_[u.left] <= 0) continue;
        const dbm::Span span{dbm::add(u.bound, d[u.left]), rates_[u.left]};
        if (span.shorter(longest)) longest = span;
    }
    dbm::elapse(d, n, rates_.data(), longest);
    for (const Difference& i : differences_)
        if (!dbm::constrain(d, n, i.left, i.right, i.bound)) return false;
    return true;
}

// From a matrix over the rows of `zone` (before the resets in the machine) into `target`: resets, invariants, delay,
// extrapolation. A reset clock is the reference row shifted by its value, so one formula fills the new matrix.
template <class Yield>
bool Expander::enter(const dbm::Bound* from, int rows, Yield&& yield) {
    for (const Reset& r : machine_.resets) reset_to_[r.clock] = r.value;
    activity_.compute(model_, target.locations());
    const std::vector<std::int32_t>& clocks = activity_.clocks;
    const int n = static_cast<int>(clocks.size());
    origin_.assign(1, 0);
    shift_.assign(1, 0);
    for (int a = 1; a < n; ++a) {
        const bool is_reset = reset_to_[clocks[a]] >= 0;
        origin_.push_back(is_reset ? 0 : row(clocks[a]));
        shift_.push_back(is_reset ? 2 * reset_to_[clocks[a]] : 0);
    }
    for (const Reset& r : machine_.resets) reset_to_[r.clock] = -1;
    result.clocks = clocks;
    result.matrix.resize(static_cast<std::size_t>(n) * n);
    dbm::Bound* d = result.matrix.data();
    for (int a = 0; a < n; ++a) {
        const dbm::Bound* line = from + origin_[a] * rows;
        for (int b = 0; b < n; ++b) {
            const dbm::Bound bound = line[origin_[b]];
            d[a * n + b] = bound == dbm::infinity ? bound : bound + shift_[a] - shift_[b];
        }
    }

    differences_.clear();
    for (std::int32_t p = 0; p < model_.processes; ++p) {
        const Constraint& invariant = model_.locations[p][target.locations()[p]].invariant;
        if (!holds(invariant.condition, target)) return false;
        differences(invariant.atoms, target, differences_);
    }
    if (stay != nullptr) {
        if (!holds(stay->condition, target)) return false;
        differences(stay->atoms, target, differences_);
    }
    row_in_result_.assign(model_.clocks, -1);
    for (int a = 0; a < n; ++a) row_in_result_[clocks[a]] = a;
    uppers_.clear();
    for (Difference& i : differences_) {
        i.left = row_in_result_[i.left];
        i.right = row_in_result_[i.right];
        if (i.left < 0 || i.right < 0) throw std::logic_error("a clock is bounded where it was found inactive");
        if (!dbm::constrain(d, n, i.left, i.right, i.bound)) return false;
        if (i.right == 0) uppers_.push_back(i);
    }
    if (!lingers || !may_delay(target)) {
        // Nothing more is reached.
    } else if (find_rates()) {
        if (!let_time_pass(d, n)) throw std::logic_error("a zone is empty after a delay");
    } else {
        // The zone keeps the invariants before any delay, so delaying inside them changes no difference and no lower
        // bound: only how far each clock can get, which is up to the first invariant that stops all of them.
        for (int a = 1; a < n; ++a) {
            dbm::Bound limit = dbm::infinity;
            for (const Difference& u : uppers_) limit = std::min(limit, dbm::add(d[a * n + u.left], u.bound));
            d[a * n] = limit;
        }
    }
    if (activity_.diagonals.empty()) {
        dbm::extrapolate(d, n, activity_.lower.data(), activity_.upper.data(), enlarged_);
        yield();
    } else {
        split(yield);
    }
    return true;
}

// Extrapolation is wrong where clock differences are tested (Bouyer 2004), unless the zone is first split by these
// tests and each part cut back to its side afterwards (Bengtsson and Yi, "On Clock Difference Constraints and
// Termination in Reachability Analysis of Timed Automata", 2003).
template <class Yield>
void Expander::split(Yield&& yield) {
    const int n = result.size();
    struct Piece {
        std::vector<dbm::Bound> matrix;
        std::vector<Difference> sides;
    };
    std::vector<Piece> pieces{{result.matrix, {}}};
    for (const std::int32_t index : activity_.diagonals) {
        const Difference& test = model_.diagonals[index];
        const std::int32_t i = row_in_result_[test.left], j = row_in_result_[test.right];
        if (i < 0 || j < 0) throw std::logic_error("a clock difference is tested where a clock was found inactive");
        std::vector<Piece> next;
        for (Piece& piece : pieces) {
            Piece other = piece;
            if (dbm::constrain(other.matrix.data(), n, j, i, dbm::complement(test.bound))) {
                other.sides.push_back({j, i, dbm::complement(test.bound)});
                next.push_back(std::move(other));
            }
            if (dbm::constrain(piece.matrix.data(), n, i, j, test.bound)) {
                piece.sides.push_back({i, j, test.bound});
                next.push_back(std::move(piece));
            }
        }
        pieces = std::move(next);
    }
    const std::vector<std::int32_t> lower = activity_.lower, upper = activity_.upper;
    for (Piece& piece : pieces) {
        dbm::extrapolate(piece.matrix.data(), n, lower.data(), upper.data(), enlarged_);
        for (const Difference& side : piece.sides)
            dbm::constrain(piece.matrix.data(), n, side.left, side.right, side.bound);
        result.matrix = std::move(piece.matrix);
        yield();
    }
}

}  // namespace argosy

#include "possibility.hpp"  // the rest of Expander
#include "staying.hpp"
