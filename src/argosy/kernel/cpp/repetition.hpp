// Rounds of a loop, as straight-line code over words of up to 64 or 128 bits: executed again and again while all
// conditions hold. Registers hold unsigned readings below 2^width; the meanings are those of argosy/logic/semantics.py.
// Arrays are tables: a round reads them as they were when it began, and writes when all of its conditions have held.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

namespace argosy::repetition {

enum class Op : std::uint32_t {
    add, subtract, multiply, negate, invert, bit_and, bit_or, bit_xor,
    shift_left, shift_right, shift_right_signed,
    divide, remainder, divide_signed, remainder_signed,
    less, at_most, less_signed, at_most_signed, equal,
    choose, concatenate, extract, sign_extend, copy, require, load,
    count
};

// `width` is that of the first operand, except for `extract`, where it is that of the result and `c` the lowest bit,
// and for `concatenate`, where it is that of the second operand; `sign_extend` has the width of the result in `c`, and
// `load` the number of the table.
struct Instruction {
    Op op;
    std::uint32_t width, to, a, b, c;
};

struct Move {
    std::uint32_t to, from;
};

// Where the register `when` is not zero.
struct Write {
    std::uint32_t table, index, value, when;
};

struct Code {
    std::vector<Instruction> body;
    std::vector<Move> after;     // all at once, after a round
    std::vector<Write> written;  // one after the other, before that
};

__extension__ using Wide = unsigned __int128;
__extension__ using WideSigned = __int128;

template <typename W>
struct Words;
template <>
struct Words<std::uint64_t> {
    using Signed = std::int64_t;
};
template <>
struct Words<Wide> {
    using Signed = WideSigned;
};

template <typename W>
constexpr std::uint32_t WIDTH = 8 * sizeof(W);

template <typename W>
struct Mixed {
    std::size_t operator()(W key) const {
        std::uint64_t mixed = static_cast<std::uint64_t>(key);
        if constexpr (sizeof(W) > 8) mixed ^= static_cast<std::uint64_t>(key >> 64) * 0x9E3779B97F4A7C15u;
        return static_cast<std::size_t>((mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9u);
    }
};

// The same value everywhere, but where something is stored.
template <typename W>
struct Table {
    W otherwise = 0;
    std::unordered_map<W, W, Mixed<W>> stored;

