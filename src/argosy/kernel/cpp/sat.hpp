// A solver for the many short queries of property-directed reachability: conflict-driven clause learning under
// assumptions (Eén, Sörensson, "An Extensible SAT-solver", 2003), which decides and propagates only inside the domain of
// the query (Su, Yang, Ci, Li, Bu, Huang, "Deeply Optimizing the SAT Solver for the IC3 Algorithm", 2025).
//
// A domain is a set of variables such that every model of the clauses inside it extends to a model of all clauses: for
// definitions of gates, whatever is closed under what the gates depend on, and holds every variable of any other
// clause. A literal outside the domain counts as true while clauses are propagated, so that a clause that has one is
// never looked at. Law: what is assigned at level 0 is always propagated through all clauses.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "guard.hpp"

namespace argosy::sat {

using Lit = std::uint32_t;  // 2 v, or 2 v + 1 where it is negated
using Var = std::uint32_t;
using Ref = std::uint32_t;  // of a clause, in the arena
using Clause = std::vector<Lit>;

inline constexpr Ref no_clause = ~Ref{0};

// The order is what makes propagation short: a clause with a literal that is at least `outside` needs no look.
enum Value : std::uint8_t { is_false = 0, open = 1, outside = 2, is_true = 3 };

struct Watch {
    Ref clause;
    Lit blocker;
    bool binary() const { return clause >> 31; }
    Ref reference() const { return clause & 0x7fffffffu; }
};

// What a clause is, and how long it lives: definitions for ever, lemmas until their owner replaces them, learnt ones as
// long as they seem useful, temporary ones for one query.
enum class Kind : std::uint32_t { definition, lemma, learnt, temporary };

struct Counts {
    std::uint64_t queries = 0, decisions = 0, conflicts = 0, propagations = 0;
};

class Solver {
public:
    explicit Solver(Guard& guard, Counts& counts) : guard_(guard), counts_(counts) {}

    Solver(const Solver&) = delete;

    void grow(Var variables);
    Var variables() const { return static_cast<Var>(level_.size()); }
    std::size_t bytes() const { return bytes_ + arena_.capacity() * sizeof(std::uint32_t); }
    bool contradictory() const { return contradictory_; }

    // At level 0, between queries.
    void add(std::span<const Lit> clause, Kind kind);
    void forget_lemmas();
    void back_to_start() { backtrack(0); }

    // The domain: what is permanent stays, the rest is for the queries until `clear_domain`.
    bool in_domain(Var v) const { return position_[v]; }
    void clear_domain();
    void insert(Var v, bool permanent = false);
    std::span<const Var> domain() const { return domain_; }

    // Whether there is a model inside the domain; `extra` is a clause that holds for this query, and empty is none.
    // Every variable of both is in the domain.
    bool solve(std::span<const Lit> assumptions, std::span<const Lit> extra = {});

    // After `true`: until the next call of anything that changes the solver.
    Value value(Lit literal) const { return static_cast<Value>(value_[literal]); }
    bool holds(Lit literal) const { return value_[literal] == is_true; }
    // After `false`: assumptions that contradict each other.
    bool in_core(Lit assumption) const { return in_core_[assumption]; }
    // Known at level 0.
    bool fixed(Var v) const { return (value_[2 * v] == is_true || value_[2 * v] == is_false) && level_[v] == 0; }

    // For few long queries over one domain that only grows.
    void keep_heap() { keeps_heap_ = true; }
    void prefer(Lit literal) { phase_[literal >> 1] = literal & 1; }

private:
    struct Head {  // the words of the arena before the literals of a clause
        static constexpr std::uint32_t size = 2;
    };
    std::uint32_t length(Ref c) const { return arena_[c] >> 4; }
    Kind kind(Ref c) const { return static_cast<Kind>(arena_[c] & 3); }
    bool dead(Ref c) const { return arena_[c] & 4; }
    Lit* literals(Ref c) { return arena_.data() + c + Head::size; }
    std::uint32_t& glue(Ref c) { return arena_[c + 1]; }

