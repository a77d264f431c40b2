// A second look at a search for maximal runs that stay among the states of a formula, which has found none.
//
// Stored are states with a part and a rank. Those without a part (-1) contain every reachable state, where the formula
// has a premise. Wherever a run may begin, it is inside a part; whatever it does next without leaving the parts leads
// into states of smaller rank, which cannot go on for ever; and no state lets a run end. Where only runs count in which
// time diverges, the rank becomes smaller with every action that sets the clock of ticks to 0, which may happen once it
// has reached 1, and is never larger.
//
// What is in deadlock stays so. Where the formula speaks of that, the parts are for states that are not, and `dead_parts`
// for those that are; the latter go nowhere, so that they need no rank: wherever a run comes, it must not end. (Stored
// states contain what waiting leads to, through deadlocks that are not kept as well.)
//
// As `inductive.hpp` it includes nothing of the search.
#pragma once

#include <climits>

#include "inductive.hpp"

namespace argosy::certificate {

class EventualCertifier : public Certifier {
public:
    std::vector<Goal> premises;
    std::vector<int> parts, dead_parts;  // constraints, as trees; parts are disjoint
    bool deadlocks = false;              // whether what is in deadlock has parts of its own
    bool begins_at_start = true;       // else: wherever a premise holds
    int tick_clock = 0;                // 0: every step makes the rank smaller

    // Part and rank come before what `Certifier::add` reads.
    std::size_t add_ranked(const std::int32_t* numbers) {
        const std::int32_t* at = numbers + 2;
        Vector vector;
        vector.locations.assign(at, at + network.processes.size());
        at += network.processes.size();
        vector.values.assign(at, at + network.variables);
        at += network.variables;
        const std::int32_t count = *at++;
        kept_.add(key(numbers[0], vector), count, at, numbers[1]);
        ++states;
        return static_cast<std::size_t>(at - numbers) + static_cast<std::size_t>(count) * (count + 1);
    }

    std::optional<std::string> check_eventual(const std::function<void()>& tick);

private:
    using Zones = std::vector<Polyhedron>;

