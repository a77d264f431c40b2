// When a stored zone stands for more than it includes: for every valuation that one of its own simulates.
//
// A claim comes with the states: up to which constants, its margins, each clock matters in each location. A valuation v
// is simulated by v' if every clock x has v'(x) = v(x), or lower(x) < v'(x) < v(x), or upper(x) < v(x) < v'(x) (Behrmann,
// Bouyer, Larsen, Pelanek 2006). Nobody has to believe where margins come from: the check of the states asks at each of
// them whether guards, invariants and goals stay within them, and whether they get no larger along a step but for clocks
// that are assigned on the way. Then what v does is done by v' after the same delays, and by induction along a run every
// reachable state is simulated by a stored one: no goal is met that no stored state meets.
#pragma once

#include "certifier.hpp"

namespace argosy::certificate {

class Margins {
public:
    static constexpr Int none = -1;

    struct Row {
        int clock;
        Int lower, upper;
    };
    // Of one vector of locations, by clock.
    struct Local {
        std::vector<Int> lower, upper;

        // Is a bound on clocks no more than what matters? A difference of two clocks is more.
        bool allow(const Bound& b) const {
            const Int constant = b.bound >> 1;
            if (b.left == b.right) return true;
            if (b.right == 0) return constant < 0 || constant <= upper[b.left];
            if (b.left == 0) return constant > 0 || -constant <= lower[b.right];
            return false;
        }
        // Does all that matters there matter here, for clocks that are not assigned?
        bool include(const Local& other, const std::vector<bool>& assigned) const {
            for (std::size_t x = 1; x < lower.size(); ++x)
                if (!assigned[x] && (other.lower[x] > lower[x] || other.upper[x] > upper[x])) return false;
            return true;
        }
    };

    // A negative process: wherever the processes are. A margin below 0 is none.
    void add(int process, int location, Row row) {
        used_ = true;
        if (process < 0) {
            everywhere_.push_back(row);
            return;
        }
        if (rows_.size() <= static_cast<std::size_t>(process)) rows_.resize(process + 1);
        if (rows_[process].size() <= static_cast<std::size_t>(location)) rows_[process].resize(location + 1);
        rows_[process][location].push_back(row);
    }

    bool used() const { return used_; }

    Local of(const std::vector<std::int32_t>& locations, int clocks) const {
        Local found{std::vector<Int>(clocks, none), std::vector<Int>(clocks, none)};
        found.lower[0] = found.upper[0] = 0;
        const auto take = [&](const std::vector<Row>& rows) {
            for (const Row& row : rows) {
                found.lower.at(row.clock) = std::max(found.lower[row.clock], row.lower);
                found.upper.at(row.clock) = std::max(found.upper[row.clock], row.upper);
            }
        };
        take(everywhere_);
        for (std::size_t p = 0; p < rows_.size() && p < locations.size(); ++p)
            if (static_cast<std::size_t>(locations[p]) < rows_[p].size()) take(rows_[p][locations[p]]);
        return found;
    }

    // Is every valuation of `sought` simulated by one of a stored zone, of which every bound is the best one? Nothing is
    // said about clocks that the stored zone does not list: there a valuation simulates itself. Herbreteau, Srivathsan,
    // Walukiewicz 2012: not, if there are x and y such that x <= upper(x) is possible in `sought`, the stored bound on
    // y - x is the smaller one, and with "< -lower(y)" added to it is still less than that of `sought` on 0 - x.
    template <class Stored>
    static bool simulate(const Stored& stored, const Polyhedron& sought, const Local& local) {
        for (int i = 0; i < stored.count; ++i) {
            const int y = stored.clocks()[i];
            for (int j = 0; j < stored.count; ++j) {
                const int x = stored.clocks()[j];
                if (i == j) continue;
                if (counts(stored.bounds()[i * stored.count + j], sought.at(y, x), sought.at(0, x), local, y, x)) return false;
            }
        }
        return true;
    }
    // Such a pair: `bound` is the stored one on y - x, the others are those of `sought` on y - x and 0 - x.
    static bool counts(Int bound, Int its, Int least, const Local& local, int y, int x) {
        return local.lower[y] >= 0 && local.upper[x] >= 0 && least >= 1 - 2 * local.upper[x] && bound < its &&
               Polyhedron::sum(bound, -2 * local.lower[y]) < least;
    }

private:
    bool used_ = false;
    std::vector<Row> everywhere_;
    std::vector<std::vector<std::vector<Row>>> rows_;  // by process and location
};

}  // namespace argosy::certificate