    std::uint32_t level() const { return static_cast<std::uint32_t>(control_.size()); }
    Ref store(std::span<const Lit> clause, Kind kind);
    void attach(Ref c);
    void detach(Ref c);
    void assign(Lit literal, Ref reason);
    void backtrack(std::uint32_t to);
    template <bool everywhere>
    Ref propagate();
    Ref propagate() { return level() == 0 ? propagate<true>() : propagate<false>(); }
    void analyse(Ref conflict);
    bool redundant(Lit literal);
    void find_core(Lit failed);
    void learn();
    void reduce();
    void collect();
    void remove_temporary();
    bool search(std::span<const Lit> assumptions);

    // Which variable is decided next. Most queries end after few conflicts: their variables are put into buckets by the
    // magnitude of their activity, and only a query that takes long orders them exactly, in a heap.
    bool pop(Var& v);
    void prepare();
    void put_back(Var v);
    std::uint32_t bucket(Var v) const;
    bool before(Var a, Var b) const { return activity_[a] > activity_[b]; }
    void sift_up(std::uint32_t at);
    void sift_down(std::uint32_t at);
    void push(Var v);
    void bump(Var v);

    Guard& guard_;
    Counts& counts_;
    std::vector<std::uint32_t> arena_;
    std::size_t wasted_ = 0, bytes_ = 0;
    std::vector<Ref> definitions_, lemmas_, learnt_, temporary_;
    std::vector<std::vector<Watch>> watches_;  // by the literal that becomes true
    std::vector<std::uint8_t> value_;          // by literal
    std::vector<std::uint8_t> phase_, in_core_, seen_;
    std::vector<std::uint32_t> level_;
    std::vector<Ref> reason_;
    std::vector<Lit> trail_;
    std::vector<std::uint32_t> control_;  // where levels begin in the trail
    std::size_t head_ = 0;
    std::vector<Var> domain_;
    std::vector<std::uint32_t> position_;  // in the domain, from 1; 0 is outside
    std::size_t permanent_ = 0;
    std::vector<double> activity_;
    double increment_ = 1.0;
    std::vector<Var> heap_;
    std::vector<std::int32_t> place_;  // in the heap, or -1
    enum class Order : std::uint8_t { none, buckets, heap } order_ = Order::none;
    static constexpr std::uint32_t bucket_count = 24;
    std::vector<Var> buckets_[bucket_count];
    std::uint32_t best_ = 0;  // no bucket above this has a variable
    Var activation_ = 0;  // of the extra clause; 0 is none yet
    bool contradictory_ = false, keeps_heap_ = false;
    std::vector<Lit> core_, learnt_clause_, to_clear_, stack_, scratch_;
    std::vector<std::uint32_t> level_stamp_;
    std::uint32_t stamp_ = 0, learnt_glue_ = 0;
    std::size_t learnt_limit_ = 4000;
};

inline void Solver::grow(Var variables) {
    const auto old = this->variables();
    if (variables <= old) return;
    watches_.resize(2 * variables);
    value_.resize(2 * variables, outside);
    phase_.resize(variables, 1);
    position_.resize(variables, 0);
    in_core_.resize(2 * variables, 0);
    seen_.resize(variables, 0);
    level_.resize(variables, 0);
    reason_.resize(variables, no_clause);
    activity_.resize(variables, 0.0);
    place_.resize(variables, -1);
    level_stamp_.resize(2 * variables + 2, 0);  // an assumption that holds already has a level too
    bytes_ += (variables - old) * (2 * sizeof(std::vector<Watch>) + 56);
}

inline Ref Solver::store(std::span<const Lit> clause, Kind kind) {
    const auto made = static_cast<Ref>(arena_.size());
    arena_.push_back(static_cast<std::uint32_t>(clause.size()) << 4 | static_cast<std::uint32_t>(kind));
    arena_.push_back(0);
    arena_.insert(arena_.end(), clause.begin(), clause.end());
    return made;
}

inline void Solver::attach(Ref c) {
    const Lit* its = literals(c);
    const std::uint32_t flag = length(c) == 2 ? 1u << 31 : 0;
    watches_[its[0] ^ 1].push_back({c | flag, its[1]});
    watches_[its[1] ^ 1].push_back({c | flag, its[0]});
    bytes_ += 2 * sizeof(Watch);
}

// From the back: what is taken away soon was put there not long ago.
inline void Solver::detach(Ref c) {
    for (int side = 0; side < 2; ++side) {
        auto& list = watches_[literals(c)[side] ^ 1];
        for (std::size_t k = list.size(); k-- > 0;) {
            if (list[k].reference() != c) continue;
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(k));
            break;
        }
    }
    bytes_ -= 2 * sizeof(Watch);
    wasted_ += length(c) + Head::size;
    arena_[c] |= 4;
}

