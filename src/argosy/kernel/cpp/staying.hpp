// Runs that stay among the states of a formula: a union of disjoint parts, each a constraint. Continues
// `successors.hpp`; `models/network_queries.py` says which runs are maximal. Here `source` and `zone` are a state inside
// one of the parts, delayed as far as this part and the invariants permit.
#pragma once

#include "successors.hpp"

namespace argosy {

// The same discrete state entered once more from a matrix over the rows of `zone`, with `clock` (0: none) set to 0.
template <class Yield>
void Expander::again(const std::vector<dbm::Bound>& from, std::int32_t clock, Yield&& yield) {
    current_ = -1;
    target.copy(source, model_);
    machine_.resets.clear();
    machine_.start_counting();
    if (clock > 0) machine_.resets.push_back({clock, 0});
    enter(from.data(), zone.size(), yield);
}

// Cuts the matrix to where the constraint holds in `source`.
inline bool Expander::within(const Constraint& constraint, std::vector<dbm::Bound>& matrix) {
    if (!holds(constraint.condition, source)) return false;
    differences_.clear();
    differences(constraint.atoms, source, differences_);
    for (const Difference& d : differences_)
        if (!dbm::constrain(matrix.data(), zone.size(), row(d.left), row(d.right), d.bound)) return false;
    return true;
}

// Where time carries a run from `zone` directly into another part. The moment of the crossing belongs to the part before
// it, and any later moment to the part after it (`before`: what is entered after that moment), or the moment itself
// belongs to the part after it and any earlier one to the part before it (`after`). As time grows, only bounds of single
// clocks come and go; so at the open end of a stay an upper bound is not strict, or a lower bound is.
inline void Expander::crossings(const Constraint& other, Matrices& before, Matrices& after) {
    before.clear();
    after.clear();
    if (!holds(other.condition, source) || !may_delay(source)) return;
    const int n = zone.size();
    differences_.clear();
    differences(other.atoms, source, differences_);
    std::vector<Difference> atoms = differences_;
    for (Difference& d : atoms) {
        d.left = row(d.left);
        d.right = row(d.right);
    }
    const auto cut = [&](std::vector<dbm::Bound>& matrix, const Difference& d) {
        return dbm::constrain(matrix.data(), n, d.left, d.right, d.bound);
    };
    std::vector<dbm::Bound> leaving = zone.matrix;
    bool fits = true;
    for (Difference d : atoms) {
        if (d.right == 0 && d.left != 0) d.bound = dbm::strict(dbm::value(d.bound));
        if (d.left == 0 && d.right != 0) d.bound = dbm::weak(dbm::value(d.bound));
        fits = fits && cut(leaving, d);
    }
    if (fits) {
        dbm::delay(leaving.data(), n);
        for (const Difference& d : atoms) fits = fits && cut(leaving, d);
        if (fits) before.push_back(leaving);
    }
    std::vector<dbm::Bound> arriving = zone.matrix;
    for (int a = 1; a < n; ++a) {
        if (arriving[a * n] != dbm::infinity) arriving[a * n] = dbm::weak(dbm::value(arriving[a * n]));
        arriving[a] = dbm::strict(dbm::value(arriving[a]));
    }
    fits = dbm::close(arriving.data(), n);
    for (const Difference& d : atoms) fits = fits && cut(arriving, d);
    if (fits) after.push_back(arriving);
}

// Where in `zone` a maximal run may end: time may pass for ever, or (`timelocks`) it comes to a deadlock; and whatever
// delay is permitted, it stays inside the parts; from where it is in deadlock, inside the `dead` ones (null: the same).
inline bool Expander::may_end(std::span<const Constraint> parts, const std::vector<Constraint>* dead, bool timelocks,
                              Matrices& where) {
    const int n = zone.size();
    const bool delays = may_delay(source);
    where.assign(1, zone.matrix);
    differences_.clear();
    for (std::int32_t p = 0; p < model_.processes; ++p)
        differences(model_.locations[p][source.locations()[p]].invariant.atoms, source, differences_);
    std::vector<Difference> invariants = differences_;
    bool bounded = !delays;
    for (const Difference& d : invariants) bounded |= d.left != 0 && d.right == 0;
    if (bounded && !timelocks) {
        where.clear();
        return false;
    }
    const auto minus = [&](const Matrices& from, const std::vector<dbm::Bound>& some) {
        Matrices rest;
        for (const auto& piece : from) dbm::subtract(piece.data(), some.data(), n, rest);
        return rest;
    };
    const auto without = [&](Matrices from, std::span<const Constraint> its_parts) {
        for (const Constraint& part : its_parts) {
            std::vector<dbm::Bound> inside = zone.matrix;
            if (within(part, inside)) from = minus(from, inside);
        }
        return from;
    };
    const std::vector<dbm::Bound> own = zone.matrix;
    if (delays) {
        dbm::delay(zone.matrix.data(), n);
        for (const Difference& d : invariants)
            dbm::constrain(zone.matrix.data(), n, row(d.left), row(d.right), d.bound);
    }
    Matrices stuck;
    if (bounded || dead != nullptr) {
        stuck.push_back(zone.matrix);
        std::vector<dbm::Bound> live;
        enumerate();
        for (const Action& action : actions_) {
            if (!possible(action, live)) continue;
            if (delays) dbm::past(live.data(), n);
            stuck = minus(stuck, live);
        }
    }
    Matrices outside = without({zone.matrix}, parts);
    if (dead != nullptr) {
        for (const auto& piece : stuck) outside = minus(outside, piece);
        for (auto& piece : without(stuck, *dead)) outside.push_back(std::move(piece));
    }
    for (auto& piece : outside) {
        if (delays) dbm::past(piece.data(), n);
        where = minus(where, piece);
    }
    if (bounded) {
        Matrices ends;
        for (auto& piece : stuck) {
            if (delays) dbm::past(piece.data(), n);
            for (const auto& each : where) {
                std::vector<dbm::Bound> common = each;
                if (dbm::intersect(common.data(), piece.data(), n)) ends.push_back(std::move(common));
            }
        }
        where = std::move(ends);
    }
    zone.matrix = own;
    return !where.empty();
}

}  // namespace argosy
