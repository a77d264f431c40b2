// Passed and waiting states in one store: a hash table of packed discrete states, each with a chain of zones. A zone
// that another one of its chain includes is not kept (in either direction), except where depths are promised.
//
// All memory comes in pages, so that it grows linearly and is counted. A stored state costs its packed vector once
// per discrete state, two bytes per bound (four where constants are large), and a fixed part of some 40 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "dbm.hpp"
#include "model.hpp"

namespace argosy {

// An array that grows by pages and never moves its elements.
template <class T, unsigned Log>
class Pages {
public:
    explicit Pages(std::size_t stride = 1) : stride_(stride) {}

    T* operator[](std::size_t index) {
        return pages_[index >> Log].get() + (index & ((std::size_t{1} << Log) - 1)) * stride_;
    }
    const T* operator[](std::size_t index) const {
        return pages_[index >> Log].get() + (index & ((std::size_t{1} << Log) - 1)) * stride_;
    }
    std::size_t size() const { return size_; }
    std::size_t push() {
        if ((size_ >> Log) == pages_.size()) pages_.push_back(std::make_unique<T[]>(stride_ << Log));
        return size_++;
    }
    // Moves past the rest of a page where `count` elements in a row would not fit into it.
    std::size_t push_run(std::size_t count) {
        const std::size_t page = std::size_t{1} << Log;
        if (count > page) throw std::length_error("a zone has too many clocks for the store");
        if ((size_ & (page - 1)) + count > page) size_ = (size_ | (page - 1)) + 1;
        while (((size_ + count - 1) >> Log) >= pages_.size())
            pages_.push_back(std::make_unique<T[]>(stride_ << Log));
        const std::size_t first = size_;
        size_ += count;
        return first;
    }
    std::size_t bytes() const { return pages_.size() * (stride_ << Log) * sizeof(T); }

private:
    std::size_t stride_, size_ = 0;
    std::vector<std::unique_ptr<T[]>> pages_;
};

inline constexpr std::uint32_t none = 0xffffffff;

struct Node {
    std::uint32_t discrete, zone, parent, transition;
    std::uint32_t depth : 29;
    std::uint32_t expanded : 1;
    std::uint32_t dropped : 1;   // a larger zone stands for it: not to be expanded
    std::uint32_t shadowed : 1;  // a larger but deeper zone stands for it: still to be expanded, covers nothing
};

class Store {
public:
    Store(const Model& model, bool keeps_depth)
        : model_(model), keeps_depth_(keeps_depth), discretes_(static_cast<std::size_t>(model.words) + 1),
          zones_(unit), table_(1 << 10, none), key_(model.words) {}

    struct Entry {
        bool fresh;
        std::uint32_t node;
    };

    Entry insert(const Discrete& state, const std::vector<dbm::Bound>& matrix, int n, std::uint32_t parent,
                 std::uint32_t transition, std::uint32_t depth);

    Node& node(std::uint32_t index) { return *nodes_[index]; }
    const Node& node(std::uint32_t index) const { return *nodes_[index]; }
    std::size_t nodes() const { return nodes_.size(); }
    const std::uint64_t* packed(std::uint32_t discrete) const { return discretes_[discrete]; }
    std::size_t discretes() const { return discretes_.size(); }

    void load(std::uint32_t zone, dbm::Bound* matrix, int n) const;

    // A shadowed node's zone is of no use once it is expanded.
    void expanded(std::uint32_t index, int n) {
        Node& its = node(index);
        its.expanded = 1;
        if (its.shadowed) {
            release(its.zone, n);
            its.zone = none;
        }
    }

    // Where a packed discrete state is stored, or none.
    std::uint32_t find_packed(const std::uint64_t* key) const {
        const std::size_t mask = table_.size() - 1;
        std::size_t at = hash(key, model_.words) & mask;
        while (table_[at] != none) {
            if (std::equal(key, key + model_.words, discretes_[table_[at]])) return table_[at];
            at = (at + 1) & mask;
        }
        return none;
    }

    // The nodes whose zones the last insertion replaced by its own.
    const std::vector<std::uint32_t>& replaced() const { return replaced_; }

