// Is there a maximal run that stays among the states of a formula, from the start or from any reachable state of a
// premise? `kernel/lasso.py` tells what comes before and after.
//
// States are pairs of a discrete state and a zone, extrapolated with equal lower and upper bounds: two valuations that
// differ only beyond them are bisimilar, with the same delays. Each state of an infinite path through the graph has then
// a predecessor in the state before it, up to bisimilarity, and regions are finitely many, so that the path has a run
// (Bouajjani, Tripakis, Yovine, "On-the-fly symbolic model checking for real-time systems", 1997; Tripakis, "Checking
// timed Buechi automata emptiness on simulation graphs", 2009). That holds where equal zones are merged. Where a zone is
// replaced by a larger one (`merges_smaller`), every run still has its path, so that a graph without cycles is a proof,
// but a cycle may have no run.
//
// Strongly connected components are found by depth-first search (Tarjan 1972) from every state of the premise, while
// reachable states are enumerated, those with large zones first. Components are numbered in the order in which they are complete, so
// that edges lead to smaller numbers or stay inside: these ranks are the proof that the certifier checks.
//
// Time diverges where a clock of our own has reached 1 and is reset, infinitely often (Tripakis, Yovine, Bouajjani,
// "Checking timed Buechi automata emptiness efficiently", 2005). It is reset by actions only, since a run without further
// actions is one that ends; then only cycles with such a tick count.
//
// Once a run is in deadlock it only waits, so a cycle has no state in deadlock: what the formula says of deadlocks matters
// where a run ends, and that is asked where its last stay begins, before time passes through states that are not kept.
//
// With a deadline only runs count that have settled by then: `settling.hpp`.
#pragma once

#include <cstdint>
#include <deque>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

#include "guard.hpp"
#include "model.hpp"
#include "search.hpp"
#include "successors.hpp"

namespace argosy {

// tick: an action with a tick; settle: nothing happens, but the run has come to what it visits for ever.
enum class Micro : std::int32_t { action, arm, cross_before, cross_after, tick, settle };

struct MicroStep {
    Micro kind;
    std::int32_t part;  // in which the run is after it; negative: none yet
    std::vector<Step> edges;
};

struct LassoOutcome {
    std::string status;  // "lasso", "ending", "none", "stopped" or "error"
    std::string reason;
    std::vector<MicroStep> prefix, cycle;
    std::size_t settles = 0;  // with a deadline: after so many steps of the prefix
    Trace trace;              // to a model error
    std::int32_t fault = -1, fault_pc = -1;
    std::size_t stored = 0, visited = 0, transitions = 0, bytes = 0;
    double seconds = 0;
};

class LassoSearch {
public:
    // Of the model's goals the first `premises` say where a run may begin (none: at the start), then come the `parts`;
    // the others are parts for what is in deadlock, if it has some of its own (`deadlocks`). `tick_clock` (0: none) is
    // reset in a tick and otherwise never. `deadline` (infinity: none) bounds the model's `time_clock`.
    LassoSearch(const Model& model, std::size_t premises, std::size_t parts, bool deadlocks, bool merges_smaller,
                std::int32_t tick_clock, dbm::Bound deadline)
        : model_(model), deadlocks_(deadlocks), merges_smaller_(merges_smaller), tick_clock_(tick_clock),
          deadline_(deadline), expander_(model), prober_(model) {
        if (hurries() && model.time_clock == 0) throw std::invalid_argument("a deadline needs a clock");
        for (std::size_t k = 0; k < model.goals.size(); ++k) {
            if (k < premises) premises_.push_back(model.goals[k]);
            else (k < premises + parts ? parts_ : dead_).push_back(model.goals[k].constraint);
        }
    }

    LassoOutcome run(double seconds, double wall, std::size_t bytes, const std::function<bool()>& interrupted);

    std::size_t nodes() const { return nodes_.size(); }
    std::size_t visited() const { return visited_; }

