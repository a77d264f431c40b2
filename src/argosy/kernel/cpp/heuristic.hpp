// Estimates of the distance to a goal, as tables that the search can read without Python.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "successors.hpp"

namespace argosy {

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

// Sets of literals with their distances, in a tree of unlimited branching over sorted sets (UBTree: Hoffmann and
// Koehler 1999). The answer to a set of literals is the least distance of a stored subset of it.
class SubsetTree {
public:
    SubsetTree() : nodes_(1) {}

    void insert(std::vector<std::int32_t> literals, double distance) {
        std::sort(literals.begin(), literals.end());
        std::size_t at = 0;
        nodes_[at].least = std::min(nodes_[at].least, distance);
        for (const std::int32_t literal : literals) {
            auto& children = nodes_[at].children;
            auto child = std::lower_bound(children.begin(), children.end(), std::pair{literal, std::size_t{0}});
            if (child == children.end() || child->first != literal) {
                child = children.insert(child, {literal, nodes_.size()});
                at = child->second;
                nodes_.emplace_back();  // invalidates `children`
            } else {
                at = child->second;
            }
            nodes_[at].least = std::min(nodes_[at].least, distance);
        }
        nodes_[at].distance = std::min(nodes_[at].distance, distance);
    }

    double least_subset(const std::vector<char>& present, double otherwise) const {
        double best = otherwise;
        search(0, present, best);
        return best;
    }

private:
    struct Node {
        double distance = std::numeric_limits<double>::infinity();  // of the set that ends here
        double least = std::numeric_limits<double>::infinity();     // in the subtree
        std::vector<std::pair<std::int32_t, std::size_t>> children;
    };

    void search(std::size_t at, const std::vector<char>& present, double& best) const {
        const Node& node = nodes_[at];
        best = std::min(best, node.distance);
        for (const auto& [literal, child] : node.children)
            if (present[literal] && nodes_[child].least < best) search(child, present, best);
    }

    std::vector<Node> nodes_;
};

// Pattern databases over parts of the network (paper 003): per part the least distance of a stored set of literals
// that may all hold in the state; the parts' values are summed up. Literals index Model::literals.
class LiteralDatabase final : public Heuristic {
public:
    struct Part {
        SubsetTree sets;
        double otherwise;
    };

    explicit LiteralDatabase(const Model& model) : model_(model), present_(model.literals.size()) {}

    void add_part(const std::vector<std::pair<std::vector<std::int32_t>, double>>& sets, double otherwise) {
        Part part{{}, otherwise};
        for (const auto& [literals, distance] : sets) part.sets.insert(literals, distance);
        parts_.push_back(std::move(part));
    }

    double value(const Discrete& state, const Zone& zone, Expander& prober) override {
        for (std::size_t k = 0; k < present_.size(); ++k)
            present_[k] = prober.may_hold(model_.literals[k], state, zone);
        double total = 0;
        for (const Part& part : parts_) total += part.sets.least_subset(present_, part.otherwise);
        return total;
    }

private:
    const Model& model_;
    std::vector<Part> parts_;
    std::vector<char> present_;
};

}  // namespace argosy
