"""From the typed form to the automaton: what is modelled, and how."""