    // As `Search::exported`, with part and rank before each state.
    std::vector<std::int32_t> exported(std::uint32_t first, std::uint32_t end);

private:
    struct Edge {
        std::uint32_t target, ordinal;
        Micro kind;
    };
    struct Node {
        std::uint32_t discrete;
        std::int32_t part;  // -1: before the premise; less: `unsettled` in a part
        std::uint32_t parent, ordinal;  // as it was found first
        Micro kind;
        std::vector<dbm::Bound> matrix;
        std::vector<Edge> edges;
        std::uint32_t index = 0, low = 0, rank = 0;  // index 0: not yet visited; rank 0: its component is not complete
        bool dropped = false;                        // before the premise: a larger zone stands for it
    };
    struct Frame {
        std::uint32_t node;
        std::size_t next;
    };
    struct Found {
        bool lasso;
        std::uint32_t node;
    };

    double extent(const Zone& zone) const {
        constexpr dbm::Bound most = 1 << 20;
        const auto n = static_cast<double>(zone.size()), every = static_cast<double>(model_.clocks);
        std::int64_t sum = 0;
        for (const dbm::Bound bound : zone.matrix) sum += std::min(bound, most);
        return static_cast<double>(sum) + (every * every - n * n) * most;
    }
    bool hurries() const { return deadline_ < dbm::infinity; }
    static std::int32_t unsettled(std::int32_t part) { return -2 - part; }
    static std::int32_t part_in(std::int32_t part) { return part < -1 ? -2 - part : part; }
    std::ptrdiff_t time_row(const Zone& zone) const {
        return std::find(zone.clocks.begin(), zone.clocks.end(), model_.time_clock) - zone.clocks.begin();
    }
    bool may_be_in_time(const Zone& zone) const;
    bool in_time(Zone& zone) const;
    void forget_time(Zone& zone) const;
    void hurry(std::uint32_t node);
    bool settles_for_ever(std::uint32_t node, std::uint32_t root);
    bool counts(const Edge& edge) const { return tick_clock_ == 0 || edge.kind == Micro::tick; }
    std::uint32_t insert(std::int32_t part, std::uint32_t parent, std::uint32_t ordinal, Micro kind);
    void load(std::uint32_t node);
    void expand_before(std::uint32_t node);
    void begin(std::int32_t part, std::uint32_t parent);
    void arm(std::uint32_t node);
    void arm_at_start();
    bool may_end_there();
    template <class Enter>
    void find_ending(Enter&& enter, std::uint32_t parent, Micro kind);
    void expand(std::uint32_t node);
    std::uint32_t add(std::uint32_t node, std::int32_t part, std::uint32_t ordinal, Micro kind) {
        ++transitions_;
        const std::uint32_t target = insert(part, node, ordinal, kind);
        if (part >= 0) nodes_[node].edges.push_back({target, ordinal, kind});
        return target;
    }
    bool descend(std::uint32_t root);
    void visit(std::uint32_t node);
    bool close_component(std::uint32_t node);
    void take_cycle(LassoOutcome& outcome);
    std::vector<MicroStep> path(std::uint32_t from, std::uint32_t to, std::uint32_t rank);
    std::vector<MicroStep> ancestry(std::uint32_t node);
    MicroStep step(std::uint32_t source, const Edge& edge);

