// Memory that grows with what it holds: arrays in pages, records of any size, an index by hash, and the numbers of what
// survives when an array is compacted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "mapped.hpp"

namespace argosy {

// What is read soon may be fetched meanwhile.
inline void fetch(const void* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place);
#else
    static_cast<void>(place);
#endif
}

// An array that grows by pages. The first page begins small and doubles, so that a short array is cheap; the elements
// of later pages never move.
template <class T, unsigned Log>
class Pages {
public:
    explicit Pages(std::size_t stride = 1, std::pmr::memory_resource* memory = std::pmr::new_delete_resource())
        : stride_(stride), memory_(memory) {}

    T* operator[](std::size_t index) { return pages_[index >> Log].get() + (index & (page - 1)) * stride_; }
    const T* operator[](std::size_t index) const { return pages_[index >> Log].get() + (index & (page - 1)) * stride_; }
    std::size_t size() const { return size_; }
    std::size_t push() {
        if (size_ == capacity_) grow();
        return size_++;
    }
    // Moves past the rest of a page where `count` elements in a row would not fit into it.
    std::size_t push_run(std::size_t count) {
        if ((size_ & (page - 1)) + count > page) size_ = (size_ | (page - 1)) + 1;
        while (size_ + count > capacity_) grow();
        const std::size_t first = size_;
        size_ += count;
        return first;
    }
    void shrink(std::size_t size) {
        size_ = size;
        while (pages_.size() > 1 && capacity_ - page >= size_) {
            pages_.pop_back();
            capacity_ -= page;
        }
    }
    std::size_t bytes() const { return capacity_ * stride_ * sizeof(T) + pages_.capacity() * sizeof(pages_[0]); }

private:
    static constexpr std::size_t page = std::size_t{1} << Log, first_page = page >> 6;

    void grow() {
        if (capacity_ == 0 || capacity_ >= page) {
            const std::size_t more = capacity_ == 0 ? first_page : page;
            pages_.push_back(array_in<T>(memory_, more * stride_));
            capacity_ += more;
            return;
        }
        auto larger = array_in<T>(memory_, 2 * capacity_ * stride_);
        std::copy_n(pages_[0].get(), size_ * stride_, larger.get());
        pages_[0] = std::move(larger);
        capacity_ *= 2;
    }

    std::size_t stride_, size_ = 0, capacity_ = 0;
    std::pmr::memory_resource* memory_;
    std::vector<ArrayIn<T>> pages_;
};

// Records of any size, addressed by 32 bits. Small ones share pages, and the place of a released one goes to the next
// of its size; a large one is a block of its own, because what such records leave unused of a page is too much.
class Records {
public:
    static constexpr std::uint32_t nowhere = 0xffffffff;

    explicit Records(std::pmr::memory_resource* memory = std::pmr::new_delete_resource())
        : memory_(memory), pages_(unit, memory) {}

    std::byte* operator[](std::uint32_t at) { return at & large ? blocks_[at ^ large].get() : pages_[at]; }
    const std::byte* operator[](std::uint32_t at) const { return at & large ? blocks_[at ^ large].get() : pages_[at]; }

    std::uint32_t allocate(std::size_t size) {
        if (size > most_shared) return block(size);
        std::uint32_t& released = released_[units(size)];
        if (released != nowhere) {
            const std::uint32_t at = released;
            std::memcpy(&released, pages_[at], sizeof released);
            return at;
        }
        const std::size_t at = pages_.push_run(units(size));
        if (at >= large) throw std::length_error("the zones do not fit the address space of the store");
        return static_cast<std::uint32_t>(at);
    }

    void release(std::uint32_t at, std::size_t size) {
        if (at & large) {
            blocks_[at ^ large].reset();
            free_blocks_.push_back(at);
            block_bytes_ -= size + block_cost;
            return;
        }
        std::uint32_t& released = released_[units(size)];
        std::memcpy(pages_[at], &released, sizeof released);
        released = at;
    }

    std::size_t bytes() const {
        return pages_.bytes() + block_bytes_ + blocks_.capacity() * sizeof(blocks_[0]) +
               free_blocks_.capacity() * sizeof(free_blocks_[0]);
    }

private:
    static constexpr std::size_t unit = 4, most_shared = 256, block_cost = 16;  // what an allocator adds to a block
    static constexpr std::uint32_t large = 1u << 31;

    static std::size_t units(std::size_t size) { return (size + unit - 1) / unit; }

