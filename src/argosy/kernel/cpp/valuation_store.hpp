// What is known of variables at locations, each state once: the bytes of its known values under a layout, which says
// where they are. Nothing is stored for a variable of which nothing is known.
#pragma once

#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include "pages.hpp"
#include "valuation.hpp"

namespace argosy::valuation {

constexpr std::uint32_t nothing = 0xffffffff;

struct Field {
    std::uint32_t slot;
    std::uint8_t bytes, tag;
};

// How the bytes of a state become those of what it says about the slots of a pattern.
struct Projection {
    std::uint32_t layout = nothing;  // nothing: not all of these slots are known
    std::vector<std::array<std::uint32_t, 3>> moves;
};

// Some slots at a location, which of them are known not to be one value, and as how many bytes each is stored.
struct Layout {
    std::uint32_t location, pattern;
    std::size_t size;
    std::vector<Field> fields;
    std::vector<Projection> projections;  // by the patterns at the location, as far as they were asked for
};

// A state; `first` and `last` are the oldest and the newest node that has it.
struct State {
    std::uint64_t hash;
    std::uint32_t record, first, last;
};

class Store {
public:
    Store(std::vector<std::uint8_t> widths, std::size_t locations) : widths_(std::move(widths)), locations_(locations) {
        clear();
    }

    void clear() {
        layouts_.clear();
        by_key_.clear();
        states_ = Pages<State, 12>();
        records_ = std::make_unique<Records>();
        index_ = std::make_unique<HashIndex>();
        patterns_.assign(locations_, {});
    }

    std::size_t slots() const { return widths_.size(); }
    std::size_t size() const { return states_.size(); }
    std::size_t bytes() const { return states_.bytes() + records_->bytes() + index_->bytes(); }
    State& operator[](std::uint32_t state) { return *states_[state]; }
    const State& operator[](std::uint32_t state) const { return *states_[state]; }
    const Layout& layout(std::uint32_t state) const { return layouts_[layout_of(state)]; }
    std::uint32_t location(std::uint32_t state) const { return layout(state).location; }
    std::size_t patterns(std::uint32_t location) const { return patterns_[location].size(); }

    // The state in which the registers of some slots, in their order, say what is known at a location.
    std::uint32_t intern(std::uint32_t location, const std::vector<std::uint32_t>& kept, const Registers& r) {
        key_.assign(reinterpret_cast<const char*>(&location), sizeof location);
        for (const std::uint32_t slot : kept)
            if (r.tags[slot] != unknown) add_to_key(slot, r.tags[slot]);
        const std::uint32_t layout = layout_for_key(location);
        buffer_.resize(layouts_[layout].size);
        std::byte* to = buffer_.data();
        for (const Field& field : layouts_[layout].fields) {
            std::memcpy(to, &r.words[field.slot], field.bytes);  // little-endian, as all machines we build for
            to += field.bytes;
        }
        const std::uint64_t hash = hashed(layout, buffer_.data(), buffer_.size());
        std::uint32_t state = find(layout, buffer_.data(), hash);
        if (state == nothing) {
            const std::uint32_t record = records_->allocate(sizeof layout + buffer_.size());
            std::memcpy((*records_)[record], &layout, sizeof layout);
            if (!buffer_.empty()) std::memcpy((*records_)[record] + sizeof layout, buffer_.data(), buffer_.size());
            state = static_cast<std::uint32_t>(states_.push());
            *states_[state] = {hash, record, nothing, nothing};
            index_->insert(hash, state, [this](std::uint32_t old) { return states_[old]->hash; });
        }
        return state;
    }

    // The state that says what this one says about the slots of a pattern; nothing where they are not all known, or
    // where there is no such state.
    std::uint32_t projected(std::uint32_t state, std::size_t pattern) {
        const std::uint32_t own = layout_of(state);
        while (layouts_[own].projections.size() <= pattern) project(own, layouts_[own].projections.size());
        const Projection& projection = layouts_[own].projections[pattern];
        if (projection.layout == nothing) return nothing;
        if (projection.layout == own) return state;
        buffer_.resize(layouts_[projection.layout].size);
        const std::byte* from = values(state);
        for (const auto& [at, to, count] : projection.moves) std::memcpy(buffer_.data() + to, from + at, count);
        return find(projection.layout, buffer_.data(), hashed(projection.layout, buffer_.data(), buffer_.size()));
    }