    const Model& model_;
    bool deadlocks_, merges_smaller_;
    std::int32_t tick_clock_;
    dbm::Bound deadline_;
    std::vector<Goal> premises_;
    std::vector<Constraint> parts_, dead_;
    Expander expander_, prober_;
    Guard guard_;
    std::deque<Node> nodes_;
    std::vector<std::vector<std::uint64_t>> discretes_;
    std::unordered_map<std::string, std::uint32_t> discrete_index_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> chains_;
    std::priority_queue<std::pair<double, std::uint32_t>> before_;
    std::vector<std::uint32_t> roots_, component_;
    std::vector<Frame> frames_;
    std::uint32_t clock_ = 0, ranks_ = 0, root_ = none, visiting_ = none;
    std::optional<Found> found_;
    std::vector<bool> recurs_;  // whether the component of a rank (less one) has a cycle that counts
    std::vector<MicroStep> settled_, afterwards_;  // with a deadline: to where the run settles, and on to its cycle
    std::size_t visited_ = 0, transitions_ = 0, bytes_ = 0;
};

inline LassoOutcome LassoSearch::run(double seconds, double wall, std::size_t bytes,
                                     const std::function<bool()>& interrupted) {
    LassoOutcome outcome;
    guard_.start(seconds, wall, bytes, interrupted);
    try {
        outcome.status = "none";
        if (premises_.empty()) arm_at_start();
        else if (!expander_.start([&] { insert(-1, none, 0, Micro::action); }))
            throw ModelError{Fault::no_initial_state, -1};
        while (!found_ && (!before_.empty() || !roots_.empty())) {
            if (!roots_.empty()) {
                root_ = roots_.back();
                roots_.pop_back();
                if (nodes_[root_].index == 0 && descend(root_)) break;
                continue;
            }
            const std::uint32_t node = before_.top().second;
            before_.pop();
            if (nodes_[node].dropped) continue;
            if (nodes_[node].part < -1) {
                hurry(node);
                continue;
            }
            arm(node);
            expand_before(node);
        }
        if (found_) {
            outcome.status = found_->lasso ? "lasso" : "ending";
            if (found_->lasso) take_cycle(outcome);
            outcome.settles = settled_.size();
            std::vector<MicroStep> inside = hurries() ? afterwards_ : path(root_, found_->node, 0);
            outcome.prefix = hurries() ? settled_ : ancestry(root_);
            outcome.prefix.insert(outcome.prefix.end(), inside.begin(), inside.end());
        }
    } catch (const ModelError& error) {
        outcome.status = "error";
        outcome.fault = static_cast<std::int32_t>(error.fault);
        outcome.fault_pc = error.pc;
        const std::int64_t ordinal = expander_.current();
        if (visiting_ != none) {
            for (const MicroStep& micro : ancestry(visiting_))
                if (!micro.edges.empty()) outcome.trace.push_back(micro.edges);
            if (ordinal >= 0)
                outcome.trace.push_back(step(visiting_, {none, static_cast<std::uint32_t>(ordinal), Micro::action}).edges);
        }
    } catch (const OutOfLimits& limit) {
        outcome.status = "stopped";
        outcome.reason = limit.reason;
    } catch (const std::bad_alloc&) {
        outcome.status = "stopped";
        outcome.reason = "memory";
    }
    outcome.stored = static_cast<std::size_t>(
        std::count_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return !node.dropped; }));
    outcome.visited = visited_;
    outcome.transitions = transitions_;
    outcome.bytes = bytes_;
    outcome.seconds = guard_.seconds();
    return outcome;
}

// The state in `expander_.target` and `expander_.result`, or the one that stands for it.
inline std::uint32_t LassoSearch::insert(std::int32_t part, std::uint32_t parent, std::uint32_t ordinal, Micro kind) {
    std::vector<std::uint64_t> words(static_cast<std::size_t>(model_.words));
    if (hurries() && part >= 0) forget_time(expander_.result);
    else if (hurries() && !may_be_in_time(expander_.result)) return none;
    expander_.target.pack(model_, words.data());
    const std::string key(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t));
    const auto [entry, fresh] = discrete_index_.try_emplace(key, static_cast<std::uint32_t>(discretes_.size()));
    if (fresh) {
        discretes_.push_back(std::move(words));
        bytes_ += 2 * key.size() + 100;
    }
    const std::uint32_t discrete = entry->second;
    const Zone& zone = expander_.result;
    auto& chain = chains_[std::uint64_t{discrete} << 32 | static_cast<std::uint32_t>(part)];
    const bool smaller = merges_smaller_ || part < 0;
    for (const std::uint32_t other : chain) {
        const auto& matrix = nodes_[other].matrix;
        if (smaller ? dbm::includes(matrix.data(), zone.matrix.data(), zone.size()) : matrix == zone.matrix) return other;
    }
    if (nodes_.size() >= none) throw std::bad_alloc();
    if (part < 0)
        std::erase_if(chain, [&](std::uint32_t other) {
            Node& its = nodes_[other];
            its.dropped = dbm::includes(zone.matrix.data(), its.matrix.data(), zone.size());
            return its.dropped;
        });
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    chain.push_back(index);
    nodes_.push_back({discrete, part, parent, ordinal, kind, zone.matrix, {}});
    bytes_ += sizeof(Node) + zone.matrix.size() * sizeof(dbm::Bound) + 60;
    guard_.used(bytes_);
    guard_.tick(zone.matrix.size() + 20 + chain.size());
    if (part < 0) before_.emplace(extent(zone), index);
    return index;
}

