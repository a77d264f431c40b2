// The byte code into which guards, invariants, updates, functions and goals are compiled, and the stack machine that
// runs it. The meaning is that of `models/network_expressions.py`: integers are exact, and whatever leaves 32 bits, a
// range or an array is a model error. `kernel/bytecode.py` is the compiler.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace argosy {

enum class Op : std::int32_t {
    halt,
    push,          // constant
    load,          // slot
    load_at,       // address -> value
    load_run,      // size; address -> values
    index,         // low size stride; address index -> address
    store,         // slot; value -> value
    store_at,      // address value -> value
    set,           // slot constant (checked by the compiler)
    pop,
    negate, logical_not,
    add, subtract, multiply, divide, remainder, bit_and, bit_or, bit_xor, shift_left, shift_right, minimum, maximum,
    less, at_most, equal, differs, at_least, greater,
    jump,          // target
    jump_zero,     // target; value ->
    jump_nonzero,  // target; value ->
    jump_unless,   // slot constant target: jumps if slot != constant
    jump_if,       // slot constant target: jumps if slot == constant
    at,            // process location
    round,         // counts a round of a loop
    call,          // function; arguments -> result
    give,          // value -> value: returns from the function
    leave,         // -> 0: the function ends without a value
    copy,          // size; target source ->
    reset,         // clock value ->
    reset_to,      // clock constant
};

inline constexpr std::array<std::string_view, 43> op_names = {
    "halt", "push", "load", "load_at", "load_run", "index", "store", "store_at", "set", "pop",
    "negate", "logical_not", "add", "subtract", "multiply", "divide", "remainder", "bit_and", "bit_or", "bit_xor",
    "shift_left", "shift_right", "minimum", "maximum", "less", "at_most", "equal", "differs", "at_least", "greater",
    "jump", "jump_zero", "jump_nonzero", "jump_unless", "jump_if", "at", "round", "call", "give", "leave", "copy", "reset",
    "reset_to"};

enum class Fault : std::int32_t { range, index, division, shift, negative_clock, overflow, endless, no_initial_state };

inline constexpr std::array<std::string_view, 8> fault_names = {
    "range", "index", "division", "shift", "negative clock", "overflow", "endless loop", "no initial state"};

// The model itself is in error at this place of its code; ends the search.
struct ModelError {
    Fault fault;
    std::int32_t pc;
};

struct SlotRange {
    std::int32_t low, high;
};

struct FunctionEntry {
    std::int32_t pc;
    std::int32_t low, high;
    std::vector<std::int32_t> parameters;  // one slot after the other
};

struct Reset {
    std::int32_t clock, value;
};

class Machine {
public:
    Machine(const std::vector<std::int32_t>& code, const std::vector<SlotRange>& ranges,
            const std::vector<FunctionEntry>& functions, std::int32_t stack_size)
        : code_(code.data()), ranges_(ranges.data()), functions_(functions.data()),
          stack_(static_cast<std::size_t>(stack_size) + 8) {}

    static constexpr std::int64_t round_limit = 1'000'000;

    // Runs until `halt`; the result is the top of the stack. Clock resets are appended to `resets`.
    std::int64_t run(std::int32_t pc, const std::int32_t* locations, std::int32_t* slots) {
        sp_ = stack_.data();
        execute(pc, locations, slots);
        return sp_ == stack_.data() ? 0 : sp_[-1];
    }

    // After `run`: the entry `depth` below the top.
    std::int64_t below(int depth) const { return sp_[-1 - depth]; }

    // Rounds of loops count together for one guard, invariant or transition.
    void start_counting() { rounds_ = 0; }

    std::vector<Reset> resets;

private:
    void execute(std::int32_t pc, const std::int32_t* locations, std::int32_t* slots);
    void put(std::int32_t* slots, std::int64_t slot, std::int64_t value, std::int32_t pc) const {
        const SlotRange range = ranges_[slot];
        if (value < range.low || value > range.high) throw ModelError{Fault::range, pc};
        slots[slot] = static_cast<std::int32_t>(value);
    }
    static std::int64_t shift_left(std::int64_t value, std::int64_t count, std::int32_t pc) {
        if (count < 0) throw ModelError{Fault::shift, pc};
        if (value == 0) return 0;
        if (count > 31) throw ModelError{Fault::overflow, pc};
        return value * (std::int64_t{1} << count);
    }
    static std::int64_t shift_right(std::int64_t value, std::int64_t count, std::int32_t pc) {
        if (count < 0) throw ModelError{Fault::shift, pc};
        return value >> (count > 63 ? 63 : count);
    }

    const std::int32_t* code_;
    const SlotRange* ranges_;
    const FunctionEntry* functions_;
    std::vector<std::int64_t> stack_;
    std::int64_t* sp_ = nullptr;
    std::vector<std::pair<std::int32_t, std::int32_t>> calls_;  // where to return to, function
    std::int64_t rounds_ = 0;
};

