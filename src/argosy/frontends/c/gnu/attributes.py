"""``__attribute__``, ``__declspec`` and ``[[...]]``: what is said of a declaration, and to which name it belongs.

Attributes that matter to the meaning are kept aside: ``noreturn``, ``returns_twice``, ``constructor`` and what decides
which definition of a name counts by the name that they belong to, ``mode`` by the declaration, ``packed`` by the
enumeration; what decides where members lie is kept by the token that names what it is said of (``tokens.LayoutWords``).
Law: an attribute is refused unless it is known to leave the meaning as it is.
"""

from __future__ import annotations

import re

from pycparser.c_lexer import Token

from argosy.frontends.c.gnu.cleanups import Cleanups
from argosy.frontends.c.gnu.declared_names import DeclaredNames
from argosy.frontends.c.gnu.token_pass import TokenPass
from argosy.frontends.c.gnu.words import RECORDS
from argosy.frontends.c.tokens import NO_WORDS, VECTOR_MODE, LayoutWords, annotate, position_of_token
from argosy.frontends.c.unsupported import Construct, Obstacle, error

# Sections of what runs before and after main; those of kernels, such as .init.text, are not among them.
_STARTS = re.compile(r'"\.(?:(?:pre)?init_array|fini_array|[cd]tors|init|fini)(?:\.[0-9]+)?"')
_LAYOUT = frozenset(("align", "ms_struct", "scalar_storage_order"))
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

# What may follow an attribute that belongs to one declarator; others belong to the whole declaration.
_BEHIND_DECLARATORS = frozenset(("SEMI", "COMMA", "EQUALS", "COLON", "RPAREN"))


