// Memory that lies in a file without a name, in parts that are mapped into the process: what is resident can be given
// back at any moment, and comes back from the file (or from what the operating system keeps of it) when it is used.
// Knows nothing of what it holds.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace argosy {

#ifdef __linux__

class MappedMemory : public std::pmr::memory_resource {
public:
    explicit MappedMemory(const std::string& folder) {
        std::string name = folder + "/argosy-store-XXXXXX";
        file_ = mkostemp(name.data(), O_CLOEXEC);
        if (file_ < 0) throw std::runtime_error("no file can be made in " + folder);
        unlink(name.c_str());
    }
    MappedMemory(const MappedMemory&) = delete;
    MappedMemory& operator=(const MappedMemory&) = delete;
    ~MappedMemory() override {
        for (const Part& part : parts_) munmap(part.start, part.size);
        close(file_);
    }

    std::size_t bytes() const { return length_; }

    // What the whole process may have resident, as far as it is this memory (0: any amount).
    void limit(std::size_t bytes) { limit_ = bytes; }

    // Gives back what is resident near the limit. To be called often: it looks when the limit may be near. Whoever reads a
    // page that was given back gets its neighbours too, 64 KB within a microsecond, so that a hundredth of a second can
    // bring back all of it.
    void keep_within() {
        if (limit_ == 0) return;
        const Clock::time_point time = Clock::now();
        if (time < next_look_) return;
        const std::size_t most = limit_ - limit_ / 8;
        std::size_t now = resident();
        // One part after the other, in turn, until there is room again: what is given back has to be read again.
        for (std::size_t k = 0; now >= most - (k > 0 ? most / 4 : 0) && k < parts_.size(); ++k) {
            const Part& part = parts_[turn_++ % parts_.size()];
            madvise(part.start, part.size, MADV_DONTNEED);
            now = resident();
        }
        const std::size_t microseconds = now < most ? (most - now) >> 17 : 0;
        next_look_ = time + std::chrono::microseconds(std::min<std::size_t>(microseconds, 10'000));
    }

    // All that is resident of this memory.
    void give_back() {
        for (const Part& part : parts_) madvise(part.start, part.size, MADV_DONTNEED);
    }

    // Of the whole process.
    static std::size_t resident() {
        std::size_t total = 0, pages = 0;
        if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
            if (std::fscanf(file, "%zu %zu", &total, &pages) != 2) pages = 0;
            std::fclose(file);
        }
        return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::size_t part_size = std::size_t{64} << 20, unit = 64;
    struct Part {
        std::byte* start;
        std::size_t size;
    };

    static std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

    void* do_allocate(std::size_t bytes, std::size_t) override {
        const std::size_t size = rounded(std::max(bytes, unit), unit);
        if (auto& given_back = released_[size]; !given_back.empty()) {
            void* const place = given_back.back();
            given_back.pop_back();
            return place;
        }
        if (size > left_) map(std::max(part_size, rounded(size, part_size)));
        std::byte* const place = next_;
        next_ += size;
        left_ -= size;
        return place;
    }

    void do_deallocate(void* place, std::size_t bytes, std::size_t) override {
        released_[rounded(std::max(bytes, unit), unit)].push_back(place);
    }

    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

    // The disk's room is taken here: where it is full, this is the end of the memory, and not a fault later on.
    void map(std::size_t size) {
        if (posix_fallocate(file_, static_cast<off_t>(length_), static_cast<off_t>(size)) != 0) throw std::bad_alloc();
        void* const start =
            mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(length_));
        if (start == MAP_FAILED) throw std::bad_alloc();
        parts_.push_back({static_cast<std::byte*>(start), size});
        length_ += size;
        next_ = parts_.back().start;
        left_ = size;
    }

    int file_ = -1;
    std::size_t length_ = 0, left_ = 0, limit_ = 0, turn_ = 0;
    Clock::time_point next_look_;
    std::byte* next_ = nullptr;
    std::vector<Part> parts_;
    std::unordered_map<std::size_t, std::vector<void*>> released_;
};

#else

class MappedMemory : public std::pmr::memory_resource {
public:
    explicit MappedMemory(const std::string&) { throw std::runtime_error("a store on disk needs Linux"); }
    std::size_t bytes() const { return 0; }
    void limit(std::size_t) {}
    void keep_within() {}
    void give_back() {}
    static std::size_t resident() { return 0; }

private:
    void* do_allocate(std::size_t, std::size_t) override { throw std::bad_alloc(); }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

#endif

// An array in some memory, given back to it in the end.
template <class T>
struct GivenBack {
    std::pmr::memory_resource* memory = nullptr;
    std::size_t count = 0;
    void operator()(T* place) const { memory->deallocate(place, count * sizeof(T), alignof(std::max_align_t)); }
};

template <class T>
using ArrayIn = std::unique_ptr<T[], GivenBack<T>>;

template <class T>
ArrayIn<T> array_in(std::pmr::memory_resource* memory, std::size_t count) {
    T* const place = static_cast<T*>(memory->allocate(count * sizeof(T), alignof(std::max_align_t)));
    return ArrayIn<T>(place, GivenBack<T>{memory, count});
}

}  // namespace argosy
