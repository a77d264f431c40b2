// The module argosy.kernel._repetition: rounds of a loop, executed while their conditions hold.
#include <nanobind/nanobind.h>

#include <cstring>

#include "repetition.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace argosy::repetition;

namespace {

constexpr const char* NAMES[] = {
    "bvadd", "bvsub", "bvmul", "bvneg", "bvnot", "bvand", "bvor", "bvxor",
    "bvshl", "bvlshr", "bvashr",
    "bvudiv", "bvurem", "bvsdiv", "bvsrem",
    "bvult", "bvule", "bvslt", "bvsle", "=",
    "ite", "concat", "extract", "sign_extend", "copy", "require",
};
static_assert(std::size(NAMES) == static_cast<std::size_t>(Op::count));

template <typename T>
std::vector<T> copied(nb::bytes data) {
    std::vector<T> values(data.size() / sizeof(T));
    if (data.size() % sizeof(T) != 0) throw std::invalid_argument("half an instruction");
    if (!values.empty()) std::memcpy(values.data(), data.c_str(), data.size());
    return values;
}

// Registers come and go as bytes, each a word of the machine's own order.
template <typename W>
nb::tuple run(nb::bytes body, nb::bytes after, nb::bytes start, std::uint64_t most, nb::object is_over) {
    const Code code{copied<Instruction>(body), copied<Move>(after)};
    std::vector<W> registers = copied<W>(start);
    check(code, registers.size(), WIDTH<W>);
    const nb::handle asked = is_over;
    const auto stop = [asked] {
        nb::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return nb::cast<bool>(asked());
    };
    std::uint64_t rounds = 0;
    {
        nb::gil_scoped_release unlocked;
        rounds = repeat(code, registers, most, stop);
    }
    const nb::bytes end(reinterpret_cast<const char*>(registers.data()), registers.size() * sizeof(W));
    return nb::make_tuple(rounds, end);
}

}  // namespace

NB_MODULE(_repetition, m) {
    nb::dict codes;
    for (std::size_t k = 0; k < std::size(NAMES); ++k) codes[NAMES[k]] = k;
    m.attr("OPCODES") = codes;
    m.def("run", &run<std::uint64_t>, "body"_a, "after"_a, "registers"_a, "most"_a, "is_over"_a);
    m.def("run_wide", &run<Wide>, "body"_a, "after"_a, "registers"_a, "most"_a, "is_over"_a);
}
