"""Queries: ``E<>``, ``A[]``, ``E[]``, ``A<>`` and ``-->`` are translated, other kinds are recognised and refused, each
for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.uppaal.declarations import DeclarationParser
from argosy.frontends.uppaal.functions import Translator
from argosy.frontends.uppaal.layout import Layout
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.frontends.uppaal.meanings import NameScope, ProcessSet
from argosy.models.network_queries import (
    MOST_PARTS,
    Quantifier,
    Query,
    TooManyParts,
    UnsupportedQuery,
    goal_count,
    has_deadlock,
)

_GOAL_LIMIT = 10_000
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_CONTINUATION = re.compile(r"\\[ \t]*\n")
_SUPPORTED = re.compile(r"([EA])\s*(<\s*>|\[\s*\])(?![+*])")
_QUANTIFIERS = {
    "E<>": Quantifier.POSSIBLY,
    "A[]": Quantifier.INVARIANTLY,
    "E[]": Quantifier.PERMANENTLY,
    "A<>": Quantifier.EVENTUALLY,
}
_OTHER = (
    (re.compile(r"(sup|inf|bounds)\s*[:{]"), "query for extreme values"),
    (re.compile(r"(sat|scenario)\s*:"), "scenario query"),
    (re.compile(r"control"), "controller synthesis"),
    (re.compile(r"Pr\b|simulate|E\s*\[|minE|maxE|minPr|maxPr"), "statistical query"),
    (re.compile(r"strategy|loadStrategy|saveStrategy"), "strategy"),
    (re.compile(r"A\s*\[|E\s*<"), "path formula"),
)


def lines(source: PlacedText) -> Iterator[PlacedText]:
    """The queries of a ``.q`` text: one per line, ``\\`` continues a line, comments and empty lines are skipped."""
    plain = _without_comments(source)
    start = 0
    # For finding the lines a continued newline is blank; the query keeps it, so that positions are those of the file.
    for line in _CONTINUATION.sub(lambda match: " " * len(match.group()), plain.text).split("\n"):
        if line.strip():
            yield plain.part(start, start + len(line))
        start += len(line) + 1


def _without_comments(source: PlacedText) -> PlacedText:
    text = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), source.text)
    return PlacedText(source.file, text, source.chunks)


class QueryTranslator:
    def __init__(self, layout: Layout, scope: NameScope, processes: Mapping[str, ProcessSet]) -> None:
        self._layout = layout
        self._scope = NameScope(scope)
        for name, members in processes.items():
            self._scope.bind(name, members.members.get((), members))

    def query(self, source: PlacedText) -> Query | UnsupportedQuery:
        plain = _without_comments(source)
        text = " ".join(_CONTINUATION.sub(" ", plain.text).split())
        position = source.position(0)
        try:
            return self._translate(plain, text)
        except UnsupportedError as error:
            return UnsupportedQuery(text, error.position, error.what)
        except InputError as error:
            return UnsupportedQuery(text, error.position if error.position.line else position, error.what, True)

    def _translate(self, source: PlacedText, text: str) -> Query:
        position = source.position(0)
        start = len(source.text) - len(source.text.lstrip())
        match = _SUPPORTED.match(source.text, start)
        if match is None and "-->" not in source.text:
            for pattern, what in _OTHER:
                if pattern.match(source.text, start):
                    raise UnsupportedError(position, what)
            raise InputError(position, "a query starts with E<>, A[], E[] or A<>, or is p --> q")
        quantifier = Quantifier.LEADS_TO
        if match is not None:
            quantifier = _QUANTIFIERS["".join(match.group().split())]
        parser = DeclarationParser(source.part(start if match is None else match.end(), len(source.text)), query=True)
        expression, premise = parser.expression(), None
        if match is None:
            premise = expression
            parser.expect("-->")
            expression = parser.expression()
        if parser.token.text in ("under", "imitate"):
            raise UnsupportedError(parser.token.position, "strategy")
        parser.finish()
        translator = Translator(self._layout, self._scope, query=True)
        formula = translator.formula(expression)
        query = Query(quantifier, formula, text, position, None if premise is None else translator.formula(premise))
        self._check(query)
        return query

    def _check(self, query: Query) -> None:
        if not query.quantifier.is_liveness:
            if goal_count(query.target) > _GOAL_LIMIT:
                raise UnsupportedError(query.position, f"a formula with more than {_GOAL_LIMIT} disjuncts over clocks")
            return
        stay = query.stay()
        if any(has_deadlock(formula) for formula in (stay.kept, stay.premise) if formula is not None):
            what = f"deadlock in a query with {query.quantifier.value} (as in UPPAAL, it belongs to E<> and A[])"
            raise UnsupportedError(query.position, what)
        try:
            premises = 0 if stay.premise is None else goal_count(stay.premise)
            if len(stay.parts) + premises > _GOAL_LIMIT:
                raise TooManyParts
        except TooManyParts:
            what = f"a formula with more than {MOST_PARTS} cases over clocks"
            raise UnsupportedError(query.position, what) from None
