"""The GNU dialect, on tokens: what compilers and system headers add to ISO C, for a grammar that does not know it.

Alternate spellings of keywords, ``__attribute__``, ``asm``, ``a ?: b`` and ranges of cases. Attributes that matter to
the meaning are kept aside: ``noreturn`` and ``returns_twice`` by the name that they belong to, ``mode`` by the
declaration, ``packed`` by the enumeration; what decides where members lie is kept by the token that names what it is
said of (``tokens.LayoutWords``). Law: an attribute is refused unless it is known to leave the meaning as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pycparser.c_lexer import Token

from argosy.basics.errors import InputError
from argosy.basics.records import dataclass, replace
from argosy.frontends.c.computed import LabelValues, is_type_before
from argosy.frontends.c.expansions import (
    NAMES,
    NEVER_FAILS,
    ONE_THREAD,
    alignment_of,
    expanded,
    expansion,
    is_atomic,
    may_fail,
)
from argosy.frontends.c.modern import speak_modern
from argosy.frontends.c.tokens import (
    ARGUMENT_LIST,
    ASSEMBLED,
    ASSEMBLED_IN_MEMORY,
    ASSEMBLER,
    BUILTIN,
    CLEANUP,
    KEYWORDS,
    NO_WORDS,
    OWN_FILE,
    PUNCTUATION,
    SAME_AS_CONDITION,
    VECTOR_MODE,
    LayoutWords,
    Lexed,
    annotate,
    position_of_token,
)
from argosy.frontends.c.types import EXTENDED_FLOATS
from argosy.frontends.c.unsupported import Construct, Obstacle, error

# How the grammar spells the words above, where the tree shows them.
_PLAIN = {"CONST": "const", "VOLATILE": "volatile", "SIGNED": "signed", "_COMPLEX": "_Complex", "INLINE": "inline"}
_DROPPED = frozenset(("__extension__", "__restrict", "__restrict__", "restrict"))
_ATTRIBUTE = frozenset(("__attribute__", "__attribute", "__declspec"))
_ASSEMBLER = frozenset(("asm", "__asm", "__asm__"))
_FLOATS = {
    "_Float32": "float",
    "_Float32x": "double",
    "_Float64": "double",
    "_Float64x": "long double",
    "_Float128": "long double",
    "__float128": "long double",
}
_COMPLEX = frozenset(("__real__", "__imag__", "__real", "__imag"))
_SPECIAL = _DROPPED | _ATTRIBUTE | _ASSEMBLER | _FLOATS.keys() | {"_Noreturn", "__label__"}
# Sections of what runs before and after main; those of kernels, such as .init.text, are not among them.
_STARTS = re.compile(r'"\.(?:(?:pre)?init_array|fini_array|[cd]tors|init|fini)(?:\.[0-9]+)?"')
_LAYOUT = frozenset(("align", "ms_struct", "scalar_storage_order"))
_RECORDS = frozenset(("STRUCT", "UNION"))
# Attributes that leave open what a program means: it is assumed that they do not matter.
_ASSUMED = {
    "weak": "what is weak is defined here, or by nobody else",
    "transparent_union": "arguments of a transparent union are passed as they are",
}
# Those that decide which definition of a name counts.
_LINKAGE = frozenset(("weak", "gnu_inline"))
# Attributes that tell compilers and checkers something, place code and data, or choose conventions of calls.
_HARMLESS_NAMES = """
    access alloc_align alloc_size always_inline annotate artificial assume assume_aligned availability
    bnd_instrument btf_decl_tag btf_type_tag cdecl cold common const copy counted_by deprecated designated_init
    diagnose_as_builtin disable_sanitizer_instrumentation dllexport dllimport enum_extensibility error
    externally_visible fallthrough fastcall fd_arg fd_arg_read fd_arg_write flag_enum flatten
    force_align_arg_pointer format format_arg function_return gcc_struct gnu_inline hot indirect_branch
    indirect_return leaf likely malloc may_alias maybe_unused minsize ms_abi musttail no_address_safety_analysis
    no_caller_saved_registers no_icf no_instrument_function no_profile_instrument_function no_reorder no_sanitize
    no_sanitize_address no_sanitize_thread no_sanitize_undefined no_split_stack no_stack_limit no_stack_protector
    no_thread_safety_analysis nocf_check noclone nocommon nodebug noderef nodiscard noescape noinit noinline noipa
    nomerge nonnull nonstring noplt nothrow null_terminated_string_arg objc_root_class optimize optnone
    patchable_function_entry persistent pointer_with_type_tag preserve_access_index pure regparm reproducible retain
    returns_nonnull section selectany sentinel simd speculative_load_hardening sseregparm stack_protect stdcall
    strict_flex_array symver sysv_abi tainted_args target target_clones thiscall thread tls_model
    type_tag_for_datatype unavailable uninitialized unlikely unsequenced unused used user visibility
    warn_if_not_aligned warn_unused_result warning zero_call_used_regs
