"""Software verification witnesses that others wrote, in the formats 2.0 (YAML) and 1.0 (GraphML)."""
