"""What compilers build into the language that plain C can say: each is replaced by that, on tokens.

* ``__builtin_choose_expr`` and ``__builtin_types_compatible_p`` (GCC's manual, 6.59), ``_Alignof`` of an expression.
* Atomic operations (6.53 and 6.54: ``__sync_...`` and ``__atomic_...``) of a program with one thread: nothing comes
  between the steps of one, so that it is what it does. That there is one thread is a line of the ledger.

In the text of an expansion ``$1`` is the first argument, and ``%`` a number that no other expansion has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pycparser.c_lexer import Token

from argosy.frontends.c.tokens import ALIGNMENT, COMPATIBLE, KEYWORDS, PUNCTUATION

ONE_THREAD = "atomic operations are those of the only thread"
NEVER_FAILS = "a weak compare-and-exchange fails only where the values differ, as on x86"
# What is there before, of the type without qualifiers; operands are converted to it first (GCC's manual, 6.53).
_BEGIN = "({ __typeof__(&*($1)) __argosy_p% = ($1); __typeof__(({ *__argosy_p%; })) __argosy_o% = *__argosy_p%;"
_EQUAL = "__argosy_o% == (__typeof__(__argosy_o%))($2)"
_CHOICE = "_Generic((char (*)[1 + !!($1)])0, char (*)[2]: ($2), char (*)[1]: ($3))"
_EXCHANGE = f"""{_BEGIN} __typeof__(&*($2)) __argosy_e% = ($2);
    _Bool __argosy_k% = __argosy_o% == (__typeof__(__argosy_o%))*__argosy_e%;
    if (__argosy_k%) *__argosy_p% = ($3); else *__argosy_e% = __argosy_o%; __argosy_k%; }})"""
_LOCK_FREE = " || ".join(f"($1) == {size}" for size in (1, 2, 4, 8))
_OPERATORS = {"add": "+", "sub": "-", "and": "&", "or": "|", "xor": "^"}


def _of(operator: str) -> str:
    """Signed numbers wrap around, and pointers are moved by bytes (GCC's manual, 6.53 and 6.54): on unsigned numbers,
    those as wide as the object where that has no more bits than these."""
    own = "__typeof__(__argosy_o%)"

    def result(kind: str, operand: str) -> str:
        before = f"({kind})__argosy_o%"
        both = f"{before} {_OPERATORS[operator]} {operand}" if operator != "nand" else f"~({before} & {operand})"
        return f"({own})({both})"

    narrow, wide = "unsigned int", "unsigned long long"
    choices = ((8, wide, f"({wide})(long long)($2)"), (16, own, f"({own})($2)"))
    sizes = ", ".join(f"char (*)[{size}]: {result(kind, operand)}" for size, kind, operand in choices)
    rest = result(narrow, f"({narrow})(long long)($2)")
    return f"_Generic((char (*)[sizeof(__argosy_o%)])0, {sizes}, default: {rest})"


def _flag(write: str) -> str:
    """The byte of a flag, which is a character or, in a structure of the library or by itself, a ``_Bool``."""
    kinds = (f"{sign}{kind}char *" for sign in ("", "volatile ") for kind in ("", "signed ", "unsigned "))
    choices = ", ".join(f"{kind}: (*({kind})__argosy_p%{write})" for kind in kinds)
    return f"_Generic(($1), {choices}, default: (*(_Bool *)__argosy_p%{write}))"


def _table() -> dict[tuple[str, int], str]:
    """By the name and the number of arguments."""
    found: dict[tuple[str, int], str] = {
        ("__builtin_choose_expr", 3): _CHOICE,
        ("__builtin_types_compatible_p", 2): f"{COMPATIBLE}(sizeof($1), sizeof($2))",
        ("__sync_synchronize", 0): "((void)0)",
        ("__sync_lock_test_and_set", 2): f"{_BEGIN} *__argosy_p% = ($2); __argosy_o%; }})",
        ("__sync_lock_release", 1): "((void)(*($1) = 0))",
        ("__sync_val_compare_and_swap", 3): (f"{_BEGIN} if ({_EQUAL}) *__argosy_p% = ($3); __argosy_o%; }})"),
        ("__sync_bool_compare_and_swap", 3): (
            f"{_BEGIN} _Bool __argosy_k% = {_EQUAL}; if (__argosy_k%) *__argosy_p% = ($3); __argosy_k%; }})"
        ),
        ("__atomic_always_lock_free", 2): f"({_LOCK_FREE})",
        ("__atomic_is_lock_free", 2): f"({{ _Bool __argosy_k%; {_LOCK_FREE} || __argosy_k%; }})",
        ("__atomic_thread_fence", 1): "((void)0)",
        ("__atomic_signal_fence", 1): "((void)0)",
        ("__atomic_load_n", 2): "(*($1))",
        ("__atomic_store_n", 3): "((void)(*($1) = ($2)))",
        ("__atomic_load", 3): "((void)(*($2) = *($1)))",
        ("__atomic_store", 3): "((void)(*($1) = *($2)))",
        ("__atomic_exchange", 4): f"{_BEGIN} *__argosy_p% = *($2); *($3) = __argosy_o%; }})",
        ("__atomic_exchange_n", 3): f"{_BEGIN} *__argosy_p% = ($2); __argosy_o%; }})",
        ("__atomic_test_and_set", 2): (
            f"({{ __typeof__($1) __argosy_p% = ($1); _Bool __argosy_o% = {_flag('')}; {_flag(' = 1')}; __argosy_o%; }})"
        ),
        ("__atomic_clear", 2): f"({{ __typeof__($1) __argosy_p% = ($1); {_flag(' = 0')}; (void)0; }})",
    }
    for operator in (*_OPERATORS, "nand"):
        new, write = _of(operator), "*__argosy_p%"
        before = f"{_BEGIN} {write} = {new}; __argosy_o%; }})"
        after = f"{_BEGIN} {write} = {new}; {write}; }})"
        found[f"__sync_fetch_and_{operator}", 2] = found[f"__atomic_fetch_{operator}", 3] = before
        found[f"__sync_{operator}_and_fetch", 2] = found[f"__atomic_{operator}_fetch", 3] = after
    return found


TABLE = _table()
NAMES = frozenset(name for name, _ in TABLE) | {"__atomic_compare_exchange_n", "__atomic_compare_exchange"}
_WORDS = re.compile(r"\$\d|[A-Za-z_]\w*|\d+|==|\|\||!!|[^\s\w]")


def is_atomic(name: str) -> bool:
    return name.startswith(("__sync_", "__atomic_"))


def may_fail(name: str, arguments: Sequence[Sequence[Token]]) -> bool:
    """Whether a compare-and-exchange is a weak one, which may fail for no reason (C11 7.17.7.4)."""
    weak = arguments[3:4] if name.startswith("__atomic_compare_exchange") else ()
    return any([token.value for token in each] not in (["0"], ["false"]) for each in weak)


def expansion(name: str, arguments: Sequence[Sequence[Token]]) -> str | None:
    """The text that a call stands for; None where there is none."""
    if name in ("__atomic_compare_exchange_n", "__atomic_compare_exchange") and len(arguments) == 6:
        return _EXCHANGE if name.endswith("_n") else _EXCHANGE.replace("($3)", "*($3)")
    return TABLE.get((name, len(arguments)))


def expanded(text: str, arguments: Sequence[Sequence[Token]], number: int, at: Token) -> list[Token]:
    """The tokens of an expansion, which stand where the call does."""
    found: list[Token] = []
    for word in _WORDS.findall(text.replace("%", str(number))):
        if word.startswith("$"):
            found.extend(arguments[int(word[1:]) - 1])
            continue
        for part in ("!", "!") if word == "!!" else (word,):
            kind = KEYWORDS.get(part) or PUNCTUATION.get(part) or ("INT_CONST_DEC" if part.isdigit() else "ID")
            kind = "INT_CONST_OCT" if part == "0" else kind
            found.append(Token(kind, part, at.lineno, at.column, at.filename))
    return found


def alignment_of(operand: Sequence[Token], at: Token) -> list[Token]:
    return expanded(f"{ALIGNMENT}(sizeof($1))", [operand], 0, at)
