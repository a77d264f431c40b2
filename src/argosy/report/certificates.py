"""``--certificate FILE``: the obligations of every certified SAFE as SMT-LIB text (``certify.certificate``)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from argosy.backends.contract import Invariant
from argosy.report.exporters import Decided, File


def certificates(decided: Decided, path: str) -> Iterator[File]:
    """One proof is written to ``path`` itself; of several, that of answer 2 is ``proof-2.smt2`` for ``proof.smt2``.
    Without a proof nothing is written."""
    evidence = [(number, answer.evidence) for number, answer in enumerate(decided.answers, 1)]
    found = [(n, e.script) for n, e in evidence if isinstance(e, Invariant) and e.script is not None]
    for number, script in found:
        stem, ending = os.path.splitext(path)
        yield path if len(found) == 1 else f"{stem}-{number}{ending}", script()
