// The reachability graph of explicit values, built natively: the loop of argosy/engine/engine.py for the analysis of
// argosy/domains/explicit.py, which is its twin: node by node the same graph, whatever is pruned in between.
//
// States are not merged, so the graph is a tree with covering. A node is 64 bytes; its state is shared.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_set>

#include "valuation_store.hpp"

namespace argosy::valuation {

// A value that an assumption fixes or, with the tag `other`, excludes.
struct Fix {
    std::uint32_t slot;
    std::uint8_t tag;
    Word word;
};

// A slot that changes: to what code computes into a register, or to anything.
struct Write {
    std::uint32_t slot, first, last, from;  // `from` is nothing where it may be anything
};

struct Edge {
    std::uint32_t number, target;
    double cost;
    std::vector<Instruction> code;
    std::uint32_t condition;  // the first instructions of the code are what must hold
    std::vector<Fix> fixes;
    std::vector<Write> writes;
    bool relation;
};

// The smallest cost first: that of the edge by which a node was reached, or `of_first` for the initial one, and
// `of_depth` for each edge; among equals the oldest, or the newest. Where all costs are the same there is no need to
// compare them.
struct Order {
    bool newest = false, equal = true;
    double of_depth = 0, of_first = 0;
};

struct Node {
    std::uint32_t id, parent, edge, depth, state;
    std::uint32_t ticket;  // not 0: it waits
    std::uint32_t coverer, covered_first, covered_last, covered_before, covered_next;
    std::uint32_t child, sibling;
    std::uint32_t same_before, same_next;  // nodes with the same state, older and newer
    bool expanded : 1, target : 1, pending : 1, removed : 1;
};
static_assert(sizeof(Node) == 64);

enum class Stop : std::uint8_t { finished, paused };

// The slots that changed, with what they are, one list for each successor; none where there are too many.
using Known = std::vector<std::tuple<std::uint32_t, std::uint8_t, Word>>;
using Enumerated = std::optional<std::vector<Known>>;

// Who is asked: for the edges of a location, before a node is expanded there for the first time, and, where there is
// somebody, for the successors by an edge from what is known, where something is unknown after it.
struct Asked {
    std::function<void(std::uint32_t)> prepare;
    std::function<Enumerated(std::uint32_t, const Known&)> enumerate;
};

class Graph {
public:
    Graph(std::vector<std::uint8_t> widths, std::uint32_t locations, std::uint32_t initial, std::uint32_t error,
          Order order)
        : store_(std::move(widths), locations), leaving_(locations), prepared_(locations, false), kept_(locations),
          initial_(initial), error_(error), order_(order) {
        registers_.resize(store_.slots());
    }

    void add_constant(std::uint32_t at, Word word) {
        registers_.resize(std::max<std::size_t>(registers_.words.size(), at + 1));
        registers_.set(at, known, word);
    }

    void add_edge(std::uint32_t source, std::size_t registers, Edge edge) {
        registers_.resize(std::max(registers_.words.size(), registers));
        check(edge.code, registers_.words.size());
        const auto slots = store_.slots();
        bool fits = edge.condition <= edge.code.size() && edge.target < kept_.size();
        for (const Fix& fix : edge.fixes) fits = fits && fix.slot < slots;
        for (const Write& write : edge.writes)
            fits = fits && write.slot < slots && write.first <= write.last && write.last <= edge.code.size() &&
                   (write.from == nothing || write.from < registers_.words.size());
        if (!fits) throw std::invalid_argument("an edge that there is not");
        leaving_.at(source).push_back(std::move(edge));
    }

    // The slots, in order, of which something may be known at a location.
    void keep(std::uint32_t location, std::vector<std::uint32_t> slots) {
        if (!std::is_sorted(slots.begin(), slots.end()) || (!slots.empty() && slots.back() >= store_.slots()))
            throw std::invalid_argument("a slot that there is not");
        kept_.at(location) = std::move(slots);
    }

