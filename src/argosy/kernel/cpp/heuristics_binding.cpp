// Heuristics for Python: part of the module argosy.kernel._zones.
#include "heuristics_binding.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "literal_database.hpp"
#include "merged.hpp"
#include "relaxation.hpp"
#include "zone_database.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace argosy {

namespace {

// A heuristic written in Python: called with locations, variables, clocks and bounds of the zone.
class PythonHeuristic final : public Heuristic {
public:
    PythonHeuristic(const Model& model, nb::callable function) : model_(model), function_(std::move(function)) {}

    double value(const Discrete& state, const Zone& zone, Expander&) override {
        nb::gil_scoped_acquire lock;
        const std::vector<std::int32_t> locations(state.locations(), state.locations() + model_.processes);
        const std::vector<std::int32_t> variables(state.slots(), state.slots() + model_.variables);
        return nb::cast<double>(function_(locations, variables, zone.clocks, zone.matrix));
    }

private:
    const Model& model_;
    nb::callable function_;
};

// The estimate of one state, for tests and measurements. `repeat` computes it that often.
double value_of(Heuristic& heuristic, const Model& model, const std::vector<std::int32_t>& locations,
                const std::vector<std::int32_t>& variables, std::vector<std::int32_t> clocks,
                std::vector<dbm::Bound> bounds, int repeat) {
    Discrete state(model);
    std::copy(locations.begin(), locations.end(), state.locations());
    std::copy(model.initial_slots.begin(), model.initial_slots.end(), state.slots());
    std::copy(variables.begin(), variables.end(), state.slots());
    const Zone zone{std::move(clocks), std::move(bounds)};
    Expander prober(model);
    double value = 0;
    for (int k = 0; k < repeat; ++k) value = heuristic.value(state, zone, prober);
    return value;
}

void bind_tree(nb::module_& m) {
    nb::class_<SubsetTree>(m, "SubsetTree")
        .def(nb::init<>())
        .def("insert", &SubsetTree::insert, "literals"_a, "distance"_a)
        .def("least_subset",
             [](SubsetTree& tree, const std::vector<std::int32_t>& present, std::int32_t literals, float otherwise) {
                 Bits bits(static_cast<std::size_t>(literals) / 64 + 1);
                 for (const std::int32_t literal : present) set_bit(bits, literal);
                 return tree.least_subset(bits, otherwise);
             },
             "present"_a, "literals"_a, "otherwise"_a)
        .def("__len__", &SubsetTree::size)
        .def_prop_ro("nodes", &SubsetTree::nodes);
}

}  // namespace

void bind_heuristics(nb::module_& m) {
    using Choices = std::vector<std::vector<std::int32_t>>;
    nb::class_<Heuristic>(m, "Heuristic")
        .def("value", &value_of, "model"_a, "locations"_a, "variables"_a, "clocks"_a, "bounds"_a, "repeat"_a = 1);
    nb::class_<LocationDistances, Heuristic>(m, "LocationDistances")
        .def(nb::init<std::vector<std::vector<double>>, bool>(), "distances"_a, "sums"_a);
    nb::class_<Combination, Heuristic>(m, "Combination")
        .def(nb::init<std::vector<Heuristic*>, Choices, bool>(), "parts"_a, "choices"_a, "sums"_a,
             nb::keep_alive<1, 2>());
    bind_tree(m);
    nb::class_<LiteralDatabase, Heuristic>(m, "LiteralDatabase")
        .def(nb::init<const Model&, std::int32_t>(), "model"_a, "literals"_a, nb::keep_alive<1, 2>())
        .def("add_locations", &LiteralDatabase::add_locations, "process"_a, "rows"_a)
        .def("add_variable", &LiteralDatabase::add_variable, "slot"_a, "low"_a, "rows"_a)
        .def("add_difference", &LiteralDatabase::add_difference, "literal"_a, "left"_a, "right"_a, "bound"_a)
        .def("add_other", &LiteralDatabase::add_other, "literal"_a, "index"_a)
        .def("add_part", &LiteralDatabase::add_part, "sets"_a, "otherwise"_a)
        .def("set_alternatives", &LiteralDatabase::set_alternatives, "choices"_a, "sums"_a);
    nb::class_<ZoneDatabase, Heuristic>(m, "ZoneDatabase")
        .def(nb::init<const Model&>(), "model"_a, nb::keep_alive<1, 2>())
        .def("build", &ZoneDatabase::build, "limit"_a, nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("states", &ZoneDatabase::states)
        .def_prop_ro("initial", &ZoneDatabase::initial)
        .def_prop_ro("mean", &ZoneDatabase::mean);
    nb::class_<Relaxation, Heuristic>(m, "Relaxation")
        .def(nb::init<const Model&, std::int32_t, bool>(), "model"_a, "facts"_a, "counts_plan"_a, nb::keep_alive<1, 2>())
        .def("add_location", &Relaxation::add_location, "process"_a, "count"_a, "first"_a)
        .def("add_variable", &Relaxation::add_variable, "slot"_a, "low"_a, "count"_a, "first"_a)
        .def("add_operator", &Relaxation::add_operator, "needs"_a, "adds"_a, "action"_a)
        .def("add_goal", &Relaxation::add_goal, "needs"_a);
    nb::class_<MergedAutomata, Heuristic>(m, "MergedAutomata")
        .def(nb::init<const Model&, std::vector<double>>(), "model"_a, "distances"_a, nb::keep_alive<1, 2>())
        .def("add_location", &MergedAutomata::add_location, "process"_a, "count"_a)
        .def("add_variable", &MergedAutomata::add_variable, "slot"_a, "low"_a, "count"_a)
        .def("join", &MergedAutomata::join, "count"_a, "table"_a);
    nb::class_<PythonHeuristic, Heuristic>(m, "PythonHeuristic")
        .def(nb::init<const Model&, nb::callable>(), "model"_a, "function"_a, nb::keep_alive<1, 2>());
}

}  // namespace argosy