    std::size_t stored() const { return stored_; }
    std::size_t bytes() const {
        return nodes_.bytes() + discretes_.bytes() + zones_.bytes() + table_.capacity() * sizeof(std::uint32_t);
    }

private:
    // A zone's record: this, then its bounds without the diagonal. Records are addressed in units of four bytes.
    struct Record {
        std::uint32_t next, node;  // `next` also links released records
        float sum;                 // of the bounds: a zone that includes another has no smaller one
    };
    static constexpr std::size_t unit = 4;
    static constexpr std::int32_t narrow_infinity = 32767;

    static std::size_t cells(int n) { return static_cast<std::size_t>(n) * (n - 1); }
    std::size_t width() const { return model_.wide_zones ? sizeof(std::int32_t) : sizeof(std::int16_t); }
    std::size_t units(int n) const { return (sizeof(Record) + cells(n) * width() + unit - 1) / unit; }
    Record& record(std::uint32_t at) { return *reinterpret_cast<Record*>(zones_[at]); }
    const std::byte* bounds(std::uint32_t at) const { return zones_[at] + sizeof(Record); }

    std::uint32_t find(const Discrete& state);
    void grow();
    static std::uint64_t hash(const std::uint64_t* words, std::int32_t count) {
        std::uint64_t h = 0x9e3779b97f4a7c15ULL;
        for (std::int32_t k = 0; k < count; ++k) {
            h ^= words[k];
            h *= 0xff51afd7ed558ccdULL;
            h ^= h >> 32;
        }
        return h;
    }
    std::uint64_t& head(std::uint32_t discrete) { return discretes_[discrete][model_.words]; }

    void drop_smaller(std::uint32_t discrete, int n, std::uint32_t depth);
    float encode(const dbm::Bound* matrix, int n);
    bool included(const std::byte* small, const std::byte* large, std::size_t count) const;
    std::uint32_t allocate(int n) {
        const std::size_t size = units(n);
        if (size < free_.size() && free_[size] != none) {
            const std::uint32_t at = free_[size];
            free_[size] = record(at).next;
            return at;
        }
        const std::size_t at = zones_.push_run(size);
        if (at >= none) throw std::length_error("the zones do not fit the address space of the store");
        return static_cast<std::uint32_t>(at);
    }
    void release(std::uint32_t at, int n) {
        const std::size_t size = units(n);
        if (size >= free_.size()) free_.resize(size + 1, none);
        record(at).next = free_[size];
        free_[size] = at;
    }

    const Model& model_;
    bool keeps_depth_;
    Pages<Node, 11> nodes_;
    Pages<std::uint64_t, 9> discretes_;  // the packed vector, then the first zone of its chain
    Pages<std::byte, 16> zones_;
    std::vector<std::uint32_t> table_;
    std::vector<std::uint32_t> free_;  // by size: the first of the released records
    std::vector<std::uint64_t> key_;
    std::vector<std::byte> cells_;
    std::vector<std::uint32_t> smaller_, replaced_;
    std::size_t stored_ = 0;
};

inline std::uint32_t Store::find(const Discrete& state) {
    state.pack(model_, key_.data());
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash(key_.data(), model_.words) & mask;
    while (table_[at] != none) {
        if (std::equal(key_.data(), key_.data() + model_.words, discretes_[table_[at]])) return table_[at];
        at = (at + 1) & mask;
    }
    const auto index = static_cast<std::uint32_t>(discretes_.push());
    std::copy_n(key_.data(), model_.words, discretes_[index]);
    head(index) = none;
    table_[at] = index;
    if (discretes_.size() * 10 > table_.size() * 7) grow();
    return index;
}

inline void Store::grow() {
    std::vector<std::uint32_t> larger(table_.size() * 2, none);
    const std::size_t mask = larger.size() - 1;
    for (std::uint32_t index = 0; index < discretes_.size(); ++index) {
        std::size_t at = hash(discretes_[index], model_.words) & mask;
        while (larger[at] != none) at = (at + 1) & mask;
        larger[at] = index;
    }
    table_ = std::move(larger);
}

// Packs the bounds into `cells_`; returns their sum (rounding to a float keeps the order).
inline float Store::encode(const dbm::Bound* matrix, int n) {
    cells_.resize(cells(n) * width());
    std::int64_t sum = 0;
    const auto fill = [&](auto* out, std::int32_t unbounded) {
        using Cell = std::remove_reference_t<decltype(*out)>;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                if (i == j) continue;
                const dbm::Bound bound = matrix[i * n + j];
                if (bound != dbm::infinity && (bound >= unbounded || bound < -unbounded))
                    throw std::logic_error("a bound does not fit the width found for it");
                const auto cell = static_cast<Cell>(bound == dbm::infinity ? unbounded : bound);
                *out++ = cell;
                sum += cell;
            }
        }
    };
    if (model_.wide_zones) fill(reinterpret_cast<std::int32_t*>(cells_.data()), dbm::infinity);
    else fill(reinterpret_cast<std::int16_t*>(cells_.data()), narrow_infinity);
    return static_cast<float>(sum);
}