    // Expands what waits until there are `targets` (not 0) or nothing waits; `paused` after so many expansions, after
    // one with which the graph has had `most` nodes, or after some time.
    Stop explore(const Asked& asked, std::size_t targets, std::uint64_t expansions, std::uint64_t most, double seconds) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        expanded_ = 0;
        if (alive_ == 0) begin();
        for (std::uint32_t steps = 1; waiting_ > 0 && !(targets > 0 && targets_.size() >= targets); ++steps) {
            if (steps % 64 == 0 && std::chrono::steady_clock::now() > end) return Stop::paused;
            const std::uint32_t node = front();
            const std::uint32_t coverer = at(node).pending ? nothing : find_coverer(node);
            if (coverer != nothing) {
                pop(node);
                cover(node, coverer);
                continue;
            }
            // What may fail comes first: whoever goes on later finds the node still waiting.
            find_successors(asked, node);
            pop(node);
            expand(node);
            last_ = node;
            if (++expanded_ >= expansions || created_ >= most) return Stop::paused;
        }
        return Stop::finished;
    }

    // Follows edges, each with the location that it leaves, when everything is tracked: whether each is possible, and
    // what changes with it. The condition of one that is not is left out.
    std::vector<std::pair<bool, Known>> trace(const Asked& asked,
                                              const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
        forget_variables();
        std::vector<std::pair<bool, Known>> found;
        for (const auto& [source, number] : edges) {
            prepare(asked, source);
            const auto named = [n = number](const Edge& edge) { return edge.number == n; };
            const auto edge = std::find_if(leaving_[source].begin(), leaving_[source].end(), named);
            if (edge == leaving_[source].end()) throw std::invalid_argument("an edge that there is not");
            const Instruction* code = edge->code.data();
            const Truth holds = execute(code, code + edge->condition, registers_, true);
            written_.clear();
            for (const Write& write : edge->writes) {
                execute(code + write.first, code + write.last, registers_);
                const bool any = write.from == nothing;
                written_.emplace_back(write.slot, any ? std::uint8_t{unknown} : registers_.tags[write.from],
                                      any ? 0 : registers_.words[write.from]);
            }
            begin_change();
            if (holds == Truth::open) fix(*edge);
            for (const auto& [slot, tag, word] : written_) change(slot, tag, word);
            Known now;
            for (const auto& [slot, tag, word] : changed_)
                now.emplace_back(slot, registers_.tags[slot], registers_.words[slot]);
            found.emplace_back(holds != Truth::no, std::move(now));
        }
        forget_variables();
        return found;
    }

    // Removes nodes and all below them: what they covered and where they came from waits again.
    void prune(const std::vector<std::uint32_t>& pivots) {
        std::vector<std::uint32_t> removed, stack;
        const auto take = [&](std::uint32_t node) {
            if (at(node).removed) return;
            at(node).removed = true;
            removed.push_back(node);
            stack.push_back(node);
        };
        for (const std::uint32_t pivot : pivots) {
            if (pivot >= nodes_.size()) throw std::invalid_argument("a node that there is not");
            if (at(pivot).id == nothing) continue;
            if (at(pivot).parent == nothing) return clear();
            take(pivot);
        }
        while (!stack.empty()) {
            const std::uint32_t node = stack.back();
            stack.pop_back();
            for (std::uint32_t child = at(node).child; child != nothing; child = at(child).sibling) take(child);
        }
        std::vector<std::uint32_t> reopened;
        for (const std::uint32_t node : removed) leave(node, reopened);
        for (const std::uint32_t node : removed) {
            at(node).id = nothing;
            free_.push_back(node);
        }
        alive_ -= removed.size();
        for (const std::uint32_t node : reopened)
            if (!at(node).removed) push(node);
    }

    void clear() {
        nodes_ = Pages<Node, 12>();
        free_.clear();
        pending_.clear();
        targets_.clear();
        queue_.clear();
        heap_.clear();
        waiting_ = alive_ = 0;
        store_.clear();
    }

    // Reading.

    const Node& node(std::uint32_t number) const {
        if (number >= nodes_.size()) throw std::invalid_argument("a node that there is not");
        return *nodes_[number];
    }
    const Store& store() const { return store_; }
    const std::vector<std::uint32_t>& targets() const { return targets_; }
    std::uint64_t created() const { return created_; }
    std::uint64_t expanded() const { return expanded_; }
    std::uint32_t last() const { return last_; }
    std::size_t alive() const { return alive_; }
    std::size_t bytes() const {
        return nodes_.bytes() + store_.bytes() + heap_.capacity() * sizeof(Entry) +
               queue_.size() * sizeof(std::pair<std::uint32_t, std::uint32_t>);
    }

    // The nodes of the graph, the oldest first.
    std::vector<std::uint32_t> nodes() const {
        std::vector<std::uint32_t> found;
        found.reserve(alive_);
        for (std::size_t number = 0; number < nodes_.size(); ++number)
            if (nodes_[number]->id != nothing) found.push_back(static_cast<std::uint32_t>(number));
        std::sort(found.begin(), found.end(),
                  [this](std::uint32_t a, std::uint32_t b) { return nodes_[a]->id < nodes_[b]->id; });
        return found;
    }

