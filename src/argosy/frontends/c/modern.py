"""The words of C23 in a text that may be older: ``bool``, ``true``, ``nullptr``, ``static_assert``, ``constexpr``, ...

Which edition a text is written in, it does not say, and compilers differ in what they take by default. Such a word is
the one of C23 unless the text gives it another meaning: as a type name, an enumeration constant, the name of an object,
a function or a member. Law: a text that is no C23 and is C without these words means the same with them.
"""

from __future__ import annotations

from pycparser.c_lexer import Token

_WORDS = {
    "bool": ("_BOOL", "_Bool"),
    "true": ("BOOL_CONST", "true"),
    "false": ("BOOL_CONST", "false"),
    "nullptr": ("NULLPTR", "nullptr"),
    "static_assert": ("_STATIC_ASSERT", "_Static_assert"),
    "thread_local": ("_THREAD_LOCAL", "_Thread_local"),
    "alignas": ("_ALIGNAS", "_Alignas"),
    "alignof": ("_ALIGNOF", "_Alignof"),
    "constexpr": ("CONSTEXPR", "constexpr"),
    "typeof_unqual": ("TYPEOF_UNQUAL", "typeof_unqual"),
}
# Words behind which a name is declared, and no type or value follows.
_TYPES = frozenset(
    ("CHAR", "SHORT", "INT", "LONG", "SIGNED", "UNSIGNED", "FLOAT", "DOUBLE", "VOID", "_BOOL", "__INT128", "ENUM")
)
_TRUTHS = frozenset(("true", "false"))
_VALUES = _TRUTHS | {"nullptr"}


def speak_modern(raw: list[Token], types: frozenset[str]) -> None:
    """Make the tokens those of the grammar; ``types`` are the names that a typedef may declare."""
    found = [index for index, token in enumerate(raw) if token.type == "ID" and token.value in _WORDS]
    if not found:
        return
    own = {raw[index].value for index in found if _is_named(raw, index, types)} | types | _enumerated(raw)
    own |= _TRUTHS if own & _TRUTHS else set()
    for index in found:
        token = raw[index]
        if token.value not in own:
            token.type, token.value = _WORDS[token.value]


def _is_named(raw: list[Token], index: int, types: frozenset[str]) -> bool:
    """Whether a word stands where only the name of something can."""
    word = raw[index].value
    before = raw[index - 1] if index else None
    behind = raw[index + 1].type if index + 1 < len(raw) else ""
    if before is None:
        return False
    if before.type in ("PERIOD", "ARROW", "GOTO", "STRUCT", "UNION"):
        return True
    if before.type in _TYPES or (before.type == "ID" and before.value in types):
        # ``unsigned bool`` declares a name, ``int alignas(8) x`` a name behind the word.
        return word not in ("alignas", "constexpr", "thread_local", "typeof_unqual") or behind in ("SEMI", "EQUALS")
    if before.type == "TIMES":
        return word not in _VALUES or behind in ("EQUALS", "LBRACKET")
    return False


def _enumerated(raw: list[Token]) -> set[str]:
    """The names of enumeration constants."""
    found: set[str] = set()
    inside, names = False, False
    for index, token in enumerate(raw):
        if token.type == "ENUM":
            inside, names = True, False
        elif inside and token.type == "LBRACE":
            names = True
        elif token.type in ("RBRACE", "SEMI"):
            inside = names = False
        elif names and token.type == "ID" and raw[index - 1].type in ("LBRACE", "COMMA"):
            found.add(token.value)
    return found