"""
_HARMLESS = frozenset(_HARMLESS_NAMES.split())

_STORAGE = frozenset(("STATIC", "EXTERN", "REGISTER", "AUTO", "INLINE", "CONST", "VOLATILE"))
_BEHIND_NAMES = frozenset(("SEMI", "EQUALS", "COMMA", "LBRACKET", "LPAREN"))
INFERRED = "auto without a type is that of the initialiser, as C23 has it (int in older C)"
_BESIDE_AUTO = frozenset(("CONST", "VOLATILE", "_ATOMIC", "STATIC", "REGISTER", "_THREAD_LOCAL", "CONSTEXPR"))

# Type names that exist without a declaration.
BUILTIN_TYPES = {
    "__builtin_va_list": f"struct {ARGUMENT_LIST} *",
    "__int128_t": "__int128",
    "__uint128_t": "unsigned __int128",
    **dict.fromkeys(EXTENDED_FLOATS, "float"),
}


class Gnu:
    """The pass over raw tokens that leaves what pycparser's grammar knows."""

    def __init__(self, raw: list[Token], result: Lexed) -> None:
        self.raw = raw
        self.result = result
        self.out = result.tokens
        self.at = 0
        self.braces = 0
        # The declaration under way: where it starts, whether an attribute waits for the name of a declarator, or is
        # one for all its declarators.
        self.start = 0
        self.noreturn = self.all_noreturn = self.returns_twice = False
        self.linkage, self.all_linkage = set[str](), set[str]()
        self.mode = self.all_mode = ""
        self.surrounding: dict[str, int] = {}
        # Variables with an attribute ``cleanup``: in how many braces, the function, the name.
        self.cleanups: list[tuple[int, Token, Token]] = []
        # Of the function under way, whether it has such variables, and computed jumps, which leave them alone.
        self.cleans = self.computes = False
        # What is in braces, by the words before them where they matter, and the last one that closed.
        self.opened: list[_Braces] = []
        self.closed = _NOTHING
        # What is said of the layout of the structure that begins, of the declarator under way, of all its declaration.
        self.of_record = self.layout = self.all_layout = NO_WORDS
        # The values of #pragma pack, the one in force last, and those that were pushed with a name.
        self.pack: int | None = None
        self.packs: list[tuple[str, int | None]] = []
        self.pack_unknown: Obstacle | None = None
        self.next_pack = 0
        self.in_case = False
        # How many ``?`` wait for their colon, by the brackets around.
        self.choices = [0]
        # Names of types, and of labels by the blocks that keep them to themselves; how many names were made up.
        self.types: frozenset[str] = frozenset()
        self.named_labels: frozenset[str] = frozenset()
        self.labels: list[dict[str, int]] = []
        self.count = 0
        self.values = LabelValues(result)
        self.length = len(raw)

    def run(self) -> None:
        raw, out = self.raw, self.out
        self._prelude()
        self.types = _type_names(raw)
        self.named_labels = _labels(raw)
        speak_modern(raw, self.types)
        while self.at < len(raw):
            token = raw[self.at]
            kind = token.type
            if self.next_pack < len(self.result.packs):
                self._pragmas()
            if kind in _OPENING:
                self.choices.append(0)
            elif kind in _CLOSING and len(self.choices) > 1:
                self.choices.pop()
            if kind == "ID" or kind == "RESTRICT":
                if token.value in _SPECIAL:
                    self._special(token)
                    continue
                if token.value in NAMES and self._next_is("LPAREN") and self._expand(token):
                    continue
                if token.value == "_BitInt" and self._next_is("LPAREN"):
                    raise error(position_of_token(token), "a number of type _BitInt", Construct.TYPE)
                if token.value in _COMPLEX and self.at + 1 < len(raw) and raw[self.at + 1].type != "RPAREN":
                    raise error(position_of_token(token), f"{token.value} of a complex number", Construct.FLOAT)
                if token.value == "__auto_type":
                    self._infer(token)
                    continue
                self._name(token)
            elif kind in ("SEMI", "LBRACE", "RBRACE", "COMMA"):
                self._boundary(kind)
            elif kind == "CASE":
                self.in_case = True
            elif kind == "CONSTEXPR":
                out.append(Token("CONST", "const", token.lineno, token.column, token.filename))
            elif kind == "AUTO" and self._infers():
                self._infer(token)
                continue
            elif kind == "_ALIGNAS":
                self._aligns()
            elif kind == "_ALIGNOF" and self._next_is("LPAREN") and self._aligns_expression():
                continue
            elif kind == "LAND" and self._next_is("ID") and self._is_prefix():
                behind = raw[self.at + 2].type if self.at + 2 < len(raw) else ""
                out.extend(self.values.address(self._label_name(raw[self.at + 1].value), token, behind))
                self.at += 2
                continue
            elif kind == "GOTO" and self._next_is("TIMES"):
                self.computes = True
                self._refuse_computed(token)
                to = _split_first(raw[self.at + 2 :], ("SEMI",))
                self.raw[self.at : self.at + 3 + len(to)] = self.values.jump(to, token)
                self._moved(len(self.raw))
                continue
            elif kind == "CONDOP":
                self.choices[-1] += 1
            elif kind == "COLON":
                self.in_case = self.in_case and self.choices[-1] > 0
                self.choices[-1] = max(self.choices[-1] - 1, 0)
                if out and out[-1].type == "CONDOP":
                    out.append(Token("ID", SAME_AS_CONDITION, token.lineno, token.column, token.filename))
            elif kind == "ELLIPSIS" and self.in_case:
                # A range of cases is read as the weakest binary operator between its bounds.
                token = Token("LOR", "...", token.lineno, token.column, token.filename)
            elif kind == "LBRACKET" and self._next_is("LBRACKET"):
                self._attribute(self._balanced())
                continue
            elif kind in _PLAIN:
                token.value = _PLAIN[kind]
            out.append(token)
            self.at += 1
            if kind == "SEMI" and self.cleanups:
                self._register_cleanups()

    def _prelude(self) -> None:
        used = {token.value for token in self.raw if token.value in BUILTIN_TYPES}
        for name in sorted(used):
            for word in ("typedef", *BUILTIN_TYPES[name].split(), name, ";"):
                kind = KEYWORDS.get(word) or PUNCTUATION.get(word) or "ID"
                self.out.append(Token(kind, word, 0, 0, BUILTIN))

    def _next_is(self, kind: str) -> bool:
        return self.at + 1 < len(self.raw) and self.raw[self.at + 1].type == kind

    def _balanced(self) -> list[Token]:
        """The tokens of a bracketed group that starts here; ``at`` moves behind it."""
        depth = 0
        first = self.at
        for index in range(first, len(self.raw)):
            kind = self.raw[index].type
            if kind in ("LPAREN", "LBRACKET", "LBRACE"):
                depth += 1
            elif kind in ("RPAREN", "RBRACKET", "RBRACE"):
                depth -= 1
                if depth == 0:
                    self.at = index + 1
                    return self.raw[first : index + 1]
        raise InputError(position_of_token(self.raw[first]), "a bracket that does not close")

    # ---- names ------------------------------------------------------------------------------------------------

    def _name(self, token: Token) -> None:
        """Labels have names of their own: one that is also that of a type, or that a block keeps to itself, is written
        in another way. A function that is defined without a type has ``int``."""
        out = self.out
        before = out[-1].type if out else "SEMI"
        if not self.braces:
            begins = before == "SEMI" or (before == "RBRACE" and not self.closed.word)
            if begins and self._next_is("LPAREN") and token.value not in self.types:
                out.append(Token("INT", "int", token.lineno, token.column, token.filename))
                return
        self._without_a_type(token)
        if not self.braces:
            return
        if before == "GOTO" or self._is_label(before):
            token.value = self._label_name(token.value)
        self.values.choose(token)

    def _without_a_type(self, token: Token) -> None:
        """``static n;`` declares an ``int``: of a declaration there are storage and qualifiers, and then a name."""
        words = {each.type for each in self.out[self.start :]}
        behind = self.raw[self.at + 1].type if self.at + 1 < len(self.raw) else ""
        if self._behind_type():
            return
        if words and words <= _STORAGE and behind in _BEHIND_NAMES and token.value not in self.types:
            self.out.append(Token("INT", "int", token.lineno, token.column, token.filename))

    def _behind_type(self) -> bool:
        """Whether the declaration under way goes on behind the braces of its type: ``struct s { ... } const x``."""
        before = self.out[self.start - 1].type if 0 < self.start <= len(self.out) else ""
        return before == "RBRACE" and bool(self.closed.word)

    def _is_label(self, before: str) -> bool:
        """Whether a name before a colon is a label: no operand of ``?:``, member or case."""
        if not self._next_is("COLON") or self.in_case or (self.opened and self.opened[-1].word in _RECORDS):
            return False
        return before in _BEFORE_LABELS and not self.choices[-1]

    def _label_name(self, name: str) -> str:
        own = next((names[name] for names in reversed(self.labels) if name in names), None)
        return name if own is None and name not in self.types else f"{name}{OWN_FILE}{own or 0}"

    def _is_prefix(self) -> bool:
        """Whether ``&&`` has no operand before it, so that a label is behind it."""
        out = self.out
        if not out or out[-1].type not in _OPERANDS:
            return True
        known = self.raw[self.at + 1].value in self.named_labels
        return known and out[-1].type == "RPAREN" and is_type_before(out, _TYPE_WORDS, self.types)

    def _local_labels(self) -> None:
        """``__label__ a, b;``: what is in force up to the end of the block."""
        while self.at < len(self.raw) and self.raw[self.at].type != "SEMI":
            if self.raw[self.at].type == "ID" and self.labels:
                self.count += 1
                self.labels[-1][self.raw[self.at].value] = self.count
            self.at += 1

    # ---- expansions -------------------------------------------------------------------------------------------

    def _expand(self, token: Token) -> bool:
        """Put what a call stands for in its place."""
        start = self.at
        self.at += 1
        group = self._balanced()
        arguments = [] if len(group) == 2 else _split(group[1:-1], "COMMA")
        text = expansion(token.value, arguments)
        if text is None:
            self.at = start
            return False
        if is_atomic(token.value):
            self.result.assumptions.setdefault(ONE_THREAD, position_of_token(token))
        if may_fail(token.value, arguments):
            self.result.assumptions.setdefault(NEVER_FAILS, position_of_token(token))
        self.count += 1
        self.raw[start : self.at] = expanded(text, arguments, self.count, token)
        self._moved(len(self.raw))
        self.at = start
        return True

    def _moved(self, length: int) -> None:
        """Pragmas stand before other tokens when what is before them has become longer."""
        by = length - self.length
        self.length = length
        packs = self.result.packs
        packs[self.next_pack :] = [replace(each, before=each.before + by) for each in packs[self.next_pack :]]

    def _infer(self, token: Token) -> None:
        """``__auto_type x = e`` is of the type that ``e`` has as a value."""
        raw, at = self.raw, self.at
        name = at + 1
        while name < len(raw) and raw[name].type in _BESIDE_AUTO:
            name += 1
        if name + 1 >= len(raw) or (raw[name].type, raw[name + 1].type) != ("ID", "EQUALS"):
            raise InputError(position_of_token(token), f"a name and an initialiser are needed behind {token.value}")
        value = _split_first(raw[name + 2 :])
        text = "__typeof__(({ $1; }))" if self.braces else "__typeof__((0, $1))"
        self.raw[at : at + 1] = expanded(text, [value], 0, token)
        self._moved(len(self.raw))

    def _infers(self) -> bool:
        """Whether ``auto`` stands for the type of the initialiser (C23 6.7.10): no type is beside it."""
        raw, at = self.raw, self.at + 1
        while at < len(raw) and raw[at].type in _BESIDE_AUTO:
            at += 1
        plain = at + 1 < len(raw) and (raw[at].type, raw[at + 1].type) == ("ID", "EQUALS")
        index = len(self.out)
        while index and self.out[index - 1].type in _BESIDE_AUTO:
            index -= 1
        before = self.out[index - 1] if index else None
        typed = before is not None and (before.type in _TYPE_WORDS or before.value in self.types)
        if plain and not typed:
            self.result.assumptions.setdefault(INFERRED, position_of_token(raw[self.at]))
        return plain and not typed

    def _aligns_expression(self) -> bool:
        token, start = self.raw[self.at], self.at
        self.at += 1
        group = self._balanced()
        first = group[1]
        if first.type in _TYPE_WORDS or (first.type == "ID" and first.value in self.types):
            self.at = start
            return False
        self.raw[start : self.at] = alignment_of(group[1:-1], token)
        self._moved(len(self.raw))
        self.at = start
        return True

    def _special(self, token: Token) -> None:
        word = token.value
        before = self.out[-1].type if self.out else ""
        if word in EXTENDED_FLOATS and before != "_COMPLEX":
            self.out.append(token)
        elif word in _FLOATS and before not in ("FLOAT", "DOUBLE"):
            for name in _FLOATS[word].split():
                self.out.append(Token(KEYWORDS[name], name, token.lineno, token.column, token.filename))
        elif word in _FLOATS:
            self.out.append(token)
        elif word == "_Noreturn":
            self.all_noreturn = True
        self.at += 1
        if word in _ATTRIBUTE:
            if self.at < len(self.raw) and self.raw[self.at].type == "LPAREN":
                self._attribute(self._balanced())
        elif word in _ASSEMBLER:
            self._assembler(token)
        elif word == "__label__":
            self._local_labels()

    def _attribute(self, group: list[Token]) -> None:
        names = self._outer_names()
        following = self.raw[self.at].type if self.at < len(self.raw) else "SEMI"
        for_all = names is not None and names.first and following not in _BEHIND_DECLARATORS
        for index in _entries(group):
            token = group[index]
            name = token.value.strip("_")
            if name in _LINKAGE:
                (self.all_linkage if for_all else self.linkage).add(name)
            if name in _HARMLESS and not (name == "section" and _STARTS.search(_argument(group, index))):
                continue
            if name == "noreturn":
                if names is not None:
                    self.all_noreturn, self.noreturn = self.all_noreturn or for_all, self.noreturn or not for_all
            elif name == "returns_twice":
                self.returns_twice = True
            elif name in ("constructor", "destructor"):
                self._construct(name, token, _arguments(group, index), names)
            elif name == "cleanup":
                self._clean_up(token, _arguments(group, index), names, following)
            elif name in _ASSUMED:
                self.result.assumptions.setdefault(_ASSUMED[name], position_of_token(token))
            elif name == "packed" and (enumeration := self._enumeration()) is not None:
                annotate(enumeration, LayoutWords(packed=True))
            elif name in ("packed", "aligned"):
                self._say(name, token, _arguments(group, index), names is not None, for_all)
            elif name in _LAYOUT:
                found = Obstacle(position_of_token(token), f"attribute '{name}'", Construct.LAYOUT)
                self.result.layout = self.result.layout or found
            elif name in ("mode", "vector_size"):
                mode = _argument(group, index).strip("_")
                if name == "vector_size":
                    mode = f"{VECTOR_MODE}{''.join(each.value for each in _arguments(group, index))}"
                if names is None:
                    raise error(position_of_token(token), f"attribute {name} here", Construct.ATTRIBUTE)
                self.all_mode, self.mode = (mode, self.mode) if for_all else (self.all_mode, mode)
            else:
                said = f"{name}({_argument(group, index)})" if name == "section" else name
                raise error(position_of_token(token), f"attribute {said}", Construct.ATTRIBUTE)

    def _clean_up(self, token: Token, arguments: tuple[Token, ...], names: _Names | None, following: str) -> None:
        """What a variable is given to when control leaves its block; of others compilers ignore the attribute."""
        if not self.braces or (self.opened and self.opened[-1].word in _RECORDS):
            return
        name = None
        if names is not None and len(arguments) == 1 and arguments[0].type == "ID":
            behind = following in _BEHIND_DECLARATORS and not names.brackets
            name = names.last if behind else self._declared_alone()
        if name is None:
            raise error(position_of_token(token), "attribute cleanup here", Construct.ATTRIBUTE)
        self.cleanups.append((self.braces, arguments[0], name))
        self.cleans = True
        self._refuse_computed(token)

    def _refuse_computed(self, token: Token) -> None:
        """By gcc's manual a computed goto that leaves a block calls no cleanups; clang takes it for an error."""
        if self.cleans and self.computes:
            said = "attribute cleanup in a function with a computed goto"
            raise error(position_of_token(token), said, Construct.ATTRIBUTE)

    def _declared_alone(self) -> Token | None:
        """The name that the declaration under way declares, of which the rest is to come; None where it declares
        several, or where brackets are around it."""
        found, depth, initialised = None, 0, False
        for index in range(self.at, len(self.raw)):
            token = self.raw[index]
            depth += (token.type in ("LPAREN", "LBRACKET", "LBRACE")) - (token.type in ("RPAREN", "RBRACKET", "RBRACE"))
            if depth or token.type in ("RPAREN", "RBRACKET", "RBRACE"):
                continue
            if token.type == "SEMI":
                return found
            if token.type == "COMMA":
                return None
            initialised = initialised or token.type == "EQUALS"
            if token.type == "ID" and not initialised and token.value not in _SPECIAL:
                found = token
        return None

    def _register_cleanups(self) -> None:
        """``label: f(&x);`` behind the declaration of a variable with the attribute ``cleanup(f)``."""
        for depth, function, name in self.cleanups:
            if depth != self.braces:
                continue
            self.count += 1
            words = [("ID", f"{CLEANUP}{self.count}"), ("COLON", ":"), ("ID", function.value), ("LPAREN", "(")]
            words += [("AND", "&"), ("ID", name.value), ("RPAREN", ")"), ("SEMI", ";")]
            self.out.extend(Token(kind, word, name.lineno, name.column, name.filename) for kind, word in words)
        self.cleanups = [each for each in self.cleanups if each[0] != self.braces]
        self.start = len(self.out)

    def _construct(self, name: str, token: Token, arguments: tuple[Token, ...], names: _Names | None) -> None:
        """A function that runs before ``main``, or after it; constructors without a number come last, destructors in
        the opposite order (GCC's manual, 6.33.1)."""
        number = "".join(each.value for each in arguments) or "65535"
        if names is None or not number.isdigit():
            raise error(position_of_token(token), f"attribute {name} here", Construct.ATTRIBUTE)
        self.surrounding[name] = int(number[:6])

    def _say(self, name: str, token: Token, arguments: tuple[Token, ...], outside: bool, for_all: bool) -> None:
        """An attribute of a structure, behind the word or the closing brace, or of what is declared."""
        words = LayoutWords(packed=True) if name == "packed" else LayoutWords(alignments=(arguments,))
        before = self.out[-1].type if self.out else "SEMI"
        if name == "aligned":
            self._aligns()
        if before in _RECORDS:
            self.of_record = joined(self.of_record, words)
        elif before == "RBRACE" and self.closed.word in _RECORDS:
            assert self.closed.name is not None
            annotate(self.closed.name, words)
        elif not outside or before == "TIMES":
            found = Obstacle(position_of_token(token), f"attribute '{name}' here", Construct.LAYOUT)
            self.result.layout = self.result.layout or found
        elif for_all:
            self.all_layout = joined(self.all_layout, words)
        else:
            self.layout = joined(self.layout, words)

    def _aligns(self) -> None:
        in_record = bool(self.opened) and self.opened[-1].word in _RECORDS
        self.result.aligned_member = self.result.aligned_member or in_record
        self.result.aligned = self.result.aligned or not in_record

    def _pragmas(self) -> None:
        """Pragmas before the next token."""
        packs = self.result.packs
        while self.next_pack < len(packs) and packs[self.next_pack].before <= self.at:
            pragma = packs[self.next_pack]
            self.next_pack += 1
            inside = any(each.word in _RECORDS for each in self.opened)
            if pragma.unknown or inside:
                # Compilers do not agree on which value counts inside of a structure.
                self.pack_unknown = Obstacle(pragma.position, "#pragma pack", Construct.LAYOUT)
            if pragma.operation == "push":
                self.packs.append((pragma.name, self.pack))
                self.pack = self.pack if pragma.value is None else pragma.value or None
            elif pragma.operation == "set":
                self.pack = pragma.value or None
            else:
                self._pop(pragma.name)

    def _pop(self, name: str) -> None:
        if name and all(own != name for own, _ in self.packs):
            return
        while self.packs:
            own, self.pack = self.packs.pop()
            if not name or own == name:
                return

    def _assembler(self, token: Token) -> None:
        """Behind a declarator it names a symbol and is dropped; as a statement it becomes a call with its operands,
        or one that is refused."""
        words, group = list[str](), list[Token]()
        while self.at < len(self.raw) and self.raw[self.at].type in ("VOLATILE", "INLINE", "GOTO"):
            words.append(self.raw[self.at].type.lower())
            self.at += 1
        if self.at < len(self.raw) and self.raw[self.at].type == "LPAREN":
            group = self._balanced()
        before = self.out[-1].type if self.out else "SEMI"
        names = None if self.braces else self._outer_names()
        declared = None if names is None else names.function or names.last
        if declared is not None:
            label = "".join(token.value.strip('"') for token in group[1:-1])
            self.result.symbols[declared.value] = label, position_of_token(token)
        if self.braces and before not in ("ID", "RBRACKET"):
            name, arguments = (ASSEMBLER, []) if "goto" in words or not group else _assembled(group, words)
            for kind, value in (("ID", name), ("LPAREN", "(")):
                self.out.append(Token(kind, value, token.lineno, token.column, token.filename))
            for index, argument in enumerate(arguments):
                comma = Token("COMMA", ",", token.lineno, token.column, token.filename)
                self.out.extend((comma, *argument) if index else argument)
            self.out.append(Token("RPAREN", ")", token.lineno, token.column, token.filename))

    def _boundary(self, kind: str) -> None:
        """The end of a declarator: attributes that wait belong to the name in it."""
        noreturn, mode = self.noreturn or self.all_noreturn, self.mode or self.all_mode
        linkage = self.linkage | self.all_linkage
        layout = joined(self.all_layout, self.layout)
        waits = noreturn or linkage or mode or self.returns_twice or layout != NO_WORDS or self.surrounding
        names = self._outer_names() if waits else None
        if names is not None:
            for word, number in self.surrounding.items():
                if names.function is None:
                    raise error(position_of_token(self.raw[self.at]), f"attribute {word}", Construct.ATTRIBUTE)
                listed = self.result.constructors if word == "constructor" else self.result.destructors
                listed[names.function.value] = number
            self.surrounding.clear()
            if self.returns_twice and names.function is not None:
                self.result.returns_twice.add(names.function.value)
            if noreturn and names.function is not None:
                self.result.noreturn.add(names.function.value)
            declared = names.function or names.last
            if declared is not None:
                for word in linkage:
                    (self.result.weak if word == "weak" else self.result.gnu_inline).add(declared.value)
            if mode and names.last is not None:
                annotate(names.last, LayoutWords(mode=mode))
            if layout != NO_WORDS and not self._opens_record(kind):
                if names.brackets or names.last is None:
                    # The last word outside of brackets need not be the one that is declared.
                    place = position_of_token(self.raw[self.at])
                    found = Obstacle(place, "attribute 'aligned' or 'packed'", Construct.LAYOUT)
                    self.result.layout = self.result.layout or found
                else:
                    annotate(names.last, layout)
            self.noreturn, self.mode = False, ""
            self.linkage = set()
            self.layout = NO_WORDS
            self.returns_twice = self.returns_twice and kind == "COMMA"
        if kind == "LBRACE":
            if self.braces and self.out[-1].type == "RPAREN":
                self._refuse_nested()
            if self.all_mode and self.out[-1].type == "EQUALS":
                said = f"attribute {self.all_mode} of declarations with braces"
                raise error(position_of_token(self.out[-1]), said, Construct.ATTRIBUTE)
            if not self.braces:
                self.values.begin()
            self.braces += 1
            self.opened.append(self._braces())
            self.labels.append({})
            self.all_layout = self.of_record = NO_WORDS
        elif kind == "RBRACE":
            self.braces -= 1
            if not self.braces:
                self.cleans = self.computes = False
                self.values.end()
            if self.labels:
                self.labels.pop()
            self.closed = self.opened.pop() if self.opened else _NOTHING
            self.all_layout = self.closed.outside
            if self.closed.name is not None:
                annotate(self.closed.name, LayoutWords(pack=self.pack, unknown=self.pack_unknown))
        if kind == "SEMI" and self._declares_nothing():
            del self.out[self.start :]
        if kind != "COMMA":
            self.start = len(self.out) + 1
            self.all_noreturn, self.all_mode = False, ""
            self.all_linkage = set()
        if kind == "SEMI":
            self.all_layout = self.of_record = NO_WORDS

    def _refuse_nested(self) -> None:
        """``int f(int x) {`` inside of a function: only a definition has a name before the brackets before a brace."""
        depth, index = 0, len(self.out)
        while index > self.start:
            index -= 1
            depth += (self.out[index].type == "RPAREN") - (self.out[index].type == "LPAREN")
            if not depth:
                break
        name = self.out[index - 1] if index > self.start else None
        if name is not None and name.type == "ID" and index - 1 > self.start:
            raise error(position_of_token(name), f"function {name.value}", Construct.NESTED)

    def _declares_nothing(self) -> bool:
        """Whether a member is only a type that defines nothing, ``char;``: compilers take no notice of it."""
        words = {token.type for token in self.out[self.start :]}
        in_record = bool(self.opened) and self.opened[-1].word in _RECORDS
        return in_record and not _SCALAR_WORDS.isdisjoint(words) and words <= _SCALAR_WORDS | _QUALIFIERS

    def _opens_record(self, kind: str) -> bool:
        words = [token.type for token in self.out[-2:]]
        return kind == "LBRACE" and not _RECORDS.isdisjoint(words)

    def _braces(self) -> _Braces:
        """Of the brace that comes next: what it opens, and what is said of all declarators behind it."""
        words = self.out[-2:]
        word = next((word for word in reversed(words) if word.type in ("ENUM", *_RECORDS)), None)
        if word is None or (word is not words[-1] and words[-1].type != "ID"):
            return _Braces(None, None, "", self.all_layout)
        name = None
        if word.type in _RECORDS:
            name = self.raw[self.at] if word is words[-1] else words[-1]
            annotate(name, self.of_record)
        return _Braces(word, name, word.type, self.all_layout)

    def _enumeration(self) -> Token | None:
        """The word ``enum`` that an attribute here belongs to."""
        before = self.out[-1] if self.out else None
        if before is not None and before.type == "RBRACE":
            return self.closed.opening if self.closed.word == "ENUM" else None
        return before if before is not None and before.type == "ENUM" else None

    def _outer_names(self) -> _Names | None:
        depth = 0
        last = function = None
        first, initialised, brackets = True, False, False
        for index in range(self.start, len(self.out)):
            token = self.out[index]
            if token.type in ("LPAREN", "LBRACKET"):
                if depth == 0 and token.type == "LPAREN" and self.out[index - 1].type == "ID" and not initialised:
                    function = self.out[index - 1]
                behind_word = self.out[index - 1].type in ("_ALIGNAS", "TYPEOF", "TYPEOF_UNQUAL")
                brackets = brackets or (token.type == "LPAREN" and not initialised and not behind_word)
                depth += 1
            elif token.type in ("RPAREN", "RBRACKET"):
                depth -= 1
            elif depth == 0 and token.type == "COMMA":
                last = function = None
                first = initialised = brackets = False
            elif depth == 0 and token.type in ("EQUALS", "COLON"):
                initialised = True
            elif token.type == "ID" and depth == 0 and not initialised:
                last = token
        return None if depth > 0 else _Names(last, function, first, brackets)