    // What a state knows, slot by slot.
    template <class Told>
    void tell(std::uint32_t state, Told&& told) const {
        const std::byte* from = values(state);
        for (const Field& field : layout(state).fields) {
            Word word = 0;
            std::memcpy(&word, from, field.bytes);
            told(field.slot, field.tag, word);
            from += field.bytes;
        }
    }

private:
    std::uint32_t layout_of(std::uint32_t state) const {
        std::uint32_t layout;
        std::memcpy(&layout, (*records_)[states_[state]->record], sizeof layout);
        return layout;
    }
    const std::byte* values(std::uint32_t state) const {
        return (*records_)[states_[state]->record] + sizeof(std::uint32_t);
    }

    static std::uint64_t hashed(std::uint32_t layout, const std::byte* data, std::size_t size) {
        std::uint64_t hash = (layout + 1) * 0x9E3779B97F4A7C15u;
        for (; size >= 8; data += 8, size -= 8) hash = mixed(hash, data, 8);
        if (size > 0) hash = mixed(hash, data, size);
        return hash ^ (hash >> 32);
    }
    static std::uint64_t mixed(std::uint64_t hash, const std::byte* data, std::size_t size) {
        std::uint64_t word = 0;
        std::memcpy(&word, data, size);
        hash = (hash ^ word) * 0xBF58476D1CE4E5B9u;
        return hash ^ (hash >> 29);
    }

    std::uint32_t find(std::uint32_t layout, const std::byte* data, std::uint64_t hash) const {
        const std::size_t size = layouts_[layout].size;
        return index_->find(hash, [&](std::uint32_t state) {
            return states_[state]->hash == hash && layout_of(state) == layout &&
                   (size == 0 || std::memcmp(values(state), data, size) == 0);
        });
    }

    void add_to_key(std::uint32_t slot, std::uint8_t tag) {
        const std::uint32_t entry = slot << 2 | tag;
        key_.append(reinterpret_cast<const char*>(&entry), sizeof entry);
    }

    // A pattern is known from the first state that is filed under it.
    std::uint32_t layout_for_key(std::uint32_t location) {
        const auto [found, is_new] = by_key_.try_emplace(key_, static_cast<std::uint32_t>(layouts_.size()));
        if (!is_new) return found->second;
        Layout layout{location, 0, 0, {}, {}};
        std::vector<std::uint32_t> slots;
        for (std::size_t at = sizeof location; at < key_.size(); at += sizeof(std::uint32_t)) {
            std::uint32_t entry;
            std::memcpy(&entry, key_.data() + at, sizeof entry);
            const std::uint32_t slot = entry >> 2;
            const auto bytes = static_cast<std::uint8_t>((widths_[slot] + 7) / 8);
            layout.fields.push_back({slot, bytes, static_cast<std::uint8_t>(entry & 3)});
            layout.size += bytes;
            slots.push_back(slot);
        }
        auto& patterns = patterns_[location];
        while (layout.pattern < patterns.size() && patterns[layout.pattern] != slots) ++layout.pattern;
        if (layout.pattern == patterns.size()) patterns.push_back(std::move(slots));
        layouts_.push_back(std::move(layout));
        return found->second;
    }

    void project(std::uint32_t own, std::size_t pattern) {
        const std::uint32_t location = layouts_[own].location;
        Projection projection;
        key_.assign(reinterpret_cast<const char*>(&location), sizeof location);
        std::uint32_t from = 0, to = 0;
        auto field = layouts_[own].fields.begin();
        const auto end = layouts_[own].fields.end();
        bool covered = true;
        for (const std::uint32_t slot : patterns_[location][pattern]) {
            for (; field != end && field->slot < slot; ++field) from += field->bytes;
            if (field == end || field->slot != slot) {
                covered = false;
                break;
            }
            add_to_key(slot, field->tag);
            projection.moves.push_back({from, to, field->bytes});
            to += field->bytes;
        }
        if (covered) projection.layout = layout_for_key(location);
        layouts_[own].projections.push_back(std::move(projection));
    }

    std::vector<std::uint8_t> widths_;
    std::size_t locations_;
    std::vector<Layout> layouts_;
    std::unordered_map<std::string, std::uint32_t> by_key_;
    Pages<State, 12> states_;
    std::unique_ptr<Records> records_;
    std::unique_ptr<HashIndex> index_;
    std::vector<std::vector<std::vector<std::uint32_t>>> patterns_;  // by location, the oldest first
    std::string key_;
    std::vector<std::byte> buffer_;
};

}  // namespace argosy::valuation
