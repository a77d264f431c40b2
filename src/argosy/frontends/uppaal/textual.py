"""Parser of ``.xta`` and ``.ta`` files, and of the system section, which the XML format shares."""

from __future__ import annotations

import argosy.frontends.uppaal.syntax as s
from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.uppaal.declarations import DeclarationParser
from argosy.frontends.uppaal.lexer import PlacedText

_LABELS = ("select", "guard", "sync", "assign")


class SystemParser(DeclarationParser):
    def document(self) -> s.Document:
        declarations, system, queries = self.system_section()
        return s.Document(self.source.file, declarations, system, queries)

    def system_section(self) -> tuple[tuple[s.Declaration, ...], s.SystemLine, tuple[PlacedText, ...]]:
        """Declarations, templates and instantiations, the system line, and what may follow it."""
        declarations = self.declarations("system")
        if self.token.kind == "end":
            raise InputError(self.token.position, "no system line: there is no automaton to verify")
        start = self.advance()
        levels: list[list[s.NameSyntax]] = [[]]
        while True:
            name = self.name()
            levels[-1].append(s.NameSyntax(name.text, position=name.position))
            if self.accept("<"):
                levels.append([])
            elif not self.accept(","):
                break
        self.expect(";")
        system = s.SystemLine(tuple(tuple(level) for level in levels), position=start.position)
        return declarations, system, self._trailer()

    def _trailer(self) -> tuple[PlacedText, ...]:
        """Progress measures and Gantt charts do not change the transition system; queries are collected."""
        queries: list[PlacedText] = []
        while self.token.kind != "end":
            token = self.name()
            if token.text == "IO":
                raise UnsupportedError(token.position, "input and output declarations")
            if token.text not in ("progress", "gantt", "query") or self.token.kind != "{":
                raise InputError(token.position, f"unexpected {token.text!r} after the system line")
            opened = self.token
            self.skip_braces()
            if token.text == "query":
                queries.append(self.source.part(opened.end, self._tokens[self._at - 1].start))
        return tuple(queries)

    def declaration(self) -> s.Declaration:
        return self._process() if self.token.kind == "process" else super().declaration()

    def _process(self) -> s.TemplateDeclaration:
        start = self.advance()
        name = self.name().text
        parameters: tuple[s.ParameterDeclaration, ...] = ()
        if self.accept("("):
            parameters = self.parameters()
            self.expect(")")
        self.expect("{")
        declarations = self.declarations("state", "}")
        refusal: s.Refused | None = None
        self.expect("state")
        locations: list[s.LocationSyntax] = []
        while not locations or self.accept(","):
            locations.append(self._location())
        self.expect(";")
        if self.token.text == "branchpoint":
            refusal = s.Refused("probabilistic branches", position=self.token.position)
            while self.advance().kind not in (";", "end"):
                pass
        flags: dict[str, set[str]] = {"commit": set(), "urgent": set()}
        known = {location.name for location in locations}
        while flag := self.accept("commit", "urgent"):
            flags[flag.kind] |= self._location_names(known)
        self.expect("init")
        initial = self.name()
        self.expect(";")
        edges: tuple[s.EdgeSyntax, ...] = ()
        if self.accept("trans"):
            edges, probabilistic = self._edges()
            refusal = refusal or probabilistic
        self.expect("}")
        flagged = tuple(
            s.LocationSyntax(
                location.name,
                location.invariant,
                location.name in flags["urgent"],
                location.name in flags["commit"],
                location.text,
                position=location.position,
            )
            for location in locations
        )
        return s.TemplateDeclaration(
            name, parameters, declarations, flagged, initial.text, edges, refusal, position=start.position
        )

    def _location_names(self, known: set[str]) -> set[str]:
        names: set[str] = set()
        while not names or self.accept(","):
            name = self.name()
            if name.text not in known:
                raise InputError(name.position, f"unknown location {name.text!r}")
            names.add(name.text)
        self.expect(";")
        return names

    def _location(self) -> s.LocationSyntax:
        name = self.name()
        invariant: s.Expression | None = None
        text = ""
        if self.accept("{"):
            first = self.token
            if first.kind not in (";", "}"):
                invariant = self.conjunction()
                text = self.text_since(first)
            if rate := self.accept(";"):
                raise UnsupportedError(rate.position, "exponential rate (probabilities)")
            self.expect("}")
        return s.LocationSyntax(name.text, invariant, text=text, position=name.position)

    def _edges(self) -> tuple[tuple[s.EdgeSyntax, ...], s.Refused | None]:
        found: list[s.EdgeSyntax] = []
        refusal: s.Refused | None = None
        source: str | None = None
        while not found or self.accept(","):
            start = self.token
            if start.kind == "name":
                source = self.advance().text
            self.expect("->", "-u->")
            if source is None:
                raise InputError(start.position, "the first edge needs a source location")
            target = self.name().text
            edge, probabilistic = self._labels(source, target, start.position)
            found.append(edge)
            refusal = refusal or probabilistic
        self.expect(";")
        return tuple(found), refusal

    def _labels(self, source: str, target: str, position: Position) -> tuple[s.EdgeSyntax, s.Refused | None]:
        texts = dict.fromkeys(_LABELS, "")
        selects: tuple[s.Select, ...] = ()
        guard: s.Expression | None = None
        synchronisation: s.SynchronisationSyntax | None = None
        updates: tuple[s.Expression, ...] = ()
        refusal: s.Refused | None = None
        self.expect("{")
        while not self.accept("}"):
            label = self.advance()
            first = self.token
            match label.text:
                case "select":
                    selects = self.selects()
                case "guard":
                    guard = self.conjunction()
                case "sync":
                    synchronisation = self.synchronisation()
                case "assign":
                    updates = self.expressions(";")
                case "probability":
                    refusal = s.Refused("probabilities", position=label.position)
                    self.expression()
                case _:
                    raise InputError(label.position, f"syntax error: a label of an edge expected, found {label.text!r}")
            if texts.get(label.text):
                raise InputError(label.position, f"an edge has one label {label.text!r} at most")
            texts[label.text] = self.text_since(first)
            self.expect(";")
        four = (texts["select"], texts["guard"], texts["sync"], texts["assign"])
        edge = s.EdgeSyntax(source, target, selects, guard, synchronisation, updates, four, position=position)
        return edge, refusal
