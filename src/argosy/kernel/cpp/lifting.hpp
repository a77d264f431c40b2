// Why literals of a circuit have their values in one step: a few latches that are enough, whatever the others are. By
// cheapest reasons along the gates first, and then by three-valued simulation, one latch after the other (Eén,
// Mishchenko, Brayton, "Efficient Implementation of Property Directed Reachability", 2011, section III-B).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "netlist.hpp"

namespace argosy::circuit {

class Lifting {
public:
    explicit Lifting(const Circuit& c)
        : c_(c), values_(c.variables(), 0), marks_(c.variables(), 0), costs_(c.variables(), 0),
          starts_(c.variables() + 1, 0), inside_(c.variables(), 0), wanted_(c.variables(), 0) {
        const Var first = c.first_gate();
        for (const Lit side : c.gates) ++starts_[(side >> 1) + 1];
        for (Var v = 0; v < c.variables(); ++v) starts_[v + 1] += starts_[v];
        users_.resize(c.gates.size());
        std::vector<std::uint32_t> at(starts_.begin(), starts_.end() - 1);
        for (std::size_t k = 0; k < c.gates.size(); ++k)
            users_[at[c.gates[k] >> 1]++] = first + static_cast<Var>(k / 2);
    }

    // `targets` are true under the leaves that `leaf` gives. The result is sorted.
    template <typename Leaf>
    std::vector<Lit> reasons(std::span<const Lit> targets, const Leaf& leaf, const std::vector<float>& activity) {
        const Var first = c_.first_gate(), first_latch = 1 + c_.inputs;
        collect(targets);
        for (const Var v : cone_) {
            if (v == 0) {
                values_[v] = 0;
            } else if (v < first) {
                values_[v] = leaf(v);
                costs_[v] = v < first_latch ? 0 : 1;
            } else {
                const Lit a = c_.gates[2 * (v - first)], b = c_.gates[2 * (v - first) + 1];
                const bool left = holds(a), right = holds(b);
                values_[v] = left && right;
                const auto one = costs_[a >> 1], other = costs_[b >> 1];
                if (left && right) costs_[v] = std::min(one + other, 1u << 20);
                else costs_[v] = left ? other : right ? one : std::min(one, other);
            }
        }
        latches_.clear();
        ++mark_;
        stack_.clear();
        for (const Lit target : targets) need(target >> 1);
        while (!stack_.empty()) {
            const Var v = stack_.back();
            stack_.pop_back();
            if (v < first) {
                if (v >= first_latch) latches_.push_back(v);
                continue;
            }
            const Lit a = c_.gates[2 * (v - first)], b = c_.gates[2 * (v - first) + 1];
            if (values_[v]) {
                need(a >> 1);
                need(b >> 1);
            } else if (holds(a)) {
                need(b >> 1);
            } else if (holds(b)) {
                need(a >> 1);
            } else if (marks_[a >> 1] != mark_ && marks_[b >> 1] != mark_) {
                need(costs_[a >> 1] <= costs_[b >> 1] ? a >> 1 : b >> 1);
            }
        }
        drop(targets, activity);
        std::vector<Lit> cube;
        for (const Var v : latches_) cube.push_back(2 * v + (values_[v] ? 0 : 1));
        std::sort(cube.begin(), cube.end());
        return cube;
    }

    std::size_t work() const { return work_; }

private:
    bool holds(Lit literal) const { return values_[literal >> 1] != (literal & 1); }

    void need(Var v) {
        if (marks_[v] == mark_) return;
        marks_[v] = mark_;
        stack_.push_back(v);
    }

    // The cone of the targets within one step, what is used before what uses it.
    void collect(std::span<const Lit> targets) {
        for (const Var v : cone_) inside_[v] = 0;
        cone_.clear();
        stack_.clear();
        const Var first = c_.first_gate();
        for (const Lit target : targets) stack_.push_back(target >> 1);
        // The first visit of a gate asks for its sides, the second comes after them.
        while (!stack_.empty()) {
            const Var v = stack_.back();
            if (v < first || inside_[v] == 2) {
                stack_.pop_back();
                if (inside_[v] != 3) cone_.push_back(v);
                inside_[v] = 3;
                continue;
            }
            if (inside_[v] == 3) {
                stack_.pop_back();
                continue;
            }
            inside_[v] = 2;
            for (const Lit side : {c_.gates[2 * (v - first)], c_.gates[2 * (v - first) + 1]})
                if (inside_[side >> 1] < 2) stack_.push_back(side >> 1);
        }
        work_ += cone_.size();
    }

    // Three-valued from here on: latches that are no reasons are unknown. One after the other is tried as unknown too,
    // those that are seldom in lemmas first.
    void drop(std::span<const Lit> targets, const std::vector<float>& activity) {
        const Var first = c_.first_gate(), first_latch = 1 + c_.inputs;
        ++mark_;
        for (const Var v : latches_) marks_[v] = mark_;
        for (const Var v : cone_) {
            if (v >= first) values_[v] = evaluated(v);
            else if (v >= first_latch && marks_[v] != mark_) values_[v] = unknown;
        }
        for (const Lit target : targets) wanted_[target >> 1] = 1;
        std::sort(latches_.begin(), latches_.end(), [&](Var a, Var b) {
            const float one = activity[a - first_latch], other = activity[b - first_latch];
            return one != other ? one < other : a < b;
        });
        std::size_t kept = 0;
        for (const Var v : latches_) {
            changed_.clear();
            queue_.clear();
            bool fails = change(v);
            while (!fails && !queue_.empty()) {
                const Var gate = queue_.back();
                queue_.pop_back();
                fails = values_[gate] != unknown && evaluated(gate) == unknown && change(gate);
            }
            work_ += changed_.size();
            if (!fails) continue;
            latches_[kept++] = v;
            for (const auto& [variable, old] : changed_) values_[variable] = old;
        }
        latches_.resize(kept);
        for (const Lit target : targets) wanted_[target >> 1] = 0;
    }

    std::uint8_t evaluated(Var v) const {
        const std::size_t k = 2 * (v - c_.first_gate());
        const Lit a = c_.gates[k], b = c_.gates[k + 1];
        return both(negated(values_[a >> 1], a), negated(values_[b >> 1], b));
    }

    // Values only ever get unknown, so that the order does not matter. True where a target loses its value.
    bool change(Var v) {
        if (wanted_[v]) return true;
        changed_.push_back({v, values_[v]});
        values_[v] = unknown;
        for (std::uint32_t k = starts_[v]; k < starts_[v + 1]; ++k) {
            const Var user = users_[k];
            if (inside_[user] && values_[user] != unknown) queue_.push_back(user);
        }
        return false;
    }

    const Circuit& c_;
    std::vector<std::uint8_t> values_;
    std::vector<std::uint32_t> marks_, costs_, starts_;
    std::vector<Var> users_;
    std::vector<std::uint8_t> inside_, wanted_;
    std::vector<Var> cone_, stack_, latches_, queue_;
    std::vector<std::pair<Var, std::uint8_t>> changed_;
    std::uint32_t mark_ = 0;
    std::size_t work_ = 0;
};

}  // namespace argosy::circuit
