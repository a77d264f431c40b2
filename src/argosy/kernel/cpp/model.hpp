// A compiled network: everything the search reads while it runs. Built once by `kernel/tables.py`, then constant.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "dbm.hpp"
#include "machine.hpp"

namespace argosy {

// A constraint x_left - x_right on the clocks; its meaning is `bound` where `code` is negative. Otherwise the code
// leaves [left right constant 1], or 0 where the atom's condition does not hold.
struct Atom {
    enum Relation : std::int32_t { less, at_most, equal, at_least, greater };
    std::int32_t left, right;
    dbm::Bound bound;
    std::int32_t code;
    std::int32_t relation;
};

struct Constraint {
    std::int32_t condition = -1;  // code; negative: true
    std::vector<Atom> atoms;
};

struct ClockBounds {
    std::int32_t clock, lower, upper;
};

struct ClockValue {
    std::int32_t clock, value;
};

struct Difference {
    std::int32_t left, right;
    dbm::Bound bound;
};

// How fast a clock runs; the code leaves the number.
struct RateEntry {
    std::int32_t clock, code;
};

struct LocationEntry {
    bool urgent = false, committed = false;
    Constraint invariant;
    std::vector<RateEntry> rates;
    std::vector<ClockBounds> bounds;
    std::vector<std::int32_t> diagonals;  // indices into Model::diagonals
    std::vector<std::int32_t> internal, sending, receiving;
    bool may_be_urgent = false;  // has an edge whose channel may be urgent
};

struct EdgeEntry {
    std::int32_t process, index, source, target;
    Constraint guard;
    std::int32_t channel = -1;       // constant channel; negative: none or computed
    std::int32_t channel_code = -1;  // code that computes it
    bool sends = false, synchronises = false, may_be_urgent = false;
    std::int32_t update = -1;
};

struct Channel {
    bool urgent, broadcast;
    std::int32_t priority;
};

struct Goal {
    Constraint constraint;
    std::int32_t deadlock = -1;  // 1: required, 0: excluded, -1: does not matter
};

// Where a component of the discrete state lives in the packed vector.
struct Field {
    std::int32_t low, width;
    std::int32_t word, shift;
};

class Model {
public:
    std::int32_t processes = 0, variables = 0, slots = 0, clocks = 1;
    std::vector<std::int32_t> code;
    std::int32_t stack_size = 0;
    std::vector<SlotRange> ranges;
    std::vector<std::int32_t> initial_slots, initial_locations, process_priority;
    std::vector<FunctionEntry> functions;
    std::vector<std::vector<LocationEntry>> locations;  // per process
    std::vector<EdgeEntry> edges;
    std::vector<Channel> channels;
    std::vector<Goal> goals;
    std::vector<Constraint> literals;
    std::vector<ClockBounds> goal_bounds;
    std::vector<std::int32_t> goal_diagonals;
    std::vector<Difference> diagonals;
    std::vector<std::int32_t> coarse;  // clocks whose lower and upper bounds must be taken together
    std::vector<Field> fields;         // one per process, then one per variable
    std::int32_t words = 1;
    std::int32_t default_priority = 0;
    std::vector<ClockValue> initial_clocks;  // those that do not begin at 0
    std::int32_t time_clock = 0;  // measures absolute time where the fastest trace is asked for
    bool urgent_channels = false, priorities = false, wide_zones = false;

    void add_process(std::int32_t initial, std::int32_t priority) {
        ++processes;
        initial_locations.push_back(initial);
        process_priority.push_back(priority);
        locations.emplace_back();
    }

    void add_slot(std::int32_t low, std::int32_t high, std::int32_t initial) {
        ++slots;
        ranges.push_back({low, high});
        initial_slots.push_back(initial);
    }

    std::int32_t add_edge(EdgeEntry edge) {
        const auto index = static_cast<std::int32_t>(edges.size());
        LocationEntry& source = locations.at(edge.process).at(edge.source);
        (edge.synchronises ? edge.sends ? source.sending : source.receiving : source.internal).push_back(index);
        source.may_be_urgent |= edge.may_be_urgent;
        edges.push_back(std::move(edge));
        return index;
    }

    // `ranges_of_variables` are the values that can occur: at most the declared ranges. No field crosses a word.
    void pack(const std::vector<std::pair<std::int32_t, std::int32_t>>& ranges_of_variables) {
        variables = static_cast<std::int32_t>(ranges_of_variables.size());
        std::int32_t shift = 0;
        words = 1;
        const auto place = [&](std::int64_t low, std::int64_t high) {
            const auto width = static_cast<std::int32_t>(std::bit_width(static_cast<std::uint64_t>(high - low)));
            if (shift + width > 64) {
                ++words;
                shift = 0;
            }
            fields.push_back({static_cast<std::int32_t>(low), width, words - 1, shift});
            shift += width;
        };
        for (const auto& own : locations) place(0, static_cast<std::int64_t>(own.size()) - 1);
        for (const auto& [low, high] : ranges_of_variables) place(low, high);
    }
};

// A discrete state, unpacked: locations, then variables, then scratch memory of functions.
class Discrete {
public:
    explicit Discrete(const Model& model)
        : processes_(model.processes), values_(static_cast<std::size_t>(model.processes) + model.slots) {}

    std::int32_t* locations() { return values_.data(); }
    const std::int32_t* locations() const { return values_.data(); }
    std::int32_t* slots() { return values_.data() + processes_; }
    const std::int32_t* slots() const { return values_.data() + processes_; }

    void copy(const Discrete& other, const Model& model) {
        std::copy_n(other.values_.begin(), model.processes + model.variables, values_.begin());
    }

    void pack(const Model& model, std::uint64_t* words) const {
        std::fill_n(words, model.words, 0);
        for (std::size_t k = 0; k < model.fields.size(); ++k) {
            const Field& field = model.fields[k];
            const auto offset = static_cast<std::uint64_t>(std::int64_t{values_[k]} - field.low);
            if (offset >> field.width) throw std::logic_error("a variable left the range found for it");
            if (field.width) words[field.word] |= offset << field.shift;
        }
    }

    void unpack(const Model& model, const std::uint64_t* words) {
        for (std::size_t k = 0; k < model.fields.size(); ++k) {
            const Field& field = model.fields[k];
            const std::uint64_t mask = (std::uint64_t{1} << field.width) - 1;
            values_[k] = field.width
                ? field.low + static_cast<std::int32_t>((words[field.word] >> field.shift) & mask)
                : field.low;
        }
    }

private:
    std::int32_t processes_;
    std::vector<std::int32_t> values_;
};

}  // namespace argosy
