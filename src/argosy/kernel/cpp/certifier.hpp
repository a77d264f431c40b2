// A second look at a finished search: is the set of states that it stored inductive, and free of goals?
//
// Written to be believed, and independent of the search: nothing is included from it. Expressions are walked as trees
// (`kernel/certifier.py` writes them down), matrices are over all clocks, no clock is left out as inactive, and no bound
// on constants is used. `certify/zones.py` says what is checked; `models/network.py` says what the steps of a network
// are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace argosy::certificate {

using Int = std::int64_t;

// What refutes the certificate.
struct Refuted {
    std::string reason;
};

// On a difference of clocks, as below.
struct Bound {
    int left, right;
    Int bound;
};

// A set of valuations: at(i, j) bounds x_i - x_j, 2c+1 for "<= c" and 2c for "< c"; x_0 is 0. Every bound is the best
// one (at(i, j) <= at(i, k) + at(k, j)), except between `tighten` and `close`, and after `meet` has returned false.
class Polyhedron {
public:
    static constexpr Int unbounded = (1 << 30) - 2;

    explicit Polyhedron(int clocks) : n_(clocks), bounds_(static_cast<std::size_t>(clocks) * clocks, unbounded) {
        for (int i = 0; i < n_; ++i) at(i, i) = at(0, i) = 1;
    }

    int size() const { return n_; }
    Int& at(int i, int j) { return bounds_[static_cast<std::size_t>(i) * n_ + j]; }
    Int at(int i, int j) const { return bounds_[static_cast<std::size_t>(i) * n_ + j]; }

    static Int sum(Int a, Int b) {
        if (a == unbounded || b == unbounded) return unbounded;
        return a + b - ((a | b) & 1);
    }

    void tighten(int i, int j, Int bound) { at(i, j) = std::min(at(i, j), bound); }

    // Every bound the best one; false if there is no valuation.
    bool close() {
        for (int k = 0; k < n_; ++k)
            for (int i = 0; i < n_; ++i)
                if (at(i, k) != unbounded)
                    for (int j = 0; j < n_; ++j) at(i, j) = std::min(at(i, j), sum(at(i, k), at(k, j)));
        for (int i = 0; i < n_; ++i)
            if (at(i, i) < 1) return false;
        return true;
    }

    // The same where nothing is known but about `some` of the clocks, x_0 among them: each of the others is any number
    // from 0 on, so that a best path does not pass it.
    bool close(const std::vector<int>& some) {
        for (const int k : some)
            for (const int i : some)
                if (const Int first = at(i, k); first != unbounded)
                    for (const int j : some) at(i, j) = std::min(at(i, j), sum(first, at(k, j)));
        std::vector<bool> other(n_, true);
        for (const int i : some) {
            if (at(i, i) < 1) return false;
            other[i] = false;
        }
        for (int j = 1; j < n_; ++j)
            if (other[j])
                for (const int i : some) at(i, j) = at(i, 0);
        return true;
    }

    // Has some valuation this bound?
    bool meets(const Bound& b) const { return sum(b.bound, at(b.right, b.left)) >= 1; }

    // Adds one bound: a best path uses it at most once. False if there is no valuation.
    bool meet(int i, int j, Int bound) {
        if (at(i, j) <= bound) return true;
        if (sum(bound, at(j, i)) < 1) return false;
        for (int p = 0; p < n_; ++p) {
            const Int through = sum(at(p, i), bound);
            if (through != unbounded)
                for (int q = 0; q < n_; ++q) at(p, q) = std::min(at(p, q), sum(through, at(j, q)));
        }
        return true;
    }

    void let_time_pass() {
        for (int i = 1; i < n_; ++i) at(i, 0) = unbounded;
    }

    // Clocks run at rates, x_0 at 0, for at most `most / per`: a difference of clocks grows with that of their rates. What
    // is reached is no such set in general; this one contains it.
    void let_time_pass(const std::vector<Int>& rates, Int most, Int per) {
        for (int i = 0; i < n_; ++i) {
            for (int j = 0; j < n_; ++j) {
                const Int faster = rates[i] - rates[j];
                if (faster <= 0) continue;
                if (most == unbounded) {
                    at(i, j) = unbounded;
                    continue;
                }
                const Int product = (most >> 1) * faster;
                const Int growth = product % per ? 2 * (product / per + 1) : 2 * (product / per) + (most & 1);
                at(i, j) = sum(at(i, j), growth);
            }
        }
        close();
    }

