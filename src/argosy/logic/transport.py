"""Objects with terms, sent from a process to the one that forked it.

Terms are the same object wherever they are equal, so they cannot be copied field by field: new ones are sent in the
order of their age and made again in the table that they belong to. What both processes had before the fork (``shared``)
is not sent at all, only its number.

Law: what arrives is equal to what was sent; a term that the receiver's table has already is that term, and an object
that both had before the fork is that object.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from argosy.basics.records import dataclass, field
from argosy.logic.terms import Term, Terms

_OURS = "argosy."
_KEYS: Any = type({}.keys())


@dataclass(frozen=True, slots=True)
class Shared:
    """The objects that a process and those that it forks have in common, and their numbers."""

    objects: list[Any] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)

    @classmethod
    def below(cls, root: Any) -> Shared:
        """All objects of ours that can be reached from ``root`` through fields and containers."""
        found = cls()
        seen: set[int] = set()
        waiting = [root]
        while waiting:
            each = waiting.pop()
            if id(each) in seen or isinstance(each, Term | str | int | float | bytes | type(None)):
                continue
            seen.add(id(each))
            if _is_ours(each):
                found.numbers[id(each)] = len(found.objects)
                found.objects.append(each)
            if not isinstance(each, Terms):
                waiting.extend(_inside(each))
        return found


def _is_ours(each: Any) -> bool:
    return type(each).__module__.startswith(_OURS) and not isinstance(each, type)


def _inside(each: Any) -> Iterator[Any]:
    match each:
        case tuple() | list() | set() | frozenset():
            yield from each
        case dict() | MappingProxyType():
            yield from each.keys()
            yield from each.values()
        case _ if _is_ours(each):
            yield from getattr(each, "__dict__", {}).values()
            for base in type(each).__mro__:
                for slot in getattr(base, "__slots__", ()):
                    yield getattr(each, slot, None)


def pack(sent: Any, shared: Shared) -> bytes:
    packer = _Packer(shared)
    packer.dump(sent)
    terms = packer.terms()
    return pickle.dumps((len(packer.tables) - 1, terms, packer.content()), pickle.HIGHEST_PROTOCOL)


def unpack(content: bytes, shared: Shared) -> Any:
    tables, rows, sent = pickle.loads(content)
    return _Unpacker(sent, shared, tables, rows).load()


class _Packer(pickle.Pickler):
    def __init__(self, shared: Shared) -> None:
        self._buffer = io.BytesIO()
        super().__init__(self._buffer, pickle.HIGHEST_PROTOCOL)
        self._shared = shared
        self._terms: dict[Term, int] = {}
        # The first table is for terms whose own table is not sent.
        self.tables: list[Terms | None] = [None]

    def content(self) -> bytes:
        return self._buffer.getvalue()

    def persistent_id(self, each: Any) -> tuple[str, int] | None:
        if isinstance(each, Term):
            return "term", self._terms.setdefault(each, len(self._terms))
        number = self._shared.numbers.get(id(each))
        if number is not None and self._shared.objects[number] is each:
            return "shared", number
        if isinstance(each, Terms):
            if each not in self.tables:
                self.tables.append(each)
            return "table", self.tables.index(each)
        return None

    def reducer_override(self, each: Any) -> Any:
        if isinstance(each, _KEYS):
            return dict.fromkeys, (list(each),)
        if isinstance(each, MappingProxyType):
            return MappingProxyType, (dict(each),)
        return NotImplemented

    def terms(self) -> list[tuple[Any, ...]]:
        """All terms that are needed, oldest first: table, number as sent (or None), operator, arguments, payload,
        sort. A table is given by its number, one that both sides have by its number among what is shared."""
        needed: dict[Term, None] = {}
        waiting = list(self._terms)
        while waiting:
            term = waiting.pop()
            if term not in needed:
                needed[term] = None
                waiting.extend(term.args)
        place = {term: at for at, term in enumerate(sorted(needed, key=lambda term: term.id))}
        return [
            (
                self._table_of(term),
                self._terms.get(term),
                term.op,
                [place[a] for a in term.args],
                term.payload,
                term.sort,
            )
            for term in place
        ]

    def _table_of(self, term: Term) -> tuple[str, int]:
        for number, table in enumerate(self.tables):
            if table is not None and table.has(term):
                return "table", number
        for number in self._shared_tables():
            if self._shared.objects[number].has(term):
                return "shared", number
        return "table", 0

    def _shared_tables(self) -> list[int]:
        return [number for number, each in enumerate(self._shared.objects) if isinstance(each, Terms)]


class _Unpacker(pickle.Unpickler):
    def __init__(self, content: bytes, shared: Shared, tables: int, rows: list[tuple[Any, ...]]) -> None:
        super().__init__(io.BytesIO(content))
        self._shared = shared
        self._tables = [Terms() for _ in range(tables + 1)]
        self._terms: dict[int, Term] = {}
        made: list[Term] = []
        for table, number, op, arguments, payload, sort in rows:
            terms = self.persistent_load(table)
            made.append(terms.again(op, tuple(made[a] for a in arguments), payload, sort))
            if number is not None:
                self._terms[number] = made[-1]

    def persistent_load(self, each: tuple[str, int]) -> Any:
        kind, number = each
        match kind:
            case "term":
                return self._terms[number]
            case "table":
                return self._tables[number]
        return self._shared.objects[number]
