"""Every model of the benchmark collection reads, or is refused for a stated reason (skipped where it is absent)."""

from __future__ import annotations

from pathlib import Path

import pytest

from argosy.frontends.uppaal import load
from argosy.models.network_queries import UnsupportedQuery
from argosy.models.network_semantics import Semantics

ROOT = Path(__file__).resolve().parents[4] / "shared" / "bench" / "models" / "ta"
BROKEN = {"xtasuite/critical/critical-2-25-50.xta"}

MODELS = sorted(p for p in ROOT.rglob("*") if p.suffix in (".xml", ".xta", ".ta")) if ROOT.is_dir() else []


@pytest.mark.skipif(not MODELS, reason="the benchmark collection is absent")
def test_every_model_reads_or_is_refused_for_a_reason() -> None:
    for path in MODELS:
        if str(path.relative_to(ROOT)) in BROKEN:
            continue
        model, queries = load(str(path))
        Semantics(model).initial()
        refused = [query.what for query in queries if isinstance(query, UnsupportedQuery)]
        assert all(what.startswith(("liveness", "scenario", "query for extreme")) for what in refused), (path, refused)
