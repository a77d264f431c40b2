"""Elements of PLCopen XML by their local names: files differ in the prefix of the namespace."""

from __future__ import annotations

from collections.abc import Iterator

from argosy.basics.errors import InputError
from argosy.frontends.elements import XmlElement


def local(element: XmlElement) -> str:
    return element.name.rpartition(":")[2]


def children(element: XmlElement | None, name: str) -> Iterator[XmlElement]:
    return (child for child in element.children if local(child) == name) if element is not None else iter(())


def first(element: XmlElement, name: str) -> XmlElement | None:
    return next(children(element, name), None)


def every(element: XmlElement, name: str, *, inside: bool = False) -> Iterator[XmlElement]:
    """Descendants of that name, in the order of the text; ``inside`` of each other too."""
    for child in element.children:
        found = local(child) == name
        if found:
            yield child
        if inside or not found:
            yield from every(child, name, inside=inside)


def text_of(element: XmlElement, name: str) -> str:
    """The text of the child that must be there."""
    found = first(element, name)
    if found is None or not found.text.strip():
        raise InputError(element.position, f"this {local(element)} has no {name}")
    return found.text.strip()


def name_of(element: XmlElement) -> str:
    name = element.attributes.get("name")
    if not name:
        raise InputError(element.position, f"the {local(element)} has no name")
    return name


def place_of(element: XmlElement) -> tuple[float, float]:
    """Where it is drawn: across, and down."""
    position = first(element, "position")
    given = position.attributes if position is not None else {}
    try:
        return float(given.get("x", 0)), float(given.get("y", 0))
    except ValueError:
        raise InputError(element.position, "a position that is no number") from None


def by_id(elements: list[XmlElement]) -> dict[str, XmlElement]:
    """What connections refer to."""
    found: dict[str, XmlElement] = {}
    for element in elements:
        id = element.attributes["localId"]
        if id in found:
            raise InputError(element.position, f"two elements have the localId {id}")
        found[id] = element
    return found
