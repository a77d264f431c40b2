"""AIGER: and-inverter graphs with latches, the format of the hardware model checking competitions."""
