// The zone graph of a smaller network as a pattern database. The smaller network has the same processes, variables
// and clocks by number, but what was left out of it never changes; so a state of the large network is found in the
// graph by the components that do change there. Its value is the least distance of a zone that it may meet.
//
// Law: if every run of the large network is, step for step or with steps left out, one of the small network, then no
// value exceeds the number of actions to a goal.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "heuristic.hpp"
#include "store.hpp"

namespace argosy {

class ZoneDatabase final : public Heuristic {
public:
    explicit ZoneDatabase(const Model& model) : model_(model), store_(model, false), expander_(model), prober_(model) {}
    ZoneDatabase(const ZoneDatabase&) = delete;

    // Explores everything; false where that takes more than `limit` states (or ten times as many steps), or where the
    // small network is in error.
    bool build(std::size_t limit) {
        try {
            const auto enter = [&](std::uint32_t parent, std::uint32_t ordinal) {
                const auto [fresh, node] = store_.insert(expander_.target, expander_.result.matrix,
                                                         expander_.result.size(), parent, ordinal, 0);
                for (const std::uint32_t old : store_.replaced()) stands_for(old, node);
                if (fresh) parent_of_.push_back(none);
                if (parent != none) steps_.push_back({parent, node});
            };
            if (!expander_.start([&] { enter(none, 0); })) return false;
            for (std::uint32_t index = 0; index < store_.nodes(); ++index) {
                if (store_.nodes() > limit || steps_.size() > 10 * limit) return false;
                const Node node = store_.node(index);
                if (node.dropped) continue;
                expander_.source.unpack(model_, store_.packed(node.discrete));
                expander_.prepare();
                store_.load(node.zone, expander_.zone.matrix.data(), expander_.zone.size());
                store_.expanded(index, expander_.zone.size());
                expander_.enumerate();
                expander_.expand([&](std::uint32_t ordinal) { enter(index, ordinal); });
            }
        } catch (const ModelError&) {
            return false;
        }
        measure();
        return true;
    }

    std::size_t states() const { return store_.nodes(); }
    double initial() const { return initial_; }
    // The mean of the distances of the states from which a goal is reached, and how many these are.
    std::pair<double, std::size_t> mean() const { return {reaching_ ? total_ / static_cast<double>(reaching_) : 0, reaching_}; }

    double value(const Discrete& state, const Zone& zone, Expander&) override {
        std::fill(key_.begin(), key_.end(), 0);
        const std::int32_t* components = state.locations();
        for (std::size_t k = 0; k < model_.fields.size(); ++k) {
            const Field& field = model_.fields[k];
            if (!field.width) continue;
            const auto offset = static_cast<std::uint64_t>(std::int64_t{components[k]} - field.low);
            if (offset >> field.width) return dead_end;
            key_[field.word] |= offset << field.shift;
        }
        const std::uint32_t discrete = store_.find_packed(key_.data());
        if (discrete == none) return dead_end;
        for (std::uint32_t k = begins_[discrete]; k < begins_[discrete + 1]; ++k)
            if (may_meet(entries_[k], zone)) return entries_[k].distance;
        return dead_end;
    }

private:
    struct Entry {
        float distance;
        std::uint32_t clocks, matrix;  // where they are in `clocks_` and `bounds_`
        std::int32_t size;
    };

    void stands_for(std::uint32_t old, std::uint32_t node) { parent_of_[old] = node; }
    std::uint32_t now(std::uint32_t node) {
        while (parent_of_[node] != none) {
            if (parent_of_[parent_of_[node]] != none) parent_of_[node] = parent_of_[parent_of_[node]];
            node = parent_of_[node];
        }
        return node;
    }