inline bool Store::included(const std::byte* small, const std::byte* large, std::size_t count) const {
    const auto compare = [count](const auto* a, const auto* b) {
        std::size_t k = 0;
        for (; k + 8 <= count; k += 8) {
            int greater = 0;
            for (std::size_t m = 0; m < 8; ++m) greater |= a[k + m] > b[k + m];
            if (greater) return false;
        }
        for (; k < count; ++k)
            if (a[k] > b[k]) return false;
        return true;
    };
    if (model_.wide_zones)
        return compare(reinterpret_cast<const std::int32_t*>(small), reinterpret_cast<const std::int32_t*>(large));
    return compare(reinterpret_cast<const std::int16_t*>(small), reinterpret_cast<const std::int16_t*>(large));
}

inline void Store::load(std::uint32_t zone, dbm::Bound* matrix, int n) const {
    const auto fill = [&](const auto* cell, dbm::Bound unbounded) {
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                dbm::Bound bound = dbm::zero;
                if (i != j) bound = *cell++;
                matrix[i * n + j] = bound == unbounded ? dbm::infinity : bound;
            }
        }
    };
    if (model_.wide_zones) fill(reinterpret_cast<const std::int32_t*>(bounds(zone)), dbm::infinity);
    else fill(reinterpret_cast<const std::int16_t*>(bounds(zone)), narrow_infinity);
}

inline Store::Entry Store::insert(const Discrete& state, const std::vector<dbm::Bound>& matrix, int n,
                                  std::uint32_t parent, std::uint32_t transition, std::uint32_t depth) {
    const std::uint32_t discrete = find(state);
    const float sum = encode(matrix.data(), n);
    smaller_.clear();
    replaced_.clear();
    for (std::uint64_t at = head(discrete); at != none;) {
        const auto zone = static_cast<std::uint32_t>(at);
        const Record& its = record(zone);
        if (its.sum >= sum && (!keeps_depth_ || node(its.node).depth <= depth) &&
            included(cells_.data(), bounds(zone), cells(n)))
            return {false, its.node};
        if (its.sum <= sum && included(bounds(zone), cells_.data(), cells(n))) smaller_.push_back(zone);
        at = its.next;
    }
    drop_smaller(discrete, n, depth);
    if (nodes_.size() >= none) throw std::length_error("too many states for the store");
    const auto index = static_cast<std::uint32_t>(nodes_.push());
    const std::uint32_t at = allocate(n);
    record(at) = {static_cast<std::uint32_t>(head(discrete)), index, sum};
    std::memcpy(zones_[at] + sizeof(Record), cells_.data(), cells_.size());
    head(discrete) = at;
    node(index) = {discrete, at, parent, transition, depth & ((1u << 29) - 1), 0, 0, 0};
    ++stored_;
    return {true, index};
}

// Takes the zones in `smaller_`, which are in the order of the chain, out of it.
inline void Store::drop_smaller(std::uint32_t discrete, int n, std::uint32_t depth) {
    std::uint32_t previous = none;
    auto at = static_cast<std::uint32_t>(head(discrete));
    for (const std::uint32_t zone : smaller_) {
        while (at != zone) {
            previous = at;
            at = record(at).next;
        }
        Record& its = record(zone);
        at = its.next;
        if (previous == none) head(discrete) = at;
        else record(previous).next = at;
        --stored_;
        replaced_.push_back(its.node);
        Node& old = node(its.node);
        if (!old.expanded && keeps_depth_ && old.depth < depth) {
            old.shadowed = 1;
            continue;
        }
        old.dropped = !old.expanded;
        old.zone = none;
        release(zone, n);
    }
}

}  // namespace argosy