    // Those at some locations that no other node covers.
    std::vector<std::uint32_t> uncovered(const std::vector<std::uint32_t>& locations) const {
        std::vector<bool> wanted(kept_.size(), false);
        for (const std::uint32_t location : locations) wanted.at(location) = true;
        std::vector<std::uint32_t> found = nodes();
        std::erase_if(found, [&](std::uint32_t number) {
            const Node& node = *nodes_[number];
            return node.coverer != nothing || !wanted[store_.location(node.state)];
        });
        return found;
    }

    // Whether some variable has more than `limit` values in the states that are reached; nothing known is one of them.
    bool spreads(std::size_t limit) const {
        std::vector<std::unordered_set<Word>> values(store_.slots()), excluded(store_.slots());
        std::vector<std::size_t> told(store_.slots(), 0);
        std::size_t states = 0;
        for (std::uint32_t state = 0; state < store_.size(); ++state) {
            if (store_[state].first == nothing) continue;
            ++states;
            store_.tell(state, [&](std::uint32_t slot, std::uint8_t tag, Word word) {
                ++told[slot];
                auto& seen = tag == known ? values[slot] : excluded[slot];
                if (seen.size() <= limit) seen.insert(word);
            });
        }
        for (std::size_t slot = 0; slot < store_.slots(); ++slot)
            if (values[slot].size() + excluded[slot].size() + (told[slot] < states) > limit) return true;
        return false;
    }

private:
    struct Entry {
        double cost;
        std::int64_t order;
        std::uint32_t node;
        bool operator<(const Entry& later) const {  // of a heap whose largest element is first
            return cost != later.cost ? cost > later.cost : order > later.order;
        }
    };
    struct Successor {
        std::uint32_t edge, state;
        const Edge* by;
    };

    Node& at(std::uint32_t node) { return *nodes_[node]; }

    // ---- what waits -------------------------------------------------------------------------------------------

    void push(std::uint32_t number) {
        Node& node = at(number);
        if (node.ticket != 0) return;
        node.ticket = ++tickets_;
        ++waiting_;
        if (order_.equal) {
            queue_.emplace_back(node.ticket, number);
            return;
        }
        const std::int64_t order = order_.newest ? -static_cast<std::int64_t>(node.ticket) : node.ticket;
        heap_.push_back({costs_[number] + order_.of_depth * node.depth, order, number});
        std::push_heap(heap_.begin(), heap_.end());
    }

    // The next of what waits. Entries of nodes that do not wait any more, or wait again, are passed over.
    std::uint32_t front() {
        if (order_.equal) {
            for (;;) {
                const auto [ticket, number] = order_.newest ? queue_.back() : queue_.front();
                if (at(number).ticket == ticket) return number;
                drop();
            }
        }
        for (;;) {
            const Entry& entry = heap_.front();
            const auto ticket = static_cast<std::uint32_t>(entry.order < 0 ? -entry.order : entry.order);
            if (at(entry.node).ticket == ticket) return entry.node;
            drop();
        }
    }

    void drop() {
        if (!order_.equal) {
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.pop_back();
        } else if (order_.newest) {
            queue_.pop_back();
        } else {
            queue_.pop_front();
        }
    }

    void pop(std::uint32_t number) {
        drop();
        forget(number);
    }

    void forget(std::uint32_t number) {
        if (at(number).ticket == 0) return;
        at(number).ticket = 0;
        --waiting_;
    }

    // ---- the graph --------------------------------------------------------------------------------------------

    void begin() {
        clear();
        forget_variables();
        add(store_.intern(initial_, {}, registers_), nothing, nothing, order_.of_first);
    }

