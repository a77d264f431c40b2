// The monotone relaxation (Kupferschmid, Hoffmann, Dierks, Behrmann 2006; [Directed]'s [13]): locations and values are
// facts that accumulate instead of changing. From the facts of a state, actions add facts layer by layer until the goal
// holds. The estimate is the number of layers, or the number of different actions in a plan read off backwards. It is
// solved anew in every state.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "heuristic.hpp"

namespace argosy {

class Relaxation final : public Heuristic {
public:
    using Facts = std::vector<std::int32_t>;

    Relaxation(const Model& model, std::int32_t facts, bool counts_plan)
        : processes_(model.processes), counts_plan_(counts_plan), needed_by_(facts), layer_(facts), achiever_(facts) {}

    // The values of a component from `low` on, `count` of them, are the facts from `first` on.
    void add_location(std::int32_t process, std::int32_t count, std::int32_t first) {
        components_.push_back({process, 0, count, first});
    }
    void add_variable(std::int32_t slot, std::int32_t low, std::int32_t count, std::int32_t first) {
        components_.push_back({processes_ + slot, low, count, first});
    }
    // Needs one fact of each group. Operators with the same `action` count once in a plan.
    void add_operator(const std::vector<Facts>& needs, Facts adds, std::int32_t action) {
        const auto index = static_cast<std::int32_t>(operators_.size());
        operators_.push_back({static_cast<std::int32_t>(groups_.size()), static_cast<std::int32_t>(needs.size()), action,
                              std::move(adds)});
        for (const Facts& need : needs) add_group(need, index);
        actions_ = std::max(actions_, action + 1);
    }
    // One of the goals has to hold: one fact of each of its groups.
    void add_goal(std::vector<Facts> needs) { goals_.push_back(std::move(needs)); }

    double value(const Discrete& state, const Zone&, Expander&) override {
        saturate(state.locations());
        double best = dead_end;
        for (const auto& goal : goals_) best = std::min(best, counts_plan_ ? plan(goal) : layers(goal));
        return best;
    }

private:
    struct Component {
        std::int32_t index, low, count, first;
    };
    struct Operator {
        std::int32_t first_group, groups, action;
        Facts adds;
    };
    static constexpr std::int32_t never = -1;

    void add_group(const Facts& facts, std::int32_t owner) {
        const auto group = static_cast<std::int32_t>(groups_.size());
        groups_.push_back(owner);
        for (const std::int32_t fact : facts) needed_by_[fact].push_back(group);
    }

    void reach(std::int32_t fact, std::int32_t layer, std::int32_t by) {
        if (layer_[fact] != never) return;
        layer_[fact] = layer;
        achiever_[fact] = by;
        queue_.push_back(fact);
    }

    void saturate(const std::int32_t* values) {
        std::fill(layer_.begin(), layer_.end(), never);
        met_.assign(groups_.size(), never);
        open_.resize(operators_.size());
        for (std::size_t k = 0; k < operators_.size(); ++k) open_[k] = operators_[k].groups;
        queue_.clear();
        for (const Component& its : components_) {
            const std::int32_t offset = values[its.index] - its.low;
            if (offset >= 0 && offset < its.count) reach(its.first + offset, 0, never);
        }
        for (std::size_t k = 0; k < operators_.size(); ++k)
            if (operators_[k].groups == 0) apply(static_cast<std::int32_t>(k), 0);
        for (std::size_t head = 0; head < queue_.size(); ++head) {
            const std::int32_t fact = queue_[head];
            for (const std::int32_t group : needed_by_[fact]) {
                if (met_[group] != never) continue;
                met_[group] = fact;
                if (--open_[groups_[group]] == 0) apply(groups_[group], layer_[fact]);
            }
        }
    }
    void apply(std::int32_t index, std::int32_t layer) {
        for (const std::int32_t fact : operators_[index].adds) reach(fact, layer + 1, index);
    }

    std::int32_t nearest(const Facts& group) const {
        std::int32_t best = never;
        for (const std::int32_t fact : group)
            if (layer_[fact] != never && (best == never || layer_[fact] < layer_[best])) best = fact;
        return best;
    }

    double layers(const std::vector<Facts>& goal) const {
        std::int32_t most = 0;
        for (const Facts& group : goal) {
            const std::int32_t fact = nearest(group);
            if (fact == never) return dead_end;
            most = std::max(most, layer_[fact]);
        }
        return most;
    }

    double plan(const std::vector<Facts>& goal) {
        stack_.clear();
        for (const Facts& group : goal) {
            const std::int32_t fact = nearest(group);
            if (fact == never) return dead_end;
            stack_.push_back(fact);
        }
        wanted_.assign(layer_.size(), 0);
        counted_.assign(actions_, 0);
        int count = 0;
        while (!stack_.empty()) {
            const std::int32_t fact = stack_.back();
            stack_.pop_back();
            if (wanted_[fact]++ || achiever_[fact] == never) continue;
            const Operator& its = operators_[achiever_[fact]];
            if (!counted_[its.action]) {
                counted_[its.action] = 1;
                ++count;
            }
            for (std::int32_t g = its.first_group; g < its.first_group + its.groups; ++g) stack_.push_back(met_[g]);
        }
        return count;
    }

    std::int32_t processes_, actions_ = 0;
    bool counts_plan_;
    std::vector<Component> components_;
    std::vector<Operator> operators_;
    std::vector<std::int32_t> groups_;  // the operator of each
    std::vector<std::vector<std::int32_t>> needed_by_;
    std::vector<std::vector<Facts>> goals_;
    std::vector<std::int32_t> layer_, achiever_, met_, open_, queue_, stack_;
    std::vector<char> wanted_, counted_;
};

}  // namespace argosy
