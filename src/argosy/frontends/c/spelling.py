"""Types as C text: declarators, and definitions of the structures that they need, in an order that compilers accept."""

from __future__ import annotations

from argosy.frontends.c.tokens import ARGUMENT_LIST
from argosy.frontends.c.types import Array, Float, Function, Integer, Pointer, StructureType, Type, Void


class Spelling:
    """Structures get tags of their own; ``definitions`` are of all those that were spelled."""

    def __init__(self) -> None:
        self._tags: dict[StructureType, str] = {}

    def declared(self, type_: Type, name: str) -> str:
        """A declaration of a name with a type; without a name it is a type name."""
        match type_:
            case Integer():
                return f"{type_.name} {name}".rstrip()
            case Float():
                return f"{type_.name} {name}".rstrip()
            case Void():
                return f"void {name}".rstrip()
            case Pointer(StructureType(tag=tag)) if tag == ARGUMENT_LIST:
                return f"__builtin_va_list {name}".rstrip()
            case Pointer(target):
                inner = f"*{name}"
                return self.declared(target, f"({inner})" if isinstance(target, Array | Function) else inner)
            case Array(element, length):
                return self.declared(element, f"{name}[{'' if length is None else length}]")
            case StructureType():
                return f"{type_.kind} {self._tag(type_)} {name}".rstrip()
            case Function():
                return self.declared(type_.result, f"{name}({self._parameters(type_)})")

    def __call__(self, type_: Type) -> str:
        return self.declared(type_, "")

    def _parameters(self, type_: Function) -> str:
        if type_.parameters is None:
            return ""
        listed = [self.declared(parameter, "") for parameter in type_.parameters]
        return ", ".join([*listed, "..."] if type_.variadic else listed) or "void"

    def _tag(self, type_: StructureType) -> str:
        tag = self._tags.get(type_)
        if tag is None:
            tag = self._tags[type_] = f"{type_.tag or 'nameless'}_{len(self._tags) + 1}"
        return tag

    # ---- definitions --------------------------------------------------------------------------------------

    def definitions(self) -> list[str]:
        """All structures are declared first, then defined, those inside others before these."""
        lines: list[str] = []
        done: set[StructureType] = set()
        while len(done) < len(self._tags):
            for type_ in list(self._tags):
                self._define(type_, done, lines)
        declared = [f"{type_.kind} {tag};" for type_, tag in self._tags.items()]
        return [*declared, *lines]

    def _define(self, type_: StructureType, done: set[StructureType], lines: list[str]) -> None:
        if type_ in done:
            return
        done.add(type_)
        for _, member in type_.members or ():
            self._define_inside(member, done, lines)
        if type_.members is not None:
            lines.extend(_under_pragma(type_, f"{type_.kind} {self._tag(type_)} {self._body(type_)};"))

    def _define_inside(self, type_: Type, done: set[StructureType], lines: list[str]) -> None:
        while isinstance(type_, Array):
            type_ = type_.element
        if isinstance(type_, StructureType):
            self._define(type_, done, lines)

    def _body(self, type_: StructureType) -> str:
        said = ["packed"] if type_.packed else []
        said += [f"aligned({type_.aligned})"] if type_.aligned > 1 else []
        return f"{{ {self._members(type_)} }}{_attributes(said)}"

    def _members(self, type_: StructureType) -> str:
        members = []
        for (name, member), said in zip(type_.members or (), type_.placed, strict=True):
            words = ["packed"] if said.packed else []
            alignment = said.aligned if said.aligned is not None else said.by_name
            words += [f"aligned({alignment})"] if alignment is not None else []
            if not name and isinstance(member, StructureType):
                members.append(f"{member.kind} {self._body(member)}{_attributes(words)};")
            else:
                width = "" if said.width is None else f" : {said.width}"
                members.append(f"{self.declared(member, name)}{width}{_attributes(words)};")
        return " ".join(members)


def _attributes(words: list[str]) -> str:
    return f" __attribute__(({', '.join(words)}))" if words else ""


def _under_pragma(type_: StructureType, text: str) -> list[str]:
    if type_.pack is None:
        return [text]
    return [f"#pragma pack(push, {type_.pack})", text, "#pragma pack(pop)"]