    void add(std::uint32_t state, std::uint32_t parent, std::uint32_t edge, double cost) {
        if (created_ >= nothing) throw std::length_error("there are too many nodes");
        std::uint32_t number;
        if (free_.empty()) {
            number = static_cast<std::uint32_t>(nodes_.push());
        } else {
            number = free_.back();
            free_.pop_back();
        }
        Node& node = at(number);
        node = {};
        node.id = static_cast<std::uint32_t>(created_++);
        node.parent = parent;
        node.edge = edge;
        node.state = state;
        node.coverer = node.covered_first = node.covered_last = node.covered_before = node.covered_next = nothing;
        node.child = node.sibling = node.same_next = nothing;
        ++alive_;
        State& own = store_[state];
        node.same_before = own.last;
        (own.last == nothing ? own.first : at(own.last).same_next) = number;
        own.last = number;
        if (parent != nothing) {
            node.depth = at(parent).depth + 1;
            std::uint32_t* link = &at(parent).child;
            while (*link != nothing) link = &at(*link).sibling;
            *link = number;
        }
        if (!order_.equal) {
            costs_.resize(std::max<std::size_t>(costs_.size(), number + 1));
            costs_[number] = cost;
        }
        if (store_.location(state) == error_) {
            node.target = true;
            targets_.push_back(number);
        } else {
            push(number);
        }
    }

    // The oldest node that covers another one: it knows a part of what that knows, and is not covered.
    std::uint32_t find_coverer(std::uint32_t number) {
        const std::uint32_t state = at(number).state, location = store_.location(state);
        for (std::size_t pattern = 0; pattern < store_.patterns(location); ++pattern) {
            const std::uint32_t above = store_.projected(state, pattern);
            if (above == nothing) continue;
            for (std::uint32_t old = store_[above].first; old != nothing; old = at(old).same_next)
                if (old != number && at(old).coverer == nothing) return old;
        }
        return nothing;
    }

    void cover(std::uint32_t number, std::uint32_t by) {
        for (std::uint32_t next, other_one = at(number).covered_first; other_one != nothing; other_one = next) {
            next = at(other_one).covered_next;
            list_covered(other_one, by);
        }
        at(number).covered_first = at(number).covered_last = nothing;
        list_covered(number, by);
    }

    void list_covered(std::uint32_t number, std::uint32_t by) {
        Node &node = at(number), &coverer = at(by);
        node.coverer = by;
        node.covered_before = coverer.covered_last;
        node.covered_next = nothing;
        (coverer.covered_last == nothing ? coverer.covered_first : at(coverer.covered_last).covered_next) = number;
        coverer.covered_last = number;
    }

    // A node that is marked as removed leaves the graph.
    void leave(std::uint32_t number, std::vector<std::uint32_t>& reopened) {
        Node& node = at(number);
        forget(number);
        if (node.target) targets_.erase(std::find(targets_.begin(), targets_.end(), number));
        pending_.erase(number);
        State& own = store_[node.state];
        (node.same_before == nothing ? own.first : at(node.same_before).same_next) = node.same_next;
        (node.same_next == nothing ? own.last : at(node.same_next).same_before) = node.same_before;
        Node& parent = at(node.parent);
        if (!parent.removed) {
            std::uint32_t* link = &parent.child;
            while (*link != number) link = &at(*link).sibling;
            *link = node.sibling;
            if (parent.expanded) {
                parent.expanded = false;
                parent.pending = true;
                pending_[node.parent] = {node.edge};
                reopened.push_back(node.parent);
            } else if (parent.pending) {
                pending_[node.parent].push_back(node.edge);
            }
        }
        if (node.coverer != nothing && !at(node.coverer).removed) {
            Node& coverer = at(node.coverer);
            (node.covered_before == nothing ? coverer.covered_first : at(node.covered_before).covered_next) =
                node.covered_next;
            (node.covered_next == nothing ? coverer.covered_last : at(node.covered_next).covered_before) =
                node.covered_before;
        }
        for (std::uint32_t next, covered = node.covered_first; covered != nothing; covered = next) {
            next = at(covered).covered_next;
            if (at(covered).removed) continue;
            at(covered).coverer = at(covered).covered_before = at(covered).covered_next = nothing;
            reopened.push_back(covered);
        }
    }

    // ---- successors -------------------------------------------------------------------------------------------

    void prepare(const Asked& asked, std::uint32_t location) {
        if (prepared_.at(location)) return;
        asked.prepare(location);
        prepared_[location] = true;
    }

    void forget_variables() {
        for (std::size_t slot = 0; slot < store_.slots(); ++slot) registers_.tags[slot] = unknown;
        told_.clear();
    }

    void find_successors(const Asked& asked, std::uint32_t number) {
        const std::uint32_t state = at(number).state, location = store_.location(state);
        prepare(asked, location);
        for (const std::uint32_t slot : told_) registers_.tags[slot] = unknown;
        told_.clear();
        store_.tell(state, [this](std::uint32_t slot, std::uint8_t tag, Word word) {
            registers_.set(slot, tag, word);
            told_.push_back(slot);
        });
        successors_.clear();
        const std::vector<std::uint32_t>* awaited = at(number).pending ? &pending_.at(number) : nullptr;
        for (const Edge& edge : leaving_[location])
            if (awaited == nullptr || std::find(awaited->begin(), awaited->end(), edge.number) != awaited->end())
                follow(asked, edge);
    }

