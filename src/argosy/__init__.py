"""Argosy: a configurable model checker with certified verdicts."""