    // Going back, a clock is bounded from below only by how far behind the others it is.
    void go_back_in_time() {
        for (int j = 1; j < n_; ++j) {
            at(0, j) = 1;
            for (int i = 1; i < n_; ++i) tighten(0, j, at(i, j));
        }
    }

    // The clock is now `constant`: x_0 plus that.
    void assign(int clock, Int constant) {
        for (int k = 0; k < n_; ++k) {
            if (k == clock) continue;
            at(clock, k) = sum(2 * constant + 1, at(0, k));
            at(k, clock) = sum(at(k, 0), 1 - 2 * constant);
        }
    }

    std::vector<Polyhedron> without(const Polyhedron& other) const {
        std::vector<Polyhedron> parts;
        Polyhedron rest = *this;
        for (int i = 0; i < n_; ++i) {
            for (int j = 0; j < n_; ++j) {
                if (i == j || other.at(i, j) >= rest.at(i, j)) continue;
                Polyhedron outside = rest;
                if (outside.meet(j, i, 1 - other.at(i, j))) parts.push_back(std::move(outside));
                if (!rest.meet(i, j, other.at(i, j))) return parts;
            }
        }
        return parts;
    }

private:
    int n_;
    std::vector<Int> bounds_;
};

// Locations and variables.
struct Vector {
    std::vector<std::int32_t> locations, values;
};

struct Process {
    struct Location {
        bool urgent, committed;
        int invariant;
        std::vector<std::pair<int, int>> rates;  // clock, expression
    };
    struct Edge {
        int source, target, guard, update;
        int kind;  // 0: internal, 1: sends, 2: receives
        int channel;
    };
    int initial, priority;
    std::vector<Location> locations;
    std::vector<Edge> edges;
};

struct Channel {
    bool urgent, broadcast;
    int priority;
};

struct Function {
    std::vector<std::int32_t> parameters;
    int body;
    Int low, high;
};

struct Goal {
    int constraint, deadlock;
};

struct Slot {
    std::int32_t low, high, initial;
};

// The network. Trees live in `tree`; an int that stands for one is the index of its first number there.
struct Network {
    std::vector<std::int32_t> tree;
    std::vector<Slot> slots;  // the variables first
    int variables = 0, clocks = 1, default_priority = 0;
    std::vector<std::pair<int, Int>> initial_clocks;  // those that do not begin at 0
    std::vector<Process> processes;
    std::vector<Channel> channels;
    std::vector<Function> functions;
    std::vector<Goal> goals;
};

// Expressions and statements, walked as they are written.
class Walker {
public:
    Walker(const Network& network, const Vector& vector) : network_(network), locations_(vector.locations) {
        for (const Slot& slot : network.slots) memory_.push_back(slot.initial);
        std::copy(vector.values.begin(), vector.values.end(), memory_.begin());
    }

    Int value(int e);
    Int address(int place);

    // What an expression or a place is whatever the state, if that can be seen at once.
    static std::optional<Int> fixed(const Network& network, int e) {
        if (network.tree[e] != constant) return std::nullopt;
        return network.tree[e + 1];
    }
    static std::optional<Int> fixed_place(const Network& network, int place) {
        if (network.tree[place + 1] != 0) return std::nullopt;
        return network.tree[place];
    }

    void run(int block) { execute(block); }
    std::vector<std::int32_t> values() const { return {memory_.begin(), memory_.begin() + network_.variables}; }

    std::vector<std::pair<int, Int>> assigned;  // clocks, in the order of the assignments

private:
    enum Expression { constant, read, unary, binary, conditional, assignment, call, at };
    enum Statement { evaluate, copy, reset, branch, loop, give };

    int node(int at, int k) const { return network_.tree[static_cast<std::size_t>(at) + k]; }
    std::optional<Int> execute(int block);
    void store(Int slot, Int value) {
        if (value < network_.slots[slot].low || value > network_.slots[slot].high)
            throw Refuted{"model error: a value is outside the range of its variable"};
        memory_[slot] = value;
    }
    static Int fits(Int value) {
        if (value < INT32_MIN || value > INT32_MAX) throw Refuted{"model error: a value does not fit into 32 bits"};
        return value;
    }
    Int operate(int operation, Int a, Int b) const;

    const Network& network_;
    const std::vector<std::int32_t>& locations_;
    std::vector<Int> memory_;
    Int rounds_ = 0;
};

inline Int Walker::address(int place) {
    Int found = node(place, 0);
    for (int k = 0; k < node(place, 1); ++k) {
        const int subscript = place + 2 + 4 * k;
        const Int index = value(node(subscript, 0)) - node(subscript, 1);
        if (index < 0 || index >= node(subscript, 2)) throw Refuted{"model error: an index is outside its array"};
        found += index * node(subscript, 3);
    }
    return found;
}

