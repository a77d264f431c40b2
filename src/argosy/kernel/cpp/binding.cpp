// The module argosy.kernel._zones. Model errors, limits and interruption are results; what is thrown is a fault of ours.
#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "heuristics_binding.hpp"
#include "lasso.hpp"
#include "search.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace argosy;

namespace {

using Ints = std::vector<std::int32_t>;
using AtomRow = std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t>;
using BoundsRow = std::tuple<std::int32_t, std::int32_t, std::int32_t>;

Constraint constraint(std::int32_t condition, const std::vector<AtomRow>& rows) {
    Constraint made{condition, {}};
    for (const auto& [left, right, bound, code, relation] : rows)
        made.atoms.push_back({left, right, bound, code, relation});
    return made;
}

std::vector<ClockBounds> clock_bounds(const std::vector<BoundsRow>& rows) {
    std::vector<ClockBounds> made;
    for (const auto& [clock, lower, upper] : rows) made.push_back({clock, lower, upper});
    return made;
}

// `tick` is None, or is told how many states are stored and visited whenever signals are looked at.
Outcome run(Search& search, nb::object tick, std::size_t pause_at) {
    nb::gil_scoped_release unlocked;
    const auto interrupted = [&] {
        nb::gil_scoped_acquire lock;
        if (!tick.is_none()) tick(search.nodes(), search.visited());
        if (PyErr_CheckSignals() == 0) return false;
        if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
        PyErr_Clear();
        return true;
    };
    return search.run(interrupted, pause_at);
}

void bind_dbm(nb::module_& m) {
    using Matrix = std::vector<dbm::Bound>;
    using Maybe = std::optional<Matrix>;
    m.attr("INFINITY") = dbm::infinity;
    m.attr("NO_BOUND") = dbm::no_bound;
    m.attr("EXACT") = dbm::exact;
    m.def("close", [](Matrix d, int n) -> Maybe { return dbm::close(d.data(), n) ? Maybe(d) : std::nullopt; });
    m.def("constrain", [](Matrix d, int n, int i, int j, dbm::Bound bound) -> Maybe {
        return dbm::constrain(d.data(), n, i, j, bound) ? Maybe(d) : std::nullopt;
    });
    m.def("intersect", [](Matrix d, int n, const Matrix& other) -> Maybe {
        return dbm::intersect(d.data(), other.data(), n) ? Maybe(d) : std::nullopt;
    });
    m.def("includes", [](const Matrix& a, int n, const Matrix& b) { return dbm::includes(a.data(), b.data(), n); });
    m.def("delay", [](Matrix d, int n) { dbm::delay(d.data(), n); return d; });
    m.def("past", [](Matrix d, int n) { dbm::past(d.data(), n); return d; });
    m.def("reset", [](Matrix d, int n, int clock, std::int32_t constant) {
        dbm::reset(d.data(), n, clock, constant);
        return d;
    });
    m.def("free", [](Matrix d, int n, int clock) { dbm::free_clock(d.data(), n, clock); return d; });
    m.def("extrapolate", [](Matrix d, int n, const Ints& lower, const Ints& upper) {
        std::vector<int> enlarged;
        dbm::extrapolate(d.data(), n, lower.data(), upper.data(), enlarged);
        return d;
    });
    m.def("subtract", [](const Matrix& d, int n, const Matrix& other) {
        std::vector<Matrix> pieces;
        dbm::subtract(d.data(), other.data(), n, pieces);
        return pieces;
    });
}

void bind_model(nb::module_& m) {
    nb::class_<Model>(m, "Model")
        .def(nb::init<>())
        .def_rw("clocks", &Model::clocks)
        .def_rw("code", &Model::code)
        .def_rw("stack_size", &Model::stack_size)
        .def_rw("coarse", &Model::coarse)
        .def_rw("goal_diagonals", &Model::goal_diagonals)
        .def_rw("default_priority", &Model::default_priority)
        .def_rw("time_clock", &Model::time_clock)
        .def_rw("priorities", &Model::priorities)
        .def_rw("wide_zones", &Model::wide_zones)
        .def_ro("words", &Model::words)
        .def("add_process", &Model::add_process, "initial"_a, "priority"_a)
        .def("add_slot", &Model::add_slot, "low"_a, "high"_a, "initial"_a)
        .def("add_function",
             [](Model& model, std::int32_t pc, std::int32_t low, std::int32_t high, Ints parameters) {
                 model.functions.push_back({pc, low, high, std::move(parameters)});
             },
             "pc"_a, "low"_a, "high"_a, "parameters"_a)
        .def("add_channel",
             [](Model& model, bool urgent, bool broadcast, std::int32_t priority) {
                 model.channels.push_back({urgent, broadcast, priority});
             },
             "urgent"_a, "broadcast"_a, "priority"_a)
        .def("add_location",
             [](Model& model, std::int32_t process, bool urgent, bool committed, std::int32_t condition,
                const std::vector<AtomRow>& atoms, const std::vector<BoundsRow>& bounds, Ints diagonals,
                const std::vector<std::pair<std::int32_t, std::int32_t>>& rates) {
                 LocationEntry location;
                 for (const auto& [clock, code] : rates) location.rates.push_back({clock, code});
                 location.urgent = urgent;
                 location.committed = committed;
                 location.invariant = constraint(condition, atoms);
                 location.bounds = clock_bounds(bounds);
                 location.diagonals = std::move(diagonals);
                 model.locations.at(process).push_back(std::move(location));
             },
             "process"_a, "urgent"_a, "committed"_a, "condition"_a, "atoms"_a, "bounds"_a, "diagonals"_a,
             "rates"_a)
        .def("add_initial_clock",
             [](Model& model, std::int32_t clock, std::int32_t value) { model.initial_clocks.push_back({clock, value}); },
             "clock"_a, "value"_a)
        .def("add_edge",
             [](Model& model, std::int32_t process, std::int32_t index, std::int32_t source, std::int32_t target,
                std::int32_t condition, const std::vector<AtomRow>& atoms, bool synchronises, bool sends,
                std::int32_t channel, std::int32_t channel_code, bool may_be_urgent, std::int32_t update) {
                 model.add_edge({process, index, source, target, constraint(condition, atoms), channel, channel_code,
                                 sends, synchronises, may_be_urgent, update});
             },
             "process"_a, "index"_a, "source"_a, "target"_a, "condition"_a, "atoms"_a, "synchronises"_a, "sends"_a,
             "channel"_a, "channel_code"_a, "may_be_urgent"_a, "update"_a)
        .def("add_diagonal",
             [](Model& model, std::int32_t left, std::int32_t right, dbm::Bound bound) {
                 model.diagonals.push_back({left, right, bound});
             },
             "left"_a, "right"_a, "bound"_a)
        .def("add_goal",
             [](Model& model, std::int32_t condition, const std::vector<AtomRow>& atoms, std::int32_t deadlock) {
                 model.goals.push_back({constraint(condition, atoms), deadlock});
             },
             "condition"_a, "atoms"_a, "deadlock"_a)
        .def("add_literal",
             [](Model& model, std::int32_t condition, const std::vector<AtomRow>& atoms) {
                 model.literals.push_back(constraint(condition, atoms));
             },
             "condition"_a, "atoms"_a)
        .def("set_goal_bounds",
             [](Model& model, const std::vector<BoundsRow>& rows) { model.goal_bounds = clock_bounds(rows); },
             "bounds"_a)
        .def("pack", &Model::pack, "ranges"_a);
    nb::dict opcodes;
    for (std::size_t k = 0; k < op_names.size(); ++k) opcodes[nb::str(op_names[k].data())] = k;
    m.attr("OPCODES") = opcodes;
    nb::list faults;
    for (const std::string_view name : fault_names) faults.append(nb::str(name.data()));
    m.attr("FAULTS") = faults;
}

using Columns = std::vector<Ints>;
using FamilyRow = std::tuple<std::int32_t, Columns, Columns, Columns, std::vector<std::pair<std::int32_t, Ints>>>;

void bind_search(nb::module_& m) {
    nb::class_<Statistics>(m, "Statistics")
        .def_ro("stored", &Statistics::stored)
        .def_ro("visited", &Statistics::visited)
        .def_ro("transitions", &Statistics::transitions)
        .def_ro("discrete_states", &Statistics::discrete_states)
        .def_ro("peak_bytes", &Statistics::peak_bytes)
        .def_ro("waiting", &Statistics::waiting)
        .def_ro("overhead", &Statistics::overhead)
        .def_ro("seconds", &Statistics::seconds);
    nb::class_<Outcome>(m, "Outcome")
        .def_ro("status", &Outcome::status)
        .def_ro("reason", &Outcome::reason)
        .def_ro("goal", &Outcome::goal)
        .def_ro("fault", &Outcome::fault)
        .def_ro("fault_pc", &Outcome::fault_pc)
        .def_ro("statistics", &Outcome::statistics)
        .def_ro("orders", &Outcome::orders)
        .def_prop_ro("trace", [](const Outcome& outcome) {
            std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> rows;
            for (const auto& steps : outcome.trace) {
                rows.emplace_back();
                for (const Step& step : steps) rows.back().emplace_back(step.process, step.edge);
            }
            return rows;
        });
    nb::enum_<Order>(m, "Order")
        .value("BREADTH_FIRST", Order::breadth_first)
        .value("DEPTH_FIRST", Order::depth_first)
        .value("RANDOM_DEPTH_FIRST", Order::random_depth_first)
        .value("GREEDY", Order::greedy)
        .value("A_STAR", Order::a_star)
        .value("FASTEST", Order::fastest)
        .value("LARGEST_FIRST", Order::largest_first);
    nb::enum_<Ties>(m, "Ties")
        .value("OLDEST", Ties::oldest)
        .value("NEWEST", Ties::newest)
        .value("DEEPEST", Ties::deepest);
    nb::class_<Search>(m, "Search")
        .def("__init__",
             [](Search* self, const Model& model, Order order, bool shortest, std::uint64_t seed, Heuristic* heuristic,
                Ties ties, bool by_simulation, int threads, const std::string& folder) {
                 new (self) Search(model, order, shortest, seed, heuristic, ties, by_simulation, threads, folder);
             },
             "model"_a, "order"_a, "shortest"_a, "seed"_a, "heuristic"_a.none(), "ties"_a, "by_simulation"_a = false,
             "threads"_a = 1, "folder"_a = "",
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 6>())
        .def("record", &Search::record)
        .def("reduce",
             [](Search& search, const std::vector<FamilyRow>& rows) {
                 std::vector<Family> families;
                 for (const auto& [size, processes, slots, clocks, values] : rows) {
                     families.push_back({size, processes, slots, clocks, {}});
                     for (const auto& [slot, names] : values) families.back().values.push_back({slot, names});
                 }
                 search.reduce(std::move(families));
             },
             "families"_a)
        .def_prop_ro("recorded", &Search::recorded)
        .def("run", &run, "tick"_a.none() = nb::none(), "pause_at"_a = 0)
        .def("limit",
             [](Search& search, double seconds, double wall, std::size_t bytes) {
                 search.limit({seconds, wall, bytes});
             },
             "seconds"_a, "wall"_a, "bytes"_a)
        .def("stop", &Search::stop)
        .def("__len__", &Search::nodes)
        .def("exported",
             [](Search& search, std::uint32_t first, std::uint32_t end) {
                 const Ints numbers = search.exported(first, end);
                 return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int32_t));
             },
             "first"_a, "end"_a)
        .def("state", [](Search& search, std::uint32_t node) -> std::optional<std::tuple<Ints, Ints, Ints, Ints>> {
            const auto state = search.state(node);
            if (!state) return std::nullopt;
            return std::tuple(state->locations, state->variables, state->clocks, state->bounds);
        });
}

