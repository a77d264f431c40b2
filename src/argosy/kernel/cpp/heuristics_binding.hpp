#pragma once

#include <nanobind/nanobind.h>

namespace argosy {

void bind_heuristics(nanobind::module_& m);

}  // namespace argosy