@dataclass(frozen=True, slots=True)
class _Names:
    """Of the declarator under way the last identifier outside brackets, and the last one there that a parameter list
    follows; whether it is the first of its declaration, and whether it has ``brackets``. There are none while the
    declarator is inside brackets."""

    last: Token | None
    function: Token | None
    first: bool
    brackets: bool


@dataclass(frozen=True, slots=True)
class _Braces:
    """``word`` is that of a structure, union or enumeration, which the token ``opening`` is; ``name`` is the token by
    which the parser knows the structure. ``outside`` is what was said of all declarators of the declaration."""

    opening: Token | None
    name: Token | None
    word: str
    outside: LayoutWords


_NOTHING = _Braces(None, None, "", NO_WORDS)


def joined(a: LayoutWords, b: LayoutWords) -> LayoutWords:
    return LayoutWords(a.packed or b.packed, a.alignments + b.alignments)


def _assembled(group: list[Token], words: list[str]) -> tuple[str, list[list[Token]]]:
    """What stands for ``(code : outputs : inputs : clobbers)``, and its arguments: how many outputs there are, the
    code with the words before it, each operand behind its constraint, the clobbers; texts are as they were written. By
    GCC's manual (6.48.2) such code changes nothing but its outputs, and memory where it says so. No code does nothing.
    """
    code, *sections = _split(group[1:-1], "COLON")
    outputs, inputs, clobbers = (_split(part, "COMMA") for part in (*sections, [], [], [])[:3])
    operands = [_operand(each) for each in (*outputs, *inputs)]
    if len(sections) > 3 or any(not operand for _, operand in operands):
        return ASSEMBLER, []
    first = group[0]

    def text(tokens: list[Token], *before: str) -> list[Token]:
        said = " ".join((*before, *(token.value for token in tokens)))
        return [Token("STRING_LITERAL", f'"{said}"', first.lineno, first.column, first.filename)]

    count = Token("INT_CONST_DEC", str(len(outputs)), first.lineno, first.column, first.filename)
    arguments = [[count], text(code, *words, "(")]
    if not sections:
        return ASSEMBLER, arguments
    for constraint, operand in operands:
        arguments.extend((text(constraint), operand))
    arguments.append(text(sections[2] if len(sections) > 2 else []))
    empty = all(not token.value.strip('"').strip() for token in code)
    in_memory = not empty and any(token.value.strip('"') == "memory" for clobber in clobbers for token in clobber)
    return ASSEMBLED_IN_MEMORY if in_memory else ASSEMBLED, arguments


