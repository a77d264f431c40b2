"""From the files of a model and of its queries to a network: which texts there are, and how they become one."""

from __future__ import annotations

import re
from pathlib import Path

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.uppaal.folding import disjunction
from argosy.frontends.uppaal.instantiate import Instantiator
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.frontends.uppaal.meanings import IntegerMeaning, NameScope
from argosy.frontends.uppaal.queries import QueryTranslator, lines
from argosy.frontends.uppaal.relocate import Relocation
from argosy.frontends.uppaal.syntax import Document
from argosy.frontends.uppaal.tchecker import TckParser
from argosy.frontends.uppaal.textual import SystemParser
from argosy.frontends.uppaal.types import BooleanType
from argosy.frontends.uppaal.xml import read_xml
from argosy.models.network import Network
from argosy.models.network_expressions import AtLocation
from argosy.models.network_queries import AnyQuery, ClockMeasure, ExtremeQuery, Query

QUERY_TEXT = "query"
"""Stands for the file in positions of queries that were given as text."""


def load(path: str, queries: str | None = None) -> tuple[Network, list[AnyQuery]]:
    """Reads a model, and its queries: those in ``queries`` if given (one per line), else those of the ``.q`` file
    beside the model, else those inside the model, else those of the ``.q`` file of its family (``ring.q`` is that of
    ``ring-5.xta``).

    Raises ``InputError`` if the model is broken and ``UnsupportedError`` if it uses what is not supported. A query
    that is broken or not supported is returned as ``UnsupportedQuery`` and does not touch the others."""
    data = _bytes(path)
    if queries is not None:
        return read(path, data, PlacedText(QUERY_TEXT, queries))
    beside, family = _beside(Path(path)), _family(Path(path))
    if beside.is_file():
        return read(path, data, _query_file(beside))
    network, inside = read(path, data)
    return (network, inside) if inside or family is None else read(path, data, _query_file(family))


def query_files(path: str) -> list[str]:
    """The files from which ``load`` may take the queries about a model."""
    return [str(found) for found in (_beside(Path(path)), _family(Path(path))) if found is not None]


def read_text(path: str, text: str, queries: str | None) -> tuple[Network, list[AnyQuery]]:
    """As ``load``, from a text that stands in no file: XML is recognised by its first character, TChecker's models by
    their first word."""
    source = None if queries is None else PlacedText(QUERY_TEXT, queries)
    begins = re.sub(r"#[^\n]*", "", text).lstrip()
    suffix = ".xml" if begins.startswith("<") else ".tck" if re.match(r"system\s*:", begins) else ""
    return read(path + suffix, text.encode(), source)


def _query_file(path: Path) -> PlacedText:
    return PlacedText(str(path), _text(str(path), _bytes(str(path))))


def _beside(model: Path) -> Path:
    return model.with_suffix(".q")


def _family(model: Path) -> Path | None:
    """Models of one family that differ in numbers share a ``.q`` file; its name is theirs before the numbers."""
    numbered = re.fullmatch(r"(.*?[^\W_])(?:[-_.]\d+)+", model.stem)
    found = None if numbered is None else model.with_name(f"{numbered[1]}.q")
    return found if found is not None and found.is_file() else None


def read(path: str, data: bytes, queries: PlacedText | None = None) -> tuple[Network, list[AnyQuery]]:
    """As ``load``, from the contents of the file; ``path`` decides about the format and names it in messages."""
    try:
        return _read(path, data, queries)
    except RecursionError as error:
        # Expressions and statements have limits of their own; types can still nest through their names.
        raise InputError(Position(path, 1, 1), "declarations nested too deeply") from error


def _read(path: str, data: bytes, queries: PlacedText | None) -> tuple[Network, list[AnyQuery]]:
    document = read_xml(path, data) if path.lower().endswith(".xml") else _document(path, data)
    instantiator = Instantiator(document)
    instantiator.run()
    translator = QueryTranslator(instantiator.layout, _labelled(document, instantiator), instantiator.sets)
    found = [query for source in _queries(document, queries) for query in translator.queries(source)]
    return _complete(path, instantiator, found)


def _labelled(document: Document, instantiator: Instantiator) -> NameScope:
    """A label is true where some process is in a location that has it. Names of the model go before labels."""
    scope = NameScope(instantiator.scope)
    for label, places in document.labels.items():
        if scope.lookup(label) is None and label not in instantiator.sets:
            at = [instantiator.sets[process].members[()].locations[name] for process, name in places]
            anywhere = disjunction([AtLocation(each.process, each.location) for each in at])
            scope.bind(label, IntegerMeaning(anywhere, BooleanType()))
    return scope


def _queries(document: Document, given: PlacedText | None) -> list[PlacedText]:
    return list(lines(given)) if given is not None else [source for source in document.queries if source.text]


def _complete(path: str, instantiator: Instantiator, queries: list[AnyQuery]) -> tuple[Network, list[AnyQuery]]:
    layout = instantiator.layout
    relocation = Relocation(len(layout.variables))
    network = Network(
        Path(path).stem,
        tuple(relocation.process(process) for process in instantiator.processes),
        tuple(layout.variables),
        tuple(layout.scratch),
        tuple(layout.clocks),
        tuple(
            replace(channel, priority=instantiator.channel_priority(number))
            for number, channel in enumerate(layout.channels)
        ),
        tuple(relocation.function(function) for function in layout.functions),
        instantiator.default_priority,
        tuple(instantiator.notes),
    )
    return network, [_relocated(query, relocation) for query in queries]


def _relocated(query: AnyQuery, relocation: Relocation) -> AnyQuery:
    if isinstance(query, Query):
        premise = None if query.premise is None else relocation.formula(query.premise)
        return replace(query, formula=relocation.formula(query.formula), premise=premise)
    if isinstance(query, ExtremeQuery):
        measured = query.measured
        if isinstance(measured, ClockMeasure):
            measured = ClockMeasure(relocation.place(measured.left), relocation.place(measured.right))
        else:
            measured = relocation.expression(measured)
        return replace(query, formula=relocation.formula(query.formula), measured=measured)
    return query


def _document(path: str, data: bytes) -> Document:
    source = PlacedText(path, _text(path, data))
    return (TckParser if path.lower().endswith(".tck") else SystemParser)(source).document()


def _text(path: str, data: bytes) -> str:
    """Only comments may hold anything but ASCII; UPPAAL's own files use UTF-8 or Latin-1 there."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if "\0" in text:
        raise InputError(Position(path, 1, 1), "not a text file")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(Position(path, 0), f"cannot be read: {error.strerror}") from error
