// Limits of a run that may take long: who works says now and then that it is still working, and is thrown out of its
// work when there is nothing left. State that survives the throw is the business of who catches it.
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <functional>
#include <string>

namespace argosy {

struct OutOfLimits {
    std::string reason;  // "time", "memory" or "interrupted"
};

class Guard {
public:
    // Not positive is no limit. `interrupted` is asked some twenty times a second, from the thread that works.
    void start(double seconds, double wall, std::size_t bytes, std::function<bool()> interrupted) {
        seconds_ = seconds;
        wall_ = wall;
        bytes_ = bytes;
        interrupted_ = std::move(interrupted);
        began_ = asked_ = std::chrono::steady_clock::now();
        processor_ = std::clock();
    }

    void used(std::size_t bytes) { used_ = bytes; }
    std::size_t used() const { return used_; }
    double seconds() const { return static_cast<double>(std::clock() - processor_) / CLOCKS_PER_SEC; }

    // `work` is counted in anything that takes some ten nanoseconds each; the clock is looked at every few ten
    // thousand of them.
    void tick(std::size_t work) {
        done_ += work;
        if (done_ < 50000) return;
        done_ = 0;
        check();
    }

    void check() {
        const auto now = std::chrono::steady_clock::now();
        if (seconds_ > 0 && seconds() > seconds_) throw OutOfLimits{"time"};
        if (wall_ > 0 && std::chrono::duration<double>(now - began_).count() > wall_) throw OutOfLimits{"time"};
        if (bytes_ > 0 && used_ > bytes_) throw OutOfLimits{"memory"};
        if (now - asked_ > std::chrono::milliseconds(50)) {
            asked_ = now;
            if (interrupted_ && interrupted_()) throw OutOfLimits{"interrupted"};
        }
    }

private:
    double seconds_ = 0, wall_ = 0;
    std::size_t bytes_ = 0, used_ = 0, done_ = 0;
    std::function<bool()> interrupted_;
    std::chrono::steady_clock::time_point began_, asked_;
    std::clock_t processor_ = 0;
};

}  // namespace argosy