inline void Solver::add(std::span<const Lit> clause, Kind kind) {
    backtrack(0);
    if (contradictory_) return;
    scratch_.clear();
    for (const Lit literal : clause) {
        if (value_[literal] == is_true) return;
        if (value_[literal] != is_false) scratch_.push_back(literal);
    }
    std::sort(scratch_.begin(), scratch_.end());
    scratch_.erase(std::unique(scratch_.begin(), scratch_.end()), scratch_.end());
    for (std::size_t k = 1; k < scratch_.size(); ++k)
        if (scratch_[k] == (scratch_[k - 1] ^ 1)) return;
    if (scratch_.empty()) {
        contradictory_ = true;
    } else if (scratch_.size() == 1) {
        assign(scratch_[0], no_clause);
        if (propagate<true>() != no_clause) contradictory_ = true;
    } else {
        const Ref c = store(scratch_, kind);
        attach(c);
        (kind == Kind::lemma ? lemmas_ : kind == Kind::temporary ? temporary_ : definitions_).push_back(c);
    }
}

inline void Solver::forget_lemmas() {
    backtrack(0);
    for (const Ref c : lemmas_) detach(c);
    lemmas_.clear();
}

inline void Solver::insert(Var v, bool permanent) {
    if (position_[v] == 0) {
        domain_.push_back(v);
        position_[v] = static_cast<std::uint32_t>(domain_.size());
        for (const Lit literal : {2 * v, 2 * v + 1})
            if (value_[literal] == outside) value_[literal] = open;
        if (order_ != Order::none) put_back(v);
    }
    if (!permanent || position_[v] <= permanent_) return;
    // The permanent ones come first.
    const Var other = domain_[permanent_];
    std::swap(domain_[permanent_], domain_[position_[v] - 1]);
    std::swap(position_[v], position_[other]);
    ++permanent_;
}

inline void Solver::clear_domain() {
    order_ = Order::none;
    backtrack(0);
    for (std::size_t k = permanent_; k < domain_.size(); ++k) {
        const Var v = domain_[k];
        position_[v] = 0;
        for (const Lit literal : {2 * v, 2 * v + 1})
            if (value_[literal] == open) value_[literal] = outside;
    }
    domain_.resize(permanent_);
}

inline void Solver::assign(Lit literal, Ref reason) {
    value_[literal] = is_true;
    value_[literal ^ 1] = is_false;
    level_[literal >> 1] = level();
    reason_[literal >> 1] = reason;
    trail_.push_back(literal);
}

inline void Solver::backtrack(std::uint32_t to) {
    if (level() <= to) return;
    const std::size_t start = control_[to];
    for (std::size_t k = trail_.size(); k-- > start;) {
        const Lit literal = trail_[k];
        const Var v = literal >> 1;
        value_[literal] = value_[literal ^ 1] = open;
        phase_[v] = literal & 1;
        if (order_ != Order::none) put_back(v);
    }
    trail_.resize(start);
    control_.resize(to);
    head_ = start;
}

