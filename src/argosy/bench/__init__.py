"""The bench: a matrix of tasks × configurations, each run under hard limits, and what came out as tables and a page.

[Theta] (*Efficient Strategies for CEGAR-based Model Checking*), section 4, is such an experiment. ``tasks`` and
``matrix`` say what is run, ``study`` runs it, ``local`` or on a ``cluster``; ``limits`` and ``wardens`` hold a run to
its limits; ``journal`` remembers what was finished; ``records`` and ``summary`` are what is known afterwards, and
``output`` writes it. ``argosy bench`` is ``command``.
"""
