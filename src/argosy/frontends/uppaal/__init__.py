"""UPPAAL's models (``.xml``, ``.xta``, ``.ta``) and queries (``.q``): text in, ``Network`` and queries out."""

from argosy.frontends.uppaal.load import load, query_files, read, read_text

__all__ = ["load", "query_files", "read", "read_text"]