def _type_names(raw: list[Token]) -> frozenset[str]:
    """Words that a typedef may declare: no names of parameters, tags, members or attributes."""
    found = set(BUILTIN_TYPES)
    for index, token in enumerate(raw):
        if token.type == "TYPEDEF":
            found.update(_declared(raw, index + 1))
    return frozenset(found)


def _declared(raw: list[Token], at: int) -> Iterator[str]:
    """The identifiers of a declaration from a token on, outside of what describes a type in brackets."""
    while at < len(raw) and raw[at].type != "SEMI":
        before, token = raw[at - 1], raw[at]
        described = before.value in _ATTRIBUTE or before.type in ("TYPEOF", "TYPEOF_UNQUAL", "_ALIGNAS")
        if token.type in ("LBRACE", "LBRACKET") or (token.type == "LPAREN" and (described or _lists(raw, at))):
            at = _behind(raw, at)
            continue
        if token.type == "ID" and before.type not in ("STRUCT", "UNION", "ENUM"):
            yield token.value
        at += 1


def _lists(raw: list[Token], at: int) -> bool:
    """Whether a bracket behind a name or a declarator opens a list of parameters, and no declarator in brackets."""
    if raw[at - 1].type not in ("ID", "RPAREN", "RBRACKET"):
        return False
    inside, behind = raw[at + 1 : at + 2], raw[(end := _behind(raw, at)) : end + 1]
    return [t.type for t in inside] != ["TIMES"] and not any(t.type in ("LPAREN", "LBRACKET") for t in behind)