using Steps = std::vector<std::pair<std::int32_t, std::int32_t>>;
using MicroRow = std::tuple<std::int32_t, std::int32_t, Steps>;

Steps rows_of(const std::vector<Step>& steps) {
    Steps rows;
    for (const Step& step : steps) rows.emplace_back(step.process, step.edge);
    return rows;
}

std::vector<MicroRow> rows_of(const std::vector<MicroStep>& steps) {
    std::vector<MicroRow> rows;
    for (const MicroStep& step : steps)
        rows.emplace_back(static_cast<std::int32_t>(step.kind), step.part, rows_of(step.edges));
    return rows;
}

void bind_lasso(nb::module_& m) {
    nb::class_<LassoOutcome>(m, "LassoOutcome")
        .def_ro("status", &LassoOutcome::status)
        .def_ro("reason", &LassoOutcome::reason)
        .def_ro("fault", &LassoOutcome::fault)
        .def_ro("fault_pc", &LassoOutcome::fault_pc)
        .def_ro("stored", &LassoOutcome::stored)
        .def_ro("visited", &LassoOutcome::visited)
        .def_ro("transitions", &LassoOutcome::transitions)
        .def_ro("bytes", &LassoOutcome::bytes)
        .def_ro("settles", &LassoOutcome::settles)
        .def_ro("seconds", &LassoOutcome::seconds)
        .def_prop_ro("prefix", [](const LassoOutcome& outcome) { return rows_of(outcome.prefix); })
        .def_prop_ro("cycle", [](const LassoOutcome& outcome) { return rows_of(outcome.cycle); })
        .def_prop_ro("trace", [](const LassoOutcome& outcome) {
            std::vector<Steps> rows;
            for (const auto& steps : outcome.trace) rows.push_back(rows_of(steps));
            return rows;
        });
    nb::class_<LassoSearch>(m, "LassoSearch")
        .def(nb::init<const Model&, std::size_t, std::size_t, bool, bool, std::int32_t, dbm::Bound>(), "model"_a,
             "premises"_a, "parts"_a, "deadlocks"_a, "merges_smaller"_a, "tick_clock"_a, "deadline"_a,
             nb::keep_alive<1, 2>())
        .def("run",
             [](LassoSearch& search, double seconds, double wall, std::size_t bytes, nb::object tick) {
                 nb::gil_scoped_release unlocked;
                 return search.run(seconds, wall, bytes, [&] {
                     nb::gil_scoped_acquire lock;
                     if (!tick.is_none()) tick(search.nodes(), search.visited());
                     if (PyErr_CheckSignals() == 0) return false;
                     if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) throw nb::python_error();
                     PyErr_Clear();
                     return true;
                 });
             },
             "seconds"_a, "wall"_a, "bytes"_a, "tick"_a.none() = nb::none())
        .def("__len__", &LassoSearch::nodes)
        .def("exported",
             [](LassoSearch& search, std::uint32_t first, std::uint32_t end) {
                 const Ints numbers = search.exported(first, end);
                 return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int32_t));
             },
             "first"_a, "end"_a);
}

}  // namespace

NB_MODULE(_zones, m) {
    m.doc() = "Zones of networks of timed automata, natively.";
    bind_dbm(m);
    bind_model(m);
    bind_heuristics(m);
    bind_search(m);
    bind_lasso(m);
}