template <bool everywhere>
inline Ref Solver::propagate() {
    constexpr std::uint8_t skipped = everywhere ? is_true : outside;
    Ref conflict = no_clause;
    std::size_t work = 0;
    while (head_ < trail_.size()) {
        const Lit p = trail_[head_++];
        const Lit falsified = p ^ 1;
        auto& list = watches_[p];
        Watch* from = list.data();
        Watch* to = from;
        Watch* const end = from + list.size();
        work += list.size() + 1;
        while (from != end) {
            const Watch watch = *from++;
            const std::uint8_t seen = value_[watch.blocker];
            if (seen >= skipped) {
                *to++ = watch;
                continue;
            }
            if (watch.binary()) {
                *to++ = watch;
                if (seen == is_false) {
                    conflict = watch.reference();
                    break;
                }
                assign(watch.blocker, watch.reference());
                continue;
            }
            const Ref c = watch.reference();
            Lit* its = literals(c);
            const Lit other = its[0] ^ its[1] ^ falsified;
            const std::uint8_t known = value_[other];
            if (known >= skipped) {
                *to++ = {watch.clause, other};
                continue;
            }
            const std::uint32_t n = length(c);
            std::uint32_t k = 2;
            while (k < n && value_[its[k]] == is_false) ++k;
            if (k < n) {
                const Lit found = its[k];
                its[0] = other;
                its[1] = found;
                its[k] = falsified;
                watches_[found ^ 1].push_back({watch.clause, other});
                continue;
            }
            *to++ = watch;
            if (known == is_false) {
                conflict = c;
                break;
            }
            assign(other, c);
        }
        while (from != end) *to++ = *from++;
        list.resize(static_cast<std::size_t>(to - list.data()));
        if (conflict != no_clause) {
            head_ = trail_.size();
            break;
        }
    }
    counts_.propagations += work;
    return conflict;
}

inline void Solver::sift_up(std::uint32_t at) {
    const Var v = heap_[at];
    while (at > 0) {
        const std::uint32_t above = (at - 1) / 2;
        if (!before(v, heap_[above])) break;
        heap_[at] = heap_[above];
        place_[heap_[at]] = static_cast<std::int32_t>(at);
        at = above;
    }
    heap_[at] = v;
    place_[v] = static_cast<std::int32_t>(at);
}

inline void Solver::sift_down(std::uint32_t at) {
    const Var v = heap_[at];
    const auto n = static_cast<std::uint32_t>(heap_.size());
    for (;;) {
        std::uint32_t below = 2 * at + 1;
        if (below >= n) break;
        if (below + 1 < n && before(heap_[below + 1], heap_[below])) ++below;
        if (!before(heap_[below], v)) break;
        heap_[at] = heap_[below];
        place_[heap_[at]] = static_cast<std::int32_t>(at);
        at = below;
    }
    heap_[at] = v;
    place_[v] = static_cast<std::int32_t>(at);
}

inline void Solver::push(Var v) {
    if (place_[v] >= 0) return;
    heap_.push_back(v);
    place_[v] = static_cast<std::int32_t>(heap_.size() - 1);
    sift_up(static_cast<std::uint32_t>(heap_.size() - 1));
}

// The binary logarithm of the activity, from the latest bump downwards.
inline std::uint32_t Solver::bucket(Var v) const {
    if (activity_[v] == 0.0) return 0;
    const int behind = std::ilogb(increment_) - std::ilogb(activity_[v]);
    return static_cast<std::uint32_t>(std::clamp(static_cast<int>(bucket_count) - 4 - behind, 1, static_cast<int>(bucket_count) - 1));
}

inline void Solver::prepare() {
    if (order_ != Order::none) return;
    for (const Var v : heap_) place_[v] = -1;
    heap_.clear();
    if (keeps_heap_) {
        order_ = Order::heap;
        for (const Var v : domain_) {
            if (value_[2 * v] != open) continue;
            place_[v] = static_cast<std::int32_t>(heap_.size());
            heap_.push_back(v);
        }
        for (std::uint32_t k = static_cast<std::uint32_t>(heap_.size() / 2); k-- > 0;) sift_down(k);
        return;
    }
    order_ = Order::buckets;
    for (auto& its : buckets_) its.clear();
    best_ = 0;
    for (const Var v : domain_)
        if (value_[2 * v] == open) put_back(v);
}

