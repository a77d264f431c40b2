"""BTOR2: transition systems over words and arrays, the format of the hardware model checking competitions."""
