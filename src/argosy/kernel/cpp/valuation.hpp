// Operations of an automaton on what is known of its variables: words of up to 64 bits, three-valued.
//
// A register is unknown, known, or known not to be one value. The meanings are those of argosy/logic/partial.py:
// connectives are Kleene's, a choice needs its condition and what that chooses, all else needs all its arguments. What
// is computed from words is what repetition.hpp says.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "repetition.hpp"

namespace argosy::valuation {

using repetition::Instruction;
using Word = std::uint64_t;

enum Tag : std::uint8_t { unknown, known, other };

// Beyond those of repetition.hpp. `equals` compares a variable, of which a value may be excluded, with a constant; the
// last three end the evaluation where a part of a condition is false.
enum class Logic : std::uint32_t {
    first = static_cast<std::uint32_t>(repetition::Op::count),
    negation = first, conjunction, disjunction, choice, equals, holds, holds_equal, holds_not_equal,
    count
};

enum class Truth : std::uint8_t { no, yes, open };

struct Registers {
    std::vector<Word> words;
    std::vector<std::uint8_t> tags;

    void resize(std::size_t count) {
        words.resize(count, 0);
        tags.resize(count, unknown);
    }
    void set(std::size_t at, std::uint8_t tag, Word word) {
        tags[at] = tag;
        words[at] = word;
    }
    Truth truth(std::size_t at) const {
        return tags[at] != known ? Truth::open : words[at] != 0 ? Truth::yes : Truth::no;
    }
    void set(std::size_t at, Truth truth) { set(at, truth == Truth::open ? unknown : known, truth == Truth::yes); }
    Truth equal(std::size_t variable, std::size_t constant) const {
        const bool same = words[variable] == words[constant];
        switch (tags[variable]) {
            case known: return same ? Truth::yes : Truth::no;
            case other: return same ? Truth::no : Truth::open;
            default: return Truth::open;
        }
    }
};

inline Truth negated(Truth truth) {
    return truth == Truth::open ? truth : truth == Truth::yes ? Truth::no : Truth::yes;
}

// Executes code. What it requires is not satisfied (no), is satisfied (yes), or may be. Whatever else it would compute is
// left out where it is not, unless all of it is asked for.
inline Truth execute(const Instruction* i, const Instruction* end, Registers& r, bool all_of_it = false) {
    using repetition::Op;
    Truth all = Truth::yes;
    const auto require = [&](Truth truth) {
        if (all != Truth::no && truth != Truth::yes) all = truth;
        return all_of_it || truth != Truth::no;
    };
    for (; i != end; ++i) {
        if (i->op < Op::count) {
            const bool chooses = i->op == Op::choose;
            if (r.tags[i->a] == known && r.tags[i->b] == known && (!chooses || r.tags[i->c] == known))
                r.set(i->to, known,
                      repetition::computed<Word>(*i, r.words[i->a], r.words[i->b], chooses ? r.words[i->c] : 0));
            else
                r.tags[i->to] = unknown;
            continue;
        }
        switch (static_cast<Logic>(i->op)) {
            case Logic::negation: r.set(i->to, negated(r.truth(i->a))); break;
            case Logic::conjunction: {
                const Truth a = r.truth(i->a), b = r.truth(i->b);
                r.set(i->to, a == Truth::no || b == Truth::no       ? Truth::no
                             : a == Truth::open || b == Truth::open ? Truth::open
                                                                    : Truth::yes);
                break;
            }
            case Logic::disjunction: {
                const Truth a = r.truth(i->a), b = r.truth(i->b);
                r.set(i->to, a == Truth::yes || b == Truth::yes     ? Truth::yes
                             : a == Truth::open || b == Truth::open ? Truth::open
                                                                    : Truth::no);
                break;
            }
            case Logic::choice: {
                const Truth which = r.truth(i->a);
                const std::uint32_t from = which == Truth::no ? i->c : i->b;
                const bool agree = r.tags[i->b] == known && r.tags[i->c] == known && r.words[i->b] == r.words[i->c];
                r.set(i->to, which != Truth::open || agree ? r.tags[from] : std::uint8_t{unknown}, r.words[from]);
                break;
            }
            case Logic::equals: r.set(i->to, r.equal(i->a, i->b)); break;
            case Logic::holds:
                if (!require(r.truth(i->a))) return Truth::no;
                break;
            case Logic::holds_equal:
                if (!require(r.equal(i->a, i->b))) return Truth::no;
                break;
            case Logic::holds_not_equal:
                if (!require(negated(r.equal(i->a, i->b)))) return Truth::no;
                break;
            case Logic::count: break;
        }
    }
    return all;
}

inline void check(const std::vector<Instruction>& code, std::size_t registers) {
    using repetition::Op;
    for (const Instruction& i : code) {
        const auto number = static_cast<std::uint32_t>(i.op);
        const bool words = number < static_cast<std::uint32_t>(Op::count);
        const bool reads_third = i.op == Op::choose || number == static_cast<std::uint32_t>(Logic::choice);
        const bool fits = i.to < registers && i.a < registers && i.b < registers && (!reads_third || i.c < registers);
        const bool possible = words ? i.op != Op::require && i.op != Op::load && i.width >= 1 && i.width <= 64
                                    : number < static_cast<std::uint32_t>(Logic::count);
        const bool bits = (i.op != Op::extract || i.c < 64) && (i.op != Op::sign_extend || (i.c >= 1 && i.c <= 64));
        if (!fits || !possible || !bits) throw std::invalid_argument("an instruction that there is not");
    }
}

}  // namespace argosy::valuation
