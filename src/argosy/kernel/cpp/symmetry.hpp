// Representatives of states that permutations of alike members make of each other (`models/network_symmetry.py`).
//
// Members are sorted by what is their own: locations and variables, then how their clocks lie to those that belong to no
// member, then whose clock is ahead (Hendriks, Behrmann, Larsen, Niebert, Vaandrager, "Adding Symmetry Reduction to UPPAAL",
// FORMATS 2003). Where that leaves members apart that could be told apart by nobody, a state keeps more than one
// representative, which costs states and nothing else: every permutation of a state stands for it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "activity.hpp"
#include "model.hpp"

namespace argosy {

struct Family {
    using Column = std::vector<std::int32_t>;
    struct Named {
        std::int32_t slot;
        Column names;
    };
    std::int32_t size = 0;
    std::vector<Column> processes, slots, clocks;
    std::vector<Named> values;  // of variables, not of scratch memory
};

class Representatives {
public:
    Representatives(const Model& model, std::vector<Family> families)
        : state(model), model_(model), families_(std::move(families)), spare_(model), shared_(model.clocks, true),
          goes_(model.clocks), row_of_(model.clocks, -1) {
        for (const Family& family : families_) {
            members_ += family.size;
            for (const auto& column : family.clocks)
                for (const std::int32_t clock : column) shared_[clock] = false;
            holder_.emplace_back(family.slots.size(), -1);
            for (std::size_t c = 0; c < family.slots.size(); ++c)
                for (std::size_t v = 0; v < family.values.size(); ++v)
                    if (family.values[v].slot == family.slots[c].front()) holder_.back()[c] = static_cast<int>(v);
            // Variables that no member owns tell by whose name they hold.
            elsewhere_.emplace_back();
            for (std::size_t v = 0; v < family.values.size(); ++v) {
                const auto owned = [&](const Family::Column& column) {
                    return std::find(column.begin(), column.end(), family.values[v].slot) != column.end();
                };
                if (std::none_of(family.slots.begin(), family.slots.end(), owned)) elsewhere_.back().push_back(v);
            }
        }
        order_.resize(members_);
    }

    Discrete state;
    Zone zone;
    RowBounds rows() const { return {lower_.data(), upper_.data()}; }
    std::size_t members() const { return members_; }
    // Where each member went, family by family.
    const std::vector<std::uint8_t>& order() const { return order_; }

    // Into `state`, `zone` and `rows`.
    void find(const Discrete& of, const Zone& its_zone, RowBounds bounds) {
        const int n = its_zone.size();
        state.copy(of, model_);
        zone = its_zone;
        lower_.assign(bounds.lower, bounds.lower + n);
        upper_.assign(bounds.upper, bounds.upper + n);
        std::size_t first = 0;
        for (std::size_t f = 0; f < families_.size(); ++f) {
            sort(f);
            for (std::int32_t place = 0; place < families_[f].size; ++place)
                order_[first + sorted_[place]] = static_cast<std::uint8_t>(place);
            if (!std::is_sorted(sorted_.begin(), sorted_.end())) permute(families_[f], order_.data() + first);
            first += families_[f].size;
        }
    }

private:
    using Key = std::vector<std::int64_t>;

    // Into `sorted_`: which member comes first, which second, ...
    void sort(std::size_t f) {
        const Family& family = families_[f];
        const int n = zone.size();
        for (int r = 0; r < n; ++r) row_of_[zone.clocks[r]] = r;
        if (keys_.size() < static_cast<std::size_t>(family.size)) keys_.resize(family.size);
        for (std::int32_t m = 0; m < family.size; ++m) fill(f, m, keys_[m]);
        sorted_.resize(family.size);
        for (std::int32_t m = 0; m < family.size; ++m) {
            std::int32_t place = m;
            for (; place > 0 && before(family, m, sorted_[place - 1]); --place) sorted_[place] = sorted_[place - 1];
            sorted_[place] = m;
        }
        for (int r = 0; r < n; ++r) row_of_[zone.clocks[r]] = -1;
    }

