// Instructions of repetition.hpp as they come from Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstring>
#include <iterator>

#include "repetition.hpp"

namespace argosy {

// Numbers come as bytes, each word of the machine's own order.
template <typename T>
std::vector<T> copied(nanobind::bytes data) {
    std::vector<T> values(data.size() / sizeof(T));
    if (data.size() % sizeof(T) != 0) throw std::invalid_argument("half an instruction");
    if (!values.empty()) std::memcpy(values.data(), data.c_str(), data.size());
    return values;
}

}  // namespace argosy

namespace argosy::repetition {

constexpr const char* NAMES[] = {
    "bvadd", "bvsub", "bvmul", "bvneg", "bvnot", "bvand", "bvor", "bvxor",
    "bvshl", "bvlshr", "bvashr",
    "bvudiv", "bvurem", "bvsdiv", "bvsrem",
    "bvult", "bvule", "bvslt", "bvsle", "=",
    "ite", "concat", "extract", "sign_extend", "copy", "require", "load",
};
static_assert(std::size(NAMES) == static_cast<std::size_t>(Op::count));

inline nanobind::dict opcodes() {
    nanobind::dict codes;
    for (std::size_t k = 0; k < std::size(NAMES); ++k) codes[NAMES[k]] = k;
    return codes;
}

}  // namespace argosy::repetition
