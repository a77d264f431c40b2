// Successors computed ahead of a breadth-first search, by several threads.
//
// The search alone changes the store. Nodes that it will expand soon are copied into batches; whoever is free takes a
// batch and computes the successors of its nodes, packed and tested for goals. The search takes the results in the order
// of the nodes, as if it had computed them itself at that moment, so that the states, their order and all counts are
// those of one thread. What is computed for a node that is dropped meanwhile is computed in vain. The threads share
// the model, which does not change, and the batches, which belong to one of them at a time; the mutex hands them over.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "model.hpp"
#include "packing.hpp"
#include "store.hpp"
#include "successors.hpp"

namespace argosy {

class Ahead {
public:
    // A successor; its parts are in the memory of its batch.
    struct Arrival {
        std::uint32_t ordinal;
        std::int32_t goal;  // that it meets, or none
        std::optional<ModelError> error;  // of the test for goals
        std::uint64_t hash;
        float sum;
        int n;
        std::size_t key, cells, rows;
    };
    struct Task {
        std::uint32_t node = none;  // the search's alone
        std::vector<std::uint64_t> words;
        Zone zone;
        std::size_t first = 0, end = 0;  // its arrivals
        std::optional<ModelError> error;
        std::int64_t current = -1;  // the action that was computed then
        std::exception_ptr fault;
    };
    class Batch {
    public:
        std::vector<Task> tasks;
        std::size_t count = 0, taken = 0;  // tasks, and those that the search has had
        std::vector<Arrival> arrivals;

        Packed packed(const Arrival& arrival) const {
            const std::int32_t* const rows = rows_.data() + arrival.rows;
            return {keys_.data() + arrival.key, arrival.hash, cells_.data() + arrival.cells,
                    asked_.data() + arrival.cells, arrival.sum, arrival.n, {rows, rows + arrival.n}};
        }
        std::size_t bytes() const {
            return arrivals.capacity() * sizeof(Arrival) + keys_.capacity() * sizeof(std::uint64_t) +
                   cells_.capacity() + asked_.capacity() + rows_.capacity() * sizeof(std::int32_t);
        }

    private:
        friend class Ahead;
        enum class State { empty, ready, taken, done };
        State state_ = State::empty;
        std::size_t counted_ = 0;
        std::vector<std::uint64_t> keys_;
        std::vector<std::byte> cells_, asked_;
        std::vector<std::int32_t> rows_;
    };

    Ahead(const Model& model, bool by_simulation, int threads)
        : model_(model), by_simulation_(by_simulation), loader_(model), batches_(4 * threads + 4) {
        for (int k = 0; k < threads; ++k) workers_.push_back(std::make_unique<Worker>(model, by_simulation));
    }
    ~Ahead() { pause(); }
    Ahead(const Ahead&) = delete;
    Ahead& operator=(const Ahead&) = delete;

    // The threads besides the caller's run from `resume` to `pause`; nothing is lost in between.
    void resume() {
        stop_ = false;
        for (std::size_t k = 1; k < workers_.size(); ++k) threads_.emplace_back([this, k] { work(*workers_[k]); });
    }
    void pause() {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        ready_.notify_all();
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
    }

    struct Result {
        const Batch& batch;
        const Task& task;
    };
    // What there is to know about a node, which comes after all nodes of earlier calls. Valid until the next call.
    Result take(Store& store, std::uint32_t node);

    // After nodes were forgotten and the others numbered anew.
    void renumber(const Survivors& survivors) {
        for (Batch& batch : batches_)
            for (std::size_t k = batch.taken; k < batch.count; ++k)
                if (std::uint32_t& node = batch.tasks[k].node; node != none)
                    node = survivors.kept(node) ? survivors(node) : none;
        next_ = survivors(next_);
    }

    std::size_t bytes() const { return bytes_; }

private:
    static constexpr std::size_t most = 64;  // nodes of a batch: some tenths of a millisecond

    struct Worker {
        Worker(const Model& model, bool by_simulation)
            : expander(model), prober(model), packer(model, by_simulation) {}
        Expander expander, prober;
        Packer packer;
        Expander::Matrices pieces;
    };

    void feed(Store& store);
    void fill(Store& store, Batch& batch, std::size_t count);
    void compute(Worker& worker, Batch& batch) const;
    void compute(Worker& worker, Batch& batch, Task& task) const;
    void work(Worker& worker);
    // The oldest batch that nobody has taken; the mutex is held.
    Batch* unclaimed() {
        for (std::size_t k = 0; k < batches_.size(); ++k) {
            Batch& batch = batches_[(front_ + k) % batches_.size()];
            if (batch.state_ == Batch::State::ready) return &batch;
            if (batch.state_ == Batch::State::empty) return nullptr;
        }
        return nullptr;
    }

