"""The bench: a matrix of tasks × configurations, each run under hard limits, and what came out as tables and a page.

Paper 002 (*Efficient Strategies for CEGAR-based Model Checking*), section 4, is such an experiment. ``study`` runs a
matrix; ``tasks`` and ``matrix`` say what is run; ``limits`` holds a run to its limits; ``journal`` remembers what was
finished; ``records`` and ``summary`` are what is known afterwards. ``argosy bench`` is ``command``.
"""