    // What is said of a member without the others.
    void fill(std::size_t f, std::int32_t m, Key& key) const {
        constexpr std::int64_t itself = std::int64_t{1} << 40, another = itself + 1;
        const Family& family = families_[f];
        key.clear();
        for (const auto& column : family.processes) key.push_back(state.locations()[column[m]]);
        for (const std::size_t v : elsewhere_[f])
            key.push_back(state.slots()[family.values[v].slot] == family.values[v].names[m]);
        for (std::size_t c = 0; c < family.slots.size(); ++c) {
            const std::int32_t value = state.slots()[family.slots[c][m]];
            if (holder_[f][c] < 0) {
                key.push_back(value);
                continue;
            }
            const auto& names = family.values[holder_[f][c]].names;
            const auto named = std::find(names.begin(), names.end(), value) - names.begin();
            key.push_back(named == m ? itself : named < family.size ? another : value);
            std::int64_t called = 0;
            for (const std::int32_t slot : family.slots[c]) called += state.slots()[slot] == names[m];
            key.push_back(called);
        }
        const int n = zone.size();
        for (const auto& column : family.clocks) {
            const std::int32_t row = row_of_[column[m]];
            if (row < 0) continue;
            for (int other = 0; other < n; ++other) {
                if (!shared_[zone.clocks[other]]) continue;
                key.push_back(zone.matrix[row * n + other]);
                key.push_back(zone.matrix[other * n + row]);
            }
        }
    }

    bool before(const Family& family, std::int32_t first, std::int32_t second) const {
        if (keys_[first] != keys_[second]) return keys_[first] < keys_[second];
        const int n = zone.size();
        for (const auto& column : family.clocks) {
            const std::int32_t i = row_of_[column[first]], j = row_of_[column[second]];
            if (i < 0 || j < 0) continue;
            const dbm::Bound one = zone.matrix[i * n + j], other = zone.matrix[j * n + i];
            if (one != other) return one < other;
        }
        return false;
    }

    void permute(const Family& family, const std::uint8_t* order) {
        spare_.copy(state, model_);
        for (const auto& [slot, names] : family.values) {
            const auto named = std::find(names.begin(), names.end(), spare_.slots()[slot]);
            if (named != names.end()) spare_.slots()[slot] = state.slots()[slot] = names[order[named - names.begin()]];
        }
        for (std::int32_t m = 0; m < family.size; ++m) {
            for (const auto& column : family.processes) state.locations()[column[order[m]]] = spare_.locations()[column[m]];
            for (const auto& column : family.slots) state.slots()[column[order[m]]] = spare_.slots()[column[m]];
        }
        const int n = zone.size();
        for (int r = 0; r < n; ++r) goes_[zone.clocks[r]] = zone.clocks[r];
        for (const auto& column : family.clocks)
            for (std::int32_t m = 0; m < family.size; ++m) goes_[column[m]] = column[order[m]];
        from_.resize(n);
        for (int r = 0; r < n; ++r) from_[r] = r;
        std::sort(from_.begin(), from_.end(), [&](int a, int b) { return goes_[zone.clocks[a]] < goes_[zone.clocks[b]]; });
        other_ = zone;
        lower_before_ = lower_;
        upper_before_ = upper_;
        for (int a = 0; a < n; ++a) {
            zone.clocks[a] = goes_[other_.clocks[from_[a]]];
            lower_[a] = lower_before_[from_[a]];
            upper_[a] = upper_before_[from_[a]];
            for (int b = 0; b < n; ++b) zone.matrix[a * n + b] = other_.matrix[from_[a] * n + from_[b]];
        }
    }

    const Model& model_;
    std::vector<Family> families_;
    std::size_t members_ = 0;
    std::vector<std::vector<int>> holder_;              // by family and column of variables: its entry in `values`, or -1
    std::vector<std::vector<std::size_t>> elsewhere_;  // by family: entries in `values` of variables that no member owns
    Discrete spare_;
    Zone other_;
    std::vector<bool> shared_;  // clocks of no member
    std::vector<std::int32_t> goes_, row_of_, lower_, upper_, lower_before_, upper_before_;
    std::vector<int> from_;
    std::vector<std::int32_t> sorted_;
    std::vector<Key> keys_;
    std::vector<std::uint8_t> order_;
};

}  // namespace argosy
