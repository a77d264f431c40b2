"""Horn clauses: SMT-LIB's logic HORN and Z3's rules (``.smt2``), Prolog's syntax (``.horn``); and back to SMT-LIB."""
