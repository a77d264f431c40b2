// The states of a certificate, by their vectors. Their memory is taken in few large pieces and given back at once, and
// no addition takes long, so that a check of millions of states can be stopped at any moment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>

namespace argosy::certificate {

// A zone: its clocks, then its bounds row by row. Those of the same vector are linked.
struct Kept {
    const Kept* next;
    std::int32_t count;
    std::int32_t rank;

    const std::int32_t* clocks() const { return reinterpret_cast<const std::int32_t*>(this + 1); }
    const std::int32_t* bounds() const { return clocks() + count; }
};

class KeptStates {
public:
    KeptStates() { place(std::pmr::get_default_resource()); }
    KeptStates(const KeptStates&) = delete;
    KeptStates& operator=(const KeptStates&) = delete;

    // Where the states are to lie; before there are any.
    void place(std::pmr::memory_resource* upstream) {
        memory_ = std::make_unique<std::pmr::monotonic_buffer_resource>(upstream);
        for (Part*& part : parts_) part = new (memory_->allocate(sizeof(Part), alignof(Part))) Part(memory_.get());
    }

    // `numbers` are the clocks, then the bounds.
    void add(std::string_view name, std::int32_t count, const std::int32_t* numbers, std::int32_t rank = 0) {
        Part& part = part_of(name);
        auto entry = part.find(name);
        if (entry == part.end()) entry = part.emplace(std::pmr::string(name, memory_.get()), nullptr).first;
        const std::size_t bytes = static_cast<std::size_t>(count) * (count + 1) * sizeof(std::int32_t);
        auto* kept = new (memory_->allocate(sizeof(Kept) + bytes, alignof(Kept))) Kept{entry->second, count, rank};
        std::memcpy(reinterpret_cast<std::byte*>(kept + 1), numbers, bytes);
        entry->second = kept;
    }

    // The first zone of a vector, or nullptr.
    const Kept* find(std::string_view name) const {
        const Part& part = part_of(name);
        const auto entry = part.find(name);
        return entry == part.end() ? nullptr : entry->second;
    }

    static constexpr std::size_t parts = 64;

    template <class Visit>
    void for_each_of(std::size_t part, Visit&& visit) const {
        for (const auto& [name, first] : *parts_[part]) visit(std::string_view(name), first);
    }
    template <class Visit>
    void for_each(Visit&& visit) const {
        for (std::size_t part = 0; part < parts; ++part) for_each_of(part, visit);
    }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
    };
    using Part = std::pmr::unordered_map<std::pmr::string, const Kept*, Hash, std::equal_to<>>;

    Part& part_of(std::string_view name) const { return *parts_[Hash{}(name) >> 11 & (parts_.size() - 1)]; }

    std::unique_ptr<std::pmr::monotonic_buffer_resource> memory_;
    std::array<Part*, parts> parts_;  // in that memory, so they are not destroyed entry by entry but with it
};

}  // namespace argosy::certificate
