// The lookup side of merged automata (Draeger, Finkbeiner, Podelski 2006; paper 003's [5]): components are merged one
// after the other, and each table says which location of the merged automaton a pair stands for.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "heuristic.hpp"

namespace argosy {

class MergedAutomata final : public Heuristic {
public:
    MergedAutomata(const Model& model, std::vector<double> distances)
        : processes_(model.processes), distances_(std::move(distances)) {}

    // `table[location * count + value]` is the next location; the first component starts from location 0.
    void add_location(std::int32_t process, std::int32_t count, std::vector<std::int32_t> table) {
        steps_.push_back({process, 0, count, std::move(table)});
    }
    void add_variable(std::int32_t slot, std::int32_t low, std::int32_t count, std::vector<std::int32_t> table) {
        steps_.push_back({processes_ + slot, low, count, std::move(table)});
    }

    double value(const Discrete& state, const Zone&, Expander&) override {
        std::size_t at = 0;
        for (const Step& step : steps_) {
            const std::int32_t offset = state.locations()[step.component] - step.low;
            if (offset < 0 || offset >= step.count) return dead_end;
            at = static_cast<std::size_t>(step.table[at * step.count + offset]);
        }
        return distances_[at];
    }

private:
    struct Step {
        std::int32_t component, low, count;
        std::vector<std::int32_t> table;
    };

    std::int32_t processes_;
    std::vector<Step> steps_;
    std::vector<double> distances_;
};

}  // namespace argosy