    void measure() {
        const auto count = static_cast<std::uint32_t>(store_.nodes());
        std::vector<std::uint32_t> begins(count + 2), sources(steps_.size());
        for (auto& [source, target] : steps_) {
            source = now(source);
            target = now(target);
            ++begins[target + 2];
        }
        for (std::uint32_t k = 2; k < begins.size(); ++k) begins[k] += begins[k - 1];
        for (const auto& [source, target] : steps_) sources[begins[target + 1]++] = source;
        std::vector<float> distance(count, std::numeric_limits<float>::infinity());
        std::vector<std::uint32_t> queue;
        Expander::Matrices pieces;
        for (std::uint32_t index = 0; index < count; ++index) {
            const Node& node = store_.node(index);
            if (node.zone == none) continue;
            load(node);
            for (const Goal& goal : model_.goals) {
                if (!prober_.meets(goal, expander_.source, expander_.zone, pieces)) continue;
                distance[index] = 0;
                queue.push_back(index);
                break;
            }
        }
        for (std::size_t head = 0; head < queue.size(); ++head)
            for (std::uint32_t k = begins[queue[head]]; k < begins[queue[head] + 1]; ++k)
                if (distance[sources[k]] == std::numeric_limits<float>::infinity()) {
                    distance[sources[k]] = distance[queue[head]] + 1;
                    queue.push_back(sources[k]);
                }
        reaching_ = queue.size();
        for (const std::uint32_t node : queue) total_ += distance[node];
        initial_ = distance[now(0)];
        keep(distance);
        steps_ = {};
        parent_of_ = {};
    }

    void load(const Node& node) {
        expander_.source.unpack(model_, store_.packed(node.discrete));
        expander_.prepare();
        store_.load(node.zone, expander_.zone.matrix.data(), expander_.zone.size());
    }

    // The zones of every discrete state in a row, the nearest first.
    void keep(const std::vector<float>& distance) {
        std::vector<std::vector<std::uint32_t>> own(store_.discretes());
        for (std::uint32_t index = 0; index < store_.nodes(); ++index)
            if (store_.node(index).zone != none) own[store_.node(index).discrete].push_back(index);
        begins_.assign(1, 0);
        for (auto& nodes : own) {
            std::stable_sort(nodes.begin(), nodes.end(), [&](auto a, auto b) { return distance[a] < distance[b]; });
            const auto first = static_cast<std::uint32_t>(clocks_.size());
            for (const std::uint32_t index : nodes) {
                load(store_.node(index));
                if (index == nodes.front())
                    clocks_.insert(clocks_.end(), expander_.zone.clocks.begin(), expander_.zone.clocks.end());
                entries_.push_back({distance[index], first, static_cast<std::uint32_t>(bounds_.size()), expander_.zone.size()});
                bounds_.insert(bounds_.end(), expander_.zone.matrix.begin(), expander_.zone.matrix.end());
            }
            begins_.push_back(static_cast<std::uint32_t>(entries_.size()));
        }
        key_.resize(model_.words);
    }

    // Compares difference by difference: two zones that pass may still be disjoint, which only lowers an estimate.
    bool may_meet(const Entry& entry, const Zone& zone) {
        const std::int32_t* clocks = clocks_.data() + entry.clocks;
        const dbm::Bound* matrix = bounds_.data() + entry.matrix;
        const int n = zone.size();
        row_of_.resize(entry.size);
        for (int a = 0, b = 0; a < entry.size; ++a) {
            while (b < n && zone.clocks[b] < clocks[a]) ++b;
            row_of_[a] = b < n && zone.clocks[b] == clocks[a] ? b : -1;
        }
        for (int i = 0; i < entry.size; ++i) {
            if (row_of_[i] < 0) continue;
            for (int j = 0; j < entry.size; ++j) {
                if (i == j || row_of_[j] < 0 || matrix[i * entry.size + j] == dbm::infinity) continue;
                if (!dbm::allows(zone.matrix.data(), n, row_of_[i], row_of_[j], matrix[i * entry.size + j])) return false;
            }
        }
        return true;
    }

    const Model& model_;
    Store store_;
    Expander expander_, prober_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> steps_;
    std::vector<std::uint32_t> parent_of_;  // the node whose zone replaced this one's
    std::vector<std::uint32_t> begins_;     // by discrete state: its first entry
    std::vector<Entry> entries_;
    std::vector<std::int32_t> clocks_;
    std::vector<dbm::Bound> bounds_;
    std::vector<std::uint64_t> key_;
    std::vector<int> row_of_;
    double initial_ = dead_end, total_ = 0;
    std::size_t reaching_ = 0;
};

}  // namespace argosy
