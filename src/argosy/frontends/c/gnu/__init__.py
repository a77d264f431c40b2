"""The GNU dialect, on tokens: what compilers and system headers add to ISO C, for a grammar that does not know it."""
