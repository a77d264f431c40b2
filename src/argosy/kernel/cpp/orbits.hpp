// When a stored zone stands for more than it includes: for every image under the permutations of families of members.
//
// A claim comes with the families (`models/network_symmetry.py`); that their permutations change neither the network nor
// the goals is checked elsewhere (`certify/symmetry.py`). Here a permutation is looked for that takes a state into a stored
// zone. Nobody says which: members are put into the places of the stored state one by one, as long as locations, variables
// and bounds fit. States whose members are the same in any order have the same signature, so that few are compared.
#pragma once

#include <numeric>

#include "certifier.hpp"

namespace argosy::certificate {

struct Members {
    using Column = std::vector<std::int32_t>;
    int size = 0;
    std::vector<Column> processes, slots, clocks;
    std::vector<std::pair<std::int32_t, Column>> values;  // variables that hold names
};

class Orbits {
public:
    void add(Members family, const Network& network) {
        const auto check = [&](const std::vector<Members::Column>& columns, std::size_t least, std::size_t count) {
            for (const auto& column : columns) {
                if (column.size() != static_cast<std::size_t>(family.size)) throw std::invalid_argument("a column is short");
                for (const std::int32_t thing : column)
                    if (thing < static_cast<std::int32_t>(least) || static_cast<std::size_t>(thing) >= count)
                        throw std::invalid_argument("a family is one of another network");
            }
        };
        check(family.processes, 0, network.processes.size());
        check(family.slots, 0, network.variables);
        check(family.clocks, 1, network.clocks);
        for (const auto& [slot, names] : family.values) {
            if (names.size() != static_cast<std::size_t>(family.size)) throw std::invalid_argument("a column is short");
            if (slot < 0 || slot >= network.variables) throw std::invalid_argument("a family is one of another network");
        }
        families_.push_back(std::move(family));
    }

    bool used() const { return !families_.empty(); }

    // The same for a state and its images.
    std::string signature(const Vector& vector) const {
        std::vector<std::int64_t> found;
        std::vector<bool> own_process(vector.locations.size()), own_slot(vector.values.size());
        for (const Members& family : families_) {
            std::vector<std::vector<std::int64_t>> members(family.size);
            for (int m = 0; m < family.size; ++m) {
                for (const auto& column : family.processes) {
                    own_process[column[m]] = true;
                    members[m].push_back(vector.locations[column[m]]);
                }
                for (const auto& column : family.slots) {
                    own_slot[column[m]] = true;
                    members[m].push_back(seen(vector, column[m]));
                }
                for (const auto& [slot, names] : family.values)
                    if (!owned(slot)) members[m].push_back(vector.values[slot] == names[m]);
            }
            std::sort(members.begin(), members.end());
            for (const auto& member : members) found.insert(found.end(), member.begin(), member.end());
        }
        for (std::size_t p = 0; p < own_process.size(); ++p)
            if (!own_process[p]) found.push_back(vector.locations[p]);
        for (std::size_t s = 0; s < own_slot.size(); ++s)
            if (!own_slot[s]) found.push_back(seen(vector, static_cast<std::int32_t>(s)));
        return {reinterpret_cast<const char*>(found.data()), found.size() * sizeof(std::int64_t)};
    }

    // Where the members of all families go.
    using Places = std::vector<std::vector<int>>;

    Vector image(const Vector& vector, const Places& places) const {
        Vector found = vector;
        for (std::size_t f = 0; f < families_.size(); ++f) {
            const Members& family = families_[f];
            for (const auto& [slot, names] : family.values)
                for (int m = 0; m < family.size; ++m)
                    if (found.values[slot] == names[m]) {
                        found.values[slot] = names[places[f][m]];
                        break;
                    }
            const Vector before = found;
            for (int m = 0; m < family.size; ++m) {
                for (const auto& column : family.processes)
                    found.locations[column[places[f][m]]] = before.locations[column[m]];
                for (const auto& column : family.slots)
                    found.values[column[places[f][m]]] = before.values[column[m]];
            }
        }
        return found;
    }

    // By clock: the one that goes there.
    std::vector<int> sources(const Places& places, int clocks) const {
        std::vector<int> found(clocks);
        std::iota(found.begin(), found.end(), 0);
        for (std::size_t f = 0; f < families_.size(); ++f) {
            const std::vector<int> before = found;
            for (const auto& column : families_[f].clocks)
                for (int m = 0; m < families_[f].size; ++m) found[column[places[f][m]]] = before[column[m]];
        }
        return found;
    }

