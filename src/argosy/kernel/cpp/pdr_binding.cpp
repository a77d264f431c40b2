// The module argosy.kernel._pdr: circuits, at bit level. Limits and interruption are results; what is thrown is a fault
// of ours.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "pdr.hpp"
#include "unrolling.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace argosy;

namespace {

using Lits = std::vector<std::uint32_t>;

template <typename T>
std::vector<T> copied(nb::bytes data) {
    const auto* begin = reinterpret_cast<const T*>(data.c_str());
    return std::vector<T>(begin, begin + data.size() / sizeof(T));
}

nb::bytes bytes(const std::vector<std::uint8_t>& values) {
    return nb::bytes(reinterpret_cast<const char*>(values.data()), values.size());
}

// `tick` is None, or is told the counts some twenty times a second, whenever signals are looked at. Ctrl-C may come
// while it is told. Nothing here counts references: it is copied while other threads may run.
std::function<bool()> watcher(nb::handle tick, std::function<void(nb::handle)> tell) {
    return [tick, tell] {
        nb::gil_scoped_acquire lock;
        try {
            if (!tick.is_none()) tell(tick);
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
        } catch (nb::python_error& error) {
            if (!error.matches(PyExc_KeyboardInterrupt)) throw;
            return true;
        }
        return false;
    };
}

circuit::Answer run(circuit::Pdr& pdr, double seconds, double wall, std::size_t limit, nb::object tick) {
    const auto interrupted = watcher(tick, [&](nb::handle told) {
        told(pdr.level(), pdr.statistics().lemmas);
    });
    nb::gil_scoped_release unlocked;
    return pdr.run(seconds, wall, limit, interrupted);
}

template <typename Search>
circuit::Answer run_unrolled(Search& search, double seconds, double wall, std::size_t limit, std::uint32_t most,
                             nb::object tick) {
    const auto interrupted = watcher(tick, [&](nb::handle told) {
        told(search.statistics().frames, search.statistics().counts.conflicts);
    });
    nb::gil_scoped_release unlocked;
    return search.run(seconds, wall, limit, most, interrupted);
}

// For tests: the solver alone.
class PlainSolver {
public:
    explicit PlainSolver(std::uint32_t variables) : solver_(guard_, counts_) {
        solver_.grow(variables);
        for (std::uint32_t v = 0; v < variables; ++v) solver_.insert(v, true);
    }
    void add(const Lits& clause, bool lemma) {
        solver_.add(clause, lemma ? sat::Kind::lemma : sat::Kind::definition);
    }
    void forget_lemmas() { solver_.forget_lemmas(); }
    bool solve(const Lits& assumptions, const Lits& extra) {
        nb::gil_scoped_release unlocked;
        return solver_.solve(assumptions, extra);
    }
    bool holds(std::uint32_t literal) const { return solver_.holds(literal); }
    bool in_core(std::uint32_t literal) const { return solver_.in_core(literal); }

private:
    Guard guard_;
    sat::Counts counts_;
    sat::Solver solver_;
};

}  // namespace

NB_MODULE(_pdr, m) {
    m.doc() = "Sequential circuits at bit level, natively.";
    nb::class_<circuit::Circuit>(m, "Circuit")
        .def("__init__",
             [](circuit::Circuit* self, std::uint32_t inputs, nb::bytes next, nb::bytes reset, nb::bytes gates,
                std::uint32_t bad, const Lits& constraints) {
                 auto* made = new (self) circuit::Circuit();
                 made->inputs = inputs;
                 made->next = copied<std::uint32_t>(next);
                 made->reset = copied<std::uint8_t>(reset);
                 made->gates = copied<std::uint32_t>(gates);
                 made->bad = bad;
                 made->constraints = constraints;
                 made->check();
             },
             "inputs"_a, "next"_a, "reset"_a, "gates"_a, "bad"_a, "constraints"_a);
    nb::class_<circuit::Answer>(m, "Answer")
        .def_ro("status", &circuit::Answer::status)
        .def_ro("reason", &circuit::Answer::reason)
        .def_ro("invariant", &circuit::Answer::invariant)
        .def_prop_ro("latches", [](const circuit::Answer& answer) { return bytes(answer.latches); })
        .def_prop_ro("inputs", [](const circuit::Answer& answer) {
            nb::list steps;
            for (const auto& step : answer.inputs) steps.append(bytes(step));
            return steps;
        });
    nb::class_<circuit::Statistics>(m, "Statistics")
        .def_prop_ro("queries", [](const circuit::Statistics& s) { return s.counts.queries; })
        .def_prop_ro("decisions", [](const circuit::Statistics& s) { return s.counts.decisions; })
        .def_prop_ro("conflicts", [](const circuit::Statistics& s) { return s.counts.conflicts; })
        .def_prop_ro("propagations", [](const circuit::Statistics& s) { return s.counts.propagations; })
        .def_ro("frames", &circuit::Statistics::frames)
        .def_ro("lemmas", &circuit::Statistics::lemmas)
        .def_ro("obligations", &circuit::Statistics::obligations)
        .def_ro("generalisations", &circuit::Statistics::generalisations)
        .def_ro("bytes", &circuit::Statistics::bytes)
        .def_ro("seconds", &circuit::Statistics::seconds);
    nb::class_<circuit::Pdr>(m, "Pdr")
        .def(nb::init<const circuit::Circuit&>(), "circuit"_a)
        .def("run", &run, "seconds"_a, "wall"_a, "bytes"_a, "tick"_a.none())
        .def_prop_ro("statistics", [](const circuit::Pdr& pdr) { return pdr.statistics(); });
    nb::class_<circuit::BoundedSearch>(m, "BoundedSearch")
        .def(nb::init<const circuit::Circuit&>(), "circuit"_a)
        .def("run", &run_unrolled<circuit::BoundedSearch>, "seconds"_a, "wall"_a, "bytes"_a, "most"_a, "tick"_a.none())
        .def_prop_ro("depth", &circuit::BoundedSearch::depth)
        .def_prop_ro("statistics", [](const circuit::BoundedSearch& search) { return search.statistics(); });
    nb::class_<circuit::InductionStep>(m, "InductionStep")
        .def(nb::init<const circuit::Circuit&, bool>(), "circuit"_a, "simple_path"_a)
        .def("run", &run_unrolled<circuit::InductionStep>, "seconds"_a, "wall"_a, "bytes"_a, "most"_a, "tick"_a.none())
        .def_prop_ro("k", &circuit::InductionStep::k)
        .def_prop_ro("statistics", [](const circuit::InductionStep& step) { return step.statistics(); });
    nb::class_<PlainSolver>(m, "Solver")
        .def(nb::init<std::uint32_t>(), "variables"_a)
        .def("add", &PlainSolver::add, "clause"_a, "lemma"_a = false)
        .def("forget_lemmas", &PlainSolver::forget_lemmas)
        .def("solve", &PlainSolver::solve, "assumptions"_a = Lits{}, "extra"_a = Lits{})
        .def("holds", &PlainSolver::holds, "literal"_a)
        .def("in_core", &PlainSolver::in_core, "literal"_a);
}
