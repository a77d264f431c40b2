"""Zones of networks of timed automata: native search, the zone graph in plain Python, exact traces. Circuits at bit
level: property-directed reachability, bounded model checking, k-induction.

| module | what |
|---|---|
| ``dbm``, ``graph`` | difference-bound matrices and the zone graph in plain Python: what certificates and traces use |
| ``ranges``, ``bounds`` | static analyses: values of variables; constants that matter for clocks |
| ``bytecode``, ``tables`` | a network compiled for the native search (``cpp/``, module ``_zones``) |
| ``search``, ``heuristics`` | what is asked of it and what comes back |
| ``rounds`` | several searches in turns |
| ``staying``, ``lasso`` | maximal runs that stay in a formula: the native search; lassos with their time stamps |
| ``concretise`` | time stamps for a sequence of actions, in exact rationals |
| ``certifier`` | a network written down for the native checker of results (module ``_certifier``) |
| ``pdr``, ``unrolling`` | circuits: property-directed reachability; bounded model checking, k-induction (``_pdr``) |
"""
