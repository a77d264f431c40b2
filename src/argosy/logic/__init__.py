"""Terms and solvers: the language in which models, domains and certificates speak."""
