"""What can be chosen of a strategy: one frozen class for each family of strategies, one field for each option.

``declared`` is how an option is declared, ``values`` are the values that have a name or a structure, ``programs`` and
``networks`` are the classes. Flags, help, ``argosy strategies``, Python keywords, validation and the ``strategy`` of a
JSON result are derived from the fields (``strategies.configure`` parses, ``strategies.flags`` describes). This package
imports nothing of the others, so that every part can say what it reads, and nothing heavy.
"""