inline void LassoSearch::load(std::uint32_t node) {
    visiting_ = node;
    expander_.source.unpack(model_, discretes_[nodes_[node].discrete].data());
    expander_.prepare();
    expander_.zone.matrix = nodes_[node].matrix;
}

// Before the premise holds: all successors.
inline void LassoSearch::expand_before(std::uint32_t node) {
    load(node);
    ++visited_;
    expander_.stay = nullptr;
    expander_.enumerate();
    expander_.expand([&](std::uint32_t ordinal) { add(node, -1, ordinal, Micro::action); });
    guard_.tick(1000 + 2 * expander_.actions().size() * nodes_[node].matrix.size());
}

// A run begins to stay in the state in `expander_.target` and `expander_.result`.
inline void LassoSearch::begin(std::int32_t part, std::uint32_t parent) {
    if (hurries()) insert(unsettled(part), parent, 0, Micro::arm);
    else roots_.push_back(insert(part, parent, 0, Micro::arm));
}

inline void LassoSearch::arm(std::uint32_t node) {
    load(node);
    Expander::Matrices pieces;
    for (const Goal& premise : premises_) {
        if (!prober_.meets(premise, expander_.source, expander_.zone, pieces)) continue;
        for (const auto& matrix : pieces) {
            for (std::size_t part = 0; part < parts_.size(); ++part) {
                expander_.stay = &parts_[part];
                expander_.again(matrix, tick_clock_, [&] { begin(static_cast<std::int32_t>(part), node); });
            }
            find_ending([&](auto&& yield) { expander_.again(matrix, tick_clock_, [&] { yield(0); }); }, node, Micro::arm);
        }
    }
}

// May a run end that has just come to `expander_.target` and `expander_.result`?
inline bool LassoSearch::may_end_there() {
    prober_.adopt(expander_.target, expander_.result);
    Expander::Matrices where;
    return prober_.may_end(parts_, &dead_, tick_clock_ == 0, where);
}

// Where deadlocks matter: a state in which the last stay of a run begins, in any part, before time passes.
template <class Enter>
void LassoSearch::find_ending(Enter&& enter, std::uint32_t parent, Micro kind) {
    if (!deadlocks_) return;
    expander_.lingers = false;
    for (std::size_t part = 0; part < parts_.size() + dead_.size() && !found_; ++part) {
        expander_.stay = part < parts_.size() ? &parts_[part] : &dead_[part - parts_.size()];
        enter([&](std::uint32_t ordinal) {
            if (found_ || (hurries() && !in_time(expander_.result)) || !may_end_there()) return;
            const auto in = static_cast<std::int32_t>(part);
            const std::uint32_t target = kind == Micro::action ? add(parent, in, ordinal, kind) : insert(in, parent, 0, kind);
            found_ = Found{false, target};
            if (kind == Micro::arm) root_ = target;
            if (!hurries()) return;
            settled_ = ancestry(parent);
            settled_.push_back(step(parent, {target, ordinal, kind}));
        });
    }
    expander_.lingers = true;
}

inline void LassoSearch::arm_at_start() {
    bool exists = false;
    expander_.stay = nullptr;
    if (!expander_.start([&] { exists = true; }) || !exists) throw ModelError{Fault::no_initial_state, -1};
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        expander_.stay = &parts_[part];
        expander_.start([&] { begin(static_cast<std::int32_t>(part), none); });
    }
    find_ending([&](auto&& yield) { expander_.start([&] { yield(0); }); }, none, Micro::arm);
}

