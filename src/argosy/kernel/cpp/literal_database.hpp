// Pattern databases of [Directed]: sets of literals with distances for parts of the network. The literals that may
// hold in a state are collected in one pass over its vector and its matrix.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "heuristic.hpp"
#include "subset_tree.hpp"

namespace argosy {

class LiteralDatabase final : public Heuristic {
public:
    using Sets = std::vector<std::pair<std::vector<std::int32_t>, double>>;

    LiteralDatabase(const Model& model, std::int32_t literals)
        : model_(model), present_(static_cast<std::size_t>(literals + 63) / 64 + 1) {}

    // Which literals each location of a process makes true.
    void add_locations(std::int32_t process, std::vector<std::vector<std::int32_t>> rows) {
        by_value_.push_back({process, 0, packed(rows)});
    }
    // Which literals each value of a variable, from `low` on, makes true.
    void add_variable(std::int32_t slot, std::int32_t low, std::vector<std::vector<std::int32_t>> rows) {
        by_value_.push_back({model_.processes + slot, low, packed(rows)});
    }
    void add_difference(std::int32_t literal, std::int32_t left, std::int32_t right, dbm::Bound bound) {
        differences_.push_back({literal, {left, right, bound}});
    }
    // A literal that is none of these: the one with that index in Model::literals.
    void add_other(std::int32_t literal, std::int32_t index) { others_.push_back({literal, index}); }

    std::int32_t add_part(const Sets& sets, double otherwise) {
        SubsetTree tree;
        for (const auto& [literals, distance] : sets) tree.insert(literals, static_cast<float>(distance));
        tree.freeze();
        parts_.push_back({std::move(tree), static_cast<float>(otherwise)});
        values_.push_back(0);
        return static_cast<std::int32_t>(parts_.size()) - 1;
    }
    void set_alternatives(std::vector<std::vector<std::int32_t>> choices, bool sums) {
        alternatives_ = Alternatives(std::move(choices), sums);
        alternatives_.check(parts_.size());
    }

    double value(const Discrete& state, const Zone& zone, Expander& prober) override {
        collect(state, zone, prober);
        for (std::size_t k = 0; k < parts_.size(); ++k)
            values_[k] = parts_[k].sets.least_subset(present_, parts_[k].otherwise);
        return alternatives_.least(values_);
    }

private:
    struct ByValue {
        std::int32_t component, low;
        std::vector<Bits> rows;
    };
    struct Part {
        SubsetTree sets;
        float otherwise;
    };

    std::vector<Bits> packed(const std::vector<std::vector<std::int32_t>>& rows) const {
        std::vector<Bits> made;
        for (const auto& row : rows) {
            made.emplace_back(present_.size());
            for (const std::int32_t literal : row) set_bit(made.back(), literal);
        }
        return made;
    }

    void collect(const Discrete& state, const Zone& zone, Expander& prober) {
        std::fill(present_.begin(), present_.end(), 0);
        const std::int32_t* components = state.locations();  // locations, then variables
        for (const ByValue& table : by_value_) {
            const auto at = static_cast<std::size_t>(components[table.component] - table.low);
            if (at >= table.rows.size()) continue;
            for (std::size_t w = 0; w < present_.size(); ++w) present_[w] |= table.rows[at][w];
        }
        const int n = zone.size();
        row_of_.assign(model_.clocks, -1);
        for (int k = 0; k < n; ++k) row_of_[zone.clocks[k]] = k;
        for (const auto& [literal, d] : differences_) {
            const std::int32_t left = row_of_[d.left], right = row_of_[d.right];
            if (left < 0 || right < 0 || dbm::allows(zone.matrix.data(), n, left, right, d.bound))
                set_bit(present_, literal);
        }
        for (const auto& [literal, index] : others_)
            if (prober.may_hold(model_.literals[index], state, zone)) set_bit(present_, literal);
    }

    const Model& model_;
    Bits present_;
    std::vector<ByValue> by_value_;
    std::vector<std::pair<std::int32_t, Difference>> differences_;
    std::vector<std::pair<std::int32_t, std::int32_t>> others_;
    std::vector<Part> parts_;
    std::vector<double> values_;
    Alternatives alternatives_;
    std::vector<std::int32_t> row_of_;
};

}  // namespace argosy