    void follow(const Asked& asked, const Edge& edge) {
        const Instruction* code = edge.code.data();
        const Truth holds = execute(code, code + edge.condition, registers_);
        if (holds == Truth::no) return;
        const std::vector<std::uint32_t>& kept = kept_[edge.target];
        const auto is_kept = [&](std::uint32_t slot) { return std::binary_search(kept.begin(), kept.end(), slot); };
        bool is_unknown = edge.relation;
        written_.clear();  // all that changes, computed from what was before
        for (const Write& write : edge.writes) {
            if (!is_kept(write.slot)) continue;
            if (write.from == nothing) {
                written_.emplace_back(write.slot, unknown, 0);
                continue;
            }
            execute(code + write.first, code + write.last, registers_);
            is_unknown = is_unknown || registers_.tags[write.from] != known;
            written_.emplace_back(write.slot, registers_.tags[write.from], registers_.words[write.from]);
        }
        const bool asks = asked.enumerate && (is_unknown || (holds == Truth::open && stays_open(edge)));
        if (asks && enumerated(asked, edge)) return;
        begin_change();
        if (holds == Truth::open) fix(edge);
        for (const auto& [slot, tag, word] : written_) change(slot, tag, word);
        successors_.push_back({edge.number, store_.intern(edge.target, kept, registers_), &edge});
        end_change();
    }

    void fix(const Edge& edge) {
        for (const Fix& fix : edge.fixes)
            if (registers_.tags[fix.slot] == unknown || fix.tag != other) change(fix.slot, fix.tag, fix.word);
    }

    // Whether the condition, which is open, is not decided by the values that it fixes.
    bool stays_open(const Edge& edge) {
        begin_change();
        fix(edge);
        const Truth then = execute(edge.code.data(), edge.code.data() + edge.condition, registers_);
        end_change();
        return then != Truth::yes;
    }

    bool enumerated(const Asked& asked, const Edge& edge) {
        Known before;
        for (const std::uint32_t slot : told_) before.emplace_back(slot, registers_.tags[slot], registers_.words[slot]);
        const Enumerated found = asked.enumerate(edge.number, before);
        if (!found) return false;
        for (const Known& after : *found) {
            begin_change();
            for (const std::uint32_t slot : told_) change(slot, unknown, 0);
            for (const auto& [slot, tag, word] : after) change(slot, tag, word);
            successors_.push_back({edge.number, store_.intern(edge.target, kept_[edge.target], registers_), &edge});
            end_change();
        }
        return true;
    }

    // Registers of variables change for a while.
    void begin_change() { changed_.clear(); }
    void change(std::uint32_t slot, std::uint8_t tag, Word word) {
        changed_.emplace_back(slot, registers_.tags[slot], registers_.words[slot]);
        registers_.set(slot, tag, word);
    }
    void end_change() {
        for (auto it = changed_.rbegin(); it != changed_.rend(); ++it)
            registers_.set(std::get<0>(*it), std::get<1>(*it), std::get<2>(*it));
    }

    void expand(std::uint32_t number) {
        pending_.erase(number);
        at(number).pending = false;
        for (const Successor& successor : successors_) add(successor.state, number, successor.edge, successor.by->cost);
        at(number).expanded = true;
    }

    Store store_;
    std::vector<std::vector<Edge>> leaving_;
    std::vector<bool> prepared_;
    std::vector<std::vector<std::uint32_t>> kept_;
    std::uint32_t initial_, error_;
    Order order_;
    Registers registers_;
    Pages<Node, 12> nodes_;
    std::vector<double> costs_;  // of nodes, where the order asks for them
    std::vector<std::uint32_t> free_, targets_, told_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> pending_;
    std::deque<std::pair<std::uint32_t, std::uint32_t>> queue_;
    std::vector<Entry> heap_;
    std::vector<Successor> successors_;
    Known changed_, written_;
    std::uint64_t created_ = 0, expanded_ = 0;
    std::uint32_t tickets_ = 0, last_ = nothing;
    std::size_t waiting_ = 0, alive_ = 0;
};

}  // namespace argosy::valuation
