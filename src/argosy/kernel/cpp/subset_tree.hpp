// Sets of literals with distances, asked for the least distance of a stored subset: a tree of unlimited branching over
// sorted sets (UBTree: Hoffmann and Koehler, "A New Method to Query and Index Sets", 1999). Shared beginnings are
// stored once, and a subtree that cannot improve on what was found is not entered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace argosy {

using Bits = std::vector<std::uint64_t>;

inline bool test_bit(const Bits& bits, std::int32_t k) { return bits[k >> 6] >> (k & 63) & 1; }
inline void set_bit(Bits& bits, std::int32_t k) { bits[k >> 6] |= std::uint64_t{1} << (k & 63); }

class SubsetTree {
public:
    void insert(std::vector<std::int32_t> literals, float distance) {
        std::sort(literals.begin(), literals.end());
        literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
        rows_.push_back({std::move(literals), distance});
        frozen_ = false;
    }

    // Builds the tree; done before the first question where it is left out.
    void freeze() {
        std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.literals < b.literals; });
        nodes_.assign(1, {-1, 0, 0, 0, 0});
        if (rows_.empty()) nodes_.clear();
        else build(0, 0, rows_.size(), 0);
        frozen_ = true;
    }

    // The least distance of a stored set whose literals are all in `present`; `otherwise` bounds it from above.
    float least_subset(const Bits& present, float otherwise) {
        if (!frozen_) freeze();
        float best = otherwise;
        if (!nodes_.empty()) search(0, present, best);
        return best;
    }

    std::size_t size() const { return rows_.size(); }
    std::size_t nodes() {
        if (!frozen_) freeze();
        return nodes_.size();
    }

private:
    struct Row {
        std::vector<std::int32_t> literals;
        float distance;
    };
    struct Node {
        std::int32_t literal;    // on the way from the parent to here
        std::uint32_t children;  // they are in a row
        std::uint32_t count;
        float least;             // in the subtree
        float distance;          // of the set that ends here
    };

    // The rows from `first` to `last` agree in their first `depth` literals, which led to the node.
    void build(std::uint32_t at, std::size_t first, std::size_t last, std::size_t depth) {
        constexpr float none = std::numeric_limits<float>::infinity();
        nodes_[at].distance = none;
        for (; first < last && rows_[first].literals.size() == depth; ++first)
            nodes_[at].distance = std::min(nodes_[at].distance, rows_[first].distance);
        nodes_[at].least = nodes_[at].distance;
        std::vector<std::size_t> starts;
        for (std::size_t k = first; k < last; ++k)
            if (k == first || rows_[k].literals[depth] != rows_[k - 1].literals[depth]) starts.push_back(k);
        nodes_[at].children = static_cast<std::uint32_t>(nodes_.size());
        nodes_[at].count = static_cast<std::uint32_t>(starts.size());
        const std::uint32_t begin = nodes_[at].children;
        for (const std::size_t start : starts) nodes_.push_back({rows_[start].literals[depth], 0, 0, none, none});
        for (std::size_t k = 0; k < starts.size(); ++k) {
            const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : last;
            const auto child = static_cast<std::uint32_t>(begin + k);
            build(child, starts[k], end, depth + 1);
            nodes_[at].least = std::min(nodes_[at].least, nodes_[child].least);
        }
    }

    void search(std::uint32_t at, const Bits& present, float& best) const {
        const Node& node = nodes_[at];
        best = std::min(best, node.distance);
        for (std::uint32_t k = node.children; k < node.children + node.count; ++k)
            if (nodes_[k].least < best && test_bit(present, nodes_[k].literal)) search(k, present, best);
    }

    std::vector<Row> rows_;
    std::vector<Node> nodes_;
    bool frozen_ = true;
};

}  // namespace argosy
