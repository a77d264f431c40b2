// A circuit made ready for search: the cone of one bad literal, gates hashed and constants propagated, latches that
// never change and latches that always agree taken out, and the clauses of the gates that are left.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace argosy::circuit {

using Lit = std::uint32_t;
using Var = std::uint32_t;
using Clause = std::vector<Lit>;

inline constexpr std::uint8_t arbitrary = 2;

// As argosy.models.circuit.Circuit has it, for one bad literal.
struct Circuit {
    Var inputs = 0;
    std::vector<Lit> next;
    std::vector<std::uint8_t> reset;
    std::vector<Lit> gates;  // two per gate
    Lit bad = 0;
    std::vector<Lit> constraints;

    Var latches() const { return static_cast<Var>(next.size()); }
    Var first_gate() const { return 1 + inputs + latches(); }
    Var variables() const { return first_gate() + static_cast<Var>(gates.size() / 2); }

    // What the kernel relies on; the model's own class promises it.
    void check() const {
        const Lit end = 2 * variables();
        bool right = reset.size() == next.size() && gates.size() % 2 == 0 && bad < end;
        for (const Lit literal : next) right &= literal < end;
        for (const Lit literal : constraints) right &= literal < end;
        for (const std::uint8_t value : reset) right &= value <= arbitrary;
        for (std::size_t k = 0; k < gates.size(); ++k) right &= gates[k] < 2 * (first_gate() + k / 2);
        if (!right) throw std::invalid_argument("not a circuit");
    }
};

// Three values: 0, 1 and unknown.
inline constexpr std::uint8_t unknown = 2;
inline std::uint8_t negated(std::uint8_t value, Lit literal) {
    return value == unknown ? unknown : static_cast<std::uint8_t>(value ^ (literal & 1));
}
inline std::uint8_t both(std::uint8_t a, std::uint8_t b) {
    if (a == 0 || b == 0) return 0;
    return a == 1 && b == 1 ? 1 : unknown;
}

struct Netlist {
    Circuit circuit;
    std::vector<Var> input_of, latch_of;  // the place of each in the original circuit
    std::vector<Clause> facts;            // what holds of the latches that were taken out, over original literals
    Var original_inputs = 0, original_latches = 0;

    Lit original(Lit latch) const {
        return 2 * (1 + original_inputs + latch_of[(latch >> 1) - 1 - circuit.inputs]) + (latch & 1);
    }
};

// Latches that keep one value in every run, by simulation with unknown inputs until nothing changes.
inline std::vector<std::uint8_t> stuck_latches(const Circuit& c) {
    std::vector<std::uint8_t> state(c.reset), values(c.variables(), unknown);
    const auto value = [&](Lit literal) { return negated(values[literal >> 1], literal); };
    values[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (Var k = 0; k < c.latches(); ++k) values[1 + c.inputs + k] = state[k];
        for (Var k = 0; 2 * k < c.gates.size(); ++k)
            values[c.first_gate() + k] = both(value(c.gates[2 * k]), value(c.gates[2 * k + 1]));
        for (Var k = 0; k < c.latches(); ++k) {
            if (state[k] == unknown || value(c.next[k]) == state[k]) continue;
            state[k] = unknown;
            changed = true;
        }
    }
    return state;
}

class Reduction {
public:
    explicit Reduction(const Circuit& whole) : whole_(whole), map_(whole.variables(), 0) {}

    Netlist run() {
        const std::vector<std::uint8_t> stuck = stuck_latches(whole_);
        same_as_.resize(whole_.latches());
        for (Var k = 0; k < whole_.latches(); ++k) same_as_[k] = stuck[k] == unknown ? latch(k) : Lit{stuck[k]};
        // Latches with one first value and one next literal agree for ever; that may make gates, and so next literals,
        // the same.
        for (bool changed = true; changed;) {
            hash();
            changed = false;
            std::map<std::pair<Lit, std::uint8_t>, Lit> first;
            for (Var k = 0; k < whole_.latches(); ++k) {
                if (same_as_[k] != latch(k)) continue;
                const std::uint8_t reset = whole_.reset[k];
                if (reset == arbitrary) continue;
                const Lit next = mapped(whole_.next[k]);
                // One that is the negation of another starts with the other value.
                const auto key = std::pair(next & ~Lit{1}, static_cast<std::uint8_t>(reset ^ (next & 1)));
                const auto [found, fresh] = first.emplace(key, latch(k) ^ (next & 1));
                if (fresh) continue;
                same_as_[k] = found->second ^ (next & 1);
                changed = true;
            }
        }
        return cone();
    }

private:
    Lit latch(Var k) const { return 2 * (1 + whole_.inputs + k); }
    Lit mapped(Lit literal) const { return map_[literal >> 1] ^ (literal & 1); }