// All ways on inside the parts.
inline void LassoSearch::expand(std::uint32_t node) {
    load(node);
    ++visited_;
    const bool settled = nodes_[node].part >= 0;
    const auto own = static_cast<std::size_t>(part_in(nodes_[node].part));
    expander_.enumerate();
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        expander_.stay = &parts_[part];
        const auto in = settled ? static_cast<std::int32_t>(part) : unsettled(static_cast<std::int32_t>(part));
        expander_.expand([&](std::uint32_t ordinal) { add(node, in, ordinal, Micro::action); });
        if (part == own) continue;
        Expander::Matrices before, after;
        expander_.crossings(parts_[part], before, after);
        for (const auto& matrix : before) expander_.again(matrix, 0, [&] { add(node, in, 0, Micro::cross_before); });
        for (const auto& matrix : after) expander_.again(matrix, 0, [&] { add(node, in, 0, Micro::cross_after); });
    }
    if (!settled || !hurries()) find_ending([&](auto&& yield) { expander_.expand(yield); }, node, Micro::action);
    if (tick_clock_ > 0 && settled && !found_) {
        const int n = expander_.zone.size();
        const auto at = std::find(expander_.zone.clocks.begin(), expander_.zone.clocks.end(), tick_clock_);
        const auto row = static_cast<int>(at - expander_.zone.clocks.begin());
        if (row == n) throw std::logic_error("the clock of ticks is not active");
        if (dbm::constrain(expander_.zone.matrix.data(), n, 0, row, dbm::weak(-1))) {
            expander_.tick_clock = tick_clock_;
            for (std::size_t part = 0; part < parts_.size(); ++part) {
                expander_.stay = &parts_[part];
                const auto in = static_cast<std::int32_t>(part);
                expander_.expand([&](std::uint32_t ordinal) { add(node, in, ordinal, Micro::tick); });
            }
            expander_.tick_clock = 0;
        }
    }
    bytes_ += nodes_[node].edges.size() * sizeof(Edge);
    guard_.tick(1000 + 2 * expander_.actions().size() * nodes_[node].matrix.size());
}

inline void LassoSearch::visit(std::uint32_t node) {
    nodes_[node].index = nodes_[node].low = ++clock_;
    component_.push_back(node);
    frames_.push_back({node, 0});
    load(node);
    Expander::Matrices where;
    if (!deadlocks_ && !hurries() && expander_.may_end(parts_, nullptr, tick_clock_ == 0, where)) {
        found_ = Found{false, node};
        return;
    }
    expand(node);
}

// True: something was found.
inline bool LassoSearch::descend(std::uint32_t root) {
    frames_.clear();
    component_.clear();
    visit(root);
    while (!found_ && !frames_.empty()) {
        Frame& frame = frames_.back();
        Node& node = nodes_[frame.node];
        if (frame.next < node.edges.size()) {
            const std::uint32_t target = node.edges[frame.next++].target;
            Node& other = nodes_[target];
            if (other.index == 0) visit(target);
            else if (other.rank == 0) node.low = std::min(node.low, other.index);
            continue;
        }
        const std::uint32_t done = frame.node;
        frames_.pop_back();
        if (!frames_.empty()) {
            Node& above = nodes_[frames_.back().node];
            above.low = std::min(above.low, node.low);
        }
        if (node.low == node.index && close_component(done)) return true;
    }
    return found_.has_value();
}

// Gives its states their rank; true if it has a cycle that counts.
inline bool LassoSearch::close_component(std::uint32_t node) {
    ++ranks_;
    const auto first = std::find(component_.rbegin(), component_.rend(), node).base() - 1;
    for (auto at = first; at != component_.end(); ++at) nodes_[*at].rank = ranks_;
    recurs_.push_back(false);
    for (auto at = first; at != component_.end() && !recurs_.back(); ++at)
        for (const Edge& edge : nodes_[*at].edges)
            if (nodes_[edge.target].rank == ranks_ && counts(edge)) {
                recurs_.back() = true;
                if (hurries()) break;
                found_ = Found{true, *at};
                return true;
            }
    component_.erase(first, component_.end());
    return false;
}

