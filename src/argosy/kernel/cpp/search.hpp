// Reachability search over the zone graph: orders, goals, limits, traces.
//
// Shortest traces (breadth-first, A*) are promised by the depth rule: a zone is covered only by one that is not
// deeper. States of a breadth-first search are expanded in the order in which they were stored, so it needs no queue;
// several threads may compute their successors ahead (`ahead.hpp`).
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "ahead.hpp"
#include "heuristic.hpp"
#include "model.hpp"
#include "store.hpp"
#include "successors.hpp"
#include "symmetry.hpp"

namespace argosy {

// Largest first: the states whose zones have the widest bounds. What a small zone finds is found again by a larger one
// that comes later (Herbreteau and Tran, "Improving Search Order for Reachability Testing in Timed Automata", 2015).
enum class Order { breadth_first, depth_first, random_depth_first, greedy, a_star, fastest, largest_first };

// Which of two states with the same rank comes first: the older one, the newer one, or the deeper one (then the newer).
enum class Ties { oldest, newest, deepest };

struct Limits {
    double seconds = 0;     // of processor time; not positive: none
    double wall = 0;        // of the clock on the wall; not positive: none
    std::size_t bytes = 0;  // 0: none
};

struct Statistics {
    std::size_t stored = 0, visited = 0, transitions = 0, discrete_states = 0, peak_bytes = 0;
    std::size_t waiting = 0;  // stored, and still to be expanded
    double overhead = 0;  // bytes per zone beyond packed vectors and bounds: at the peak or at the end, if it is more
    double seconds = 0;
};

struct Step {
    std::int32_t process, edge;
};
using Trace = std::vector<std::vector<Step>>;

struct Outcome {
    std::string status;  // "reached", "exhausted", "stopped" or "error"
    std::string reason;  // of "stopped": "time", "memory", "interrupted" or "visits"
    std::int32_t goal = -1;
    Trace trace;  // to the goal, or to the model error; of representatives, where there are any
    std::vector<std::vector<std::uint8_t>> orders;  // then: where members went, in the first state and after each step
    std::int32_t fault = -1, fault_pc = -1;
    Statistics statistics;
};

class Search {
public:
    Search(const Model& model, Order order, bool shortest, std::uint64_t seed, Heuristic* heuristic, Ties ties,
           bool by_simulation, int threads, const std::string& folder)
        : mapped_(folder.empty() ? nullptr : std::make_unique<MappedMemory>(folder)), model_(model), order_(order), keeps_depth_(order == Order::a_star || shortest), random_(seed),
          heuristic_(heuristic), ties_(ties), store_(model, keeps_depth_, by_simulation, mapped_.get()), expander_(model),
          prober_(model) {
        if (threads > 1 && order == Order::breadth_first) ahead_ = std::make_unique<Ahead>(model, by_simulation, threads);
    }

    // `interrupted` is asked now and then from the thread that runs. A search that was stopped goes on when it is run
    // again. It pauses when `pause_at` states have been visited (0: it does not).
    Outcome run(const std::function<bool()>& interrupted, std::size_t pause_at = 0);

    // From the next run on; the time is that of one run.
    void limit(Limits limits) { limits_ = limits; }

    // From any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    std::size_t nodes() const { return store_.nodes(); }
    std::size_t visited() const { return statistics_.visited; }

    // Keeps the estimate of every state that is expanded, in their order.
    void record() { records_ = true; }

    // States are replaced by representatives; before the first run.
    void reduce(std::vector<Family> families) {
        representatives_ = std::make_unique<Representatives>(model_, std::move(families));
        ahead_.reset();
    }
    const std::vector<float>& recorded() const { return recorded_; }