    // Calls found(places) for permutations that take `vector` to `goal`, until it says true. `fits(a, x, b, y)` says
    // whether the clocks x and y of the state may go to a and b. At most `limit` members are put somewhere.
    template <class Fits, class Found>
    bool search(const Vector& vector, const Vector& goal, const std::vector<int>& wanted, int clocks, int limit,
                const Polyhedron& zone, Fits&& fits, Found&& found) const {
        Task task{vector, goal, {}, {}, limit, zone, std::vector<bool>(clocks, false)};
        for (const int clock : wanted) task.wanted[clock] = true;
        std::vector<bool> moves(clocks, false);
        for (const Members& family : families_) {
            task.places.emplace_back(family.size, -1);
            for (const auto& column : family.clocks)
                for (const std::int32_t clock : column) moves[clock] = true;
        }
        for (const int clock : wanted)
            if (!moves[clock]) task.placed.emplace_back(clock, clock);
        for (std::size_t k = 0; k < task.placed.size(); ++k)
            for (std::size_t l = 0; l < task.placed.size(); ++l)
                if (k != l && !fits(task.placed[k].first, task.placed[k].second, task.placed[l].first, task.placed[l].second))
                    return false;
        return put(task, 0, 0, fits, found);
    }

private:
    static constexpr std::int64_t some_name = std::int64_t{1} << 40, own_name = some_name + 1;

    struct Task {
        const Vector &vector, &goal;
        Places places;
        std::vector<std::pair<int, int>> placed;  // a clock of the goal, and the one that goes there
        int left;
        const Polyhedron& zone;
        std::vector<bool> wanted;
    };

    // Which member owns a variable; -1: none.
    static int owner(const Members& family, std::int32_t slot) {
        for (const auto& column : family.slots) {
            const auto found = std::find(column.begin(), column.end(), slot);
            if (found != column.end()) return static_cast<int>(found - column.begin());
        }
        return -1;
    }

    bool owned(std::int32_t slot) const {
        return std::any_of(families_.begin(), families_.end(), [&](const Members& f) { return owner(f, slot) >= 0; });
    }

    // A value as it looks whatever members are called.
    std::int64_t seen(const Vector& vector, std::int32_t slot) const {
        const std::int32_t value = vector.values[slot];
        for (const Members& family : families_) {
            for (const auto& [holder, names] : family.values) {
                if (holder != slot) continue;
                const auto named = std::find(names.begin(), names.end(), value) - names.begin();
                if (named < family.size) return named == owner(family, slot) ? own_name : some_name;
            }
        }
        return value;
    }

    bool alike(const Members& family, const Task& task, int m, int place) const {
        for (const auto& column : family.processes)
            if (task.vector.locations[column[m]] != task.goal.locations[column[place]]) return false;
        for (const auto& column : family.slots)
            if (seen(task.vector, column[m]) != seen(task.goal, column[place])) return false;
        for (const auto& [slot, names] : family.values)
            if (!owned(slot) && (task.vector.values[slot] == names[m]) != (task.goal.values[slot] == names[place]))
                return false;
        return true;
    }

    // Whoever is ahead goes first: that is how most stored states have them.
    bool ahead(const Members& family, const Task& task, int first, int second) const {
        for (const auto& column : family.clocks) {
            const int i = column[first], j = column[second];
            for (const auto& [one, other] : {std::pair{task.zone.at(i, 0), task.zone.at(j, 0)},
                                             std::pair{task.zone.at(0, i), task.zone.at(0, j)},
                                             std::pair{task.zone.at(i, j), task.zone.at(j, i)}})
                if (one != other) return one < other;
        }
        return false;
    }

    template <class Fits, class Found>
    bool put(Task& task, std::size_t f, int place, Fits& fits, Found& found) const {
        if (f == families_.size()) {
            const Vector there = image(task.vector, task.places);
            return there.locations == task.goal.locations && there.values == task.goal.values && found(task.places);
        }
        const Members& family = families_[f];
        if (place == family.size) return put(task, f + 1, 0, fits, found);
        std::vector<int> choices;
        for (int m = 0; m < family.size; ++m) {
            if (task.places[f][m] >= 0 || !alike(family, task, m, place)) continue;
            std::size_t at = choices.size();
            choices.push_back(m);
            for (; at > 0 && ahead(family, task, m, choices[at - 1]); --at) choices[at] = choices[at - 1];
            choices[at] = m;
        }
        for (const int m : choices) {
            if (--task.left < 0) return false;
            const std::size_t before = task.placed.size();
            bool fine = true;
            for (const auto& column : family.clocks) {
                const int there = column[place], here = column[m];
                if (!fine || !task.wanted[there]) continue;
                for (const auto& [other, its] : task.placed)
                    fine = fine && fits(there, here, other, its) && fits(other, its, there, here);
                task.placed.emplace_back(there, here);
            }
            task.places[f][m] = place;
            if (fine && put(task, f, place + 1, fits, found)) return true;
            task.places[f][m] = -1;
            task.placed.resize(before);
        }
        return false;
    }

    std::vector<Members> families_;
};

}  // namespace argosy::certificate
