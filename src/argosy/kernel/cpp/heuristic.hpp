// Estimates of the distance to a goal, and how several of them make one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "successors.hpp"

namespace argosy {

inline constexpr double dead_end = std::numeric_limits<double>::infinity();

class Heuristic {
public:
    virtual ~Heuristic() = default;
    // `prober` is free for use. Infinity: no goal can be reached (such states are explored last, not left out).
    virtual double value(const Discrete& state, const Zone& zone, Expander& prober) = 0;
};

// A number per process and location, summed up or maximised: distances in the automata's graphs.
class LocationDistances final : public Heuristic {
public:
    LocationDistances(std::vector<std::vector<double>> distances, bool sums)
        : distances_(std::move(distances)), sums_(sums) {}

    double value(const Discrete& state, const Zone&, Expander&) override {
        double total = 0;
        for (std::size_t p = 0; p < distances_.size(); ++p) {
            const double own = distances_[p][state.locations()[p]];
            total = sums_ ? total + own : std::max(total, own);
        }
        return total;
    }

private:
    std::vector<std::vector<double>> distances_;
    bool sums_;
};

// The least over alternatives (one for each way to meet the query) of the sum or the maximum of some parts' values.
class Alternatives {
public:
    Alternatives() = default;
    Alternatives(std::vector<std::vector<std::int32_t>> choices, bool sums) : choices_(std::move(choices)), sums_(sums) {}

    double least(const std::vector<double>& values) const {
        double best = dead_end;
        for (const auto& choice : choices_) {
            double total = 0;
            for (const std::int32_t part : choice) total = sums_ ? total + values[part] : std::max(total, values[part]);
            best = std::min(best, total);
        }
        return best;
    }
    void check(std::size_t parts) const {
        for (const auto& choice : choices_)
            for (const std::int32_t part : choice)
                if (part < 0 || static_cast<std::size_t>(part) >= parts) throw std::out_of_range("no such part");
    }

private:
    std::vector<std::vector<std::int32_t>> choices_;
    bool sums_ = true;
};

class Combination final : public Heuristic {
public:
    Combination(std::vector<Heuristic*> parts, std::vector<std::vector<std::int32_t>> choices, bool sums)
        : parts_(std::move(parts)), alternatives_(std::move(choices), sums), values_(parts_.size()) {
        alternatives_.check(parts_.size());
    }

    double value(const Discrete& state, const Zone& zone, Expander& prober) override {
        for (std::size_t k = 0; k < parts_.size(); ++k) values_[k] = parts_[k]->value(state, zone, prober);
        return alternatives_.least(values_);
    }

private:
    std::vector<Heuristic*> parts_;
    Alternatives alternatives_;
    std::vector<double> values_;
};

}  // namespace argosy
