"""From the parser's tree to the typed form: the one place that knows the types of C and the order of its effects."""
