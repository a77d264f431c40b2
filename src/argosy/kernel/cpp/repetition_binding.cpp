// The module argosy.kernel._repetition: rounds of a loop, executed while their conditions hold.
#include <nanobind/nanobind.h>

#include "instructions.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace argosy::repetition;
using argosy::copied;

namespace {

// What a table has everywhere else, and then indices with what is stored there.
template <typename W>
Table<W> table_of(nb::bytes data) {
    const std::vector<W> words = copied<W>(data);
    if (words.size() % 2 != 1) throw std::invalid_argument("half an entry");
    Table<W> table;
    table.otherwise = words[0];
    for (std::size_t k = 1; k < words.size(); k += 2) table.stored[words[k]] = words[k + 1];
    return table;
}

template <typename W>
nb::bytes bytes_of(const Table<W>& table) {
    std::vector<W> words{table.otherwise};
    words.reserve(1 + 2 * table.stored.size());
    for (const auto& [index, value] : table.stored) {
        words.push_back(index);
        words.push_back(value);
    }
    return nb::bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(W));
}

// Registers and tables come and go as bytes, each word of the machine's own order.
template <typename W>
nb::tuple run(nb::bytes body, nb::bytes after, nb::bytes written, nb::bytes start, nb::list tables, std::uint64_t most,
              nb::object is_over) {
    const Code code{copied<Instruction>(body), copied<Move>(after), copied<Write>(written)};
    std::vector<W> registers = copied<W>(start);
    std::vector<Table<W>> known;
    for (const nb::handle table : tables) known.push_back(table_of<W>(nb::cast<nb::bytes>(table)));
    check(code, registers.size(), known.size(), WIDTH<W>);
    const nb::handle asked = is_over;
    const auto stop = [asked] {
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return nb::cast<bool>(asked());
    };
    std::uint64_t rounds = 0;
    {
        nb::gil_scoped_release unlocked;
        rounds = repeat(code, registers, known, most, stop);
    }
    const nb::bytes end(reinterpret_cast<const char*>(registers.data()), registers.size() * sizeof(W));
    nb::list left;
    for (const Table<W>& table : known) left.append(bytes_of(table));
    return nb::make_tuple(rounds, end, left);
}

}  // namespace

NB_MODULE(_repetition, m) {
    m.attr("OPCODES") = opcodes();
    m.def("run", &run<std::uint64_t>, "body"_a, "after"_a, "written"_a, "registers"_a,
          "tables"_a, "most"_a, "is_over"_a);
    m.def("run_wide", &run<Wide>, "body"_a, "after"_a, "written"_a, "registers"_a,
          "tables"_a, "most"_a, "is_over"_a);
}