def _behind(raw: list[Token], at: int) -> int:
    """Where a group in brackets ends that starts here."""
    depth = 0
    while at < len(raw):
        depth += (raw[at].type in _OPENING) - (raw[at].type in _CLOSING)
        at += 1
        if not depth:
            break
    return at


def _labels(raw: list[Token]) -> frozenset[str]:
    """Words that may be labels."""
    return frozenset(
        token.value
        for index, token in enumerate(raw[1:-1], 1)
        if token.type == "ID" and raw[index + 1].type == "COLON" and raw[index - 1].type in _BEFORE_LABELS
    )


def _split_first(tokens: list[Token], ends: tuple[str, ...] = ("COMMA", "SEMI")) -> list[Token]:
    """Up to a comma or a semicolon outside brackets."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token.type in ("LPAREN", "LBRACKET", "LBRACE")) - (token.type in ("RPAREN", "RBRACKET", "RBRACE"))
        if depth == 0 and token.type in ends:
            return tokens[:index]
    return tokens


def _split(tokens: list[Token], separator: str) -> list[list[Token]]:
    """Parts between separators outside brackets; between commas there are none of nothing."""
    found: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.type in _OPENING) - (token.type in _CLOSING)
        if depth == 0 and token.type == separator:
            found.append([])
        else:
            found[-1].append(token)
    return found if separator == "COLON" or found != [[]] else []


def _operand(tokens: list[Token]) -> tuple[list[Token], list[Token]]:
    """The constraint and the expression of an operand ``[name] "constraint" (expression)``, with its brackets; nothing
    of what is not of this form."""
    start = 3 if tokens and tokens[0].type == "LBRACKET" else 0
    while start < len(tokens) and tokens[start].type == "STRING_LITERAL":
        start += 1
    return tokens[:start], tokens[start:] if start < len(tokens) and tokens[start].type == "LPAREN" else []


def _argument(group: list[Token], index: int) -> str:
    """The first argument of an attribute, a closing bracket where there is none."""
    return str(group[min(index + 2, len(group) - 1)].value)


def _arguments(group: list[Token], index: int) -> tuple[Token, ...]:
    """All that stands in the brackets behind an attribute's name."""
    if index + 1 >= len(group) or group[index + 1].type != "LPAREN":
        return ()
    found: list[Token] = []
    depth = 0
    for token in group[index + 1 :]:
        depth += (token.type == "LPAREN") - (token.type == "RPAREN")
        if depth == 0:
            break
        found.append(token)
    return tuple(found[1:])