    std::uint32_t block(std::size_t size) {
        auto bytes = array_in<std::byte>(memory_, size);
        block_bytes_ += size + block_cost;
        if (free_blocks_.empty()) {
            blocks_.push_back(std::move(bytes));
            return static_cast<std::uint32_t>(blocks_.size() - 1) | large;
        }
        const std::uint32_t at = free_blocks_.back();
        free_blocks_.pop_back();
        blocks_[at ^ large] = std::move(bytes);
        return at;
    }

    std::pmr::memory_resource* memory_;
    Pages<std::byte, 12> pages_;
    std::vector<std::uint32_t> released_ = std::vector<std::uint32_t>(most_shared / unit + 1, nowhere);
    std::vector<ArrayIn<std::byte>> blocks_;
    std::vector<std::uint32_t> free_blocks_;
    std::size_t block_bytes_ = 0;
};

// Which numbers have a hash. It has parts that grow one at a time, so that no insertion takes long.
class HashIndex {
public:
    static constexpr std::uint32_t nothing = 0xffffffff;

    // The number with that hash for which `same` holds, or nothing.
    template <class Same>
    std::uint32_t find(std::uint64_t hash, Same&& same) const {
        const std::vector<std::uint32_t>& slots = parts_[hash >> shift].slots;
        const std::size_t mask = slots.size() - 1;
        std::size_t at = hash & mask;
        while (slots[at] != nothing && !same(slots[at])) at = (at + 1) & mask;
        return slots[at];
    }

    // Where a search for that hash begins: to have it at hand, and the number there, which may be another's.
    void fetch_first(std::uint64_t hash) const {
        const std::vector<std::uint32_t>& slots = parts_[hash >> shift].slots;
        fetch(&slots[hash & (slots.size() - 1)]);
    }
    std::uint32_t first(std::uint64_t hash) const {
        const std::vector<std::uint32_t>& slots = parts_[hash >> shift].slots;
        return slots[hash & (slots.size() - 1)];
    }

    // A number that was not found; `hash_of` gives the hash of any that was inserted.
    template <class HashOf>
    void insert(std::uint64_t hash, std::uint32_t number, HashOf&& hash_of) {
        Part& part = parts_[hash >> shift];
        put(part.slots, hash, number);
        if (++part.count * 10 <= part.slots.size() * 7) return;
        std::vector<std::uint32_t> larger(part.slots.size() * 2, nothing);
        for (const std::uint32_t old : part.slots)
            if (old != nothing) put(larger, hash_of(old), old);
        part.slots = std::move(larger);
    }

    std::size_t bytes() const {
        std::size_t sum = sizeof parts_;
        for (const Part& part : parts_) sum += part.slots.capacity() * sizeof(std::uint32_t);
        return sum;
    }

private:
    static constexpr unsigned shift = 60;
    struct Part {
        std::vector<std::uint32_t> slots = std::vector<std::uint32_t>(8, nothing);
        std::size_t count = 0;
    };

    static void put(std::vector<std::uint32_t>& slots, std::uint64_t hash, std::uint32_t number) {
        const std::size_t mask = slots.size() - 1;
        std::size_t at = hash & mask;
        while (slots[at] != nothing) at = (at + 1) & mask;
        slots[at] = number;
    }

    std::array<Part, std::size_t{1} << (64 - shift)> parts_;
};

// Numbers that survive keep their order and close up: each becomes the count of survivors below it.
class Survivors {
public:
    explicit Survivors(std::size_t count) : words_((count >> 6) + 1, 0) {}

    void keep(std::size_t number) { words_[number >> 6] |= std::uint64_t{1} << (number & 63); }
    bool kept(std::size_t number) const { return words_[number >> 6] >> (number & 63) & 1; }
    // Once all are kept that will be.
    void close() {
        below_.reserve(words_.size());
        std::uint32_t count = 0;
        for (const std::uint64_t word : words_) {
            below_.push_back(count);
            count += static_cast<std::uint32_t>(std::popcount(word));
        }
    }
    std::uint32_t operator()(std::size_t number) const {
        const std::uint64_t lower = words_[number >> 6] & ((std::uint64_t{1} << (number & 63)) - 1);
        return below_[number >> 6] + static_cast<std::uint32_t>(std::popcount(lower));
    }

private:
    std::vector<std::uint64_t> words_;
    std::vector<std::uint32_t> below_;
};

}  // namespace argosy
