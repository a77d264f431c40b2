// The check itself: the states, their successors, and whether they are inside again. Where there are margins, "inside"
// means: simulated by one that is (`margins.hpp`); where there are families, that an image is (`orbits.hpp`).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <thread>

#include "certifier.hpp"
#include "kept.hpp"
#include "mapped.hpp"
#include "margins.hpp"
#include "orbits.hpp"

namespace argosy::certificate {

class Certifier {
public:
    Network network;
    Margins margins;
    Orbits orbits;
    std::size_t states = 0, transitions = 0;

    // The states lie in a file in that folder, and what of the process is resident is kept below a limit (0: none).
    void keep_on_disk(const std::string& folder, std::size_t limit) {
        mapped_ = std::make_unique<MappedMemory>(folder);
        mapped_->limit(limit);
        kept_.place(mapped_.get());
    }
    void keep_within() const {
        if (mapped_) mapped_->keep_within();
    }

    // A state as the search exports it: locations, values, number of clocks, clocks (0 first), bounds row by row.
    // Nothing is said about the clocks that are not listed. Returns how many numbers were read.
    std::size_t add(const std::int32_t* numbers);

    // Empty if the set is inductive and meets no goal. `tick` is called for every state, by the caller's thread.
    std::optional<std::string> check(const std::function<void()>& tick, int threads = 1);

protected:
    struct Move {
        std::vector<std::pair<int, int>> edges;  // process, edge
        int channel;
    };
    struct After {
        Vector vector;
        std::vector<std::pair<int, Int>> assigned;
    };

    static std::string name(const Vector& vector);
    Vector vector_of(std::string_view name) const;
    Polyhedron zone(const Kept& kept) const;
    bool inside(const Vector& vector, const Polyhedron& zone) const;
    bool image_inside(const Vector& vector, const Polyhedron& zone) const;
    static bool contains(const Kept& kept, const Polyhedron& zone);

    // False: the condition does not hold.
    bool bounds(const Vector& vector, int constraint, std::vector<Bound>& found) const;
    bool invariants(const Vector& vector, std::vector<Bound>& found) const;
    static bool cut(Polyhedron& zone, const std::vector<Bound>& bounds) {
        return std::all_of(bounds.begin(), bounds.end(),
                           [&](const Bound& b) { return zone.meet(b.left, b.right, b.bound); });
    }
    // In a state; nothing of it is kept, so that every expression is evaluated as if it were the first.
    Int value(const Vector& vector, int e) const {
        const auto fixed = Walker::fixed(network, e);
        return fixed ? *fixed : Walker(network, vector).value(e);
    }
    int clock(const Vector& vector, int place) const {
        const auto fixed = Walker::fixed_place(network, place);
        return static_cast<int>(fixed ? *fixed : Walker(network, vector).address(place));
    }
    bool time_passes(const Vector& vector) const;
    std::vector<Move> moves(const Vector& vector) const;
    bool leaves_committed(const Vector& vector, const Move& move) const;
    // What the guards ask of the clocks; false: one does not hold whatever they are.
    bool guards(const Vector& vector, const Move& move, std::vector<Bound>& found) const;
    bool guarded(const Vector& vector, const Move& move, Polyhedron& zone) const {
        std::vector<Bound> found;
        return guards(vector, move, found) && cut(zone, found);
    }
    After update(const Vector& vector, const Move& move) const;
    bool possible(const Vector& vector, const Move& move, Polyhedron& zone) const;
    bool enter(const Vector& vector, Polyhedron& zone) const;
    // In a zone that keeps the invariants: what is reached by waiting, or more, as long as none of them is asked.
    void wait(const Vector& vector, Polyhedron& zone, const std::vector<Bound>& invariants) const;
    std::pair<int, int> priority(const Move& move) const;
    // How many transitions there were.
    std::size_t check_state(const Vector& vector, const Polyhedron& zone) const;
    bool check_step(const Vector& vector, const Move& move, Polyhedron zone, const Margins::Local* local) const;
    std::size_t check_part(std::size_t part, const std::function<void()>& tick) const;
    Polyhedron beginning() const {
        Polyhedron origin(network.clocks);
        for (int clock = 1; clock < network.clocks; ++clock) origin.assign(clock, 0);
        for (const auto& [clock, value] : network.initial_clocks) origin.assign(clock, value);
        return origin;
    }
    void check_start() const;
    void check_all(const std::function<void()>& tick, int threads);
    void check_margins(const Vector& vector, const Margins::Local& local) const;
    void check_margins(const After& after, const Margins::Local& before, bool entered) const;
    static void within(const Margins::Local& local, const Bound& bound) {
        if (!local.allow(bound)) throw Refuted{"a clock is compared beyond its margin"};
    }
    bool meets(const Goal& goal, const Vector& vector, const Polyhedron& whole) const;
    bool has_priorities() const;
    bool asks_for_deadlocks() const {
        return std::any_of(network.goals.begin(), network.goals.end(), [](const Goal& g) { return g.deadlock >= 0; });
    }
    static bool best(const Kept& kept, const Polyhedron& closed) {
        for (int i = 0; i < kept.count; ++i)
            for (int j = 0; j < kept.count; ++j)
                if (kept.bounds()[i * kept.count + j] != closed.at(kept.clocks()[i], kept.clocks()[j])) return false;
        return true;
    }

