"""The C front end: ``load`` reads a program, with or without preprocessing, into a control-flow automaton."""
