// The lookup side of merged automata (Draeger, Finkbeiner, Podelski 2006; [Directed]'s [5]): a tree whose leaves are
// components, and whose inner nodes have a table that says which merged location a pair of locations stands for.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "heuristic.hpp"

namespace argosy {

// The tree is given in postfix order: `add_location` and `add_variable` put a value on a stack, `join` takes two off and
// puts the merged location on; `distances` are those of the last one.
class MergedAutomata final : public Heuristic {
public:
    MergedAutomata(const Model& model, std::vector<double> distances)
        : processes_(model.processes), distances_(std::move(distances)) {}

    void add_location(std::int32_t process, std::int32_t count) { leaf({process, 0, count, {}}); }
    void add_variable(std::int32_t slot, std::int32_t low, std::int32_t count) {
        leaf({processes_ + slot, low, count, {}});
    }

    // `table[first * count + second]`, where `count` is how many locations the second one has.
    void join(std::int32_t count, std::vector<std::int32_t> table) {
        if (depth_ < 2) throw std::invalid_argument("nothing to join");
        --depth_;
        steps_.push_back({-1, 0, count, std::move(table)});
    }

    double value(const Discrete& state, const Zone&, Expander&) override {
        std::size_t top = 0;
        for (const Step& step : steps_) {
            if (step.component >= 0) {
                const std::int32_t offset = state.locations()[step.component] - step.low;
                if (offset < 0 || offset >= step.count) return dead_end;
                stack_[top++] = offset;
            } else {
                --top;
                stack_[top - 1] = step.table[static_cast<std::size_t>(stack_[top - 1]) * step.count + stack_[top]];
            }
        }
        return top == 0 ? 0 : distances_[stack_[top - 1]];
    }

private:
    struct Step {
        std::int32_t component, low, count;
        std::vector<std::int32_t> table;
    };

    void leaf(Step step) {
        steps_.push_back(std::move(step));
        if (++depth_ > stack_.size()) stack_.resize(depth_);
    }

    std::int32_t processes_;
    std::size_t depth_ = 0;
    std::vector<Step> steps_;
    std::vector<std::int32_t> stack_;
    std::vector<double> distances_;
};

}  // namespace argosy