def _entries(group: list[Token]) -> list[int]:
    """Where the names of the attributes stand in ``((a, b(c)))``, ``[[a, gnu::b(c)]]`` or ``(a)``, with brackets."""
    inner = 2 if len(group) > 1 and group[1].type in ("LPAREN", "LBRACKET") else 1
    found: list[int] = []
    depth, fresh = 0, True
    for index, token in enumerate(group):
        if token.type in ("LPAREN", "LBRACKET"):
            depth += 1
        elif token.type in ("RPAREN", "RBRACKET"):
            depth -= 1
        elif depth == inner and token.type == "COMMA":
            fresh = True
        elif depth == inner and token.type == "COLON":
            if not fresh and found:
                found.pop()  # a name of attributes' names
            fresh = True
        elif depth == inner and fresh:
            found.append(index)
            fresh = False
    return found


_OPENING = frozenset(("LPAREN", "LBRACKET", "LBRACE"))
_CLOSING = frozenset(("RPAREN", "RBRACKET", "RBRACE"))
# What a label comes behind, and what ends an operand.
_BEFORE_LABELS = frozenset(("SEMI", "LBRACE", "RBRACE", "COLON", "RPAREN", "ELSE", "DO"))
_OPERANDS = frozenset(
    (
        "ID",
        "RPAREN",
        "RBRACKET",
        "RBRACE",
        "CHAR_CONST",
        "BOOL_CONST",
        "NULLPTR",
        "STRING_LITERAL",
        "WSTRING_LITERAL",
        "U8STRING_LITERAL",
        "U16STRING_LITERAL",
        "U32STRING_LITERAL",
        "FLOAT_CONST",
        "PLUSPLUS",
        "MINUSMINUS",
        "INT_CONST_DEC",
        "INT_CONST_OCT",
        "INT_CONST_HEX",
        "INT_CONST_BIN",
        "HEX_FLOAT_CONST",
    )
)
_SCALAR_WORDS = frozenset(
    ("CHAR", "SHORT", "INT", "LONG", "SIGNED", "UNSIGNED", "FLOAT", "DOUBLE", "VOID", "_BOOL", "_COMPLEX", "__INT128")
)
_QUALIFIERS = frozenset(("CONST", "VOLATILE", "RESTRICT", "_ATOMIC"))
_TYPE_WORDS = _SCALAR_WORDS | _QUALIFIERS | {"STRUCT", "UNION", "ENUM", "TYPEOF", "TYPEOF_UNQUAL"}

# What may follow an attribute that belongs to one declarator; others belong to the whole declaration.
_BEHIND_DECLARATORS = frozenset(("SEMI", "COMMA", "EQUALS", "COLON", "RPAREN"))
