// The module argosy.kernel._certifier. It shares nothing with argosy.kernel._zones but the format of exported states.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <cstring>

#include "eventual.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace argosy::certificate;

namespace {

std::vector<std::int32_t> numbers_of(const nb::bytes& states) {
    if (states.size() % sizeof(std::int32_t)) throw std::invalid_argument("exported states are 32-bit numbers");
    std::vector<std::int32_t> numbers(states.size() / sizeof(std::int32_t));
    std::memcpy(numbers.data(), states.data(), states.size());
    return numbers;
}

void add(Certifier& certifier, nb::bytes states) {
    const std::vector<std::int32_t> numbers = numbers_of(states);
    for (std::size_t at = 0; at < numbers.size();) {
        at += certifier.add(numbers.data() + at);
        certifier.keep_within();
    }
}

void add_ranked(EventualCertifier& certifier, nb::bytes states) {
    const std::vector<std::int32_t> numbers = numbers_of(states);
    for (std::size_t at = 0; at < numbers.size();) at += certifier.add_ranked(numbers.data() + at);
}

using Columns = std::vector<std::vector<std::int32_t>>;
using Named = std::vector<std::pair<std::int32_t, std::vector<std::int32_t>>>;
using Tick = std::optional<std::function<void()>>;

// Signals and the caller have a look some fifty times a second.
std::function<void()> looking(const Certifier& certifier, const Tick& tick) {
    using Clock = std::chrono::steady_clock;
    return [&certifier, &tick, looked = Clock::time_point()]() mutable {
        certifier.keep_within();
        const Clock::time_point time = Clock::now();
        if (time - looked < std::chrono::milliseconds(20)) return;
        looked = time;
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (tick) (*tick)();
    };
}

std::optional<std::string> check(Certifier& certifier, const Tick& tick, int threads) {
    nb::gil_scoped_release unlocked;
    return certifier.check(looking(certifier, tick), threads);
}

std::optional<std::string> check_eventual(EventualCertifier& certifier, const Tick& tick) {
    nb::gil_scoped_release unlocked;
    return certifier.check_eventual(looking(certifier, tick));
}

}  // namespace

NB_MODULE(_certifier, m) {
    m.doc() = "Checks that sets of zones are inductive.";
    nb::class_<Certifier>(m, "Certifier")
        .def(nb::init<>())
        .def_ro("states", &Certifier::states)
        .def_ro("transitions", &Certifier::transitions)
        .def("set_tree",
             [](Certifier& c, std::vector<std::int32_t> tree) { c.network.tree = std::move(tree); }, "tree"_a)
        .def("set_sizes",
             [](Certifier& c, int variables, int clocks, int default_priority) {
                 c.network.variables = variables;
                 c.network.clocks = clocks;
                 c.network.default_priority = default_priority;
             },
             "variables"_a, "clocks"_a, "default_priority"_a)
        .def("add_slot",
             [](Certifier& c, std::int32_t low, std::int32_t high, std::int32_t initial) {
                 c.network.slots.push_back({low, high, initial});
             },
             "low"_a, "high"_a, "initial"_a)
        .def("add_channel",
             [](Certifier& c, bool urgent, bool broadcast, int priority) {
                 c.network.channels.push_back({urgent, broadcast, priority});
             },
             "urgent"_a, "broadcast"_a, "priority"_a)
        .def("add_function",
             [](Certifier& c, std::vector<std::int32_t> parameters, int body, std::int64_t low, std::int64_t high) {
                 c.network.functions.push_back({std::move(parameters), body, low, high});
             },
             "parameters"_a, "body"_a, "low"_a, "high"_a)
        .def("add_process",
             [](Certifier& c, int initial, int priority) {
                 c.network.processes.push_back({initial, priority, {}, {}});
             },
             "initial"_a, "priority"_a)
        .def("add_location",
             [](Certifier& c, bool urgent, bool committed, int invariant) {
                 c.network.processes.back().locations.push_back({urgent, committed, invariant, {}});
             },
             "urgent"_a, "committed"_a, "invariant"_a)
        .def("add_rate",
             [](Certifier& c, int clock, int expression) {
                 c.network.processes.back().locations.back().rates.emplace_back(clock, expression);
             },
             "clock"_a, "expression"_a)
        .def("add_initial_clock",
             [](Certifier& c, int clock, std::int64_t value) { c.network.initial_clocks.emplace_back(clock, value); },
             "clock"_a, "value"_a)
        .def("add_edge",
             [](Certifier& c, int source, int target, int guard, int update, int kind, int channel) {
                 c.network.processes.back().edges.push_back({source, target, guard, update, kind, channel});
             },
             "source"_a, "target"_a, "guard"_a, "update"_a, "kind"_a, "channel"_a)
        .def("add_goal",
             [](Certifier& c, int constraint, int deadlock) { c.network.goals.push_back({constraint, deadlock}); },
             "constraint"_a, "deadlock"_a)
        .def("add_margin",
             [](Certifier& c, int process, int location, int clock, std::int64_t lower, std::int64_t upper) {
                 c.margins.add(process, location, {clock, lower, upper});
             },
             "process"_a, "location"_a, "clock"_a, "lower"_a, "upper"_a)
        .def("add_family",
             [](Certifier& c, int size, Columns processes, Columns slots, Columns clocks, Named values) {
                 c.orbits.add({size, std::move(processes), std::move(slots), std::move(clocks), std::move(values)},
                              c.network);
             },
             "size"_a, "processes"_a, "slots"_a, "clocks"_a, "values"_a)
        .def("keep_on_disk", &Certifier::keep_on_disk, "folder"_a, "limit"_a)
        .def("add_states", &add, "states"_a)
        .def("check", &check, "tick"_a.none(), "threads"_a = 1);
    nb::class_<EventualCertifier, Certifier>(m, "EventualCertifier")
        .def(nb::init<>())
        .def_rw("begins_at_start", &EventualCertifier::begins_at_start)
        .def_rw("tick_clock", &EventualCertifier::tick_clock)
        .def_rw("deadlocks", &EventualCertifier::deadlocks)
        .def("add_premise",
             [](EventualCertifier& c, int constraint, int deadlock) { c.premises.push_back({constraint, deadlock}); },
             "constraint"_a, "deadlock"_a)
        .def("add_dead_part", [](EventualCertifier& c, int constraint) { c.dead_parts.push_back(constraint); },
             "constraint"_a)
        .def("add_part", [](EventualCertifier& c, int constraint) { c.parts.push_back(constraint); }, "constraint"_a)
        .def("add_ranked", &add_ranked, "states"_a)
        .def("check_eventual", &check_eventual, "tick"_a.none());
}