inline void Machine::execute(std::int32_t pc, const std::int32_t* locations, std::int32_t* slots) {
    std::int64_t* sp = sp_;
    calls_.clear();
    using Value = std::int64_t;
    const auto checked = [](Value value, std::int32_t at) {
        if (value != static_cast<std::int32_t>(value)) throw ModelError{Fault::overflow, at};
        return value;
    };
    const auto nonzero = [](Value value, std::int32_t at) {
        if (value == 0) throw ModelError{Fault::division, at};
        return value;
    };
    const auto binary = [&sp, &pc](auto operation) {
        const Value right = *--sp, left = sp[-1];
        sp[-1] = operation(left, right);
        pc += 1;
    };
    for (;;) {
        const std::int32_t* in = code_ + pc;
        switch (static_cast<Op>(in[0])) {
        case Op::halt: sp_ = sp; return;
        case Op::push: *sp++ = in[1]; pc += 2; break;
        case Op::load: *sp++ = slots[in[1]]; pc += 2; break;
        case Op::load_at: sp[-1] = slots[sp[-1]]; pc += 1; break;
        case Op::load_run: {
            const std::int32_t* from = slots + *--sp;
            for (std::int32_t k = 0; k < in[1]; ++k) *sp++ = from[k];
            pc += 2;
            break;
        }
        case Op::index: {
            const std::int64_t offset = sp[-1] - in[1];
            if (offset < 0 || offset >= in[2]) throw ModelError{Fault::index, pc};
            --sp;
            sp[-1] += offset * in[3];
            pc += 4;
            break;
        }
        case Op::store: put(slots, in[1], sp[-1], pc); pc += 2; break;
        case Op::store_at:
            put(slots, sp[-2], sp[-1], pc);
            sp[-2] = sp[-1];
            --sp;
            pc += 1;
            break;
        case Op::set: slots[in[1]] = in[2]; pc += 3; break;
        case Op::pop: --sp; pc += 1; break;
        case Op::negate: sp[-1] = checked(-sp[-1], pc); pc += 1; break;
        case Op::logical_not: sp[-1] = sp[-1] == 0; pc += 1; break;
        case Op::add: binary([&](Value a, Value b) -> Value { return checked(a + b, pc); }); break;
        case Op::subtract: binary([&](Value a, Value b) -> Value { return checked(a - b, pc); }); break;
        case Op::multiply: binary([&](Value a, Value b) -> Value { return checked(a * b, pc); }); break;
        case Op::divide: binary([&](Value a, Value b) -> Value { return checked(a / nonzero(b, pc), pc); }); break;
        case Op::remainder: binary([&](Value a, Value b) -> Value { return a % nonzero(b, pc); }); break;
        case Op::bit_and: binary([](Value a, Value b) -> Value { return a & b; }); break;
        case Op::bit_or: binary([](Value a, Value b) -> Value { return a | b; }); break;
        case Op::bit_xor: binary([](Value a, Value b) -> Value { return a ^ b; }); break;
        case Op::shift_left: binary([&](Value a, Value b) -> Value { return checked(shift_left(a, b, pc), pc); }); break;
        case Op::shift_right: binary([&](Value a, Value b) -> Value { return shift_right(a, b, pc); }); break;
        case Op::minimum: binary([](Value a, Value b) -> Value { return a < b ? a : b; }); break;
        case Op::maximum: binary([](Value a, Value b) -> Value { return a > b ? a : b; }); break;
        case Op::less: binary([](Value a, Value b) -> Value { return a < b; }); break;
        case Op::at_most: binary([](Value a, Value b) -> Value { return a <= b; }); break;
        case Op::equal: binary([](Value a, Value b) -> Value { return a == b; }); break;
        case Op::differs: binary([](Value a, Value b) -> Value { return a != b; }); break;
        case Op::at_least: binary([](Value a, Value b) -> Value { return a >= b; }); break;
        case Op::greater: binary([](Value a, Value b) -> Value { return a > b; }); break;
        case Op::jump: pc = in[1]; break;
        case Op::jump_zero: pc = *--sp == 0 ? in[1] : pc + 2; break;
        case Op::jump_nonzero: pc = *--sp != 0 ? in[1] : pc + 2; break;
        case Op::jump_unless: pc = slots[in[1]] != in[2] ? in[3] : pc + 4; break;
        case Op::jump_if: pc = slots[in[1]] == in[2] ? in[3] : pc + 4; break;
        case Op::at: *sp++ = locations[in[1]] == in[2]; pc += 3; break;
        case Op::round:
            if (++rounds_ > round_limit) throw ModelError{Fault::endless, pc};
            pc += 1;
            break;
        case Op::call: {
            const FunctionEntry& function = functions_[in[1]];
            sp -= function.parameters.size();
            for (std::size_t k = 0; k < function.parameters.size(); ++k) put(slots, function.parameters[k], sp[k], pc);
            calls_.emplace_back(pc + 2, in[1]);
            pc = function.pc;
            break;
        }
        case Op::give: {
            const auto [back, index] = calls_.back();
            const FunctionEntry& function = functions_[index];
            if (sp[-1] < function.low || sp[-1] > function.high) throw ModelError{Fault::range, pc};
            calls_.pop_back();
            pc = back;
            break;
        }
        case Op::leave:
            *sp++ = 0;
            pc = calls_.back().first;
            calls_.pop_back();
            break;
        case Op::copy: {
            const std::int64_t source = *--sp, target = *--sp;
            for (std::int32_t k = 0; k < in[1]; ++k) put(slots, target + k, slots[source + k], pc);
            pc += 2;
            break;
        }
        case Op::reset: {
            const std::int64_t value = *--sp, clock = *--sp;
            if (value < 0) throw ModelError{Fault::negative_clock, pc};
            resets.push_back({static_cast<std::int32_t>(clock), static_cast<std::int32_t>(value)});
            pc += 1;
            break;
        }
        case Op::reset_to: resets.push_back({in[1], in[2]}); pc += 3; break;
        }
    }
}

}  // namespace argosy
