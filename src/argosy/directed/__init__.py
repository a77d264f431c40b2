"""Directed model checking of networks ([Directed]): heuristics that tell the search of ``kernel`` where the error is.

| module | what |
|---|---|
| ``conditions``, ``influence`` | conditions and effects taken apart, and what influences what |
| ``splitting``, ``parts``, ``values`` | network splitting (3.3), what a part does on its own, sets of values |
| ``abstraction``, ``regression`` | cartesian predicate abstraction, and steps back under it (2) |
| ``backwards`` | that as an analysis of the engine, which explores it from the error on (3.2) |
| ``patterns``, ``refinement`` | databases of parts (3.1, 3.2), predicates from syntax (4) and from refinement (5) |
| ``distance``, ``finite``, ``monotone``, ``merging`` | what the paper compares with: [6], [13] and [5] |
| ``projection``, ``zone_databases`` | beyond the paper: zone graphs of projections as databases |
| ``build``, ``search`` | from options to a heuristic, and to a search |
"""
