// Where actions are possible: what priorities, deadlocks and goals ask of a state. Continues `successors.hpp`.
#pragma once

#include "successors.hpp"

namespace argosy {

// An invariant of the target, said about the clocks before the resets. False: it is violated whatever they are.
inline bool Expander::substitute(Difference& difference) const {
    if (reset_to_[difference.left] >= 0) {
        difference.bound -= 2 * reset_to_[difference.left];
        difference.left = 0;
    }
    if (reset_to_[difference.right] >= 0) {
        difference.bound += 2 * reset_to_[difference.right];
        difference.right = 0;
    }
    return difference.left != difference.right || difference.bound >= dbm::zero;
}

// The part of the zone from which the action leads to a state.
inline bool Expander::possible(const Action& action, std::vector<dbm::Bound>& out) {
    const dbm::Bound* matrix = guarded(action);
    if (matrix == nullptr) return false;
    const int n = zone.size();
    out.assign(matrix, matrix + n * n);
    update(action);
    for (const Reset& r : machine_.resets) reset_to_[r.clock] = r.value;
    bool fits = true;
    differences_.clear();
    for (std::int32_t p = 0; p < model_.processes && fits; ++p) {
        const Constraint& invariant = model_.locations[p][target.locations()[p]].invariant;
        fits = holds(invariant.condition, target);
        if (fits) differences(invariant.atoms, target, differences_);
    }
    for (Difference& d : differences_) {
        fits = fits && substitute(d) && dbm::constrain(out.data(), n, row(d.left), row(d.right), d.bound);
        if (!fits) break;
    }
    for (const Reset& r : machine_.resets) reset_to_[r.clock] = -1;
    return fits;
}

inline std::pair<std::int32_t, std::int32_t> Expander::priority(const Action& action) const {
    std::int32_t highest = model_.process_priority[model_.edges[participants_[action.begin]].process];
    for (const std::int32_t e : participants(action))
        highest = std::max(highest, model_.process_priority[model_.edges[e].process]);
    return {action.channel < 0 ? model_.default_priority : model_.channels[action.channel].priority, highest};
}

// An action takes place where it is possible and no action of higher priority is.
template <class Yield>
void Expander::expand_by_priority(Yield&& yield) {
    const int n = zone.size();
    Matrices where(actions_.size());
    for (std::size_t a = 0; a < actions_.size(); ++a) {
        current_ = static_cast<std::int64_t>(a);
        if (!possible(actions_[a], where[a])) where[a].clear();
    }
    for (std::uint32_t a = 0; a < actions_.size(); ++a) {
        if (where[a].empty()) continue;
        current_ = a;
        Matrices pieces{where[a]};
        for (std::size_t b = 0; b < actions_.size(); ++b) {
            if (where[b].empty() || priority(actions_[b]) <= priority(actions_[a])) continue;
            Matrices rest;
            for (const auto& piece : pieces) dbm::subtract(piece.data(), where[b].data(), n, rest);
            pieces = std::move(rest);
        }
        for (const auto& piece : pieces) {
            update(actions_[a]);
            enter(piece.data(), n, [&] { yield(a); });
        }
    }
}

inline bool Expander::meets(const Goal& goal, const Discrete& state, const Zone& its_zone, Matrices& pieces) {
    source.copy(state, model_);
    if (!holds(goal.constraint.condition, source)) return false;
    adopt(state, its_zone);
    const int n = its_zone.size();
    pieces.assign(1, its_zone.matrix);
    differences_.clear();
    differences(goal.constraint.atoms, source, differences_);
    for (const Difference& d : differences_)
        if (!dbm::constrain(pieces[0].data(), n, row(d.left), row(d.right), d.bound)) return false;
    if (goal.deadlock < 0) return true;
    const bool delays = may_delay(source);
    const std::vector<dbm::Bound> whole = pieces[0];
    if (goal.deadlock == 0) pieces.clear();
    std::vector<dbm::Bound> live;
    enumerate();
    for (const Action& action : actions_) {
        if (!possible(action, live)) continue;
        if (delays) dbm::past(live.data(), n);
        if (goal.deadlock == 0) {
            if (dbm::intersect(live.data(), whole.data(), n)) pieces.push_back(live);
            continue;
        }
        Matrices rest;
        for (const auto& piece : pieces) dbm::subtract(piece.data(), live.data(), n, rest);
        pieces = std::move(rest);
    }
    return !pieces.empty();
}

inline bool Expander::may_hold(const Constraint& literal, const Discrete& state, const Zone& its_zone) {
    source.copy(state, model_);
    if (!holds(literal.condition, source)) return false;
    if (literal.atoms.empty()) return true;
    const auto row_in = [&](std::int32_t clock) {
        const auto found = std::lower_bound(its_zone.clocks.begin(), its_zone.clocks.end(), clock);
        return found != its_zone.clocks.end() && *found == clock ? found - its_zone.clocks.begin() : -1;
    };
    differences_.clear();
    differences(literal.atoms, source, differences_);
    std::vector<dbm::Bound> part = its_zone.matrix;
    for (const Difference& d : differences_) {
        const auto left = row_in(d.left), right = row_in(d.right);
        if (left < 0 || right < 0) continue;
        if (!dbm::constrain(part.data(), its_zone.size(), static_cast<int>(left), static_cast<int>(right), d.bound))
            return false;
    }
    return true;
}

}  // namespace argosy