    // Each variable as a literal over leaves and hashed gates, which are numbered in `gates_`.
    void hash() {
        gates_.clear();
        std::unordered_map<std::uint64_t, Lit> made;
        map_[0] = 0;
        for (Var v = 1; v <= whole_.inputs; ++v) map_[v] = 2 * v;
        for (Var k = 0; k < whole_.latches(); ++k) map_[latch(k) >> 1] = same_as_[k] == latch(k) ? latch(k) : mapped(same_as_[k]);
        const Var first = whole_.first_gate();
        for (Var v = first; v < whole_.variables(); ++v) {
            Lit a = mapped(whole_.gates[2 * (v - first)]), b = mapped(whole_.gates[2 * (v - first) + 1]);
            if (a > b) std::swap(a, b);
            if (a == 0 || a == (b ^ 1)) map_[v] = 0;
            else if (a == 1 || a == b) map_[v] = b;
            else {
                const auto [found, fresh] = made.emplace(std::uint64_t{a} << 32 | b, 2 * (first + static_cast<Lit>(gates_.size())));
                if (fresh) gates_.push_back({a, b});
                map_[v] = found->second;
            }
        }
    }

    // Only what the bad literal and the constraints depend on, numbered anew.
    Netlist cone() {
        const Var first = whole_.first_gate();
        std::vector<std::uint8_t> needed(first + gates_.size(), 0);
        std::vector<Var> stack;
        const auto visit = [&](Lit literal) {
            if (needed[literal >> 1]) return;
            needed[literal >> 1] = 1;
            stack.push_back(literal >> 1);
        };
        visit(mapped(whole_.bad));
        for (const Lit literal : whole_.constraints) visit(mapped(literal));
        while (!stack.empty()) {
            const Var v = stack.back();
            stack.pop_back();
            if (v >= first) {
                for (const Lit side : gates_[v - first]) visit(side);
            } else if (v > whole_.inputs) {
                visit(mapped(whole_.next[v - 1 - whole_.inputs]));
            }
        }
        Netlist made;
        made.original_inputs = whole_.inputs;
        made.original_latches = whole_.latches();
        std::vector<Var> number(needed.size(), 0);
        Var count = 1;
        for (Var v = 1; v < needed.size(); ++v) {
            if (!needed[v]) continue;
            number[v] = count++;
            if (v <= whole_.inputs) made.input_of.push_back(v - 1);
            else if (v < first) made.latch_of.push_back(v - 1 - whole_.inputs);
        }
        const auto renamed = [&](Lit literal) { return 2 * number[literal >> 1] | (literal & 1); };
        Circuit& c = made.circuit;
        c.inputs = static_cast<Var>(made.input_of.size());
        for (const Var k : made.latch_of) {
            c.next.push_back(renamed(mapped(whole_.next[k])));
            c.reset.push_back(whole_.reset[k]);
        }
        for (Var k = 0; k < gates_.size(); ++k)
            if (needed[first + k])
                for (const Lit side : gates_[k]) c.gates.push_back(renamed(side));
        c.bad = renamed(mapped(whole_.bad));
        for (const Lit literal : whole_.constraints) {
            const Lit constraint = renamed(mapped(literal));
            if (constraint != 1) c.constraints.push_back(constraint);
        }
        std::sort(c.constraints.begin(), c.constraints.end());
        c.constraints.erase(std::unique(c.constraints.begin(), c.constraints.end()), c.constraints.end());
        const std::vector<std::uint8_t> inside = original_cone();
        for (Var k = 0; k < whole_.latches(); ++k) {
            const Lit same = same_as_[k];
            if (same == latch(k) || !inside[latch(k) >> 1]) continue;
            if (same < 2) {
                made.facts.push_back({latch(k) ^ (same ^ 1)});
            } else {
                made.facts.push_back({latch(k), same ^ 1});
                made.facts.push_back({latch(k) ^ 1, same});
            }
        }
        return made;
    }

    // Facts about latches of this cone follow from facts about latches of this cone.
    std::vector<std::uint8_t> original_cone() const {
        std::vector<std::uint8_t> inside(whole_.variables(), 0);
        std::vector<Lit> stack(whole_.constraints);
        stack.push_back(whole_.bad);
        const Var first = whole_.first_gate();
        while (!stack.empty()) {
            const Var v = stack.back() >> 1;
            stack.pop_back();
            if (inside[v]) continue;
            inside[v] = 1;
            if (v >= first) {
                stack.push_back(whole_.gates[2 * (v - first)]);
                stack.push_back(whole_.gates[2 * (v - first) + 1]);
            } else if (v > whole_.inputs) {
                stack.push_back(whole_.next[v - 1 - whole_.inputs]);
            }
        }
        return inside;
    }

    const Circuit& whole_;
    std::vector<Lit> map_, same_as_;
    std::vector<std::array<Lit, 2>> gates_;
};