    W at(W index) const {
        const auto found = stored.find(index);
        return found == stored.end() ? otherwise : found->second;
    }
};

// Rounds end where a table has more entries than that: there is other work for so much memory.
constexpr std::size_t MOST_ENTRIES = std::size_t{1} << 24;

// Widths are from 1 to WIDTH.
template <typename W>
inline W mask(std::uint32_t width) {
    return ~W{0} >> (WIDTH<W> - width);
}

template <typename W>
inline typename Words<W>::Signed as_signed(W value, std::uint32_t width) {
    const std::uint32_t unused = WIDTH<W> - width;
    return static_cast<typename Words<W>::Signed>(value << unused) >> unused;
}

// The smallest number / -1 does not fit: computed on magnitudes, where it wraps as it should.
template <typename W>
inline W divided(W a, W b, std::uint32_t width, bool want_remainder) {
    const auto x = as_signed(a, width), y = as_signed(b, width);
    if (y == 0) return want_remainder ? a : (x < 0 ? 1 : mask<W>(width));
    const W m = x < 0 ? -static_cast<W>(x) : static_cast<W>(x);
    const W n = y < 0 ? -static_cast<W>(y) : static_cast<W>(y);
    if (want_remainder) return (x < 0 ? -(m % n) : m % n) & mask<W>(width);
    return ((x < 0) != (y < 0) ? -(m / n) : m / n) & mask<W>(width);
}

// What an instruction computes from `a`, `b` and, where it is a register, `c`.
template <typename W>
inline W computed(const Instruction& i, W a, W b, W c) {
    switch (i.op) {
        case Op::add: return (a + b) & mask<W>(i.width);
        case Op::subtract: return (a - b) & mask<W>(i.width);
        case Op::multiply: return (a * b) & mask<W>(i.width);
        case Op::negate: return (-a) & mask<W>(i.width);
        case Op::invert: return ~a & mask<W>(i.width);
        case Op::bit_and: return a & b;
        case Op::bit_or: return a | b;
        case Op::bit_xor: return a ^ b;
        case Op::shift_left: return b < i.width ? (a << b) & mask<W>(i.width) : 0;
        case Op::shift_right: return b < i.width ? a >> b : 0;
        case Op::shift_right_signed:
            return static_cast<W>(as_signed(a, i.width) >> (b < i.width ? b : i.width - 1)) & mask<W>(i.width);
        case Op::divide: return b == 0 ? mask<W>(i.width) : a / b;
        case Op::remainder: return b == 0 ? a : a % b;
        case Op::divide_signed: return divided(a, b, i.width, false);
        case Op::remainder_signed: return divided(a, b, i.width, true);
        case Op::less: return a < b;
        case Op::at_most: return a <= b;
        case Op::less_signed: return as_signed(a, i.width) < as_signed(b, i.width);
        case Op::at_most_signed: return as_signed(a, i.width) <= as_signed(b, i.width);
        case Op::equal: return a == b;
        case Op::choose: return a != 0 ? b : c;
        case Op::concatenate: return (i.width >= WIDTH<W> ? W{0} : a << i.width) | b;
        case Op::extract: return (a >> i.c) & mask<W>(i.width);
        case Op::sign_extend: return static_cast<W>(as_signed(a, i.width)) & mask<W>(i.c);
        case Op::copy:
        case Op::require:
        case Op::load:
        case Op::count: break;
    }
    return a;
}

// An instruction as it is executed: what is asked of a comparison at once (`wanted`) is one step, and so are sums; all
// others are done by `computed`. `unused` are the bits that a word has above the width.
enum class Kind : std::uint8_t { add, subtract, less, at_most, less_signed, at_most_signed, equal, require, load, other };

template <typename W>
struct Step {
    Kind kind;
    bool wanted;
    std::uint32_t unused, to, a, b;
    W mask;
    const Instruction* whole;
};

inline Kind compared(Op op) {
    switch (op) {
        case Op::less: return Kind::less;
        case Op::at_most: return Kind::at_most;
        case Op::less_signed: return Kind::less_signed;
        case Op::at_most_signed: return Kind::at_most_signed;
        case Op::equal: return Kind::equal;
        default: return Kind::other;
    }
}

inline std::vector<std::uint32_t> uses(const Code& code, std::size_t registers) {
    std::vector<std::uint32_t> found(registers, 0);
    for (const Instruction& i : code.body) {
        ++found[i.a];
        ++found[i.b];
        if (i.op == Op::choose) ++found[i.c];
    }
    for (const Move& move : code.after) ++found[move.from];
    for (const Write& write : code.written) {
        ++found[write.index];
        ++found[write.value];
        ++found[write.when];
    }
    return found;
}

// A register that one instruction reads, as its first operand; the second one may be any for those that have but one.
inline bool is_for(const Instruction& next, std::uint32_t to, const std::vector<std::uint32_t>& used) {
    return next.a == to && used[to] == (next.b == to ? 2u : 1u);
}

template <typename W>
inline std::vector<Step<W>> steps_of(const Code& code, std::size_t registers) {
    const std::vector<std::uint32_t> used = uses(code, registers);
    std::vector<Step<W>> steps;
    const std::size_t size = code.body.size();
    for (std::size_t k = 0; k < size; ++k) {
        const Instruction& i = code.body[k];
        Step<W> step{Kind::other, true, WIDTH<W> - i.width, i.to, i.a, i.b, mask<W>(i.width), &i};
        if (i.op == Op::add) step.kind = Kind::add;
        if (i.op == Op::subtract) step.kind = Kind::subtract;
        if (i.op == Op::require) step.kind = Kind::require;
        if (i.op == Op::load) step.kind = Kind::load;
        if (compared(i.op) != Kind::other) {
            std::size_t next = k + 1;
            std::uint32_t asked = i.to;
            bool wanted = true, alone = true;
            if (next < size && code.body[next].op == Op::invert && code.body[next].width == 1) {
                alone = is_for(code.body[next], asked, used);
                asked = code.body[next++].to;
                wanted = false;
            }
            if (alone && next < size && code.body[next].op == Op::require && is_for(code.body[next], asked, used)) {
                step.kind = compared(i.op);
                step.wanted = wanted;
                k = next;
            }
        }
        steps.push_back(step);
    }
    return steps;
}

// Whether all conditions of the round held.
template <typename W>
inline bool round(const std::vector<Step<W>>& steps, const std::vector<Table<W>>& tables, W* r) {
    using Signed = typename Words<W>::Signed;
    for (const Step<W>& s : steps) {
        const W a = r[s.a], b = r[s.b];
        switch (s.kind) {
            case Kind::add: r[s.to] = (a + b) & s.mask; break;
            case Kind::subtract: r[s.to] = (a - b) & s.mask; break;
            case Kind::less:
                if ((a < b) != s.wanted) return false;
                break;
            case Kind::at_most:
                if ((a <= b) != s.wanted) return false;
                break;
            case Kind::less_signed:
                if ((static_cast<Signed>(a << s.unused) < static_cast<Signed>(b << s.unused)) != s.wanted) return false;
                break;
            case Kind::at_most_signed:
                if ((static_cast<Signed>(a << s.unused) <= static_cast<Signed>(b << s.unused)) != s.wanted) return false;
                break;
            case Kind::equal:
                if ((a == b) != s.wanted) return false;
                break;
            case Kind::require:
                if (a == 0) return false;
                break;
            case Kind::load: r[s.to] = tables[s.whole->c].at(a); break;
            case Kind::other: r[s.to] = computed(*s.whole, a, b, s.whole->op == Op::choose ? r[s.whole->c] : W{0});
        }
    }
    return true;
}

// Whether moves can be made one after the other: none reads what one before it wrote.
inline bool are_apart(const std::vector<Move>& moves) {
    for (std::size_t k = 0; k < moves.size(); ++k)
        for (std::size_t j = 0; j < k; ++j)
            if (moves[k].from == moves[j].to) return false;
    return true;
}

// How many rounds were executed, at most `most`; the registers hold what is there after the last whole one. `stop` is
// asked now and then.
template <typename W>
inline std::uint64_t repeat(const Code& code, std::vector<W>& registers, std::vector<Table<W>>& tables,
                            std::uint64_t most, const std::function<bool()>& stop) {
    const std::uint64_t between = (std::uint64_t{1} << 22) / (code.body.size() + 1) + 1;
    const std::vector<Step<W>> steps = steps_of<W>(code, registers.size());
    const bool apart = are_apart(code.after);
    std::vector<W> moved(code.after.size());
    W* const r = registers.data();
    std::uint64_t unasked = 0;
    for (std::uint64_t rounds = 0;; ++rounds) {
        if (rounds == most) return rounds;
        if (unasked-- == 0) {
            if (stop()) return rounds;
            unasked = between;
        }
        if (!round(steps, tables, r)) return rounds;
        for (const Write& write : code.written)
            if (tables[write.table].stored.size() > MOST_ENTRIES) return rounds;
        for (const Write& write : code.written)
            if (r[write.when] != 0) tables[write.table].stored[r[write.index]] = r[write.value];
        if (apart) {
            for (const Move& move : code.after) r[move.to] = r[move.from];
        } else {
            for (std::size_t k = 0; k < moved.size(); ++k) moved[k] = r[code.after[k].from];
            for (std::size_t k = 0; k < moved.size(); ++k) r[code.after[k].to] = moved[k];
        }
    }
}

inline void check(const Code& code, std::size_t registers, std::size_t tables, std::uint32_t widest) {
    for (const Instruction& i : code.body) {
        const bool known = static_cast<std::uint32_t>(i.op) < static_cast<std::uint32_t>(Op::count);
        const bool third = i.op == Op::choose ? i.c < registers
                           : i.op == Op::load ? i.c < tables
                                              : i.c <= widest && (i.op != Op::sign_extend || i.c > 0);
        const bool others = i.to < registers && i.a < registers && i.b < registers;
        if (!known || i.width < 1 || i.width > widest || !others || !third)
            throw std::invalid_argument("an instruction that there is not");
        if (i.op == Op::extract && i.c >= widest) throw std::invalid_argument("a bit that there is not");
    }
    for (const Move& move : code.after)
        if (move.to >= registers || move.from >= registers) throw std::invalid_argument("a register that there is not");
    for (const Write& write : code.written) {
        const bool known = write.index < registers && write.value < registers && write.when < registers;
        if (!known || write.table >= tables) throw std::invalid_argument("a table that there is not");
    }
}

}  // namespace argosy::repetition