class Attributes:
    """Of the declaration under way: whether an attribute waits for the name of a declarator, or is one for all its
    declarators."""

    def __init__(self, text: TokenPass, cleanups: Cleanups) -> None:
        self._text = text
        self._cleanups = cleanups
        self._noreturn = self._all_noreturn = self._returns_twice = False
        self._linkage, self._all_linkage = set[str](), set[str]()
        self._mode = self._all_mode = ""
        self._surrounding: dict[str, int] = {}
        # What is said of the layout of the structure that begins, of the declarator under way, of all its declaration.
        self._of_record = self._layout = self._all_layout = NO_WORDS

    # ---- what is said -----------------------------------------------------------------------------------------

    def read(self, group: list[Token]) -> None:
        """Attributes with their brackets, which have been read."""
        text = self._text
        names = text.outer_names()
        following = text.raw[text.at].type if text.at < len(text.raw) else "SEMI"
        for_all = names is not None and names.first and following not in _BEHIND_DECLARATORS
        for index in _entries(group):
            token = group[index]
            name = token.value.strip("_")
            if name in _LINKAGE:
                (self._all_linkage if for_all else self._linkage).add(name)
            if name in _HARMLESS and not (name == "section" and _STARTS.search(_argument(group, index))):
                continue
            if name == "noreturn":
                if names is not None:
                    self._all_noreturn, self._noreturn = self._all_noreturn or for_all, self._noreturn or not for_all
            elif name == "returns_twice":
                self._returns_twice = True
            elif name in ("constructor", "destructor"):
                self._construct(name, token, _arguments(group, index), names)
            elif name == "cleanup":
                self._cleanups.read(token, _arguments(group, index), names, following in _BEHIND_DECLARATORS)
            elif name in _ASSUMED:
                text.result.assumptions.setdefault(_ASSUMED[name], position_of_token(token))
            elif name == "packed" and (enumeration := self._enumeration()) is not None:
                annotate(enumeration, LayoutWords(packed=True))
            elif name in ("packed", "aligned"):
                self._say(name, token, _arguments(group, index), names is not None, for_all)
            elif name in _LAYOUT:
                self._hide(Obstacle(position_of_token(token), f"attribute '{name}'", Construct.LAYOUT))
            elif name in ("mode", "vector_size"):
                mode = _argument(group, index).strip("_")
                if name == "vector_size":
                    mode = f"{VECTOR_MODE}{''.join(each.value for each in _arguments(group, index))}"
                if names is None:
                    raise error(position_of_token(token), f"attribute {name} here", Construct.ATTRIBUTE)
                self._all_mode, self._mode = (mode, self._mode) if for_all else (self._all_mode, mode)
            else:
                said = f"{name}({_argument(group, index)})" if name == "section" else name
                raise error(position_of_token(token), f"attribute {said}", Construct.ATTRIBUTE)

    def never_returns(self) -> None:
        """``_Noreturn``, which is said of all declarators."""
        self._all_noreturn = True

    def aligns(self) -> None:
        """Something in the text is aligned, by an attribute or by ``_Alignas``."""
        result, in_record = self._text.result, self._text.in_record
        result.aligned_member = result.aligned_member or in_record
        result.aligned = result.aligned or not in_record

    def _construct(self, name: str, token: Token, arguments: tuple[Token, ...], names: DeclaredNames | None) -> None:
        """A function that runs before ``main``, or after it; constructors without a number come last, destructors in
        the opposite order (GCC's manual, 6.33.1)."""
        number = "".join(each.value for each in arguments) or "65535"
        if names is None or not number.isdigit():
            raise error(position_of_token(token), f"attribute {name} here", Construct.ATTRIBUTE)
        self._surrounding[name] = int(number[:6])

    def _say(self, name: str, token: Token, arguments: tuple[Token, ...], outside: bool, for_all: bool) -> None:
        """An attribute of a structure, behind the word or the closing brace, or of what is declared."""
        text = self._text
        words = LayoutWords(packed=True) if name == "packed" else LayoutWords(alignments=(arguments,))
        before = text.out[-1].type if text.out else "SEMI"
        if name == "aligned":
            self.aligns()
        if before in RECORDS:
            self._of_record = _joined(self._of_record, words)
        elif before == "RBRACE" and text.closed.word in RECORDS:
            assert text.closed.name is not None
            annotate(text.closed.name, words)
        elif not outside or before == "TIMES":
            self._hide(Obstacle(position_of_token(token), f"attribute '{name}' here", Construct.LAYOUT))
        elif for_all:
            self._all_layout = _joined(self._all_layout, words)
        else:
            self._layout = _joined(self._layout, words)

    def _hide(self, found: Obstacle) -> None:
        """No layout is known any more."""
        self._text.result.layout = self._text.result.layout or found

    def _enumeration(self) -> Token | None:
        """The word ``enum`` that an attribute here belongs to."""
        text = self._text
        before = text.out[-1] if text.out else None
        if before is not None and before.type == "RBRACE":
            return text.closed.opening if text.closed.word == "ENUM" else None
        return before if before is not None and before.type == "ENUM" else None

    # ---- what it belongs to -----------------------------------------------------------------------------------

    def settle(self, kind: str) -> None:
        """The end of a declarator, before a token of this kind: attributes that wait belong to the name in it."""
        text, result = self._text, self._text.result
        noreturn, mode = self._noreturn or self._all_noreturn, self._mode or self._all_mode
        linkage = self._linkage | self._all_linkage
        layout = _joined(self._all_layout, self._layout)
        waits = noreturn or linkage or mode or self._returns_twice or layout != NO_WORDS or self._surrounding
        names = text.outer_names() if waits else None
        if names is None:
            return
        for word, number in self._surrounding.items():
            if names.function is None:
                raise error(position_of_token(text.raw[text.at]), f"attribute {word}", Construct.ATTRIBUTE)
            listed = result.constructors if word == "constructor" else result.destructors
            listed[names.function.value] = number
        self._surrounding.clear()
        if self._returns_twice and names.function is not None:
            result.returns_twice.add(names.function.value)
        if noreturn and names.function is not None:
            result.noreturn.add(names.function.value)
        declared = names.function or names.last
        if declared is not None:
            for word in linkage:
                (result.weak if word == "weak" else result.gnu_inline).add(declared.value)
        if mode and names.last is not None:
            annotate(names.last, LayoutWords(mode=mode))
        if layout != NO_WORDS and not text.opens_record(kind):
            if names.brackets or names.last is None:
                # The last word outside of brackets need not be the one that is declared.
                place = position_of_token(text.raw[text.at])
                self._hide(Obstacle(place, "attribute 'aligned' or 'packed'", Construct.LAYOUT))
            else:
                annotate(names.last, layout)
        self._noreturn, self._mode = False, ""
        self._linkage = set()
        self._layout = NO_WORDS
        self._returns_twice = self._returns_twice and kind == "COMMA"

    def open(self) -> None:
        """The brace that comes next opens, with what is said of a structure and of all declarators behind it."""
        text = self._text
        if self._all_mode and text.out[-1].type == "EQUALS":
            said = f"attribute {self._all_mode} of declarations with braces"
            raise error(position_of_token(text.out[-1]), said, Construct.ATTRIBUTE)
        text.open(self._of_record, self._all_layout)
        self._all_layout = self._of_record = NO_WORDS

    def close(self) -> None:
        """The brace that comes next has closed: what was said before it goes on."""
        self._all_layout = self._text.closed.outside

    def end(self, kind: str) -> None:
        """The declaration ends before a token of this kind; behind a brace that of a structure may go on."""
        self._all_noreturn, self._all_mode = False, ""
        self._all_linkage = set()
        if kind == "SEMI":
            self._all_layout = self._of_record = NO_WORDS


def _joined(a: LayoutWords, b: LayoutWords) -> LayoutWords:
    return LayoutWords(a.packed or b.packed, a.alignments + b.alignments)


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
