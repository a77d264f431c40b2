"""Programs of controllers after IEC 61131-3: text to syntax (``parser``), syntax to typed code (``elaborate``), code
to an automaton whose one loop is the cycle (``automaton``) or to a run (``interpreter``)."""
