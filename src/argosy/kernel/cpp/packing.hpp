// A state as the store keeps it, made outside of the store: packed vector, hash, bounds, and what covers it.
//
// A zone covers what it includes; or, by simulation, also what is included in the set of all valuations that one of its
// own simulates, when lower bounds L and upper bounds U are all that is ever asked of the clocks: v' simulates v if
// every clock x has v'(x) = v(x), or L(x) < v'(x) < v(x), or U(x) < v(x) < v'(x). That set is no zone, but Herbreteau,
// Srivathsan and Walukiewicz ("Better Abstractions for Timed Automata", 2012, Theorem 31) decide the inclusion pair by
// pair: Z is not in the set of Z' if there are x and y such that Z has a point with x <= U(x), Z' bounds y - x more
// tightly than Z does, and adding "< -L(y)" to that bound gives less than the bound of Z on 0 - x. Solved for the bound
// of Z', this says from where on it is large enough: what Z asks of Z' is a matrix again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "activity.hpp"
#include "dbm.hpp"
#include "model.hpp"

namespace argosy {

namespace simulation {

// From where on a bound on y - x with "< -L(y)" added to it is no less than `least`.
inline std::int32_t enough(std::int32_t least, std::int32_t lower) { return (least + 2 * lower + 1) & ~1; }

// Into `least`: for each clock x the bound of a zone on 0 - x, or so little that nothing is asked, where all of the zone
// is beyond the upper bound of x.
template <class Cell>
void find_least(const Cell* zone, int n, RowBounds rows, std::vector<std::int32_t>& least) {
    least.resize(n);
    least[0] = dbm::zero;
    for (int x = 1; x < n; ++x) {
        const bool matters = rows.upper[x] != dbm::no_bound && zone[x - 1] >= dbm::weak(-rows.upper[x]);
        least[x] = matters ? zone[x - 1] : std::numeric_limits<std::int32_t>::min();
    }
}

}  // namespace simulation

// Cells are the bounds row by row, without the diagonal. `asked`, by simulation only: how large the cells of a zone must
// be, at least, that covers this one.
struct Packed {
    const std::uint64_t* key;
    std::uint64_t hash;
    const std::byte *cells, *asked;
    float sum;  // of the bounds, by simulation of what is asked: a zone that covers another has no smaller one
    int n;
    RowBounds rows;
};

class Packer {
public:
    static constexpr std::int32_t narrow_infinity = 32767;

    Packer(const Model& model, bool by_simulation) : model_(model), by_simulation_(by_simulation), key_(model.words) {}

    // Valid until the next call, and while `rows` is.
    Packed pack(const Discrete& state, const dbm::Bound* matrix, int n, RowBounds rows) {
        state.pack(model_, key_.data());
        float sum = encode(matrix, n);
        if (by_simulation_) sum = ask(n, rows);
        return {key_.data(), hash(key_.data()), cells_.data(), asked_.data(), sum, n, rows};
    }

    std::uint64_t hash(const std::uint64_t* words) const {
        std::uint64_t h = 0x9e3779b97f4a7c15ULL;
        for (std::int32_t k = 0; k < model_.words; ++k) {
            h ^= words[k];
            h *= 0xff51afd7ed558ccdULL;
            h ^= h >> 32;
        }
        return h;
    }

    static std::size_t cells(int n) { return static_cast<std::size_t>(n) * (n - 1); }
    std::size_t width() const { return model_.wide_zones ? sizeof(std::int32_t) : sizeof(std::int16_t); }

private:
    // Packs the bounds into `cells_`; returns their sum (rounding to a float keeps the order).
    float encode(const dbm::Bound* matrix, int n) {
        cells_.resize(cells(n) * width());
        std::int64_t sum = 0;
        const auto fill = [&](auto* out, std::int32_t unbounded) {
            using Cell = std::remove_reference_t<decltype(*out)>;
            for (int i = 0; i < n; ++i) {
                for (int j = 0; j < n; ++j) {
                    if (i == j) continue;
                    const dbm::Bound bound = matrix[i * n + j];
                    if (bound != dbm::infinity && (bound >= unbounded || bound < -unbounded))
                        throw std::logic_error("a bound does not fit the width found for it");
                    const auto cell = static_cast<Cell>(bound == dbm::infinity ? unbounded : bound);
                    *out++ = cell;
                    sum += cell;
                }
            }
        };
        if (model_.wide_zones) fill(reinterpret_cast<std::int32_t*>(cells_.data()), dbm::infinity);
        else fill(reinterpret_cast<std::int16_t*>(cells_.data()), narrow_infinity);
        return static_cast<float>(sum);
    }

    // Into `asked_`, for the zone in `cells_`; returns the sum. If Z' covers Z, what Z' asks is nowhere less than what Z
    // asks: a clock that matters in Z has no larger lower bound in Z', so it matters there, and both parts of the minimum
    // are at least those of Z.
    float ask(int n, RowBounds rows) {
        asked_.resize(cells_.size());
        std::int64_t sum = 0;
        const auto fill = [&](const auto* cell, auto* out, std::int32_t unbounded) {
            using Cell = std::remove_reference_t<decltype(*out)>;
            constexpr std::int32_t nothing = std::numeric_limits<Cell>::min();
            simulation::find_least(cell, n, rows, least_);
            for (int y = 0; y < n; ++y) {
                const std::int32_t lower = rows.lower[y];
                if (lower == dbm::no_bound) {
                    out = std::fill_n(out, n - 1, static_cast<Cell>(nothing));
                    sum += std::int64_t{n - 1} * std::max(nothing, least_counted);
                    cell += n - 1;
                    continue;
                }
                const auto one = [&](int x) {
                    const std::int32_t asked = std::min<std::int32_t>(*cell++, simulation::enough(least_[x], lower));
                    *out++ = static_cast<Cell>(std::clamp(asked, nothing, unbounded));
                    sum += std::clamp(asked, std::max(nothing, least_counted), unbounded);
                };
                for (int x = 0; x < y; ++x) one(x);
                for (int x = y + 1; x < n; ++x) one(x);
            }
        };
        if (model_.wide_zones)
            fill(reinterpret_cast<const std::int32_t*>(cells_.data()), reinterpret_cast<std::int32_t*>(asked_.data()),
                 dbm::infinity);
        else
            fill(reinterpret_cast<const std::int16_t*>(cells_.data()), reinterpret_cast<std::int16_t*>(asked_.data()),
                 narrow_infinity);
        return static_cast<float>(sum);
    }

    static constexpr std::int32_t least_counted = -(1 << 28);  // no bound is less, see `kernel/bounds.py`

    const Model& model_;
    bool by_simulation_;
    std::vector<std::uint64_t> key_;
    std::vector<std::byte> cells_, asked_;
    std::vector<std::int32_t> least_;
};

}  // namespace argosy