    static std::string key(std::int32_t part, const Vector& vector) {
        return std::string(reinterpret_cast<const char*>(&part), sizeof part) + name(vector);
    }
    static Zones minus(const Zones& from, const Polyhedron& other) {
        Zones rest;
        for (const Polyhedron& each : from)
            for (Polyhedron& piece : each.without(other)) rest.push_back(std::move(piece));
        return rest;
    }
    bool below(int part, const Vector& vector, const Polyhedron& sought, std::int64_t limit) const;
    void require(int part, const Vector& vector, const Polyhedron& zone, std::int64_t limit, const char* what);
    void begin(const Vector& vector, const Polyhedron& zone);
    bool stay(int part, const Vector& vector, Polyhedron& zone) const;
    void check_stay(int part, const Vector& vector, const Polyhedron& zone, std::int64_t rank);
    void check_crossing(int to, const Vector& vector, const Polyhedron& zone, std::int64_t limit);
    Zones stuck(const Vector& vector, const Polyhedron& zone) const;
    Zones outside(const Vector& vector, Zones zones, const std::vector<int>& its_parts) const;
    Zones met(const Goal& premise, const Vector& vector, const Polyhedron& zone) const;
    void check_ending(const Vector& vector, const Polyhedron& zone) const;
    template <class Visit>
    void steps(const Vector& vector, const Polyhedron& zone, Visit&& visit) const;
};

// Is all of the zone in stored states of the part whose rank is less than the limit?
inline bool EventualCertifier::below(int part, const Vector& vector, const Polyhedron& sought,
                                     std::int64_t limit) const {
    const Kept* const first = kept_.find(key(part, vector));
    for (const Kept* kept = first; kept != nullptr; kept = kept->next)
        if (kept->rank < limit && contains(*kept, sought)) return true;
    Zones rest{sought};
    for (const Kept* kept = first; kept != nullptr && !rest.empty(); kept = kept->next)
        if (kept->rank < limit) rest = minus(rest, zone(*kept));
    return rest.empty();
}

inline void EventualCertifier::require(int part, const Vector& vector, const Polyhedron& zone, std::int64_t limit,
                                       const char* what) {
    ++transitions;
    if (!below(part, vector, zone, limit)) throw Refuted{what};
}

// Invariants and the part, before and while time passes.
inline bool EventualCertifier::stay(int part, const Vector& vector, Polyhedron& zone) const {
    std::vector<Bound> found;
    if (!bounds(vector, parts[part], found) || !invariants(vector, found) || !cut(zone, found)) return false;
    if (time_passes(vector)) {
        zone.let_time_pass();
        cut(zone, found);
    }
    return true;
}

inline void EventualCertifier::begin(const Vector& vector, const Polyhedron& zone) {
    for (int part = 0; part < static_cast<int>(parts.size()); ++part) {
        Polyhedron own = zone;
        if (tick_clock > 0) own.assign(tick_clock, 0);
        if (stay(part, vector, own)) require(part, vector, own, INT64_MAX, "where a run may begin is not stored");
    }
    if (deadlocks) check_ending(vector, zone);
}

// Every action that is possible in the zone, with the part of it from which it is taken.
template <class Visit>
void EventualCertifier::steps(const Vector& vector, const Polyhedron& zone, Visit&& visit) const {
    const bool priorities = has_priorities();
    std::vector<std::pair<Move, Polyhedron>> enabled;
    for (const Move& move : moves(vector)) {
        Polyhedron part = zone;
        if (priorities ? possible(vector, move, part) : guarded(vector, move, part)) enabled.emplace_back(move, part);
    }
    for (const auto& [move, part] : enabled) {
        Zones rest{part};
        for (const auto& [other, its_part] : enabled)
            if (priorities && priority(other) > priority(move)) rest = minus(rest, its_part);
        for (Polyhedron& piece : rest) {
            After after = update(vector, move);
            for (const auto& [clock, constant] : after.assigned) piece.assign(clock, constant);
            visit(after.vector, piece);
        }
    }
}

inline void EventualCertifier::check_stay(int part, const Vector& vector, const Polyhedron& zone, std::int64_t rank) {
    const bool ticks = tick_clock > 0;
    const std::int64_t limit = ticks ? rank + 1 : rank;
    if (!deadlocks) check_ending(vector, zone);
    steps(vector, zone, [&](const Vector& after, const Polyhedron& entered) {
        for (int to = 0; to < static_cast<int>(parts.size()); ++to) {
            Polyhedron own = entered, ticked = entered;
            if (stay(to, after, own)) require(to, after, own, limit, "an action leads to no smaller rank");
            if (!ticks || !ticked.meet(0, tick_clock, -1)) continue;
            ticked.assign(tick_clock, 0);
            if (stay(to, after, ticked)) require(to, after, ticked, rank, "time passes without a smaller rank");
        }
        if (deadlocks) check_ending(after, entered);
    });
    for (int to = 0; to < static_cast<int>(parts.size()); ++to)
        if (to != part) check_crossing(to, vector, zone, limit);
}

// From one part into another by waiting. Either the last moment in this part is followed at once by moments of the other,
// or the first moment in the other is preceded at once by moments of this one; a bound on a single clock that holds just
// before or after a moment holds there as well if it is not strict, and holds strictly if it was not yet reached.
inline void EventualCertifier::check_crossing(int to, const Vector& vector, const Polyhedron& zone,
                                              std::int64_t limit) {
    std::vector<Bound> other;
    if (!time_passes(vector) || !bounds(vector, parts[to], other)) return;
    const auto floor_half = [](Int bound) { return bound - (bound & 1); };  // twice the constant
    Polyhedron last = zone;
    bool fits = true;
    for (const Bound& b : other) {
        const bool upper = b.left != 0 && b.right == 0, lower = b.left == 0 && b.right != 0;
        const Int bound = upper ? floor_half(b.bound) : lower ? floor_half(b.bound) + 1 : b.bound;
        fits = fits && last.meet(b.left, b.right, bound);
    }
    if (fits) {
        last.let_time_pass();
        if (cut(last, other) && stay(to, vector, last)) require(to, vector, last, limit, "waiting leads to no smaller rank");
    }
    Polyhedron first(zone.size());
    for (int i = 0; i < zone.size(); ++i) {
        for (int j = 0; j < zone.size(); ++j) {
            if (i == j) continue;
            Int bound = zone.at(i, j);
            if (j == 0 && bound != Polyhedron::unbounded) bound = floor_half(bound) + 1;
            if (i == 0) bound = floor_half(bound);
            first.tighten(i, j, bound);
        }
    }
    if (first.close() && stay(to, vector, first)) require(to, vector, first, limit, "waiting leads to no smaller rank");
}

// The states of a zone from which nothing is possible, now or later; the zone contains what waiting leads to.
inline EventualCertifier::Zones EventualCertifier::stuck(const Vector& vector, const Polyhedron& zone) const {
    Zones rest{zone};
    const bool delays = time_passes(vector);
    for (const Move& move : moves(vector)) {
        Polyhedron live = zone;
        if (!possible(vector, move, live)) continue;
        if (delays) live.go_back_in_time();
        rest = minus(rest, live);
    }
    return rest;
}

inline EventualCertifier::Zones EventualCertifier::outside(const Vector& vector, Zones zones,
                                                           const std::vector<int>& its_parts) const {
    for (const int part : its_parts) {
        std::vector<Bound> found;
        Polyhedron inside(network.clocks);
        if (bounds(vector, part, found) && cut(inside, found)) zones = minus(zones, inside);
    }
    return zones;
}

// The states of a zone that satisfy a premise.
inline EventualCertifier::Zones EventualCertifier::met(const Goal& premise, const Vector& vector,
                                                       const Polyhedron& zone) const {
    std::vector<Bound> found;
    Polyhedron there = zone;
    if (!bounds(vector, premise.constraint, found) || !cut(there, found)) return {};
    if (premise.deadlock < 0) return {there};
    std::vector<Bound> kept;
    Polyhedron later = zone;
    if (!invariants(vector, kept) || !cut(later, kept)) return {};
    if (time_passes(vector)) {
        later.let_time_pass();
        cut(later, kept);
    }
    Zones dead = stuck(vector, later), among{there}, rest{there};
    for (const Polyhedron& piece : dead) rest = minus(rest, piece);
    if (premise.deadlock == 0) return rest;
    for (const Polyhedron& piece : rest) among = minus(among, piece);
    return among;
}

// No state of the zone may be where the last stay of a maximal run begins: whatever it is allowed to wait, it comes to
// leave the parts, or is not in deadlock when time stops; or it may wait for ever, and then it must come to leave them.
inline void EventualCertifier::check_ending(const Vector& vector, const Polyhedron& zone) const {
    std::vector<Bound> kept;
    if (!invariants(vector, kept)) return;
    const bool delays = time_passes(vector);
    const bool for_ever =
        delays && std::none_of(kept.begin(), kept.end(), [](const Bound& b) { return b.left != 0 && b.right == 0; });
    if (tick_clock > 0 && !for_ever) return;
    Polyhedron later = zone;
    if (!cut(later, kept)) return;
    Zones ends{later};
    if (delays) {
        later.let_time_pass();
        cut(later, kept);
    }
    const Zones dead = for_ever && !deadlocks ? Zones{} : stuck(vector, later);
    Zones leaving = outside(vector, {later}, parts);
    if (deadlocks) {
        for (const Polyhedron& piece : dead) leaving = minus(leaving, piece);
        for (Polyhedron& piece : outside(vector, dead, dead_parts)) leaving.push_back(std::move(piece));
    }
    for (Polyhedron& leaves : leaving) {
        if (delays) leaves.go_back_in_time();
        ends = minus(ends, leaves);
    }
    if (!for_ever) {
        Zones acting = ends;
        for (Polyhedron piece : dead) {
            if (delays) piece.go_back_in_time();
            acting = minus(acting, piece);
        }
        for (const Polyhedron& piece : acting) ends = minus(ends, piece);
    }
    if (!ends.empty()) throw Refuted{"a run may end in a stored state"};
}

inline std::optional<std::string> EventualCertifier::check_eventual(const std::function<void()>& tick) {
    try {
        Vector start;
        for (const Process& process : network.processes) start.locations.push_back(process.initial);
        for (int k = 0; k < network.variables; ++k) start.values.push_back(network.slots[k].initial);
        Polyhedron origin = beginning();
        Polyhedron delayed = origin;
        if (!enter(start, delayed)) throw Refuted{"model error: the initial state violates an invariant"};
        if (begins_at_start) begin(start, origin);
        else require(-1, start, delayed, INT64_MAX, "the initial state is not stored");
        kept_.for_each([&](std::string_view text, const Kept* chain) {
            std::int32_t part = 0;
            std::memcpy(&part, text.data(), sizeof part);
            const Vector vector = vector_of(text.substr(sizeof part));
            for (const Kept* kept = chain; kept != nullptr; kept = kept->next) {
                if (tick) tick();
                const Polyhedron own = zone(*kept);
                if (part >= 0) {
                    if (part >= static_cast<int>(parts.size())) throw Refuted{"a part that does not exist"};
                    check_stay(part, vector, own, kept->rank);
                    continue;
                }
                for (const Goal& premise : premises)
                    for (const Polyhedron& there : met(premise, vector, own)) begin(vector, there);
                steps(vector, own, [&](const Vector& after, Polyhedron entered) {
                    if (enter(after, entered)) require(-1, after, entered, INT64_MAX, "a successor is not stored");
                });
            }
        });
    } catch (const Refuted& refuted) {
        return refuted.reason;
    }
    return std::nullopt;
}

}  // namespace argosy::certificate
