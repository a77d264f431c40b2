"""Parser of TChecker's ``.tck`` files (its ``doc/file-format.md`` is the definition), as a document of UPPAAL's
language: a template for each process, a channel for each ``sync`` line.

Synchronisation of two processes is a channel of two, whoever is declared first sends, so that statements run in
TChecker's order. One process with weak partners (``q@e?``) is a broadcast. TChecker lets a weak partner take part
whenever it has an edge, and a guard of that edge that fails then forbids the action, where UPPAAL leaves the process
out: weak partners with guards are refused, as is all that has no counterpart. An assignment that leaves the range of
its variable is no transition in TChecker; here it is a model error, so that nothing is said of such a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, field
from argosy.frontends.uppaal.declarations import DeclarationParser
from argosy.frontends.uppaal.lexer import PlacedText

_NAME = re.compile(r"[A-Za-z_][\w.]*")
_COUNTS = {"system": 1, "process": 1, "event": 1, "clock": 2, "int": 5, "location": 2, "edge": 4}
_UNSUPPORTED = re.compile(r"\s*(if|while|local)\b")
_KNOWN = {
    "location": ("initial", "labels", "invariant", "committed", "urgent"),
    "edge": ("provided", "do"),
}


@dataclass(frozen=True, slots=True)
class _Line:
    """``attributes``: the value of each, where it stands."""

    kind: str
    fields: tuple[str, ...]
    attributes: dict[str, PlacedText]
    position: Position


@dataclass(frozen=True, slots=True)
class _Partner:
    process: str
    event: str
    weak: bool


@dataclass(slots=True)
class _TckProcess:
    position: Position
    locations: list[s.LocationSyntax] = field(default_factory=list)
    initial: list[str] = field(default_factory=list)
    edges: list[_Line] = field(default_factory=list)


class TckParser:
    def __init__(self, source: PlacedText) -> None:
        self._source = source
        self._declarations: list[s.Declaration] = []
        self._names: dict[str, str] = {}
        self._events: set[str] = set()
        self._processes: dict[str, _TckProcess] = {}
        self._synchronisations: list[tuple[tuple[_Partner, ...], Position]] = []
        self._labels: dict[str, list[tuple[str, str]]] = {}

    def document(self) -> s.Document:
        lines = list(self._lines())
        if not lines or lines[0].kind != "system":
            raise InputError(self._source.position(0), "a TChecker model begins with system:NAME")
        for number, line in enumerate(lines):
            if number and line.kind == "system":
                raise InputError(line.position, "system is declared twice")
            self._line(line)
        if not self._processes:
            raise InputError(lines[0].position, "no process: there is no automaton to verify")
        channels = [self._channel(number, *each) for number, each in enumerate(self._synchronisations, 1)]
        names = [s.NameSyntax(name, position=its.position) for name, its in self._processes.items()]
        templates: list[s.Declaration] = []
        for name, process in self._processes.items():
            templates.append(self._template(name, process, channels))
            templates.append(s.Instantiation(name, (), _template_name(name), (), position=process.position))
        system = s.SystemLine((tuple(names),), position=lines[0].position)
        labels = {label: tuple(places) for label, places in self._labels.items()}
        return s.Document(self._source.file, (*self._declarations, *templates), system, labels=labels)

    # ---- lines ----------------------------------------------------------------------------------------------------

    def _lines(self) -> Iterator[_Line]:
        """Comments become blanks. Names may have dots here: they become underscores."""
        plain = re.sub(r"#[^\n]*", lambda match: " " * len(match.group()), self._source.text)
        plain = re.sub(r"(?<=[\w])\.(?=\w)", "_", plain)
        self._check_dots()
        at = 0
        for match in re.finditer(
            r"[^\S\n]*(\w+)\s*(?::|$)([^{}\n]*)(\{[^{}]*\})?[^\S\n]*(\n|$)|[^\S\n]*\n", plain, re.M
        ):
            if match.start() != at:
                break
            at = match.end()
            if match[1] is None:
                continue
            position = self._source.position(match.start(1))
            kind, fields = match[1], tuple(part.strip() for part in match[2].split(":"))
            if kind not in (*_COUNTS, "sync"):
                raise InputError(position, f"unknown declaration {kind!r}")
            if kind != "sync" and len(fields) != _COUNTS[kind]:
                raise InputError(position, f"{kind} has {_COUNTS[kind]} parts, separated by ':'")
            attributes: dict[str, PlacedText] = {}
            if match[3] is not None:
                placed = PlacedText(self._source.file, plain, self._source.chunks)
                attributes = self._attributes(placed, match.start(3) + 1, match.end(3) - 1, kind, position)
            yield _Line(kind, fields, attributes, position)
        if plain[at:].strip():
            begin = at + len(plain[at:]) - len(plain[at:].lstrip())
            raise InputError(self._source.position(begin), "syntax error: a declaration expected")

    def _check_dots(self) -> None:
        for match in _NAME.finditer(self._source.text):
            plain = match.group().replace(".", "_")
            if self._names.setdefault(plain, match.group()) != match.group():
                raise UnsupportedError(
                    self._source.position(match.start()), f"the names {match.group()} and {self._names[plain]} together"
                )

    def _attributes(
        self, text: PlacedText, start: int, end: int, kind: str, position: Position
    ) -> dict[str, PlacedText]:
        found: dict[str, PlacedText] = {}
        parts = text.text[start:end].split(":")
        if parts == [""] or not "".join(parts).strip():
            return found
        if len(parts) % 2:
            raise InputError(position, "attributes are pairs KEY:VALUE, separated by ':'")
        at = start
        for number in range(0, len(parts), 2):
            key = parts[number].strip()
            begin = at + len(parts[number]) + 1
            at = begin + len(parts[number + 1]) + 1
            if key not in _KNOWN.get(kind, ()):
                raise UnsupportedError(position, f"the attribute {key!r}")
            if key in found:
                raise InputError(position, f"the attribute {key!r} occurs twice")
            found[key] = text.part(begin, begin + len(parts[number + 1]))
        return found

    def _line(self, line: _Line) -> None:
        match line.kind:
            case "process":
                [name] = line.fields
                self._fresh(name, self._processes, line.position)
                self._processes[name] = _TckProcess(line.position)
            case "event":
                [name] = line.fields
                self._fresh(name, self._events, line.position)
                self._events.add(name)
            case "clock":
                size, name = line.fields
                self._declare(f"clock {name}{self._dimension(size, line.position)};", line.position)
            case "int":
                size, low, high, initial, name = line.fields
                count = self._number(size, line.position)
                first, last, value = (self._number(text, line.position) for text in (low, high, initial))
                values = ", ".join([str(value)] * count)
                dimension = self._dimension(size, line.position)
                begin = f"{{{values}}}" if dimension else values
                self._declare(f"int[{first}, {last}] {name}{dimension} = {begin};", line.position)
            case "location":
                self._location(line)
            case "edge":
                process, source, target, event = line.fields
                its = self._process(process, line.position)
                known = {location.name for location in its.locations}
                for end in (source, target):
                    if end not in known:
                        raise InputError(line.position, f"unknown location {end!r} of {process}")
                if event not in self._events:
                    raise InputError(line.position, f"unknown event {event!r}")
                its.edges.append(line)
            case "sync":
                self._sync(line)

    def _fresh(self, name: str, known: object, position: Position) -> None:
        if not _NAME.fullmatch(name):
            raise InputError(position, f"{name!r} is no name")
        if name in known:  # type: ignore[operator]
            raise InputError(position, f"{name!r} is declared twice")

    def _number(self, text: str, position: Position) -> int:
        if not re.fullmatch(r"-?\d+", text):
            raise InputError(position, f"a number expected, found {text!r}")
        return int(text)

    def _dimension(self, size: str, position: Position) -> str:
        count = self._number(size, position)
        if count < 1:
            raise InputError(position, "the size of a variable is at least 1")
        return "" if count == 1 else f"[{count}]"

    def _declare(self, text: str, position: Position) -> None:
        """A declaration in UPPAAL's words, at the place of this one."""
        placed = PlacedText(
            position.file, text, tuple((k, position.line, position.column) for k in range(len(text) + 1))
        )
        self._declarations += DeclarationParser(placed).declarations()

    def _process(self, name: str, position: Position) -> _TckProcess:
        if name not in self._processes:
            raise InputError(position, f"unknown process {name!r}")
        return self._processes[name]

    def _location(self, line: _Line) -> None:
        process, name = line.fields
        its = self._process(process, line.position)
        self._fresh(name, {location.name for location in its.locations}, line.position)
        text = line.attributes.get("invariant")
        invariant = None if text is None or not text.text else _whole(DeclarationParser(text))
        its.locations.append(
            s.LocationSyntax(
                name,
                invariant,
                "urgent" in line.attributes,
                "committed" in line.attributes,
                "" if text is None else " ".join(text.text.split()),
                position=line.position,
            )
        )
        if "initial" in line.attributes:
            its.initial.append(name)
        if "labels" in line.attributes:
            for label in filter(None, map(str.strip, line.attributes["labels"].text.split(","))):
                self._labels.setdefault(label, []).append((process, name))

    # ---- synchronisation --------------------------------------------------------------------------------------------

    def _sync(self, line: _Line) -> None:
        partners: list[_Partner] = []
        for text in line.fields:
            match = re.fullmatch(r"([\w]+)\s*@\s*([\w]+)\s*(\??)", text)
            if match is None:
                raise InputError(line.position, f"PROCESS@EVENT or PROCESS@EVENT? expected, found {text!r}")
            self._process(match[1], line.position)
            if match[2] not in self._events:
                raise InputError(line.position, f"unknown event {match[2]!r}")
            if any(partner.process == match[1] for partner in partners):
                raise InputError(line.position, f"{match[1]} takes part twice")
            partners.append(_Partner(match[1], match[2], bool(match[3])))
        if len(partners) < 2:
            raise InputError(line.position, "a synchronisation has two partners at least")
        order = list(self._processes)
        partners.sort(key=lambda partner: (partner.weak, order.index(partner.process)))
        strong = [partner for partner in partners if not partner.weak]
        if len(strong) > 1 and len(partners) > 2:
            raise UnsupportedError(line.position, "a synchronisation of more than two processes")
        if not strong:
            raise UnsupportedError(line.position, "a synchronisation of weak partners only")
        self._synchronisations.append((tuple(partners), line.position))

    def _channel(self, number: int, partners: tuple[_Partner, ...], position: Position) -> str:
        """Declares the channel of a synchronisation."""
        name = "_".join(dict.fromkeys(partner.event for partner in partners))
        while name in self._names or name in self._processes:
            name = f"{name}_{number}"
        self._names[name] = name
        weak = [partner for partner in partners if partner.weak]
        sender = partners[0]
        order = list(self._processes)
        for partner in weak:
            edges = [e for e in self._processes[partner.process].edges if e.fields[3] == partner.event]
            guarded = next((e for e in edges if "provided" in e.attributes), None)
            if guarded is not None:
                raise UnsupportedError(guarded.position, "a guard on an edge of a weak partner of a synchronisation")
            first = order.index(partner.process) < order.index(sender.process)
            updating = next((e for e in edges if "do" in e.attributes), None)
            sending = [e for e in self._processes[sender.process].edges if e.fields[3] == sender.event]
            if first and updating is not None and any("do" in e.attributes for e in sending):
                raise UnsupportedError(updating.position, "a statement of a weak partner before that of the strong one")
        self._declare(f"{'broadcast ' if weak else ''}chan {name};", position)
        return name

    def _template(self, name: str, process: _TckProcess, channels: list[str]) -> s.TemplateDeclaration:
        if len(process.initial) != 1:
            what = f"{name} has {len(process.initial)} initial locations"
            raise (UnsupportedError if process.initial else InputError)(process.position, what)
        edges = [edge for line in process.edges for edge in self._edges(name, line, channels)]
        return s.TemplateDeclaration(
            _template_name(name),
            (),
            (),
            tuple(process.locations),
            process.initial[0],
            tuple(edges),
            position=process.position,
        )

    def _edges(self, process: str, line: _Line, channels: list[str]) -> Iterator[s.EdgeSyntax]:
        """One for each synchronisation that the event takes part in."""
        _, source, target, event = line.fields
        provided, do = line.attributes.get("provided"), line.attributes.get("do")
        guard = None if provided is None or not provided.text else _whole(DeclarationParser(provided))
        updates = () if do is None else tuple(_statements(do))
        texts = ["" if text is None else " ".join(text.text.split()) for text in (provided, do)]
        ways: list[tuple[str, bool] | None] = []
        for channel, (partners, _) in zip(channels, self._synchronisations, strict=True):
            ways += [
                (channel, number == 0)
                for number, partner in enumerate(partners)
                if (partner.process, partner.event) == (process, event)
            ]
        for way in ways or [None]:
            sync, written = None, ""
            if way is not None:
                named = s.NameSyntax(way[0], position=line.position)
                sync = s.SynchronisationSyntax(named, way[1], position=line.position)
                written = way[0] + ("!" if way[1] else "?")
            four = ("", texts[0], written, texts[1])
            yield s.EdgeSyntax(source, target, (), guard, sync, updates, four, position=line.position)


def _template_name(process: str) -> str:
    """Not a name that a file can have, so that it hides none."""
    return f"{process} "


def _whole(parser: DeclarationParser) -> s.Expression:
    if parser.token.kind == "(" and parser.following().kind == "if":
        raise UnsupportedError(parser.token.position, "an expression with 'if'")
    expression = parser.expression()
    parser.finish()
    return expression


def _statements(text: PlacedText) -> Iterator[s.Expression]:
    at = 0
    for part in text.text.split(";"):
        statement = text.part(at, at + len(part))
        at += len(part) + 1
        if not statement.text or statement.text == "nop":
            continue
        if _UNSUPPORTED.match(statement.text):
            raise UnsupportedError(statement.position(0), f"the statement {statement.text.split()[0]!r}")
        expression = _whole(DeclarationParser(statement))
        if not isinstance(expression, s.AssignSyntax) or expression.operator:
            raise InputError(statement.position(0), "an assignment or nop expected")
        yield expression