// The shortest cycle through one of the edges that count (of the first hundred), after that edge was taken; with a
// deadline, from where the run has settled.
inline void LassoSearch::take_cycle(LassoOutcome& outcome) {
    const std::uint32_t rank = nodes_[found_->node].rank;
    int tried = 0;
    for (std::uint32_t index = 0; index < nodes_.size() && tried < 100; ++index) {
        if (nodes_[index].rank != rank) continue;
        for (const Edge& edge : nodes_[index].edges) {
            if (nodes_[edge.target].rank != rank || !counts(edge)) continue;
            const std::uint32_t begin = hurries() ? found_->node : edge.target;
            std::vector<MicroStep> cycle = path(begin, index, rank);
            cycle.push_back(step(index, edge));
            const std::vector<MicroStep> back = path(edge.target, begin, rank);
            cycle.insert(cycle.end(), back.begin(), back.end());
            if (tried++ == 0 || cycle.size() < outcome.cycle.size()) {
                outcome.cycle = std::move(cycle);
                found_->node = begin;
            }
        }
    }
}

// A shortest path; where `rank` is given, through states of that rank.
inline std::vector<MicroStep> LassoSearch::path(std::uint32_t from, std::uint32_t to, std::uint32_t rank) {
    std::unordered_map<std::uint32_t, std::pair<std::uint32_t, Edge>> reached;
    std::deque<std::uint32_t> queue{from};
    reached.emplace(from, std::pair(none, Edge{}));
    while (!queue.empty() && !reached.contains(to)) {
        const std::uint32_t node = queue.front();
        queue.pop_front();
        for (const Edge& edge : nodes_[node].edges)
            if ((rank == 0 || nodes_[edge.target].rank == rank) &&
                reached.emplace(edge.target, std::pair(node, edge)).second)
                queue.push_back(edge.target);
    }
    std::vector<MicroStep> reversed;
    for (std::uint32_t node = to; node != from;) {
        const auto& [source, edge] = reached.at(node);
        reversed.push_back(step(source, edge));
        node = source;
    }
    return {reversed.rbegin(), reversed.rend()};
}

// How a state was found first, from the start on.
inline std::vector<MicroStep> LassoSearch::ancestry(std::uint32_t node) {
    std::vector<MicroStep> reversed;
    for (; node != none; node = nodes_[node].parent) {
        const Node& its = nodes_[node];
        if (its.parent != none) reversed.push_back(step(its.parent, {node, its.ordinal, its.kind}));
        else if (its.part != -1) reversed.push_back({Micro::arm, part_in(its.part), {}});
    }
    return {reversed.rbegin(), reversed.rend()};
}

inline MicroStep LassoSearch::step(std::uint32_t source, const Edge& edge) {
    MicroStep made{edge.kind, edge.target == none ? -1 : part_in(nodes_[edge.target].part), {}};
    if (edge.kind != Micro::action && edge.kind != Micro::tick) return made;
    prober_.source.unpack(model_, discretes_[nodes_[source].discrete].data());
    prober_.enumerate();
    for (const std::int32_t e : prober_.participants(prober_.actions().at(edge.ordinal)))
        made.edges.push_back({model_.edges[e].process, model_.edges[e].index});
    return made;
}

inline std::vector<std::int32_t> LassoSearch::exported(std::uint32_t first, std::uint32_t end) {
    std::vector<std::int32_t> numbers;
    for (std::uint32_t index = first; index < end; ++index) {
        const Node& node = nodes_[index];
        if (node.dropped) continue;
        prober_.source.unpack(model_, discretes_[node.discrete].data());
        prober_.prepare();
        numbers.push_back(node.part);
        numbers.push_back(static_cast<std::int32_t>(node.rank));
        const std::int32_t* locations = prober_.source.locations();
        const std::int32_t* slots = prober_.source.slots();
        numbers.insert(numbers.end(), locations, locations + model_.processes);
        numbers.insert(numbers.end(), slots, slots + model_.variables);
        numbers.push_back(prober_.zone.size());
        numbers.insert(numbers.end(), prober_.zone.clocks.begin(), prober_.zone.clocks.end());
        numbers.insert(numbers.end(), node.matrix.begin(), node.matrix.end());
    }
    return numbers;
}

}  // namespace argosy

#include "settling.hpp"  // the rest of LassoSearch