    const Model& model_;
    bool by_simulation_;
    Expander loader_;
    std::vector<Batch> batches_;  // a ring: filled, computed and taken in this order
    std::size_t front_ = 0, used_ = 0;
    std::uint32_t next_ = 0;  // the first node that is in no batch yet
    std::size_t bytes_ = 0;
    std::vector<std::unique_ptr<Worker>> workers_;  // the first is the caller's
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable ready_, done_;
    bool stop_ = true;
};

inline Ahead::Result Ahead::take(Store& store, std::uint32_t node) {
    for (;;) {
        feed(store);
        Batch& batch = batches_[front_];
        while (batch.taken < batch.count && batch.tasks[batch.taken].node != node) ++batch.taken;
        if (batch.taken < batch.count) {
            std::unique_lock lock(mutex_);
            while (batch.state_ != Batch::State::done) {
                if (Batch* const other = unclaimed()) {
                    other->state_ = Batch::State::taken;
                    lock.unlock();
                    compute(*workers_.front(), *other);
                    lock.lock();
                    other->state_ = Batch::State::done;
                } else {
                    done_.wait(lock);
                }
            }
            return {batch, batch.tasks[batch.taken++]};
        }
        // All of it was had or dropped. Whoever computes it in vain has to finish first.
        std::unique_lock lock(mutex_);
        if (batch.state_ == Batch::State::ready) batch.state_ = Batch::State::done;
        done_.wait(lock, [&] { return batch.state_ == Batch::State::done; });
        batch.state_ = Batch::State::empty;
        front_ = (front_ + 1) % batches_.size();
        --used_;
    }
}

// Small batches where few nodes wait, so that every thread gets some.
inline void Ahead::feed(Store& store) {
    while (used_ < batches_.size()) {
        const std::size_t available = store.nodes() - next_;
        const std::size_t share = available / (2 * workers_.size());
        if (available == 0 || (share < most / 4 && used_ > 0)) return;
        fill(store, batches_[(front_ + used_) % batches_.size()], std::clamp<std::size_t>(share, 1, most));
        ++used_;
    }
}

inline void Ahead::fill(Store& store, Batch& batch, std::size_t count) {
    bytes_ += batch.bytes() - batch.counted_;
    batch.counted_ = batch.bytes();
    batch.count = batch.taken = 0;
    batch.tasks.resize(most);
    for (; batch.count < count && next_ < store.nodes(); ++next_) {
        const Node& node = store.node(next_);
        if (node.dropped) continue;
        Task& task = batch.tasks[batch.count++];
        task.node = next_;
        const std::uint64_t* const words = store.packed(node.discrete);
        task.words.assign(words, words + model_.words);
        loader_.source.unpack(model_, words);
        loader_.prepare();
        task.zone.clocks = loader_.zone.clocks;
        task.zone.matrix.resize(loader_.zone.matrix.size());
        store.load(node.zone, task.zone.matrix.data(), task.zone.size());
    }
    {
        const std::lock_guard lock(mutex_);
        batch.state_ = Batch::State::ready;
    }
    ready_.notify_one();
}

inline void Ahead::work(Worker& worker) {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        Batch* const batch = unclaimed();
        if (batch == nullptr) {
            ready_.wait(lock);
            continue;
        }
        batch->state_ = Batch::State::taken;
        lock.unlock();
        compute(worker, *batch);
        lock.lock();
        batch->state_ = Batch::State::done;
        done_.notify_one();
    }
}

inline void Ahead::compute(Worker& worker, Batch& batch) const {
    batch.arrivals.clear();
    batch.keys_.clear();
    batch.cells_.clear();
    batch.asked_.clear();
    batch.rows_.clear();
    for (std::size_t k = 0; k < batch.count; ++k) {
        Task& task = batch.tasks[k];
        task.first = batch.arrivals.size();
        task.error.reset();
        task.fault = nullptr;
        try {
            compute(worker, batch, task);
        } catch (const ModelError& error) {
            task.error = error;
            task.current = worker.expander.current();
        } catch (...) {
            task.fault = std::current_exception();
        }
        task.end = batch.arrivals.size();
    }
}

inline void Ahead::compute(Worker& worker, Batch& batch, Task& task) const {
    Expander& expander = worker.expander;
    expander.source.unpack(model_, task.words.data());
    expander.adopt(task.zone);
    expander.enumerate();
    expander.expand([&](std::uint32_t ordinal) {
        const Packed made = worker.packer.pack(expander.target, expander.result.matrix.data(), expander.result.size(),
                                               expander.row_bounds());
        Arrival arrival{ordinal, -1, {}, made.hash, made.sum, made.n, batch.keys_.size(), batch.cells_.size(),
                        batch.rows_.size()};
        const std::size_t size = Packer::cells(made.n) * worker.packer.width();
        batch.keys_.insert(batch.keys_.end(), made.key, made.key + model_.words);
        batch.cells_.insert(batch.cells_.end(), made.cells, made.cells + size);
        batch.asked_.resize(batch.cells_.size());
        if (by_simulation_) std::copy_n(made.asked, size, batch.asked_.data() + arrival.cells);
        batch.rows_.insert(batch.rows_.end(), made.rows.lower, made.rows.lower + made.n);
        batch.rows_.insert(batch.rows_.end(), made.rows.upper, made.rows.upper + made.n);
        try {
            for (std::size_t g = 0; g < model_.goals.size() && arrival.goal < 0; ++g)
                if (worker.prober.meets(model_.goals[g], expander.target, expander.result, worker.pieces))
                    arrival.goal = static_cast<std::int32_t>(g);
        } catch (const ModelError& error) {
            arrival.error = error;
        }
        batch.arrivals.push_back(arrival);
    });
}

}  // namespace argosy
