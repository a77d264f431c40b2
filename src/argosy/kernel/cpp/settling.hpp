// The run that settles first. Continues `lasso.hpp`.
//
// A run **settles** when it comes to the discrete state that it never leaves for good: it visits it infinitely often, or
// waits there to its end. (Before it begins to stay it has not settled.) With a deadline the search asks for a run that
// has settled by then. A clock measures absolute time; it is kept as long as the run has not settled, where only its
// least value matters (as in a search for the fastest trace), and forgotten afterwards. Every state that is entered in
// time may be the one: from there on everything is as without a deadline, but a cycle must come through that discrete
// state, and an end must be in it. Whether bounds on the time of arrival or on any later moment of the same stay are
// asked for makes no difference, since who is there later was there before.
//
// Bounds are integers, so that the least time is one, attained or approached: with the deadlines <= 0, < 1, <= 1, ... there
// is a first one with a run.
#pragma once

#include "lasso.hpp"

namespace argosy {

// What comes later is kept in zones that begin in time: whether something is a deadlock depends on it.
inline bool LassoSearch::may_be_in_time(const Zone& zone) const {
    return dbm::allows(zone.matrix.data(), zone.size(), static_cast<int>(time_row(zone)), 0, deadline_);
}

// Cuts the zone to where the deadline is kept.
inline bool LassoSearch::in_time(Zone& zone) const {
    return dbm::constrain(zone.matrix.data(), zone.size(), static_cast<int>(time_row(zone)), 0, deadline_);
}

inline void LassoSearch::forget_time(Zone& zone) const {
    dbm::free_clock(zone.matrix.data(), zone.size(), static_cast<int>(time_row(zone)));
}

// A state inside the parts, in time: the run settles here, or goes on.
inline void LassoSearch::hurry(std::uint32_t node) {
    load(node);
    const std::int32_t part = part_in(nodes_[node].part);
    if (!in_time(expander_.zone)) throw std::logic_error("a state that comes too late is kept");
    forget_time(expander_.zone);
    const std::vector<dbm::Bound> timeless = expander_.zone.matrix;
    std::vector<std::uint32_t> entered;
    expander_.stay = &parts_[static_cast<std::size_t>(part)];
    expander_.again(timeless, tick_clock_, [&] { entered.push_back(insert(part, node, 0, Micro::settle)); });
    for (const std::uint32_t root : entered)
        if (settles_for_ever(node, root)) return;
    expand(node);
}

inline bool LassoSearch::settles_for_ever(std::uint32_t node, std::uint32_t root) {
    if (!deadlocks_) {
        load(root);
        Expander::Matrices where;
        if (expander_.may_end(parts_, nullptr, tick_clock_ == 0, where)) found_ = Found{false, root};
    }
    if (!found_ && nodes_[root].index == 0) descend(root);
    std::vector<bool> reached(nodes_.size(), false);
    std::vector<std::uint32_t> waiting{root};
    reached[root] = true;
    while (!found_ && !waiting.empty()) {
        const std::uint32_t at = waiting.back();
        waiting.pop_back();
        if (nodes_[at].discrete == nodes_[root].discrete && recurs_[nodes_[at].rank - 1]) found_ = Found{true, at};
        for (const Edge& edge : nodes_[at].edges) {
            if (reached[edge.target]) continue;
            reached[edge.target] = true;
            waiting.push_back(edge.target);
        }
        guard_.tick(10 + nodes_[at].edges.size());
    }
    if (!found_) return false;
    settled_ = ancestry(node);
    if (found_->lasso) afterwards_ = path(root, found_->node, 0);
    return true;
}

}  // namespace argosy
