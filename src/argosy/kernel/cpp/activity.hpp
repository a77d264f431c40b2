// Zones over the clocks that matter, and which clocks these are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dbm.hpp"
#include "model.hpp"

namespace argosy {

// A matrix and the clocks of its rows; clocks[0] is the reference clock.
struct Zone {
    std::vector<std::int32_t> clocks;
    std::vector<dbm::Bound> matrix;

    int size() const { return static_cast<int>(clocks.size()); }
};

// Up to which constants the clocks of a zone matter, row by row.
struct RowBounds {
    const std::int32_t *lower = nullptr, *upper = nullptr;
};

// Which clocks matter in a location vector, and up to which constants (static guard analysis: Behrmann, Bouyer,
// Fleury, Larsen, "Static Guard Analysis in Timed Automata Verification", 2003).
class Activity {
public:
    explicit Activity(const Model& model)
        : lower_(model.clocks, dbm::no_bound), upper_(model.clocks, dbm::no_bound) {}

    void compute(const Model& model, const std::int32_t* locations) {
        std::fill(lower_.begin(), lower_.end(), dbm::no_bound);
        std::fill(upper_.begin(), upper_.end(), dbm::no_bound);
        diagonals.clear();
        for (std::int32_t p = 0; p < model.processes; ++p) {
            const LocationEntry& location = model.locations[p][locations[p]];
            add(location.bounds);
            diagonals.insert(diagonals.end(), location.diagonals.begin(), location.diagonals.end());
        }
        add(model.goal_bounds);
        diagonals.insert(diagonals.end(), model.goal_diagonals.begin(), model.goal_diagonals.end());
        if (!diagonals.empty()) {
            std::sort(diagonals.begin(), diagonals.end());
            diagonals.erase(std::unique(diagonals.begin(), diagonals.end()), diagonals.end());
        }
        for (const std::int32_t clock : model.coarse)
            lower_[clock] = upper_[clock] = std::max(lower_[clock], upper_[clock]);
        clocks.assign(1, 0);
        lower.assign(1, 0);
        upper.assign(1, 0);
        for (std::int32_t clock = 1; clock < model.clocks; ++clock) {
            if (lower_[clock] == dbm::no_bound && upper_[clock] == dbm::no_bound) continue;
            clocks.push_back(clock);
            lower.push_back(lower_[clock]);
            upper.push_back(upper_[clock]);
        }
    }

    std::vector<std::int32_t> clocks, lower, upper;  // of the active clocks, the reference clock first
    std::vector<std::int32_t> diagonals;             // clock differences that may still be tested

private:
    void add(const std::vector<ClockBounds>& bounds) {
        for (const ClockBounds& b : bounds) {
            lower_[b.clock] = std::max(lower_[b.clock], b.lower);
            upper_[b.clock] = std::max(upper_[b.clock], b.upper);
        }
    }

    std::vector<std::int32_t> lower_, upper_;
};

}  // namespace argosy