// The clauses that define the gates. A gate that nobody asks about is put into those that use it, where that takes no
// more clauses (bounded elimination: Eén, Biere, "Effective Preprocessing in SAT", 2005; only resolvents with the
// definition, so that each clause still defines one gate).
class Definitions {
public:
    explicit Definitions(const Circuit& c) : first_(c.first_gate()), count_(c.variables()), clauses_(count_), alive_(count_, 1) {
        std::vector<std::uint8_t> asked(count_, 0);
        asked[c.bad >> 1] = 1;
        for (const Lit literal : c.next) asked[literal >> 1] = 1;
        for (const Lit literal : c.constraints) asked[literal >> 1] = 1;
        std::vector<std::vector<Var>> users(count_);
        for (Var v = first_; v < count_; ++v) {
            const Lit a = c.gates[2 * (v - first_)], b = c.gates[2 * (v - first_) + 1];
            clauses_[v] = {{2 * v + 1, a}, {2 * v + 1, b}, {2 * v, a ^ 1, b ^ 1}};
            for (const Lit side : {a, b}) users[side >> 1].push_back(v);
        }
        for (int round = 0; round < 2; ++round)
            for (Var v = first_; v < count_; ++v)
                if (!asked[v] && alive_[v]) try_to_eliminate(v, users);
        dependencies_.resize(count_);
        for (Var v = first_; v < count_; ++v) {
            auto& its = dependencies_[v];
            for (const Clause& clause : clauses_[v])
                for (const Lit literal : clause)
                    if (literal >> 1 != v) its.push_back(literal >> 1);
            std::sort(its.begin(), its.end());
            its.erase(std::unique(its.begin(), its.end()), its.end());
        }
    }

    std::span<const Clause> clauses(Var v) const { return clauses_[v]; }
    std::span<const Var> dependencies(Var v) const { return dependencies_[v]; }
    Var variables() const { return count_; }
    bool is_gate(Var v) const { return v >= first_; }

private:
    static constexpr std::size_t most_users = 8, longest = 8, most_clauses = 24;

    // False for a tautology.
    static bool resolve(const Clause& one, const Clause& other, Var on, Clause& made) {
        made.clear();
        for (const Lit literal : one)
            if (literal >> 1 != on) made.push_back(literal);
        for (const Lit literal : other)
            if (literal >> 1 != on) made.push_back(literal);
        std::sort(made.begin(), made.end());
        made.erase(std::unique(made.begin(), made.end()), made.end());
        for (std::size_t k = 1; k < made.size(); ++k)
            if (made[k] == (made[k - 1] ^ 1)) return false;
        return true;
    }

    static void insert(std::vector<Clause>& clauses, const Clause& made) {
        for (const Clause& clause : clauses)
            if (std::includes(made.begin(), made.end(), clause.begin(), clause.end())) return;
        std::erase_if(clauses, [&](const Clause& clause) {
            return std::includes(clause.begin(), clause.end(), made.begin(), made.end());
        });
        clauses.push_back(made);
    }

    void try_to_eliminate(Var v, std::vector<std::vector<Var>>& users) {
        auto& its = users[v];
        std::sort(its.begin(), its.end());
        its.erase(std::unique(its.begin(), its.end()), its.end());
        std::erase_if(its, [&](Var user) { return !alive_[user] || !mentions(user, v); });
        if (its.empty() || its.size() > most_users) return;
        std::size_t before = clauses_[v].size(), after = 0;
        std::vector<std::vector<Clause>> replaced;
        Clause made;
        for (const Var user : its) {
            before += clauses_[user].size();
            std::vector<Clause> fresh;
            for (Clause clause : clauses_[user]) {
                std::sort(clause.begin(), clause.end());
                const auto at = std::find_if(clause.begin(), clause.end(), [&](Lit literal) { return literal >> 1 == v; });
                if (at == clause.end()) {
                    insert(fresh, clause);
                    continue;
                }
                const Lit pivot = *at;
                for (const Clause& definition : clauses_[v]) {
                    if (std::find(definition.begin(), definition.end(), pivot ^ 1) == definition.end()) continue;
                    if (!resolve(clause, definition, v, made)) continue;
                    if (made.size() > longest) return;
                    insert(fresh, made);
                }
            }
            if (fresh.size() > most_clauses) return;
            after += fresh.size();
            replaced.push_back(std::move(fresh));
        }
        if (after > before) return;
        for (std::size_t k = 0; k < its.size(); ++k) {
            clauses_[its[k]] = std::move(replaced[k]);
            for (const Clause& definition : clauses_[v])
                for (const Lit literal : definition)
                    if (literal >> 1 != v && literal >> 1 >= first_) users[literal >> 1].push_back(its[k]);
        }
        clauses_[v].clear();
        alive_[v] = 0;
    }

    bool mentions(Var user, Var v) const {
        for (const Clause& clause : clauses_[user])
            for (const Lit literal : clause)
                if (literal >> 1 == v) return true;
        return false;
    }

    Var first_, count_;
    std::vector<std::vector<Clause>> clauses_;
    std::vector<std::vector<Var>> dependencies_;
    std::vector<std::uint8_t> alive_;
};

}  // namespace argosy::circuit
