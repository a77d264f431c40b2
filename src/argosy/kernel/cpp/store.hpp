// Passed and waiting states in one store: a hash table of packed discrete states, each with a chain of zones. A zone
// that another one of its chain covers is not kept (in either direction), except where depths are promised.
//
// A stored state costs its packed vector once per discrete state, two bytes per bound (four where constants are large),
// and a fixed part of some 40 bytes. All memory is counted, and grows and shrinks with the stored states.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "dbm.hpp"
#include "model.hpp"
#include "packing.hpp"
#include "pages.hpp"

namespace argosy {

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
    // `mapped` is for nodes, packed vectors and zones, if it is there; the index stays where it is quick.
    Store(const Model& model, bool keeps_depth, bool by_simulation = false, MappedMemory* mapped = nullptr)
        : model_(model), keeps_depth_(keeps_depth), by_simulation_(by_simulation), mapped_(mapped), nodes_(1, memory()),
          discretes_(static_cast<std::size_t>(model.words) + 1, memory()), zones_(memory()),
          packer_(model, by_simulation) {}

    struct Entry {
        bool fresh;
        std::uint32_t node;
    };

    Entry insert(const Discrete& state, const std::vector<dbm::Bound>& matrix, int n, std::uint32_t parent,
                 std::uint32_t transition, std::uint32_t depth, RowBounds rows = {}) {
        return insert(packer_.pack(state, matrix.data(), n, rows), parent, transition, depth);
    }
    Entry insert(const Packed& fresh, std::uint32_t parent, std::uint32_t transition, std::uint32_t depth);

    // Before an insertion of that hash, in this order and with other work in between: what it reads first, then, and last.
    void fetch_index(std::uint64_t hash) const { index_.fetch_first(hash); }
    void fetch_vector(std::uint64_t hash) const {
        if (const std::uint32_t discrete = index_.first(hash); discrete != none) argosy::fetch(discretes_[discrete]);
    }
    void fetch_zone(std::uint64_t hash) const {
        const std::uint32_t discrete = index_.first(hash);
        if (discrete == none) return;
        if (const std::uint64_t at = discretes_[discrete][model_.words]; at != none)
            argosy::fetch(zones_[static_cast<std::uint32_t>(at)]);
    }

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
    std::uint32_t find_packed(const std::uint64_t* key) const { return find_packed(key, hash(key)); }

    // The nodes whose zones the last insertion replaced by its own.
    const std::vector<std::uint32_t>& replaced() const { return replaced_; }

    // A node is kept for its zone, or as one of the steps to a node that has one. Here the others are most of all, and
    // not so many that to find them takes long.
    bool worth_collecting() const {
        return nodes_.size() > collect_at_ && nodes_.size() > 3 * zones() && nodes_.size() < collect_below;
    }
    // Forgets the others, `extra` nodes aside; the numbers of all nodes change.
    Survivors collect(std::initializer_list<std::uint32_t> extra);

    std::size_t stored() const { return stored_; }
    std::size_t zones() const { return zone_count_; }  // those of shadowed nodes as well
    std::size_t index_bytes() const { return index_.bytes(); }
    std::size_t bytes() const {
        return nodes_.bytes() + discretes_.bytes() + zones_.bytes() + index_.bytes();
    }
    // What of it is packed vectors and bounds of zones.
    std::size_t payload() const {
        return discretes_.size() * model_.words * sizeof(std::uint64_t) + zone_bytes_;
    }

private:
    // A zone's record: this, then its bounds without the diagonal. A chain has the newest zone first.
    struct Record {
        std::uint32_t next, node;
        float sum;  // as in `Packed`
    };
    static constexpr std::size_t collect_below = 4'000'000;

    static std::size_t cells(int n) { return Packer::cells(n); }
    std::size_t width() const { return packer_.width(); }
    Record& record(std::uint32_t at) { return *reinterpret_cast<Record*>(zones_[at]); }
    const std::byte* bounds(std::uint32_t at) const { return zones_[at] + sizeof(Record); }

    std::uint32_t find(const Packed& fresh);
    std::uint32_t find_packed(const std::uint64_t* key, std::uint64_t its_hash) const {
        return index_.find(its_hash, [&](std::uint32_t discrete) {
            return std::equal(key, key + model_.words, discretes_[discrete]);
        });
    }
    std::uint64_t hash(const std::uint64_t* words) const { return packer_.hash(words); }
    std::uint64_t& head(std::uint32_t discrete) { return discretes_[discrete][model_.words]; }

    void drop_smaller(std::uint32_t discrete, int n, std::uint32_t depth);
    bool included(const std::byte* small, const std::byte* large, std::size_t count) const;
    bool covers(std::uint32_t zone, const Packed& fresh);
    bool is_covered(std::uint32_t zone, const Packed& fresh);
    std::uint32_t allocate(int n) {
        const std::size_t bytes = cells(n) * width();
        const std::uint32_t at = zones_.allocate(sizeof(Record) + bytes);
        zone_bytes_ += bytes;
        ++zone_count_;
        return at;
    }
    void release(std::uint32_t at, int n) {
        const std::size_t bytes = cells(n) * width();
        zones_.release(at, sizeof(Record) + bytes);
        zone_bytes_ -= bytes;
        --zone_count_;
    }