    std::unique_ptr<MappedMemory> mapped_;
    KeptStates kept_;
    std::unordered_map<std::string, std::vector<std::string>> alike_;  // by signature: the names of stored vectors
};

// Small numbers take one byte.
inline std::string Certifier::name(const Vector& vector) {
    std::string text;
    for (const auto* list : {&vector.locations, &vector.values}) {
        for (const std::int32_t number : *list) {
            auto rest = static_cast<std::uint32_t>(number) * 2 ^ static_cast<std::uint32_t>(number >> 31);
            while (rest >= 128) {
                text.push_back(static_cast<char>(128 | (rest & 127)));
                rest >>= 7;
            }
            text.push_back(static_cast<char>(rest));
        }
    }
    return text;
}

inline std::size_t Certifier::add(const std::int32_t* numbers) {
    const std::int32_t* at = numbers;
    Vector vector;
    vector.locations.assign(at, at + network.processes.size());
    at += network.processes.size();
    vector.values.assign(at, at + network.variables);
    at += network.variables;
    const std::int32_t count = *at++;
    for (std::int32_t k = 0; k < count; ++k)
        if (at[k] < 0 || at[k] >= network.clocks) throw std::invalid_argument("a state has a clock of another network");
    const std::string text = name(vector);
    if (orbits.used() && kept_.find(text) == nullptr) alike_[orbits.signature(vector)].push_back(text);
    kept_.add(text, count, at);
    ++states;
    return static_cast<std::size_t>(at - numbers) + static_cast<std::size_t>(count) * (count + 1);
}

inline Polyhedron Certifier::zone(const Kept& kept) const {
    Polyhedron found(network.clocks);
    std::vector<int> known(kept.clocks(), kept.clocks() + kept.count);
    if (std::find(known.begin(), known.end(), 0) == known.end()) known.push_back(0);
    for (int i = 0; i < kept.count; ++i)
        for (int j = 0; j < kept.count; ++j)
            found.tighten(kept.clocks()[i], kept.clocks()[j], kept.bounds()[i * kept.count + j]);
    if (!found.close(known)) throw Refuted{"an empty zone is stored"};
    return found;
}

inline bool Certifier::contains(const Kept& kept, const Polyhedron& zone) {
    const std::int32_t* clocks = kept.clocks();
    const std::int32_t* bounds = kept.bounds();
    for (int i = 0; i < kept.count; ++i)
        for (int j = 0; j < kept.count; ++j)
            if (zone.at(clocks[i], clocks[j]) > bounds[i * kept.count + j]) return false;
    return true;
}

// One stored zone mostly contains the other; else nothing may be left of it without all of them.
inline bool Certifier::inside(const Vector& vector, const Polyhedron& sought) const {
    if (orbits.used()) return image_inside(vector, sought);
    const Kept* const first = kept_.find(name(vector));
    for (const Kept* kept = first; kept != nullptr; kept = kept->next)
        if (contains(*kept, sought)) return true;
    if (margins.used() && first != nullptr) {
        const Margins::Local local = margins.of(vector.locations, network.clocks);
        for (const Kept* kept = first; kept != nullptr; kept = kept->next)
            if (Margins::simulate(*kept, sought, local)) return true;
    }
    std::vector<Polyhedron> rest{sought};
    for (const Kept* kept = first; kept != nullptr && !rest.empty(); kept = kept->next) {
        const Polyhedron stored = zone(*kept);
        std::vector<Polyhedron> smaller;
        for (const Polyhedron& part : rest)
            for (Polyhedron& piece : part.without(stored)) smaller.push_back(std::move(piece));
        rest = std::move(smaller);
    }
    return rest.empty();
}

// A permutation that takes all of it into one stored zone; else all that take the vector to a stored one take their parts,
// as far as there are not too many.
inline bool Certifier::image_inside(const Vector& vector, const Polyhedron& sought) const {
    constexpr int most_permutations = 1000;
    const auto bucket = alike_.find(orbits.signature(vector));
    if (bucket == alike_.end()) return false;
    const auto any = [](int, int, int, int) { return true; };
    for (const int tries : {4 * static_cast<int>(network.processes.size()), 50'000}) {
        for (const std::string& text : bucket->second) {
            const Vector goal = vector_of(text);
            const Margins::Local local =
                margins.used() ? margins.of(goal.locations, network.clocks) : Margins::Local{};
            std::vector<int> position(network.clocks, -1);
            for (const Kept* kept = kept_.find(text); kept != nullptr; kept = kept->next) {
                const std::vector<int> wanted(kept->clocks(), kept->clocks() + kept->count);
                for (int k = 0; k < kept->count; ++k) position[wanted[k]] = k;
                const auto fits = [&](int a, int x, int b, int y) {
                    const Int bound = kept->bounds()[position[a] * kept->count + position[b]];
                    if (sought.at(x, y) <= bound) return true;
                    return margins.used() && !Margins::counts(bound, sought.at(x, y), sought.at(0, y), local, a, b);
                };
                if (orbits.search(vector, goal, wanted, network.clocks, tries, sought, fits,
                                  [](const Orbits::Places&) { return true; }))
                    return true;
            }
        }
    }
    std::vector<Polyhedron> rest{sought};
    int permutations = 0;
    for (const std::string& text : bucket->second) {
        const Vector goal = vector_of(text);
        orbits.search(vector, goal, {}, network.clocks, 50'000, sought, any, [&](const Orbits::Places& places) {
            const std::vector<int> source = orbits.sources(places, network.clocks);
            for (const Kept* kept = kept_.find(text); kept != nullptr && !rest.empty(); kept = kept->next) {
                const Polyhedron stored = zone(*kept);
                Polyhedron back = stored;
                for (int i = 0; i < network.clocks; ++i)
                    for (int j = 0; j < network.clocks; ++j) back.at(source[i], source[j]) = stored.at(i, j);
                std::vector<Polyhedron> smaller;
                for (const Polyhedron& part : rest)
                    for (Polyhedron& piece : part.without(back)) smaller.push_back(std::move(piece));
                rest = std::move(smaller);
            }
            return rest.empty() || ++permutations >= most_permutations;
        });
        if (rest.empty()) return true;
    }
    return false;
}

inline bool Certifier::bounds(const Vector& vector, int constraint, std::vector<Bound>& found) const {
    const std::int32_t* numbers = network.tree.data() + constraint;
    if (value(vector, numbers[0]) == 0) return false;
    for (int k = 0; k < numbers[1]; ++k) {
        const std::int32_t* atom = numbers + 2 + 5 * k;  // left, right, relation, bound, condition
        if (value(vector, atom[4]) == 0) continue;
        const int left = clock(vector, atom[0]), right = clock(vector, atom[1]);
        const Int constant = value(vector, atom[3]);
        const int relation = atom[2];  // < <= == >= >
        if (relation <= 2) found.push_back({left, right, 2 * constant + (relation > 0)});
        if (relation >= 2) found.push_back({right, left, -2 * constant + (relation < 4)});
    }
    return true;
}

inline bool Certifier::invariants(const Vector& vector, std::vector<Bound>& found) const {
    for (std::size_t p = 0; p < network.processes.size(); ++p)
        if (!bounds(vector, network.processes[p].locations[vector.locations[p]].invariant, found)) return false;
    return true;
}

// Every way to take edges together that integers, channels and committed locations allow.
inline std::vector<Certifier::Move> Certifier::moves(const Vector& vector) const {
    struct Offer {
        int process, edge, channel;
    };
    std::vector<Move> found;
    std::vector<Offer> senders, receivers;
    Walker walker(network, vector);
    bool committed = false;
    for (std::size_t p = 0; p < network.processes.size(); ++p) {
        const Process& process = network.processes[p];
        committed |= process.locations[vector.locations[p]].committed;
        for (std::size_t e = 0; e < process.edges.size(); ++e) {
            const Process::Edge& edge = process.edges[e];
            if (edge.source != vector.locations[p] || walker.value(network.tree[edge.guard]) == 0) continue;
            const Offer offer{static_cast<int>(p), static_cast<int>(e),
                              edge.kind == 0 ? -1 : static_cast<int>(walker.address(edge.channel))};
            if (edge.kind == 0) found.push_back({{{offer.process, offer.edge}}, -1});
            else (edge.kind == 1 ? senders : receivers).push_back(offer);
        }
    }
    for (const Offer& sender : senders) {
        std::vector<Move> partial{{{{sender.process, sender.edge}}, sender.channel}};
        const bool broadcast = network.channels[sender.channel].broadcast;
        for (std::size_t p = 0; p < network.processes.size(); ++p) {
            std::vector<Move> longer;
            for (const Offer& receiver : receivers) {
                if (receiver.process != static_cast<int>(p) || receiver.channel != sender.channel) continue;
                if (receiver.process == sender.process) continue;
                for (Move move : partial) {
                    move.edges.emplace_back(receiver.process, receiver.edge);
                    if (broadcast) longer.push_back(std::move(move));
                    else found.push_back(std::move(move));
                }
            }
            if (!longer.empty()) partial = std::move(longer);
        }
        if (broadcast) found.insert(found.end(), partial.begin(), partial.end());
    }
    if (committed) std::erase_if(found, [&](const Move& move) { return !leaves_committed(vector, move); });
    return found;
}

inline bool Certifier::leaves_committed(const Vector& vector, const Move& move) const {
    return std::any_of(move.edges.begin(), move.edges.end(), [&](const auto& edge) {
        return network.processes[edge.first].locations[vector.locations[edge.first]].committed;
    });
}

inline bool Certifier::time_passes(const Vector& vector) const {
    for (std::size_t p = 0; p < network.processes.size(); ++p) {
        const auto& location = network.processes[p].locations[vector.locations[p]];
        if (location.urgent || location.committed) return false;
    }
    if (std::none_of(network.channels.begin(), network.channels.end(), [](const Channel& c) { return c.urgent; }))
        return true;
    // No location is committed, so the moves are exactly the synchronisations that are enabled.
    for (const Move& move : moves(vector))
        if (move.channel >= 0 && network.channels[move.channel].urgent) return false;
    return true;
}

inline bool Certifier::guards(const Vector& vector, const Move& move, std::vector<Bound>& found) const {
    return std::all_of(move.edges.begin(), move.edges.end(), [&](const auto& edge) {
        return bounds(vector, network.processes[edge.first].edges[edge.second].guard, found);
    });
}

inline Certifier::After Certifier::update(const Vector& vector, const Move& move) const {
    Walker walker(network, vector);
    After after{vector, {}};
    for (const auto& [process, edge] : move.edges) walker.run(network.processes[process].edges[edge].update);
    for (const auto& [process, edge] : move.edges)
        after.vector.locations[process] = network.processes[process].edges[edge].target;
    after.vector.values = walker.values();
    after.assigned = std::move(walker.assigned);
    return after;
}

// Shrinks the zone to where the move leads to a state: the invariants are asked of the clocks after the assignments.
inline bool Certifier::possible(const Vector& vector, const Move& move, Polyhedron& zone) const {
    if (!guarded(vector, move, zone)) return false;
    const After after = update(vector, move);
    std::vector<Bound> found;
    if (!invariants(after.vector, found)) return false;
    std::unordered_map<int, Int> assigned;
    for (const auto& [clock, constant] : after.assigned) assigned[clock] = constant;
    for (Bound& b : found) {
        if (const auto it = assigned.find(b.left); it != assigned.end()) {
            b.bound = Polyhedron::sum(b.bound, 2 * -it->second + 1);
            b.left = 0;
        }
        if (const auto it = assigned.find(b.right); it != assigned.end()) {
            b.bound = Polyhedron::sum(b.bound, 2 * it->second + 1);
            b.right = 0;
        }
    }
    return cut(zone, found);
}

inline bool Certifier::enter(const Vector& vector, Polyhedron& zone) const {
    std::vector<Bound> found;
    if (!invariants(vector, found) || !cut(zone, found)) return false;
    if (time_passes(vector)) {
        wait(vector, zone, found);
        cut(zone, found);
    }
    return true;
}

inline void Certifier::wait(const Vector& vector, Polyhedron& zone, const std::vector<Bound>& invariants) const {
    std::vector<Int> rates(network.clocks, 1);
    rates[0] = 0;
    bool differ = false;
    for (std::size_t p = 0; p < network.processes.size(); ++p) {
        for (const auto& [clock, expression] : network.processes[p].locations[vector.locations[p]].rates) {
            rates[clock] = value(vector, expression);
            if (rates[clock] < 0) throw Refuted{"model error: a negative rate"};
            differ |= rates[clock] != 1;
        }
    }
    if (!differ) {
        zone.let_time_pass();
        return;
    }
    // The first invariant that stops time: x <= c is reached after (c - x) / (rate of x).
    Int most = Polyhedron::unbounded, per = 1;
    for (const Bound& b : invariants) {
        if (b.right != 0 || rates[b.left] <= 0) continue;
        const Int span = Polyhedron::sum(b.bound, zone.at(0, b.left)), rate = rates[b.left];
        const bool first = most == Polyhedron::unbounded;
        const Int mine = (span >> 1) * per, its = first ? 0 : (most >> 1) * rate;
        if (first || mine < its || (mine == its && !(span & 1))) {
            most = span;
            per = rate;
        }
    }
    zone.let_time_pass(rates, most, per);
}

inline std::pair<int, int> Certifier::priority(const Move& move) const {
    int highest = network.processes[move.edges.front().first].priority;
    for (const auto& [process, edge] : move.edges) highest = std::max(highest, network.processes[process].priority);
    return {move.channel < 0 ? network.default_priority : network.channels[move.channel].priority, highest};
}

inline bool Certifier::has_priorities() const {
    for (const Process& process : network.processes)
        if (process.priority != network.processes.front().priority) return true;
    for (const Channel& channel : network.channels)
        if (channel.priority != network.default_priority) return true;
    return false;
}

inline bool Certifier::meets(const Goal& goal, const Vector& vector, const Polyhedron& whole) const {
    std::vector<Bound> found;
    if (!bounds(vector, goal.constraint, found)) return false;
    Polyhedron zone = whole, later = whole;
    if (!cut(zone, found)) return false;
    if (goal.deadlock < 0) return true;
    // What can be reached by waiting; from there, where something can be done.
    const bool delays = time_passes(vector);
    std::vector<Bound> kept;
    const bool exists = invariants(vector, kept) && cut(later, kept);
    if (exists && delays) {
        later.let_time_pass();
        cut(later, kept);
    }
    std::vector<Polyhedron> stuck{zone};
    for (const Move& move : moves(vector)) {
        Polyhedron live = later;
        if (!exists || !possible(vector, move, live)) continue;
        if (delays) live.go_back_in_time();
        if (goal.deadlock == 0) {
            Polyhedron part = zone;
            for (int i = 0; i < part.size(); ++i)
                for (int j = 0; j < part.size(); ++j) part.tighten(i, j, live.at(i, j));
            if (part.close()) return true;
        }
        std::vector<Polyhedron> rest;
        for (const Polyhedron& part : stuck)
            for (Polyhedron& piece : part.without(live)) rest.push_back(std::move(piece));
        stuck = std::move(rest);
    }
    return goal.deadlock == 1 && !stuck.empty();
}

// What is asked of a state while it waits, and by goals. An invariant that holds nowhere else is asked as well.
inline void Certifier::check_margins(const Vector& vector, const Margins::Local& local) const {
    std::vector<Bound> found;
    invariants(vector, found);
    for (const Goal& goal : network.goals) bounds(vector, goal.constraint, found);
    for (const Bound& bound : found) within(local, bound);
}

// What is asked of a state on the way into another one.
inline void Certifier::check_margins(const After& after, const Margins::Local& before, bool entered) const {
    std::vector<bool> assigned(network.clocks, false);
    for (const auto& [clock, constant] : after.assigned) assigned[clock] = true;
    std::vector<Bound> found;
    invariants(after.vector, found);
    for (const Bound& bound : found)
        if ((bound.left != 0 && !assigned[bound.left]) || (bound.right != 0 && !assigned[bound.right]))
            within(before, bound);
    if (entered && !before.include(margins.of(after.vector.locations, network.clocks), assigned))
        throw Refuted{"a margin grows along a step"};
}

// Whether it leads to a state.
inline bool Certifier::check_step(const Vector& vector, const Move& move, Polyhedron zone,
                                  const Margins::Local* local) const {
    After after = update(vector, move);
    for (const auto& [clock, constant] : after.assigned) zone.assign(clock, constant);
    const bool entered = enter(after.vector, zone);
    if (local != nullptr) check_margins(after, *local, entered);
    if (entered && !inside(after.vector, zone)) throw Refuted{"a successor of a stored state is not stored"};
    return entered;
}

inline std::size_t Certifier::check_state(const Vector& vector, const Polyhedron& zone) const {
    for (const Goal& goal : network.goals)
        if (meets(goal, vector, zone)) throw Refuted{"a stored state meets a goal"};
    const bool priorities = has_priorities();
    std::optional<Margins::Local> local;
    if (margins.used()) {
        local = margins.of(vector.locations, network.clocks);
        check_margins(vector, *local);
    }
    const Margins::Local* const asked = local ? &*local : nullptr;
    std::size_t steps = 0;
    if (!priorities) {
        std::vector<Bound> found;
        for (const Move& move : moves(vector)) {
            found.clear();
            if (!guards(vector, move, found)) continue;
            if (asked != nullptr)
                for (const Bound& bound : found) within(*asked, bound);
            if (!std::all_of(found.begin(), found.end(), [&](const Bound& b) { return zone.meets(b); })) continue;
            Polyhedron part = zone;
            if (cut(part, found)) steps += check_step(vector, move, std::move(part), asked);
        }
        return steps;
    }
    std::vector<std::pair<Move, Polyhedron>> enabled;
    for (const Move& move : moves(vector)) {
        Polyhedron part = zone;
        if (possible(vector, move, part)) enabled.emplace_back(move, part);
    }
    for (const auto& [move, part] : enabled) {
        std::vector<Polyhedron> rest{part};
        for (const auto& [other, its_part] : enabled) {
            if (priority(other) <= priority(move)) continue;
            std::vector<Polyhedron> smaller;
            for (const Polyhedron& piece : rest)
                for (Polyhedron& left : piece.without(its_part)) smaller.push_back(std::move(left));
            rest = std::move(smaller);
        }
        for (const Polyhedron& piece : rest) steps += check_step(vector, move, piece, asked);
    }
    return steps;
}

inline void Certifier::check_start() const {
    Vector start;
    for (const Process& process : network.processes) start.locations.push_back(process.initial);
    for (int k = 0; k < network.variables; ++k) start.values.push_back(network.slots[k].initial);
    Polyhedron origin = beginning();
    if (!enter(start, origin)) throw Refuted{"model error: the initial state violates an invariant"};
    if (margins.used() && (has_priorities() || asks_for_deadlocks()))
        throw Refuted{"a simulation preserves neither priorities nor deadlocks"};
    if (!inside(start, origin)) throw Refuted{"the initial state is not stored"};
}

inline std::size_t Certifier::check_part(std::size_t part, const std::function<void()>& tick) const {
    std::size_t steps = 0;
    kept_.for_each_of(part, [&](std::string_view text, const Kept* first) {
        const Vector vector = vector_of(text);
        for (const Kept* kept = first; kept != nullptr; kept = kept->next) {
            if (tick) tick();
            const Polyhedron stored = zone(*kept);
            if (margins.used() && !best(*kept, stored)) throw Refuted{"a stored bound is not the best one"};
            steps += check_state(vector, stored);
        }
    });
    return steps;
}

// Threads take part after part. Nothing is changed meanwhile but what each keeps for itself. Of several refutations the
// one of the first part counts, so that the answer does not depend on who was faster.
inline void Certifier::check_all(const std::function<void()>& tick, int threads) {
    struct Ended {};
    std::array<std::size_t, KeptStates::parts> steps{};
    std::array<std::exception_ptr, KeptStates::parts> failures;
    std::atomic<std::size_t> next{0}, failed{KeptStates::parts};
    std::atomic<bool> ended{false};
    std::atomic<int> working{threads - 1};
    const auto work = [&](const std::function<void()>& look) {
        for (std::size_t part; (part = next++) < KeptStates::parts;) {
            try {
                steps[part] = check_part(part, [&] {
                    if (ended.load(std::memory_order_relaxed) || failed.load(std::memory_order_relaxed) < part)
                        throw Ended{};
                    look();
                });
            } catch (const Ended&) {
            } catch (...) {
                failures[part] = std::current_exception();
                for (std::size_t least = failed; part < least && !failed.compare_exchange_weak(least, part);) {}
            }
        }
    };
    const auto nothing = [] {};
    std::vector<std::thread> others;
    for (int k = 1; k < threads; ++k)
        others.emplace_back([&] {
            work(nothing);
            --working;
        });
    std::exception_ptr interrupted;
    const auto look = [&] {
        try {
            if (tick && !interrupted) tick();
        } catch (...) {
            interrupted = std::current_exception();
            ended = true;
        }
    };
    work(look);
    for (; working > 0; look()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (std::thread& other : others) other.join();
    if (interrupted) std::rethrow_exception(interrupted);
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
    for (const std::size_t count : steps) transitions += count;
}

inline std::optional<std::string> Certifier::check(const std::function<void()>& tick, int threads) {
    try {
        check_start();
        check_all(tick, threads);
    } catch (const Refuted& refuted) {
        return refuted.reason;
    }
    return std::nullopt;
}

inline Vector Certifier::vector_of(std::string_view text) const {
    std::vector<std::int32_t> numbers;
    for (std::size_t k = 0; k < text.size();) {
        std::uint32_t rest = 0;
        int shift = 0;
        for (bool more = true; more; shift += 7) {
            const auto byte = static_cast<unsigned char>(text[k++]);
            rest |= static_cast<std::uint32_t>(byte & 127) << shift;
            more = byte >= 128;
        }
        numbers.push_back(static_cast<std::int32_t>((rest >> 1) ^ (~(rest & 1) + 1)));
    }
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(network.processes.size());
    return {{numbers.begin(), middle}, {middle, numbers.end()}};
}

}  // namespace argosy::certificate
