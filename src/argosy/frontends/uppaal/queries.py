"""Queries: ``E<>``, ``A[]``, ``E[]``, ``A<>`` and ``-->`` are translated, and so are ``sup``, ``inf`` and ``bounds``:
into a query for each value that they ask for. Other kinds are recognised and refused, each for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.uppaal.declarations import DeclarationParser
from argosy.frontends.uppaal.functions import Translator
from argosy.frontends.uppaal.layout import Layout
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.frontends.uppaal.meanings import ClockSum, NameScope, ProcessSet, Storage, is_clock
from argosy.models.network_expressions import FALSE, TRUE, Expression, NetworkPlace
from argosy.models.network_queries import (
    MOST_PARTS,
    AnyQuery,
    ClockMeasure,
    ExtremeQuery,
    Extremum,
    Holds,
    Quantifier,
    Query,
    StateFormula,
    TooManyParts,
    UnsupportedQuery,
    goal_count,
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
_EXTREMES = re.compile(r"(sup|inf|bounds)\s*(?=[:{])")
_OTHER = (
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

    def queries(self, source: PlacedText) -> list[AnyQuery]:
        """What a line asks: mostly one thing."""
        plain = _without_comments(source)
        text = " ".join(_CONTINUATION.sub(" ", plain.text).split())
        position = source.position(0)
        try:
            extremes = _EXTREMES.match(plain.text, len(plain.text) - len(plain.text.lstrip()))
            return [self._translate(plain, text)] if extremes is None else self._extremes(plain, extremes)
        except UnsupportedError as error:
            return [UnsupportedQuery(text, error.position, error.what)]
        except InputError as error:
            return [UnsupportedQuery(text, error.position if error.position.line else position, error.what, True)]

    def _extremes(self, source: PlacedText, match: re.Match[str]) -> list[AnyQuery]:
        """``sup{p}: x, n``; without ``{p}`` all states count."""
        asked = {"sup": [Extremum.SUP], "inf": [Extremum.INF], "bounds": [Extremum.INF, Extremum.SUP]}[match[1]]
        parser = DeclarationParser(source.part(match.end(), len(source.text)), query=True)
        translator = Translator(self._layout, self._scope, query=True)
        formula: StateFormula = Holds(TRUE)
        condition = ""
        if parser.accept("{"):
            begin = parser.token
            formula = translator.formula(parser.expression())
            condition = f"{{{parser.text_since(begin)}}}"
            parser.expect("}")
        parser.expect(":")
        found: list[AnyQuery] = []
        while True:
            begin = parser.token
            expression = parser.expression()
            written = parser.text_since(begin)
            measured = self._measured(translator, expression)
            for extremum in asked:
                text = f"{extremum.value}{condition}: {written}"
                found.append(ExtremeQuery(extremum, formula, measured, written, text, source.position(0)))
            if not parser.accept(","):
                break
        parser.finish()
        if goal_count(formula) > _GOAL_LIMIT:
            raise UnsupportedError(source.position(0), f"a formula with more than {_GOAL_LIMIT} disjuncts over clocks")
        return found

    @staticmethod
    def _measured(translator: Translator, expression: s.Expression) -> ClockMeasure | Expression:
        meaning = translator.meaning(expression)
        if not is_clock(meaning):
            return translator.as_integer(meaning, expression.position).expression
        clocks = ClockSum((meaning.clocks,)) if isinstance(meaning, Storage) else meaning
        assert isinstance(clocks, ClockSum)
        if len(clocks.plus) != 1 or len(clocks.minus) > 1 or clocks.offset != FALSE:
            raise UnsupportedError(expression.position, "bounds of a sum of clocks (a clock or a difference of two)")
        if clocks.plus == clocks.minus:
            return FALSE
        return ClockMeasure(clocks.plus[0], clocks.minus[0] if clocks.minus else NetworkPlace(0))

    def _translate(self, source: PlacedText, text: str) -> Query:
        position = source.position(0)
        start = len(source.text) - len(source.text.lstrip())
        match = _SUPPORTED.match(source.text, start)
        if match is None and "-->" not in source.text:
            for pattern, what in _OTHER:
                if pattern.match(source.text, start):
                    raise UnsupportedError(position, what)
            raise InputError(position, "a query starts with E<>, A[], E[], A<>, sup, inf or bounds, or is p --> q")
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
        try:
            premises = 0 if stay.premise is None else goal_count(stay.premise)
            if len(stay.parts) + len(stay.dead_parts or ()) + premises > _GOAL_LIMIT:
                raise TooManyParts
        except TooManyParts:
            what = f"a formula with more than {MOST_PARTS} cases over clocks"
            raise UnsupportedError(query.position, what) from None
