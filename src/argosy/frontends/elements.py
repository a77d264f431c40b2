"""XML as a tree of elements that know where they stand.

The document is untrusted: a DTD is never fetched, entity declarations and references to unknown entities are refused,
so nothing is expanded and nothing outside the file is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from argosy.basics.errors import InputError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, field

_DEPTH_LIMIT = 32


def read_elements(file: str, data: bytes) -> XmlElement:
    """The root element. Raises InputError for what is not well-formed."""
    return _Tree(file).read(data)


@dataclass
class XmlElement:
    name: str
    attributes: dict[str, str]
    position: Position
    children: list[XmlElement] = field(default_factory=list)
    texts: list[tuple[str, int, int]] = field(default_factory=list)

    def all(self, name: str) -> Iterator[XmlElement]:
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> XmlElement | None:
        return next(self.all(name), None)

    @property
    def text(self) -> str:
        return "".join(text for text, _, _ in self.texts)


class _Tree:
    """Expat's handlers: builds the tree of elements, refuses what could expand or fetch anything."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._parser = expat.ParserCreate()
        self._parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._parser.buffer_text = False
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.EntityDeclHandler = self._entity
        self._parser.ExternalEntityRefHandler = self._external
        self._parser.SkippedEntityHandler = self._skipped
        self._stack = [XmlElement("", {}, Position(file, 1, 1))]

    def read(self, data: bytes) -> XmlElement:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            place = Position(self._file, error.lineno, error.offset + 1)
            raise InputError(place, f"not well-formed XML: {expat.ErrorString(error.code)}") from error
        except (LookupError, ValueError) as error:
            raise InputError(Position(self._file, 1, 1), f"the encoding cannot be read: {error}") from error
        return self._stack[0].children[0]

    def _position(self) -> Position:
        return Position(self._file, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._stack) > _DEPTH_LIMIT:
            raise InputError(self._position(), "elements nested too deeply")
        element = XmlElement(name, attributes, self._position())
        self._stack[-1].children.append(element)
        self._stack.append(element)

    def _end(self, name: str) -> None:
        self._stack.pop()

    def _text(self, text: str) -> None:
        place = self._position()
        self._stack[-1].texts.append((text, place.line, place.column))

    def _entity(self, name: str, *_: object) -> None:
        raise InputError(self._position(), f"the document declares the entity {name!r}: entities are not expanded")

    def _external(self, *_: object) -> int:
        raise InputError(self._position(), "the document refers to an external entity")

    def _skipped(self, name: str, *_: object) -> None:
        raise InputError(self._position(), f"unknown entity {name!r}")
