"""Declarations and type names: from syntax to types and symbols (C11 6.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from pycparser import c_ast as c
from pycparser.c_lexer import Token

from argosy.basics.position import Position
from argosy.basics.records import replace
from argosy.frontends.c.layout import Placement
from argosy.frontends.c.library_models import ModelMismatch
from argosy.frontends.c.source import Node, expression_of
from argosy.frontends.c.symbols import Enumerator, FunctionName, Object, TypeName, Unit, complain, position_of
from argosy.frontends.c.tokens import BUILTIN, NO_WORDS, VECTOR_MODE, Spot, as_written, layout_words
from argosy.frontends.c.tree import walk
from argosy.frontends.c.types import (
    BOOL,
    COMPLEX,
    EXTENDED_FLOATS,
    UNQUALIFIED,
    VOID,
    Array,
    Float,
    Function,
    Integer,
    StructureType,
    Type,
    Vector,
    compatible,
    same_members,
)
from argosy.frontends.c.unsupported import Construct, Obstacle, error

_MODES = {"QI": 8, "HI": 16, "SI": 32, "DI": 64, "TI": 128}
_WORDS = frozenset(("word", "pointer", "unwind_word"))
_QUALIFIERS = frozenset(("const", "volatile"))
# What ``aligned`` without a number means on x86.
LARGEST_ALIGNMENT = 16
_EXACT = {"int8_t": 8, "int16_t": 16, "int32_t": 32, "int64_t": 64}


class Declarations:
    """``constant`` evaluates a constant expression, ``type_of`` and ``qualifiers_of`` are about an expression that is
    not evaluated, ``length`` counts the elements of an initialiser; all come from the reader of expressions."""

    def __init__(
        self,
        unit: Unit,
        constant: Callable[[Node], int | None],
        type_of: Callable[[Node], Type],
        qualifiers_of: Callable[[Node], frozenset[str]],
        length: Callable[[Type, Node], int | None],
    ) -> None:
        self.unit = unit
        self.model = unit.model
        self.constant = constant
        self.type_of = type_of
        self.qualifiers_of = qualifiers_of
        self.length = length
        self._known: dict[int, Type] = {}  # of struct, union and enum nodes, which several declarators share
        self._enumerators: dict[int, list[tuple[str, Enumerator]]] = {}

    # ---- types --------------------------------------------------------------------------------------------

    def type(self, node: Node) -> Type:
        match node:
            case c.Typename() | c.Decl() | c.Typedef() | c.TypeDecl() | c.AttributedType():
                return self.type(node.type)
            case c.IdentifierType():
                return self._named(node)
            case c.PtrDecl():
                return self.model.pointer(self.type(node.type), self.qualifiers(node.type))
            case c.ArrayDecl():
                return Array(self.type(node.type), None if node.dim is None else self.constant(node.dim))
            case c.FuncDecl():
                return self._function(node)
            case c.Struct() | c.Union():
                return self._record(node)
            case c.Enum():
                return self._enumeration(node)
            case c.TypeOf():
                return self.type(node.expr) if isinstance(node.expr, c.Typename) else self.type_of(node.expr)
        raise error(position_of(node), f"type {type(node).__name__}", Construct.TYPE)

    def qualifiers(self, node: Node) -> frozenset[str]:
        """The qualifiers of what a declaration declares or a type name names, of the elements where it is an array
        (6.7.3, 9)."""
        match node:
            case c.TypeDecl():
                return _QUALIFIERS.intersection(node.quals or ()) | self.qualifiers(node.type)
            case c.Typename() | c.Decl() | c.Typedef() | c.AttributedType() | c.ArrayDecl():
                return self.qualifiers(node.type)
            case c.PtrDecl():
                return _QUALIFIERS.intersection(node.quals or ())
            case c.IdentifierType():
                symbol = self.unit.scopes.find(node.names[0]) if len(node.names) == 1 else None
                return symbol.qualifiers if isinstance(symbol, TypeName) else UNQUALIFIED
            case c.TypeOf(op="typeof_unqual"):
                return UNQUALIFIED
            case c.TypeOf():
                named = isinstance(node.expr, c.Typename)
                return self.qualifiers(node.expr) if named else self.qualifiers_of(node.expr)
        return UNQUALIFIED

    def _named(self, node: Node) -> Type:
        names = node.names
        if len(names) == 1:
            symbol = self.unit.scopes.find(names[0])
            if isinstance(symbol, TypeName):
                return symbol.type
        words = Counter(names)
        if words.pop("_Complex", 0):
            plain = [word for word in names if word != "_Complex"]
            return self._complex(self._named(c.IdentifierType(plain or ["double"], node.coord)))
        if words["void"]:
            return VOID
        if words["float"] or words["double"]:
            return self.model.floats["long double" if words["long"] else "double" if words["double"] else "float"]
        unsigned = "unsigned " if words.pop("unsigned", 0) else ""
        signed = words.pop("signed", 0)
        longs = words.pop("long", 0)
        rest = {word for word, count in words.items() if count} - {"int"}
        name = rest.pop() if rest else "long long" if longs > 1 else "long" if longs else "int"
        if name == "char" and signed:
            name = "signed char"
        if rest or unsigned + name not in self.model.integers:
            raise complain(node, f"no type: {' '.join(names)}")
        return self.model[unsigned + name]

    def _complex(self, part: Type) -> Float:
        """Two numbers, one behind the other (6.2.5, 13)."""
        size, alignment = self.model.layout(part) or (8, 8)
        return Float(f"{COMPLEX}{part}", 2 * size, alignment)

    def _function(self, node: Node) -> Function:
        result = self.type(node.type)
        parameters = [] if node.args is None else node.args.params
        if not parameters or isinstance(parameters[0], c.ID):
            return Function(result, None)
        variadic = isinstance(parameters[-1], c.EllipsisParam)
        types = []
        with self.unit.scopes.block():
            for parameter in parameters:
                if not isinstance(parameter, c.EllipsisParam):
                    types.append(self.parameter(parameter))
                    name = getattr(parameter, "name", None)
                    if name:
                        self.unit.scopes.bind(name, Object(name, types[-1], position_of(parameter)))
        return Function(result, () if types == [VOID] else tuple(types), variadic)

    def parameter(self, node: Node) -> Type:
        """The type of a parameter: arrays and functions become pointers (6.7.6.3, 7 and 8)."""
        type_ = self.type(node)
        if isinstance(type_, Array):
            return self.model.pointer(type_.element, self.qualifiers(node))
        return self.model.pointer(type_) if isinstance(type_, Function) else type_

    def parameter_object(self, node: Node, name: str, function: str) -> Object:
        qualifiers = UNQUALIFIED if isinstance(self.type(node), Array) else self.qualifiers(node)
        return Object(name, self.parameter(node), position_of(node), function, qualifiers=qualifiers)

    def _record(self, node: Node) -> Type:
        known = self._known.get(id(node))
        if known is not None:
            self._bind_again(node, known)
            return known
        kind = "struct" if isinstance(node, c.Struct) else "union"
        scopes = self.unit.scopes
        found = None
        if node.name:
            found = scopes.find_tag(node.name) if node.decls is None else scopes.find_tag_here(node.name)
        record = found if isinstance(found, StructureType) else self._shared(node, kind)
        if node.name and record is not found:
            scopes.bind_tag(node.name, record)
        self._known[id(node)] = record
        if node.decls is not None:
            members = [d for d in node.decls if isinstance(d, c.Decl)]
            for part in node.decls:
                if isinstance(part, c.StaticAssert):
                    self.assertion(part)
            for member in members:
                record.qualifiers[member.name or ""] = self.qualifiers(member.type)
            given = [(d.name or "", self._member(d)) for d in members]
            if not node.name and record.members is not None and not same_members(record.members, given):
                # A header that is included twice, with other macros.
                record = self._known[id(node)] = StructureType(kind, "")
                for member in members:
                    record.qualifiers[member.name or ""] = self.qualifiers(member.type)
            if record.members is not None and not same_members(record.members, given):
                raise complain(node, f"{record} is defined twice, with other members")
            if len(given) > 1 and kind == "struct" and isinstance(last := given[-1][1], Array) and last.length is None:
                given[-1] = given[-1][0], Array(last.element, 0)
            self._say_layout(record, node, members)
            record.members = record.members or given
        return record

    def _bind_again(self, node: Node, type_: Type) -> None:
        """A list of parameters is read as part of a type, and again for the body, in a scope of its own."""
        defines = (node.values if isinstance(node, c.Enum) else node.decls) is not None
        if node.name and defines and self.unit.scopes.find_tag_here(node.name) is None:
            self.unit.scopes.bind_tag(node.name, type_)

    def _shared(self, node: Node, kind: str) -> StructureType:
        """A type that this file has not named yet: that of another file, where both define it by the same words."""
        unit, scopes = self.unit, self.unit.scopes
        if not unit.groups or not scopes.at_file_level:
            return StructureType(kind, node.name or "")
        if node.name:
            key: object = (kind, node.name, unit.groups.get((scopes.file, kind, node.name), 0))
        else:
            # One without a tag is the same where it stands in a header.
            key = (kind, _spot(node))
        return unit.records.setdefault(key, StructureType(kind, node.name or ""))

    def _member(self, node: Node) -> Type:
        """A bit field that has room in ``int`` is promoted to it (6.3.1.1, 2), whatever its type."""
        type_ = self.with_mode(node, self.type(node.type))
        if node.bitsize is None or not isinstance(type_, Integer):
            return type_
        width, whole = self.constant(node.bitsize), self.model.int_.width
        if width is None:
            raise complain(node, f"the width of {node.name or 'a bit field'} is not constant")
        if not 0 <= width <= type_.width or (width == 0 and node.name):
            raise complain(node, f"{node.name or 'a bit field'} of {width} bits, of type {type_}")
        promotes_to = ""
        if width < whole or (width == whole and type_.signed):
            promotes_to = "int"
        elif width == whole:
            promotes_to = "unsigned int"
        return replace(type_, promotes_to=promotes_to, wide=whole < width < type_.width)

    # ---- layout -------------------------------------------------------------------------------------------

    def _say_layout(self, record: StructureType, node: Node, members: Sequence[Node]) -> None:
        """What attributes, pragmas and ``_Alignas`` say of where the members lie."""
        words = layout_words(getattr(node.coord, "file", ""))
        found = self.unit.lexed.layout or words.unknown
        alignments = [self._alignment(each, node) for each in words.alignments]
        if None in alignments:
            found = found or Obstacle(position_of(node), f"the alignment of {record}", Construct.LAYOUT)
        placements: list[Placement] = []
        for member in members:
            placement = self._placement(member)
            if placement is None:
                subject = f"the alignment of '{member.name or ''}' of {record}"
                found = found or Obstacle(position_of(member), subject, Construct.LAYOUT)
            placements.append(placement or Placement())
        said = (tuple(placements), words.packed, words.pack, max((each or 1 for each in alignments), default=1))
        if record.members is not None and record.said_of_layout != said:
            found = found or Obstacle(position_of(node), f"{record}, defined with two layouts", Construct.LAYOUT)
        record.placements, record.packed, record.pack, record.aligned = said
        record.obstacle = record.obstacle or found

    def _placement(self, node: Node) -> Placement | None:
        """What is said of where a member lies; None where that is not understood."""
        inner = node.type
        while isinstance(inner, c.ArrayDecl | c.PtrDecl | c.FuncDecl):
            inner = inner.type
        # Of a structure without a name the words are those of its type.
        words = layout_words(getattr(inner.coord, "file", "")) if isinstance(inner, c.TypeDecl) else NO_WORDS
        alignments = [self._alignment(each, node) for each in words.alignments]
        for each in node.align or ():
            value = self._alignas(each.alignment)
            alignments += [] if value == 0 else [value]
        width = None if node.bitsize is None else self.constant(node.bitsize)
        if None in alignments or (width is not None and alignments) or words.unknown is not None:
            return None
        by_name = self.alignment_by_name(node)
        if by_name == 0 or (by_name is not None and width is not None):
            return None
        aligned = max((each for each in alignments if each is not None), default=None)
        return Placement(width, words.packed, aligned, by_name)

    def _placement_of_name(self, node: Node) -> Placement | None:
        """What attributes say of a type name; what packs members does not pack names."""
        inner = node.type
        while isinstance(inner, c.ArrayDecl | c.PtrDecl | c.FuncDecl):
            inner = inner.type
        words = layout_words(getattr(inner.coord, "file", ""))
        alignments = [self._alignment(each, node) for each in words.alignments]
        if None in alignments:
            return None
        return Placement(aligned=max((each for each in alignments if each is not None), default=None))

    def _alignas(self, node: Node) -> int | None:
        if isinstance(node, c.Typename):
            layout = self.model.layout(self.type(node))
            return None if layout is None else layout[1]
        return self.constant(node)

    def _alignment(self, tokens: Sequence[Token], node: Node) -> int | None:
        """The value of the argument of ``aligned``; None where it is not understood, or no power of two."""
        if not tokens:
            return LARGEST_ALIGNMENT
        place = position_of(node)
        # A program may be read twice, and the parser marks the names of types in the tokens themselves.
        words = {t.value for t in tokens if t.type in ("ID", "TYPEID")}
        names = {word for word in words if isinstance(self.unit.scopes.find(word), TypeName)}
        tree = expression_of(tokens, sorted(names), place.file)
        value = None if tree is None else self.constant(tree)
        return value if value and value > 0 and value & (value - 1) == 0 else None

    def alignment_by_name(self, node: Node) -> int | None:
        """The alignment that a type has by its name alone; None where it has none, 0 where that is not known."""
        inner = node.type
        while isinstance(inner, c.ArrayDecl):
            inner = inner.type
        named = inner.type if isinstance(inner, c.TypeDecl) else None
        if not isinstance(named, c.IdentifierType) or len(named.names) != 1:
            known = named is None or isinstance(named, c.IdentifierType | c.Struct | c.Union | c.Enum)
            if isinstance(named, c.TypeOf) and isinstance(named.expr, c.UnaryOp):
                known = named.expr.op == "sizeof"  # a number: no object, and no type with a name
            aligned = self.unit.lexed.aligned or self.unit.lexed.aligned_member
            return 0 if not known and aligned else None
        symbol = self.unit.scopes.find(named.names[0])
        return symbol.alignment if isinstance(symbol, TypeName) else None

    def _declare_tag(self, node: Node) -> None:
        """``struct S;`` alone means a type of this scope, whatever the tag means outside (6.7.2.3, 7)."""
        scopes = self.unit.scopes
        if not isinstance(scopes.find_tag_here(node.name), StructureType):
            scopes.bind_tag(node.name, self._shared(node, "struct" if isinstance(node, c.Struct) else "union"))

    def assertion(self, node: Node) -> None:
        """A static assertion: a program in which it fails is none (6.7.10)."""
        value = self.constant(node.cond)
        if value == 0:
            said = f": {node.message.value}" if node.message is not None else ""
            raise complain(node, f"a static assertion fails{said}")
        if value is None:
            self.unit.note(f"{position_of(node)}: a static assertion holds")

    def _enumeration(self, node: Node) -> Type:
        known = self._known.get(id(node))
        if known is not None:
            self._bind_again(node, known)
            for name, symbol in self._enumerators[id(node)]:
                if self.unit.scopes.find_here(name) is None:
                    self.unit.scopes.bind(name, symbol)
            return known
        found = self.unit.scopes.find_tag(node.name) if node.name else None
        fixed = None if node.underlying_type is None else self.type(node.underlying_type)
        if fixed is not None and not isinstance(fixed, Integer):
            raise complain(node, f"an enumeration of type {fixed}")
        if node.values is None and fixed is not None:
            self.unit.scopes.bind_tag(node.name, fixed)
            return fixed
        if node.values is None:
            return found if isinstance(found, Integer) else self.model["unsigned int"]
        values: list[int] = []
        for enumerator in node.values.enumerators:
            if not isinstance(enumerator, c.Enumerator):
                continue
            value = values[-1] + 1 if values else 0
            if enumerator.value is not None:
                given = self.constant(enumerator.value)
                if given is None:
                    raise complain(enumerator, f"the value of {enumerator.name} is not constant")
                value = given
            values.append(value)
            own = fixed or (self.model.int_ if _fits_int(value) else self.model.enumeration([value]))
            if own is None:
                raise complain(enumerator, f"{value} fits no integer type")
            self.unit.scopes.bind(enumerator.name, Enumerator(value, own))
        type_ = fixed or self.model.enumeration(values, layout_words(node.coord.file).packed)
        if type_ is None:
            raise complain(node, "the values of the enumeration fit no integer type")
        names = [e.name for e in node.values.enumerators if isinstance(e, c.Enumerator)]
        type_ = replace(type_, enumerators=tuple(zip(names, values, strict=True)))
        self._known[id(node)] = type_
        made = self._enumerators[id(node)] = []
        # As the compilers have it, those that do not fit into int have the type of the enumeration when it is complete.
        for name, value in zip(names, values, strict=True):
            own = fixed or (self.model.int_ if _fits_int(value) else type_)
            made.append((name, Enumerator(value, own)))
            self.unit.scopes.bind(name, made[-1][1])
        if node.name:
            self.unit.scopes.bind_tag(node.name, type_)
        return type_

    # ---- declarations -------------------------------------------------------------------------------------

    def typedef(self, node: Node) -> None:
        type_ = self.with_mode(node, self.type(node.type))
        if node.name in EXTENDED_FLOATS and position_of(node).file == BUILTIN:
            size = EXTENDED_FLOATS[node.name]
            type_ = Float("_Float128" if node.name == "__float128" else node.name, size, size)
        if node.name in self.unit.lexed.words_to_check:
            self._check_width(node, type_)
        qualifiers, alignment = self.qualifiers(node.type), self.alignment_by_name(node)
        placement = self._placement_of_name(node)
        if placement is not None and placement.aligned is not None:
            alignment = placement.aligned
        if placement is None or alignment == 0:
            subject = f"the alignment of {node.name}"
            found = Obstacle(position_of(node), subject, Construct.LAYOUT)
            self.unit.lexed.layout = self.unit.lexed.layout or found
        self.unit.scopes.bind(node.name, TypeName(type_, qualifiers, self._is_constant(node), alignment or None))

    def _is_constant(self, node: Node) -> bool:
        """Whether a declaration is of what is never written: ``const``, or elements of such an array."""
        inner = node.type
        while isinstance(inner, c.ArrayDecl):
            inner = inner.type
        qualifiers = self.qualifiers(inner)
        if "volatile" in qualifiers:
            return False
        if "const" in qualifiers:
            return True
        named = inner.type if isinstance(inner, c.TypeDecl) else None
        if not isinstance(named, c.IdentifierType) or len(named.names) != 1:
            return False
        symbol = self.unit.scopes.find(named.names[0])
        return isinstance(symbol, TypeName) and symbol.constant

    def with_mode(self, node: Node, type_: Type) -> Type:
        """The type of a declared name that an attribute ``mode`` gives another width."""
        inner = node.type
        while isinstance(inner, c.PtrDecl | c.ArrayDecl | c.FuncDecl):
            inner = inner.type
        mode = layout_words(getattr(inner.coord, "file", "")).mode if isinstance(inner, c.TypeDecl) else ""
        if mode.startswith(VECTOR_MODE):
            return self._vector(mode.removeprefix(VECTOR_MODE), node, type_)
        if not mode or isinstance(type_, Float):
            return type_
        width = self.model.pointer_width if mode in _WORDS else 8 if mode == "byte" else _MODES.get(mode)
        for candidate in self.model.integers.values():
            if isinstance(type_, Integer) and (candidate.width, candidate.signed) == (width, type_.signed):
                return candidate
        raise error(position_of(inner), f"attribute mode({mode}) of a {type_}", Construct.ATTRIBUTE)

    def _vector(self, size: str, node: Node, type_: Type) -> Vector:
        """A vector of so many bytes. In a pointer or an array the attribute is one of what these are made of."""
        element = self.model.size(type_) if isinstance(type_, Integer | Float) and type_ != BOOL else None
        plain = isinstance(node.type, c.TypeDecl) and size.isdigit() and 0 < int(size[:5]) <= 4096
        if not plain or element is None or isinstance(type_, Vector) or int(size) % element:
            raise error(position_of(node), f"attribute vector_size({size}) of a {type_}", Construct.ATTRIBUTE)
        return Vector(f"__attribute__((vector_size({size}))) {type_}", int(size), int(size))

    def _check_width(self, node: Node, type_: Type) -> None:
        """Headers of another data model than the one asked for give these names a wrong width."""
        name = node.name.lstrip("_")
        exact = _EXACT.get(name.removeprefix("u"))
        if name in ("size_t", "intptr_t", "uintptr_t", "ptrdiff_t"):
            exact = self.model.pointer_width
        if exact is not None and isinstance(type_, Integer) and type_.width != exact:
            said = f"{node.name} has {type_.width} bits in this text, {exact} in {self.model.name}"
            raise error(position_of(node), said, Construct.WIDTH)

    def declare(self, node: Node, function: str) -> Object | FunctionName | None:
        """The symbol of a declaration, bound in the innermost scope; None for one that only declares a type."""
        if node.name is None and isinstance(node.type, c.Struct | c.Union) and node.type.decls is None:
            self._declare_tag(node.type)
        type_ = self.type(node.type)
        if node.name is None:
            return None
        if isinstance(type_, Function):
            self.with_mode(node, type_)
            self.check_linked(node, type_)
            return self.function(node.name, type_, position_of(node))
        type_ = self.with_mode(node, type_)
        if isinstance(type_, StructureType) and isinstance(node.init, c.InitList):
            _refuse_open_end(type_, node.init)
        extern = "extern" in node.storage
        if function and not extern:
            if isinstance(self.unit.scopes.find_here(node.name), Object):
                raise complain(node, f"{node.name} is declared twice in one block")
            symbol = Object(node.name, self.completed(type_, node), position_of(node), function)
            symbol.lasting = "static" in node.storage
            symbol.constant = self._is_constant(node)
            symbol.initialiser = node.init
            symbol.qualifiers = self.qualifiers(node.type)
            self._note_alignment(symbol, node)
            self._note_number(symbol, node)
            self.unit.scopes.bind(node.name, symbol)
            return symbol
        return self._global(node, type_, extern)

    def _global(self, node: Node, type_: Type, extern: bool) -> Object:
        scopes = self.unit.scopes
        known = scopes.find_global(node.name)
        self.check_linked(node, type_)
        if isinstance(known, Object):
            symbol = known
            if isinstance(symbol.type, Array) and symbol.type.length is None:
                symbol.type = type_
        else:
            symbol = Object(node.name, type_, position_of(node), lasting=True, defined=False)
            symbol.linked = "static" not in node.storage
            symbol.constant = self._is_constant(node)
            scopes.bind_global(node.name, symbol)
        symbol.qualifiers |= self.qualifiers(node.type)
        initialised = symbol.initialiser is not None and node.init is not None
        if initialised and symbol.unit_file != scopes.file:
            raise complain(node, f"{as_written(node.name)} is initialised in another file too: {symbol.position}")
        if not extern or node.init is not None:
            symbol.defined = True
            symbol.position = position_of(node)
        if node.init is not None:
            symbol.unit_file = scopes.file
            symbol.initialiser = node.init
            symbol.type = self.completed(symbol.type, node)
        self._note_alignment(symbol, node)
        self._note_number(symbol, node)
        scopes.bind_global(node.name, symbol)
        scopes.bind(node.name, symbol)
        return symbol

    def _note_number(self, symbol: Object, node: Node) -> None:
        """A ``constexpr`` object is a constant wherever its value is asked for (C23 6.6)."""
        if "constexpr" not in node.storage or node.init is None or not isinstance(symbol.type, Integer):
            return
        value = self.constant(node.init)
        if value is None or not (symbol.type.is_bool or symbol.type.minimum <= value <= symbol.type.maximum):
            raise complain(node, f"the value of {node.name} is not constant")
        symbol.number = int(value != 0) if symbol.type.is_bool else value

    def _note_alignment(self, symbol: Object, node: Node) -> None:
        """Declarations of one object align it as the strictest of them says; how little they may say, compilers do not
        agree on."""
        if not self.unit.lexed.aligned:
            return
        placement, natural = self._placement(node), self.alignment_by_name(node)
        if natural is None:
            element = symbol.type
            while isinstance(element, Array):
                element = element.element
            layout = self.model.layout(element)
            natural = 0 if layout is None else layout[1]
        said = 0 if placement is None else natural if placement.aligned is None else placement.aligned
        before = natural if symbol.alignment is None else symbol.alignment
        symbol.alignment = max(before, said) if natural and before and said >= natural else 0

    def check_linked(self, node: Node, type_: Type) -> None:
        """What two files declare has compatible types in both (6.2.7, 2)."""
        known = self.unit.scopes.find_global(node.name)
        if not isinstance(known, Object | FunctionName) or not self.unit.scopes.is_new_here(node.name):
            return
        if not compatible(type_, known.type):
            if self.unit.scopes.file in self.unit.model_files:
                raise ModelMismatch(node.name)
            said = f"{as_written(node.name)} has the type {type_} here and {known.type} at {known.position}"
            raise complain(node, said)

    def completed(self, type_: Type, node: Node) -> Type:
        """An array without a length takes it from its initialiser (6.7.9, 22)."""
        if not (isinstance(type_, Array) and type_.length is None and node.init is not None):
            return type_
        if getattr(node.type, "dim", None) is not None:
            return type_
        return Array(type_.element, self.length(type_.element, node.init))

    def function(self, name: str, type_: Type, position: Position) -> FunctionName:
        """The one symbol of a function; a prototype or a definition replaces a declaration without one."""
        scopes = self.unit.scopes
        known = scopes.find_global(name)
        if isinstance(known, FunctionName):
            if isinstance(type_, Function) and type_.parameters is not None and known.definition is None:
                known.type = type_
            symbol = known
        else:
            symbol = FunctionName(name, type_, position)
        scopes.bind_global(name, symbol)
        scopes.bind(name, symbol)
        return symbol


def _fits_int(value: int) -> bool:
    return -(2**31) <= value < 2**31


def _spot(node: Node) -> Spot:
    """Where a node stands; one without a name, as of an unnamed member, stands nowhere."""
    return (node.coord.file, node.coord.line, node.coord.column or 0) if node.coord is not None else ("", 0, 0)


def take_addresses(unit: Unit, initialiser: Node) -> None:
    """Note the objects whose addresses a constant initialiser takes: it is not evaluated where nothing reads its
    object, and pointers may lead there all the same. The value of an object is no constant, so that each object it
    names is one."""
    for node in walk(initialiser) if initialiser is not None else ():
        if isinstance(node, c.ID):
            symbol = unit.scopes.find(node.name)
            if isinstance(symbol, Object):
                unit.mark_addressed(symbol)


def decayed(unit: Unit, type_: Type, qualifiers: frozenset[str] = UNQUALIFIED) -> Type:
    """The type of a value of this type: arrays and functions are used as pointers (6.3.2.1, 3 and 4)."""
    if isinstance(type_, Array):
        return unit.model.pointer(type_.element, qualifiers)
    return unit.model.pointer(type_) if isinstance(type_, Function) else type_


def _refuse_open_end(type_: StructureType, given: Node) -> None:
    """Values of a flexible array member, which GNU C gives to objects that last, are refused."""
    if type_.open_end is None or type_.open_end.length or not type_.members:
        return
    *first, (last, _) = type_.members
    items = given.exprs or ()
    named = (item for item in items if isinstance(item, c.NamedInitializer))
    if len(items) > len(first) or any(isinstance(n, c.ID) and n.name == last for item in named for n in item.name):
        raise error(position_of(given), f"values of {last} at the end of {type_}", Construct.STATIC)