inline void Solver::put_back(Var v) {
    if (order_ == Order::heap) {
        push(v);
        return;
    }
    const std::uint32_t its = bucket(v);
    buckets_[its].push_back(v);
    best_ = std::max(best_, its);
}

// False where every variable of the domain has a value.
inline bool Solver::pop(Var& v) {
    if (order_ == Order::heap) {
        while (!heap_.empty()) {
            v = heap_[0];
            const Var last = heap_.back();
            heap_.pop_back();
            place_[v] = -1;
            if (v != last) {
                heap_[0] = last;
                place_[last] = 0;
                sift_down(0);
            }
            if (value_[2 * v] == open) return true;
        }
        return false;
    }
    for (;; --best_) {
        auto& its = buckets_[best_];
        while (!its.empty()) {
            v = its.back();
            its.pop_back();
            if (value_[2 * v] == open) return true;
        }
        if (best_ == 0) return false;
    }
}

inline void Solver::bump(Var v) {
    activity_[v] += increment_;
    if (activity_[v] > 1e100) {
        for (double& value : activity_) value *= 1e-100;
        increment_ *= 1e-100;
    }
    if (order_ == Order::heap && place_[v] >= 0) sift_up(static_cast<std::uint32_t>(place_[v]));
}

// Whether the literal of the learnt clause follows from the others: every way back ends in them.
inline bool Solver::redundant(Lit literal) {
    stack_.assign(1, literal);
    const std::size_t top = to_clear_.size();
    while (!stack_.empty()) {
        const Lit p = stack_.back();
        stack_.pop_back();
        const Ref c = reason_[p >> 1];
        const Lit* its = literals(c);
        for (std::uint32_t k = 0; k < length(c); ++k) {
            const Var v = its[k] >> 1;
            if (v == p >> 1 || seen_[v] || level_[v] == 0) continue;
            if (reason_[v] == no_clause || level_stamp_[level_[v]] != stamp_) {
                for (std::size_t j = top; j < to_clear_.size(); ++j) seen_[to_clear_[j] >> 1] = 0;
                to_clear_.resize(top);
                return false;
            }
            seen_[v] = 1;
            to_clear_.push_back(its[k]);
            stack_.push_back(its[k]);
        }
    }
    return true;
}

// The first unique implication point.
inline void Solver::analyse(Ref conflict) {
    learnt_clause_.assign(1, 0);
    to_clear_.clear();
    std::size_t at = trail_.size();
    std::uint32_t open_paths = 0;
    Lit p = 0;
    bool first = true;
    for (Ref c = conflict;;) {
        if (kind(c) == Kind::learnt) glue(c) |= 1u << 31;  // it was of use
        const Lit* its = literals(c);
        for (std::uint32_t k = 0; k < length(c); ++k) {
            const Var v = its[k] >> 1;
            if ((!first && its[k] == p) || seen_[v] || level_[v] == 0) continue;
            seen_[v] = 1;
            to_clear_.push_back(its[k]);
            bump(v);
            if (level_[v] >= level()) ++open_paths;
            else learnt_clause_.push_back(its[k]);
        }
        while (!seen_[trail_[--at] >> 1]) {}
        p = trail_[at];
        first = false;
        if (--open_paths == 0) break;
        c = reason_[p >> 1];
    }
    learnt_clause_[0] = p ^ 1;
    ++stamp_;
    for (const Lit literal : learnt_clause_) level_stamp_[level_[literal >> 1]] = stamp_;
    std::size_t kept = 1;
    for (std::size_t k = 1; k < learnt_clause_.size(); ++k) {
        const Lit literal = learnt_clause_[k];
        if (reason_[literal >> 1] == no_clause || !redundant(literal)) learnt_clause_[kept++] = literal;
    }
    learnt_clause_.resize(kept);
    for (const Lit literal : to_clear_) seen_[literal >> 1] = 0;
    ++stamp_;
    learnt_glue_ = 0;
    for (const Lit literal : learnt_clause_) {
        auto& mark = level_stamp_[level_[literal >> 1]];
        if (mark != stamp_) mark = stamp_, ++learnt_glue_;
    }
}

