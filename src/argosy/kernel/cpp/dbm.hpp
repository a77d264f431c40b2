// Difference-bound matrices: the operations of Bengtsson and Yi, "Timed Automata: Semantics, Algorithms and Tools"
// (2004), on matrices of n x n bounds, row by row; index 0 is the constant 0. `kernel/dbm.py` explains them.
//
// A bound is 2c+1 for "<= c" and 2c for "< c". Every operation expects a closed, non-empty matrix and leaves one,
// except where it returns false: then the set is empty and the matrix is garbage.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace argosy::dbm {

using Bound = std::int32_t;

inline constexpr Bound infinity = (1 << 30) - 2;
inline constexpr Bound zero = 1;
inline constexpr std::int32_t no_bound = -(1 << 29);
inline constexpr std::int32_t exact = 1 << 29;

constexpr Bound weak(std::int32_t constant) { return 2 * constant + 1; }
constexpr Bound strict(std::int32_t constant) { return 2 * constant; }
constexpr Bound complement(Bound bound) { return 1 - bound; }
constexpr std::int32_t value(Bound bound) { return bound >> 1; }

constexpr Bound add(Bound a, Bound b) {
    if (a == infinity || b == infinity) return infinity;
    return a + b - ((a | b) & 1);
}

// A span of time: at most the bound divided by a rate.
struct Span {
    Bound bound = infinity;
    std::int32_t rate = 1;

    bool shorter(const Span& other) const {
        if (other.bound == infinity) return bound != infinity;
        if (bound == infinity) return false;
        const std::int64_t mine = std::int64_t{value(bound)} * other.rate, its = std::int64_t{value(other.bound)} * rate;
        return mine < its || (mine == its && !(bound & 1));
    }

    // How far a clock gets at a rate, rounded up to a bound.
    Bound times(std::int32_t faster) const {
        if (bound == infinity) return infinity;
        const std::int64_t product = std::int64_t{value(bound)} * faster;
        const auto whole = static_cast<std::int32_t>(product / rate);
        return product % rate ? strict(whole + 1) : 2 * whole + (bound & 1);
    }
};

// row[q] := min(row[q], through + other[q]); `through` is finite. Free of branches, so that it becomes vector code.
inline void relax(Bound* row, Bound through, const Bound* other, int n) {
    for (int q = 0; q < n; ++q) {
        const Bound step = other[q];
        Bound candidate = through + step - ((through | step) & 1);
        candidate = step == infinity ? infinity : candidate;
        row[q] = candidate < row[q] ? candidate : row[q];
    }
}

// Floyd and Warshall.
inline bool close(Bound* d, int n) {
    for (int k = 0; k < n; ++k) {
        const Bound* pivot = d + k * n;
        for (int i = 0; i < n; ++i) {
            const Bound through = d[i * n + k];
            if (i != k && through != infinity) relax(d + i * n, through, pivot, n);
        }
        for (int i = 0; i < n; ++i)
            if (d[i * n + i] < zero) return false;
    }
    return true;
}

inline bool allows(const Bound* d, int n, int i, int j, Bound bound) { return add(bound, d[j * n + i]) >= zero; }

// Intersects with x_i - x_j keeping `bound`; closes again through that bound only.
inline bool constrain(Bound* d, int n, int i, int j, Bound bound) {
    if (bound >= d[i * n + j]) return true;
    if (!allows(d, n, i, j, bound)) return false;
    d[i * n + j] = bound;
    const Bound* row = d + j * n;
    for (int p = 0; p < n; ++p) {
        const Bound through = add(d[p * n + i], bound);
        if (through != infinity && p != j) relax(d + p * n, through, row, n);
    }
    return true;
}

inline bool intersect(Bound* d, const Bound* other, int n) {
    bool changed = false;
    for (int k = 0; k < n * n; ++k) {
        if (other[k] < d[k]) {
            d[k] = other[k];
            changed = true;
        }
    }
    return !changed || close(d, n);
}

inline bool includes(const Bound* large, const Bound* small, int n) {
    return std::equal(large, large + n * n, small, [](Bound a, Bound b) { return a >= b; });
}

inline void delay(Bound* d, int n) {
    for (int i = 1; i < n; ++i) d[i * n] = infinity;
}

// Time passes where clocks run at different rates (row 0 at 0), for at most `longest`: x_i - x_j grows with the difference
// of the rates. The least zone around what is reached, which is no zone in general.
inline void elapse(Bound* d, int n, const std::int32_t* rates, Span longest) {
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const std::int32_t faster = rates[i] - rates[j];
            if (faster > 0) d[i * n + j] = add(d[i * n + j], longest.times(faster));
        }
    }
    close(d, n);
}

inline void past(Bound* d, int n) {
    for (int j = 1; j < n; ++j) {
        Bound least = zero;
        for (int i = 1; i < n; ++i) least = std::min(least, d[i * n + j]);
        d[j] = least;
    }
}

inline void reset(Bound* d, int n, int clock, std::int32_t constant) {
    for (int j = 0; j < n; ++j) {
        if (j == clock) continue;
        d[clock * n + j] = add(weak(constant), d[j]);
        d[j * n + clock] = add(d[j * n], weak(-constant));
    }
}

inline void free_clock(Bound* d, int n, int clock) {
    for (int j = 0; j < n; ++j) {
        if (j == clock) continue;
        d[clock * n + j] = infinity;
        d[j * n + clock] = d[j * n];
    }
}

// Extra+LU (Behrmann, Bouyer, Larsen, Pelanek 2006). A row from which nothing was dropped is as tight as before and
// cannot change, so only the others take part in closing again.
inline void extrapolate(Bound* d, int n, const std::int32_t* lower, const std::int32_t* upper,
                        std::vector<int>& enlarged) {
    enlarged.clear();
    for (int i = 1; i < n; ++i) {
        Bound* row = d + i * n;
        const bool forgets = -value(d[i]) > lower[i];
        bool dropped = false;
        for (int j = 0; j < n; ++j) {
            if (i == j || row[j] == infinity) continue;
            if (forgets || value(row[j]) > lower[i] || -value(d[j]) > upper[j]) {
                row[j] = infinity;
                dropped = true;
            }
        }
        if (dropped) enlarged.push_back(i);
    }
    bool first = false;
    for (int j = 1; j < n; ++j) {
        if (-value(d[j]) > upper[j]) {
            d[j] = upper[j] == no_bound ? zero : strict(-upper[j]);
            first = true;
        }
    }
    if (first) enlarged.push_back(0);
    if (enlarged.empty()) return;
    for (int k = 0; k < n; ++k) {
        for (const int i : enlarged) {
            const Bound through = d[i * n + k];
            if (i != k && through != infinity) relax(d + i * n, through, d + k * n, n);
        }
    }
}

// The parts of `from` outside `other`, appended as whole matrices; they are disjoint.
inline void subtract(const Bound* from, const Bound* other, int n, std::vector<std::vector<Bound>>& pieces) {
    std::vector<Bound> rest(from, from + n * n);
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const Bound bound = other[i * n + j];
            if (i == j || bound >= rest[i * n + j]) continue;
            std::vector<Bound> outside = rest;
            if (constrain(outside.data(), n, j, i, complement(bound))) pieces.push_back(std::move(outside));
            if (!constrain(rest.data(), n, i, j, bound)) return;
        }
    }
}

}  // namespace argosy::dbm
