"""Directed model checking of networks (paper 003): heuristics that tell the search of ``kernel`` where the error is.

| module | what |
|---|---|
| ``conditions`` | conditions and effects taken apart: conjuncts, targets, what is read and written |
| ``distance`` | graph distances in single automata (Edelkamp et al.) |
| ``projection`` | the network with some of its processes, variables and clocks left out |
"""