// Goes back as far as the learnt clause is a unit, and takes it in.
inline void Solver::learn() {
    std::uint32_t to = 0;
    std::size_t second = 1;
    bool temporary = false;
    for (std::size_t k = 1; k < learnt_clause_.size(); ++k) {
        const Var v = learnt_clause_[k] >> 1;
        if (level_[v] > to) to = level_[v], second = k;
    }
    for (const Lit literal : learnt_clause_) temporary |= activation_ > 0 && literal >> 1 == activation_;
    backtrack(to);
    if (learnt_clause_.size() == 1) {
        assign(learnt_clause_[0], no_clause);
        return;
    }
    std::swap(learnt_clause_[1], learnt_clause_[second]);
    const Ref c = store(learnt_clause_, temporary ? Kind::temporary : Kind::learnt);
    glue(c) = learnt_glue_;
    attach(c);
    (temporary ? temporary_ : learnt_).push_back(c);
    assign(learnt_clause_[0], c);
}

inline void Solver::find_core(Lit failed) {
    in_core_[failed] = 1;
    core_.push_back(failed);
    if (level() == 0 || level_[failed >> 1] == 0) return;
    seen_[failed >> 1] = 1;
    for (std::size_t k = trail_.size(); k-- > control_[0];) {
        const Lit p = trail_[k];
        if (!seen_[p >> 1]) continue;
        seen_[p >> 1] = 0;
        const Ref c = reason_[p >> 1];
        if (c == no_clause) {
            if (!in_core_[p]) in_core_[p] = 1, core_.push_back(p);
            continue;
        }
        const Lit* its = literals(c);
        for (std::uint32_t j = 0; j < length(c); ++j)
            if (its[j] != p && level_[its[j] >> 1] > 0) seen_[its[j] >> 1] = 1;
    }
    seen_[failed >> 1] = 0;
}

// Half of what was learnt goes, those of many levels first; what was of use since the last time stays.
inline void Solver::reduce() {
    if (learnt_.size() < learnt_limit_) return;
    const auto locked = [&](Ref c) {
        for (int k = 0; k < 2; ++k) {
            const Lit literal = literals(c)[k];
            if (value_[literal] == is_true && reason_[literal >> 1] == c) return true;
        }
        return false;
    };
    std::stable_sort(learnt_.begin(), learnt_.end(), [&](Ref a, Ref b) { return glue(a) > glue(b); });
    // Those of use are sorted to the front by their flag: they are passed over once.
    std::vector<Ref> kept;
    std::size_t removed = 0;
    const std::size_t half = learnt_.size() / 2;
    std::vector<Ref> candidates;
    for (const Ref c : learnt_) {
        if (glue(c) >> 31) {
            glue(c) &= 0x7fffffffu;
            kept.push_back(c);
        } else {
            candidates.push_back(c);
        }
    }
    for (const Ref c : candidates) {
        if (removed < half && glue(c) > 2 && length(c) > 2 && !locked(c)) {
            detach(c);
            ++removed;
        } else {
            kept.push_back(c);
        }
    }
    learnt_ = std::move(kept);
    learnt_limit_ += learnt_limit_ / 20 + 100;
}