inline Int Walker::operate(int operation, Int a, Int b) const {
    switch (operation) {
    case 0: return fits(a + b);
    case 1: return fits(a - b);
    case 2: return fits(a * b);
    case 3:
    case 4:
        if (b == 0) throw Refuted{"model error: division by zero"};
        return operation == 3 ? fits(a / b) : a % b;
    case 5: return a & b;
    case 6: return a | b;
    case 7: return a ^ b;
    case 8:
    case 9:
        if (b < 0) throw Refuted{"model error: shift by a negative count"};
        if (operation == 9) return b > 40 ? (a < 0 ? -1 : 0) : a >> b;
        return a == 0 ? 0 : b > 31 ? fits(INT64_MAX) : fits(a * (Int{1} << b));
    case 10: return std::min(a, b);
    case 11: return std::max(a, b);
    case 12: return a < b;
    case 13: return a <= b;
    case 14: return a == b;
    case 15: return a != b;
    case 16: return a >= b;
    case 17: return a > b;
    default: throw std::logic_error("unknown operation in a tree");
    }
}

inline Int Walker::value(int e) {
    switch (node(e, 0)) {
    case constant: return node(e, 1);
    case read: return memory_[address(node(e, 1))];
    case unary: {
        const Int operand = value(node(e, 2));
        return node(e, 1) == 0 ? fits(-operand) : operand == 0;
    }
    case binary: {
        const int operation = node(e, 1);
        const Int left = value(node(e, 2));
        if (operation == 18) return left != 0 && value(node(e, 3)) != 0;
        if (operation == 19) return left != 0 || value(node(e, 3)) != 0;
        return operate(operation, left, value(node(e, 3)));
    }
    case conditional: return value(node(e, 1)) != 0 ? value(node(e, 2)) : value(node(e, 3));
    case assignment: {
        const Int slot = address(node(e, 1));
        const Int stored = value(node(e, 2));
        store(slot, stored);
        return stored;
    }
    case call: {
        const Function& function = network_.functions[node(e, 1)];
        std::vector<Int> arguments;
        for (int k = 0; k < node(e, 2); ++k) {
            const int what = node(e, 3 + 2 * k), size = node(e, 4 + 2 * k);  // size 0: an expression
            if (size == 0) arguments.push_back(value(what));
            else {
                const Int first = address(what);
                for (int m = 0; m < size; ++m) arguments.push_back(memory_[first + m]);
            }
        }
        for (std::size_t k = 0; k < arguments.size(); ++k) store(function.parameters[k], arguments[k]);
        const std::optional<Int> result = execute(function.body);
        if (result && (*result < function.low || *result > function.high))
            throw Refuted{"model error: a function returns a value outside its range"};
        return result.value_or(0);
    }
    case at: return locations_[node(e, 1)] == node(e, 2);
    default: throw std::logic_error("unknown expression in a tree");
    }
}

// The value that a `return` gives, if one is met.
inline std::optional<Int> Walker::execute(int block) {
    for (int k = 0; k < node(block, 0); ++k) {
        const int s = node(block, 1 + k);
        switch (node(s, 0)) {
        case evaluate: value(node(s, 1)); break;
        case copy: {
            const Int to = address(node(s, 1)), from = address(node(s, 2));
            for (int m = 0; m < node(s, 3); ++m) store(to + m, memory_[from + m]);
            break;
        }
        case reset: {
            const Int clock = address(node(s, 1));
            const Int constant_value = value(node(s, 2));
            if (constant_value < 0) throw Refuted{"model error: a clock is set to a negative value"};
            assigned.emplace_back(static_cast<int>(clock), constant_value);
            break;
        }
        case branch: {
            const auto result = execute(value(node(s, 1)) != 0 ? node(s, 2) : node(s, 3));
            if (result) return result;
            break;
        }
        case loop: {
            bool goes_on = node(s, 3) == 0 || value(node(s, 1)) != 0;
            while (goes_on) {
                if (++rounds_ > 1'000'000) throw Refuted{"model error: endless loop"};
                const auto result = execute(node(s, 2));
                if (result) return result;
                goes_on = value(node(s, 1)) != 0;
            }
            break;
        }
        case give: return node(s, 1) < 0 ? 0 : value(node(s, 1));
        default: throw std::logic_error("unknown statement in a tree");
        }
    }
    return std::nullopt;
}

}  // namespace argosy::certificate
