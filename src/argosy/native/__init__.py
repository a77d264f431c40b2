"""Analyses of automata whose exploration the native kernel does: what it needs, and what comes back. Each has a twin in
plain Python, the domain and the loop (``domains``, ``engine``), which does whatever the kernel does not."""