inline void Solver::collect() {
    if (wasted_ * 3 < arena_.size() || wasted_ < 10000) return;
    std::vector<std::uint32_t> fresh;
    fresh.reserve(arena_.size() - wasted_);
    const auto moved = [&](Ref c) {
        if (arena_[c] & 8) return arena_[c + 1];
        const auto to = static_cast<Ref>(fresh.size());
        fresh.insert(fresh.end(), arena_.begin() + c, arena_.begin() + c + Head::size + length(c));
        arena_[c] |= 8;
        arena_[c + 1] = to;
        return to;
    };
    for (auto* list : {&definitions_, &lemmas_, &learnt_, &temporary_})
        for (Ref& c : *list) c = moved(c);
    for (auto& list : watches_)
        for (Watch& watch : list) watch.clause = moved(watch.reference()) | (watch.clause & (1u << 31));
    for (const Lit literal : trail_) {
        Ref& c = reason_[literal >> 1];
        if (c == no_clause) continue;
        // Level 0 needs no reasons, and the clause of one may be gone.
        c = level_[literal >> 1] == 0 ? no_clause : moved(c);
    }
    arena_ = std::move(fresh);
    wasted_ = 0;
}

inline void Solver::remove_temporary() {
    for (std::size_t k = temporary_.size(); k-- > 0;) detach(temporary_[k]);
    temporary_.clear();
}

inline bool Solver::solve(std::span<const Lit> assumptions, std::span<const Lit> extra) {
    ++counts_.queries;
    if (!keeps_heap_) order_ = Order::none;
    backtrack(0);
    remove_temporary();
    collect();
    for (const Lit literal : core_) in_core_[literal] = 0;
    core_.clear();
    if (contradictory_) return false;
    bool satisfied = extra.empty();
    Clause clause;
    for (const Lit literal : extra) {
        satisfied |= value_[literal] == is_true;
        if (value_[literal] != is_false) clause.push_back(literal);
    }
    if (satisfied) return search(assumptions);
    if (clause.empty()) return false;
    // Once it was learnt that an extra clause cannot hold, its activation is false for ever: the next has another.
    if (activation_ == 0 || value_[2 * activation_] != open) {
        activation_ = variables();
        grow(activation_ + 1);
        insert(activation_, true);
    }
    clause.push_back(2 * activation_ + 1);
    add(clause, Kind::temporary);
    clause.assign(1, 2 * activation_);
    clause.insert(clause.end(), assumptions.begin(), assumptions.end());
    return search(clause);
}

inline std::uint32_t luby(std::uint32_t k) {
    std::uint32_t size = 1, power = 0;
    while (size < k + 1) size = 2 * size + 1, ++power;
    while (size - 1 != k) size = (size - 1) / 2, --power, k %= size;
    return 1u << power;
}

inline bool Solver::search(std::span<const Lit> assumptions) {
    std::uint32_t restarts = 0;
    std::uint64_t until = counts_.conflicts + 100 * luby(0);
    for (;;) {
        const std::uint64_t before = counts_.propagations;
        const Ref conflict = propagate();
        if (conflict != no_clause) {
            ++counts_.conflicts;
            if (level() == 0) {
                contradictory_ = true;
                return false;
            }
            analyse(conflict);
            learn();
            increment_ /= 0.95;
            continue;
        }
        guard_.tick(counts_.propagations - before + 1);
        if (counts_.conflicts >= until) {
            until = counts_.conflicts + 100 * luby(++restarts);
            backtrack(static_cast<std::uint32_t>(std::min<std::size_t>(assumptions.size(), level())));
            if (restarts == 4 && !keeps_heap_) {
                keeps_heap_ = true;
                order_ = Order::none;
                prepare();
                keeps_heap_ = false;
            }
            reduce();
            collect();
        }
        Lit next = 0;
        bool chosen = false;
        while (level() < assumptions.size()) {
            const Lit p = assumptions[level()];
            if (value_[p] == is_true) {
                control_.push_back(static_cast<std::uint32_t>(trail_.size()));
            } else if (value_[p] == is_false) {
                find_core(p);
                return false;
            } else {
                next = p;
                chosen = true;
                break;
            }
        }
        if (!chosen) {
            prepare();
            Var v = 0;
            chosen = pop(v);
            next = 2 * v + phase_[v];
            if (!chosen) return true;
            ++counts_.decisions;
        }
        control_.push_back(static_cast<std::uint32_t>(trail_.size()));
        assign(next, no_clause);
    }
}

}  // namespace argosy::sat