    struct State {
        std::vector<std::int32_t> locations, variables, clocks;
        std::vector<dbm::Bound> bounds;
    };
    // The state behind a node, if it is still stored, without the clock for absolute time. Not while the search runs.
    std::optional<State> state(std::uint32_t node);
    // All states behind a range of nodes, one after the other: locations, variables, number of clocks, clocks, bounds.
    std::vector<std::int32_t> exported(std::uint32_t first, std::uint32_t end);

private:
    struct Entry {
        double estimate, rest;
        std::int64_t tie;
        std::uint32_t node;
        bool operator<(const Entry& other) const {  // std::push_heap keeps the largest first
            if (estimate != other.estimate) return estimate > other.estimate;
            if (rest != other.rest) return rest > other.rest;
            return tie > other.tie;
        }
    };
    struct Found {
        std::uint32_t node;
        std::int32_t goal;
        double time;
    };

    std::uint32_t next();
    void visit(std::uint32_t node);
    void visit_ahead(std::uint32_t node);
    void add(std::uint32_t parent, std::uint32_t ordinal, std::uint32_t depth);
    void enqueue();
    Entry rank(std::uint32_t node, const Discrete& state, const Zone& zone);
    std::int64_t tie(std::uint32_t node) const;
    double extent(const Zone& zone) const;
    bool ranks() const { return order_ >= Order::greedy; }
    bool tests_when_popped() const { return order_ == Order::a_star || order_ == Order::fastest; }
    void test_goals(std::uint32_t node, const Discrete& state, const Zone& zone);
    bool out_of_limits(const std::function<bool()>& interrupted);
    std::size_t bytes() const {
        return (ahead_ ? ahead_->bytes() : 0) + orders_.capacity() + store_.bytes() + stack_.capacity() * sizeof(std::uint32_t) + heap_.capacity() * sizeof(Entry);
    }
    // What counts against the limit: all of it, or what cannot go to the disk.
    std::size_t held() const {
        return mapped_ ? bytes() - store_.bytes() + store_.index_bytes() : statistics_.peak_bytes;
    }
    void count_memory() {
        if (bytes() <= statistics_.peak_bytes) return;
        statistics_.peak_bytes = bytes();
        overhead_at_peak_ = overhead();
    }
    double overhead() const {
        const auto zones = static_cast<double>(std::max<std::size_t>(store_.zones(), 1));
        return static_cast<double>(bytes() - store_.payload()) / zones;
    }
    // By an eighth, where a vector would double: memory that nothing needs counts as well.
    template <class T>
    static void make_room(std::vector<T>& list, std::size_t more) {
        if (list.size() + more > list.capacity()) list.reserve(list.size() + more + list.size() / 8);
    }
    void collect();
    std::size_t waiting() const;
    Trace trace(std::uint32_t node);
    std::vector<std::vector<std::uint8_t>> orders(std::uint32_t node) const;
    std::vector<Step> steps(std::uint32_t node, std::uint32_t ordinal);
    double seconds() const { return static_cast<double>(std::clock() - started_) / CLOCKS_PER_SEC; }
    std::uint64_t draw(std::uint64_t bound) {  // splitmix64
        std::uint64_t z = (random_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return (z ^ (z >> 31)) % bound;
    }

    using Clock = std::chrono::steady_clock;
    std::unique_ptr<MappedMemory> mapped_;  // where the store is on disk
    std::size_t resident_before_ = 0;
    const Model& model_;
    Order order_;
    bool keeps_depth_;
    std::uint64_t random_;
    Heuristic* heuristic_;
    Ties ties_;
    Limits limits_;
    bool records_ = false;
    std::vector<float> recorded_;
    Store store_;
    Expander expander_, prober_;
    std::vector<std::uint32_t> stack_, fresh_;
    std::vector<Entry> heap_;
    std::vector<Entry> ranks_;
    double popped_ = 0;
    std::uint32_t cursor_ = 0;
    std::uint32_t visiting_ = none;
    std::int64_t failing_ = -1;  // the action that was computed when a thread met a model error
    std::unique_ptr<Ahead> ahead_;
    std::unique_ptr<Representatives> representatives_;
    std::vector<std::uint8_t> orders_;  // by node: where the members went when it was stored
    std::optional<Found> found_;
    Expander::Matrices pieces_;
    Statistics statistics_;
    double overhead_at_peak_ = 0;
    std::atomic<bool> stop_{false};
    std::string reason_;
    bool begun_ = false;
    std::size_t pause_at_ = 0;
    std::clock_t started_ = 0;  // in processor time, so that a busy machine does not change what is found
    Clock::time_point began_, asked_, looked_;
    std::size_t countdown_ = 0;
};

inline Outcome Search::run(const std::function<bool()>& interrupted, std::size_t pause_at) {
    Outcome outcome;
    started_ = std::clock();
    began_ = asked_ = looked_ = Clock::now();
    pause_at_ = pause_at;
    countdown_ = 0;
    if (mapped_ && resident_before_ == 0) resident_before_ = MappedMemory::resident();
    if (mapped_) mapped_->limit(limits_.bytes > 0 ? resident_before_ + limits_.bytes : 0);
    reason_.clear();
    try {
        if (!begun_ && !expander_.start([&] { add(none, 0, 0); })) throw ModelError{Fault::no_initial_state, -1};
        begun_ = true;
        enqueue();
        if (ahead_) ahead_->resume();
        outcome.status = "exhausted";
        while (!found_ || order_ == Order::fastest) {
            if (out_of_limits(interrupted)) {
                outcome.status = "stopped";
                break;
            }
            if (store_.worth_collecting()) collect();
            const std::uint32_t node = next();
            if (node == none) break;
            if (ahead_) visit_ahead(node);
            else visit(node);
        }
        if (found_ && reason_.empty()) {
            outcome.status = "reached";
            outcome.goal = found_->goal;
            outcome.trace = trace(found_->node);
            outcome.orders = orders(found_->node);
        }
    } catch (const ModelError& error) {
        outcome.status = "error";
        outcome.fault = static_cast<std::int32_t>(error.fault);
        outcome.fault_pc = error.pc;
        const std::int64_t ordinal = ahead_ ? failing_ : expander_.current();
        if (visiting_ != none) {
            outcome.trace = trace(visiting_);
            outcome.orders = orders(visiting_);
            if (ordinal >= 0) outcome.trace.push_back(steps(visiting_, static_cast<std::uint32_t>(ordinal)));
        }
    } catch (const std::bad_alloc&) {
        outcome.status = "stopped";
        reason_ = "memory";
    } catch (const std::length_error&) {  // an index of the store has no numbers left
        outcome.status = "stopped";
        reason_ = "memory";
    }
    if (ahead_) ahead_->pause();
    outcome.reason = reason_;
    statistics_.stored = store_.stored();
    statistics_.discrete_states = store_.discretes();
    statistics_.waiting = waiting();
    count_memory();
    statistics_.overhead = std::max(overhead_at_peak_, overhead());
    statistics_.seconds += seconds();
    outcome.statistics = statistics_;
    return outcome;
}

inline std::uint32_t Search::next() {
    for (;;) {
        std::uint32_t node = none;
        switch (order_) {
        case Order::breadth_first:
            if (cursor_ == store_.nodes()) return none;
            node = cursor_++;
            break;
        case Order::depth_first:
        case Order::random_depth_first:
            if (stack_.empty()) return none;
            node = stack_.back();
            stack_.pop_back();
            break;
        default:
            if (heap_.empty()) return none;
            if (order_ == Order::fastest && found_ && heap_.front().estimate >= found_->time) return none;
            std::pop_heap(heap_.begin(), heap_.end());
            node = heap_.back().node;
            popped_ = heap_.back().rest;
            heap_.pop_back();
        }
        if (!store_.node(node).dropped) return node;
    }
}

inline void Search::visit(std::uint32_t index) {
    visiting_ = index;
    const Node node = store_.node(index);
    expander_.source.unpack(model_, store_.packed(node.discrete));
    expander_.prepare();
    store_.load(node.zone, expander_.zone.matrix.data(), expander_.zone.size());
    store_.expanded(index, expander_.zone.size());
    if (tests_when_popped()) {
        test_goals(index, expander_.source, expander_.zone);
        if (found_ && order_ == Order::a_star) return;
    }
    ++statistics_.visited;
    if (records_) recorded_.push_back(static_cast<float>(popped_));
    expander_.enumerate();
    expander_.expand([&](std::uint32_t ordinal) {
        ++statistics_.transitions;
        if (!found_ || order_ == Order::fastest) add(index, ordinal, node.depth + 1);
    });
    enqueue();
}

// As `visit`, with successors that were computed before.
inline void Search::visit_ahead(std::uint32_t index) {
    visiting_ = index;
    failing_ = -1;
    const auto [batch, task] = ahead_->take(store_, index);
    const std::uint32_t depth = store_.node(index).depth + 1;
    store_.expanded(index, task.zone.size());
    ++statistics_.visited;
    for (std::size_t k = task.first; k < task.end; ++k) {
        const Ahead::Arrival& arrival = batch.arrivals[k];
        const std::size_t known = batch.arrivals.size();
        if (k + 12 < known) store_.fetch_index(batch.arrivals[k + 12].hash);
        if (k + 8 < known) store_.fetch_vector(batch.arrivals[k + 8].hash);
        if (k + 4 < known) store_.fetch_zone(batch.arrivals[k + 4].hash);
        ++statistics_.transitions;
        if (found_) continue;
        const auto [fresh, node] = store_.insert(batch.packed(arrival), index, arrival.ordinal, depth);
        if (!fresh) continue;
        failing_ = arrival.ordinal;
        if (arrival.error) throw *arrival.error;
        if (arrival.goal >= 0) found_ = Found{node, arrival.goal, 0};
    }
    failing_ = task.current;
    if (task.error) throw *task.error;
    if (task.fault) std::rethrow_exception(task.fault);
}

inline void Search::add(std::uint32_t parent, std::uint32_t ordinal, std::uint32_t depth) {
    const Discrete* state = &expander_.target;
    const Zone* zone = &expander_.result;
    RowBounds rows = expander_.row_bounds();
    if (representatives_) {
        representatives_->find(*state, *zone, rows);
        state = &representatives_->state;
        zone = &representatives_->zone;
        rows = representatives_->rows();
    }
    const auto [fresh, node] = store_.insert(*state, zone->matrix, zone->size(), parent, ordinal, depth, rows);
    if (!fresh) return;
    if (representatives_) {
        make_room(orders_, representatives_->members());
        orders_.insert(orders_.end(), representatives_->order().begin(), representatives_->order().end());
    }
    if (!tests_when_popped()) test_goals(node, *state, *zone);
    if (ranks()) ranks_.push_back(rank(node, *state, *zone));
    else if (order_ != Order::breadth_first) fresh_.push_back(node);
}

inline void Search::test_goals(std::uint32_t node, const Discrete& state, const Zone& zone) {
    for (std::size_t g = 0; g < model_.goals.size(); ++g) {
        if (!prober_.meets(model_.goals[g], state, zone, pieces_)) continue;
        double time = 0;
        if (order_ == Order::fastest) {
            const auto row = std::find(zone.clocks.begin(), zone.clocks.end(), model_.time_clock) - zone.clocks.begin();
            dbm::Bound least = -dbm::infinity;
            for (const auto& piece : pieces_) least = std::max(least, piece[row]);
            time = -static_cast<double>(least);
        }
        if (!found_ || time < found_->time) found_ = Found{node, static_cast<std::int32_t>(g), time};
        if (order_ != Order::fastest) return;
    }
}

inline Search::Entry Search::rank(std::uint32_t node, const Discrete& state, const Zone& zone) {
    if (order_ == Order::fastest) {
        const auto row = std::find(zone.clocks.begin(), zone.clocks.end(), model_.time_clock) - zone.clocks.begin();
        return {-static_cast<double>(zone.matrix[row]), 0, node, node};
    }
    if (order_ == Order::largest_first) return {-extent(zone), 0, node, node};
    const double rest = heuristic_ ? heuristic_->value(state, zone, prober_) : 0;
    const double before = order_ == Order::a_star ? store_.node(node).depth : 0;
    return {before + rest, rest, tie(node), node};
}

inline std::int64_t Search::tie(std::uint32_t node) const {
    if (order_ == Order::fastest || order_ == Order::largest_first || ties_ == Ties::oldest) return node;
    const std::int64_t depth = ties_ == Ties::deepest ? store_.node(node).depth : 0;
    return -std::int64_t{node} - (depth << 32);
}

// How far the bounds of a zone reach; a clock that is not active has none. A zone that includes another has no less.
inline double Search::extent(const Zone& zone) const {
    constexpr dbm::Bound most = 1 << 20;
    const auto n = static_cast<double>(zone.size()), every = static_cast<double>(model_.clocks);
    std::int64_t sum = 0;
    for (const dbm::Bound bound : zone.matrix) sum += std::min(bound, most);
    return static_cast<double>(sum) + (every * every - n * n) * most;
}

inline void Search::enqueue() {
    make_room(heap_, ranks_.size());
    for (const Entry& entry : ranks_) {
        heap_.push_back(entry);
        std::push_heap(heap_.begin(), heap_.end());
    }
    ranks_.clear();
    if (order_ == Order::random_depth_first)
        for (std::size_t k = fresh_.size(); k > 1; --k) std::swap(fresh_[k - 1], fresh_[draw(k)]);
    make_room(stack_, fresh_.size());
    stack_.insert(stack_.end(), fresh_.rbegin(), fresh_.rend());
    fresh_.clear();
}

// The stop flag is read at every visit, the clock and the memory every 64 visits (at every visit where these take
// long, as with a heuristic in Python), the caller is asked every 50 ms. What is resident of a store on disk can grow by
// megabytes in one visit.
inline bool Search::out_of_limits(const std::function<bool()>& interrupted) {
    if (stop_.load(std::memory_order_relaxed)) {
        reason_ = "interrupted";
        return true;
    }
    if (pause_at_ > 0 && statistics_.visited >= pause_at_) {
        reason_ = "visits";
        return true;
    }
    if (mapped_) mapped_->keep_within();
    if (countdown_ > 0) {
        --countdown_;
        return false;
    }
    const Clock::time_point time = Clock::now();
    countdown_ = time - looked_ > std::chrono::milliseconds(10) ? 0 : 63;
    looked_ = time;
    count_memory();
    const double waited = std::chrono::duration<double>(time - began_).count();
    if (limits_.seconds > 0 && seconds() > limits_.seconds) reason_ = "time";
    else if (limits_.wall > 0 && waited > limits_.wall) reason_ = "time";
    else if (limits_.bytes > 0 && held() > limits_.bytes) reason_ = "memory";
    else if (time - asked_ > std::chrono::milliseconds(50)) {
        asked_ = time;
        if (interrupted && interrupted()) reason_ = "interrupted";
    }
    return !reason_.empty();
}

inline std::size_t Search::waiting() const {
    // All of them are read at one go, so that what is resident of a store on disk grows.
    const auto waits = [&](std::uint32_t node) {
        if (mapped_ && node % 64 == 0) mapped_->keep_within();
        return !store_.node(node).dropped;
    };
    auto count = std::count_if(stack_.begin(), stack_.end(), waits);
    count += std::count_if(heap_.begin(), heap_.end(), [&](const Entry& entry) { return waits(entry.node); });
    if (order_ == Order::breadth_first)
        for (std::uint32_t node = cursor_; node < store_.nodes(); ++node) count += waits(node);
    return static_cast<std::size_t>(count);
}

// Forgets nodes that no trace needs. Their order stays, and with it that of the search.
inline void Search::collect() {
    const std::size_t count = store_.nodes();
    const Survivors survivors = store_.collect({found_ ? found_->node : none});
    if (representatives_) {
        const std::size_t each = representatives_->members();
        for (std::uint32_t node = 0; node < count; ++node)
            if (survivors.kept(node)) std::copy_n(orders_.data() + node * each, each, orders_.data() + survivors(node) * each);
        orders_.resize(store_.nodes() * each);
    }
    const auto forgotten = [&](std::uint32_t node) { return !survivors.kept(node); };
    std::erase_if(stack_, forgotten);
    for (std::uint32_t& node : stack_) node = survivors(node);
    std::erase_if(heap_, [&](const Entry& entry) { return forgotten(entry.node); });
    for (Entry& entry : heap_) {
        entry.node = survivors(entry.node);
        entry.tie = tie(entry.node);
    }
    std::make_heap(heap_.begin(), heap_.end());
    cursor_ = survivors(cursor_);
    if (ahead_) ahead_->renumber(survivors);
    if (found_) found_->node = survivors(found_->node);
    visiting_ = none;
}

// The edges of an action, found again from its ordinal among the actions of the node's discrete state.
inline std::vector<Step> Search::steps(std::uint32_t node, std::uint32_t ordinal) {
    prober_.source.unpack(model_, store_.packed(store_.node(node).discrete));
    prober_.enumerate();
    std::vector<Step> found;
    for (const std::int32_t e : prober_.participants(prober_.actions().at(ordinal)))
        found.push_back({model_.edges[e].process, model_.edges[e].index});
    return found;
}

inline Trace Search::trace(std::uint32_t node) {
    Trace reversed;
    for (; store_.node(node).parent != none; node = store_.node(node).parent)
        reversed.push_back(steps(store_.node(node).parent, store_.node(node).transition));
    return {reversed.rbegin(), reversed.rend()};
}

// Of the nodes from the first one to this one.
inline std::vector<std::vector<std::uint8_t>> Search::orders(std::uint32_t node) const {
    std::vector<std::vector<std::uint8_t>> reversed;
    if (!representatives_) return reversed;
    const std::size_t each = representatives_->members();
    for (; node != none; node = store_.node(node).parent) {
        const auto* own = orders_.data() + node * each;
        reversed.emplace_back(own, own + each);
    }
    return {reversed.rbegin(), reversed.rend()};
}

inline std::optional<Search::State> Search::state(std::uint32_t index) {
    const Node& node = store_.node(index);
    if (node.zone == none || node.shadowed) return std::nullopt;
    prober_.source.unpack(model_, store_.packed(node.discrete));
    prober_.prepare();
    const int n = prober_.zone.size();
    store_.load(node.zone, prober_.zone.matrix.data(), n);
    const std::int32_t* locations = prober_.source.locations();
    const std::int32_t* slots = prober_.source.slots();
    State state{{locations, locations + model_.processes},
                {slots, slots + model_.variables},
                prober_.zone.clocks,
                prober_.zone.matrix};
    if (model_.time_clock > 0 && state.clocks.back() == model_.time_clock) {
        state.clocks.pop_back();
        state.bounds.clear();
        for (int i = 0; i < n - 1; ++i)
            state.bounds.insert(state.bounds.end(), prober_.zone.matrix.begin() + i * n,
                                prober_.zone.matrix.begin() + i * n + n - 1);
    }
    return state;
}

inline std::vector<std::int32_t> Search::exported(std::uint32_t first, std::uint32_t end) {
    std::vector<std::int32_t> numbers;
    for (std::uint32_t node = first; node < end; ++node) {
        const auto found = state(node);
        if (!found) continue;
        numbers.insert(numbers.end(), found->locations.begin(), found->locations.end());
        numbers.insert(numbers.end(), found->variables.begin(), found->variables.end());
        numbers.push_back(static_cast<std::int32_t>(found->clocks.size()));
        numbers.insert(numbers.end(), found->clocks.begin(), found->clocks.end());
        numbers.insert(numbers.end(), found->bounds.begin(), found->bounds.end());
    }
    if (mapped_) mapped_->give_back();
    return numbers;
}

}  // namespace argosy
