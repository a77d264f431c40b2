// The module argosy.kernel._valuation: reachability graphs of explicit values.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "instructions.hpp"
#include "valuation_graph.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace argosy::valuation;

namespace {

constexpr const char* NAMES[] = {"not", "and", "or", "choose", "equals", "holds", "holds-equal", "holds-not-equal"};
static_assert(std::size(NAMES) == static_cast<std::size_t>(Logic::count) - static_cast<std::size_t>(Logic::first));

using FixRow = std::tuple<std::uint32_t, std::uint8_t, Word>;
using WriteRow = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

Graph* graph_of(std::vector<std::uint8_t> widths, std::uint32_t locations, std::uint32_t initial, std::uint32_t error,
                bool newest, bool equal, double of_depth, double of_first) {
    for (const std::uint8_t width : widths)
        if (width < 1 || width > 64) throw std::invalid_argument("a width that there is not");
    if (initial >= locations || error >= locations) throw std::invalid_argument("a location that there is not");
    return new Graph(std::move(widths), locations, initial, error, {newest, equal, of_depth, of_first});
}

void add_edge(Graph& graph, std::uint32_t source, std::size_t registers, std::uint32_t number, std::uint32_t target,
              double cost, nb::bytes code, std::uint32_t condition, const std::vector<FixRow>& fixes,
              const std::vector<WriteRow>& writes, bool relation) {
    Edge edge{number, target, cost, argosy::copied<Instruction>(code), condition, {}, {}, relation};
    for (const auto& [slot, tag, word] : fixes) edge.fixes.push_back({slot, tag, word});
    for (const auto& [slot, first, last, from] : writes) edge.writes.push_back({slot, first, last, from});
    graph.add_edge(source, registers, std::move(edge));
}

std::function<void(std::uint32_t)> asking(nb::handle prepare) {
    return [prepare](std::uint32_t location) {
        nb::gil_scoped_acquire lock;
        prepare(location);
    };
}

std::vector<std::pair<bool, Known>> trace(Graph& graph, nb::object prepare,
                                          const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges) {
    return graph.trace({asking(prepare), {}}, edges);
}

// The interpreter is let go while the graph grows, and asked where something is not known here.
nb::tuple explore(Graph& graph, nb::object prepare, nb::object enumerate, std::size_t targets,
                  std::uint64_t expansions, std::uint64_t most, double seconds) {
    const nb::handle enumerating = enumerate;
    Asked asked{asking(prepare), {}};
    if (!enumerate.is_none())
        asked.enumerate = [enumerating](std::uint32_t edge, const Known& before) {
            nb::gil_scoped_acquire lock;
            return nb::cast<Enumerated>(enumerating(edge, before));
        };
    Stop stop;
    {
        nb::gil_scoped_release unlocked;
        stop = graph.explore(asked, targets, expansions, most, seconds);
    }
    return nb::make_tuple(stop == Stop::finished, graph.expanded(), graph.last());
}

nb::object numbered(std::uint32_t number) { return number == nothing ? nb::object(nb::none()) : nb::int_(number); }

nb::tuple node(const Graph& graph, std::uint32_t number) {
    const Node& node = graph.node(number);
    return nb::make_tuple(node.id, numbered(node.parent), numbered(node.edge), graph.store().location(node.state),
                          numbered(node.coverer), bool(node.expanded), bool(node.target));
}

Known known_at(const Graph& graph, std::uint32_t number) {
    Known found;
    graph.store().tell(graph.node(number).state, [&](std::uint32_t slot, std::uint8_t tag, Word word) {
        found.emplace_back(slot, tag, word);
    });
    return found;
}

}  // namespace

NB_MODULE(_valuation, m) {
    nb::dict codes = argosy::repetition::opcodes();
    for (std::size_t k = 0; k < std::size(NAMES); ++k) codes[NAMES[k]] = static_cast<std::size_t>(Logic::first) + k;
    m.attr("OPCODES") = codes;
    m.attr("KNOWN") = static_cast<int>(known);
    m.attr("OTHER") = static_cast<int>(other);
    m.attr("NOTHING") = nothing;
    nb::class_<Graph>(m, "Graph")
        .def(nb::new_(&graph_of), "widths"_a, "locations"_a, "initial"_a, "error"_a, "newest"_a, "equal"_a,
             "of_depth"_a, "of_first"_a)
        .def("add_constant", &Graph::add_constant, "at"_a, "word"_a)
        .def("add_edge", &add_edge, "source"_a, "registers"_a, "number"_a, "target"_a, "cost"_a, "code"_a,
             "condition"_a, "fixes"_a, "writes"_a, "relation"_a)
        .def("keep", &Graph::keep, "location"_a, "slots"_a)
        .def("explore", &explore, "prepare"_a, "enumerate"_a.none(), "targets"_a, "expansions"_a, "most"_a,
             "seconds"_a)
        .def("trace", &trace, "prepare"_a, "edges"_a)
        .def("prune", &Graph::prune, "pivots"_a)
        .def("clear", &Graph::clear)
        .def("spreads", &Graph::spreads, "limit"_a)
        .def("nodes", &Graph::nodes)
        .def("uncovered", &Graph::uncovered, "locations"_a)
        .def("node", &node, "number"_a)
        .def("known", &known_at, "number"_a)
        .def_prop_ro("targets", &Graph::targets)
        .def_prop_ro("created", &Graph::created)
        .def_prop_ro("alive", &Graph::alive)
        .def_prop_ro("states", [](const Graph& graph) { return graph.store().size(); })
        .def_prop_ro("bytes", &Graph::bytes);
}
