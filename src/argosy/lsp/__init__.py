"""The language server: what a run found, shown in an editor at its place. ``docs/editors.md`` is its page."""