    std::pmr::memory_resource* memory() const {
        return mapped_ != nullptr ? mapped_ : std::pmr::new_delete_resource();
    }

    const Model& model_;
    bool keeps_depth_, by_simulation_;
    MappedMemory* mapped_;
    Pages<Node, 9> nodes_;
    Pages<std::uint64_t, 8> discretes_;  // the packed vector, then the first zone of its chain
    Records zones_;
    HashIndex index_;
    Packer packer_;
    std::vector<std::int32_t> least_;
    std::vector<std::uint32_t> smaller_, replaced_;
    std::size_t stored_ = 0, zone_count_ = 0, zone_bytes_ = 0, rehashed_ = 0;
    std::size_t collect_at_ = 1 << 10;
};

inline std::uint32_t Store::find(const Packed& fresh) {
    const std::uint32_t known = find_packed(fresh.key, fresh.hash);
    if (known != none) return known;
    const auto discrete = static_cast<std::uint32_t>(discretes_.push());
    std::copy_n(fresh.key, model_.words, discretes_[discrete]);
    head(discrete) = none;
    // Where a part of the index grows, the vectors of all its numbers are read at one go.
    index_.insert(fresh.hash, discrete, [&](std::uint32_t other) {
        if ((++rehashed_ & 63) == 0 && mapped_ != nullptr) mapped_->keep_within();
        return hash(discretes_[other]);
    });
    return discrete;
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

inline bool Store::covers(std::uint32_t zone, const Packed& fresh) {
    return record(zone).sum >= fresh.sum &&
           included(by_simulation_ ? fresh.asked : fresh.cells, bounds(zone), cells(fresh.n));
}

// Does a fresh zone cover a stored one?
inline bool Store::is_covered(std::uint32_t zone, const Packed& fresh) {
    const int n = fresh.n;
    if (record(zone).sum > fresh.sum) return false;
    if (!by_simulation_) return included(bounds(zone), fresh.cells, cells(n));
    const auto compare = [&](const auto* stored, const auto* large) {
        simulation::find_least(stored, n, fresh.rows, least_);
        for (int y = 0, row = 0; y < n; ++y, row += n - 1) {
            const std::int32_t lower = fresh.rows.lower[y];
            if (lower == dbm::no_bound) continue;
            int lacks = 0;
            const auto test = [&](int x, int cell) {
                lacks |= large[cell] < std::min<std::int32_t>(stored[cell], simulation::enough(least_[x], lower));
            };
            for (int x = 0; x < y; ++x) test(x, row + x);
            for (int x = y + 1; x < n; ++x) test(x, row + x - 1);
            if (lacks) return false;
        }
        return true;
    };
    if (model_.wide_zones)
        return compare(reinterpret_cast<const std::int32_t*>(bounds(zone)),
                       reinterpret_cast<const std::int32_t*>(fresh.cells));
    return compare(reinterpret_cast<const std::int16_t*>(bounds(zone)),
                   reinterpret_cast<const std::int16_t*>(fresh.cells));
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
    else fill(reinterpret_cast<const std::int16_t*>(bounds(zone)), Packer::narrow_infinity);
}

inline Store::Entry Store::insert(const Packed& fresh, std::uint32_t parent, std::uint32_t transition,
                                  std::uint32_t depth) {
    const std::uint32_t discrete = find(fresh);
    const int n = fresh.n;
    smaller_.clear();
    replaced_.clear();
    for (std::uint64_t at = head(discrete); at != none;) {
        const auto zone = static_cast<std::uint32_t>(at);
        const Record& its = record(zone);
        if ((!keeps_depth_ || node(its.node).depth <= depth) && covers(zone, fresh)) return {false, its.node};
        if (is_covered(zone, fresh)) smaller_.push_back(zone);
        at = its.next;
    }
    drop_smaller(discrete, n, depth);
    if (nodes_.size() >= none) throw std::length_error("too many states for the store");
    const auto index = static_cast<std::uint32_t>(nodes_.push());
    const std::uint32_t at = allocate(n);
    record(at) = {static_cast<std::uint32_t>(head(discrete)), index, fresh.sum};
    std::memcpy(zones_[at] + sizeof(Record), fresh.cells, cells(n) * width());
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

// A node is younger than its parent, so one pass from the youngest to the oldest finds all that are needed.
inline Survivors Store::collect(std::initializer_list<std::uint32_t> extra) {
    Survivors survivors(nodes_.size());
    for (const std::uint32_t index : extra)
        if (index != none) survivors.keep(index);
    for (std::size_t index = nodes_.size(); index-- > 0;) {
        const Node& its = *nodes_[index];
        if (its.zone != none) survivors.keep(index);
        if (survivors.kept(index) && its.parent != none) survivors.keep(its.parent);
    }
    survivors.close();
    std::size_t count = 0;
    for (std::size_t index = 0; index < nodes_.size(); ++index) {
        if (!survivors.kept(index)) continue;
        Node its = *nodes_[index];
        if (its.parent != none) its.parent = survivors(its.parent);
        if (its.zone != none) record(its.zone).node = static_cast<std::uint32_t>(count);
        *nodes_[count++] = its;
    }
    nodes_.shrink(count);
    collect_at_ = std::max<std::size_t>(count + count / 4, 1 << 10);
    return survivors;
}

}  // namespace argosy
