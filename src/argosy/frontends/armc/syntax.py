"""The Prolog subset in which ARMC's clauses are written: facts and directives made of terms with operators.

Terms are atoms, numbers, variables, lists and compounds ``f(a, b)``; operators have Prolog's priorities. Anything else
of Prolog (strings, braces, lists with an open tail, operators that a model has no use for) is a syntax error. The
reader keeps its own stack: nesting is limited by the file only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from argosy.basics.records import dataclass, field
from argosy.frontends.armc.lexer import Source, Token, number


@dataclass(frozen=True, slots=True, eq=False)
class LogicVariable:
    name: str
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    value: int | Fraction
    offset: int


@dataclass(frozen=True, slots=True, eq=False)
class Compound:
    """``functor(args)``; an atom has no arguments. A list is the functor ``[]`` with its elements."""

    functor: str
    args: tuple[Syntax, ...]
    offset: int

    @property
    def indicator(self) -> str:
        return f"{self.functor}/{len(self.args)}"


Syntax = LogicVariable | Number | Compound

LIST = "[]"

# Priority, and whether the argument to the left and to the right may have the same one.
_INFIX = {
    ":-": (1200, False, False),
    ";": (1100, False, True),
    ",": (1000, False, True),
    **dict.fromkeys(("=", "=<", ">=", "<", ">", "=:=", "=\\=", "\\=", "=="), (700, False, False)),
    "+": (500, True, False),
    "-": (500, True, False),
    "*": (400, True, False),
    "/": (400, True, False),
}
_PREFIX = {
    ":-": (1200, False),
    **dict.fromkeys(("multifile", "dynamic", "discontiguous"), (1150, False)),
    "-": (200, True),
    "+": (200, True),
}
# The largest priority of a term between commas.
_ARGUMENT = 999
_WHOLE = 1200
_LOOSE = tuple(name for name, (priority, _, _) in _INFIX.items() if priority > _ARGUMENT)

_CLOSING = {"(": ")", "[": "]"}


@dataclass(slots=True)
class _Operator:
    name: str
    priority: int
    right: int
    prefix: bool
    offset: int


@dataclass(slots=True)
class _Frame:
    """What is open: a clause, a parenthesis, the arguments of a functor, or a list. Operands carry their priority."""

    opening: Token
    functor: str | None
    limit: int
    offset: int = 0
    done: list[Syntax] = field(default_factory=list)
    operands: list[tuple[Syntax, int]] = field(default_factory=list)
    operators: list[_Operator] = field(default_factory=list)


class Reader:
    """Reads one clause after the other."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._tokens = source.tokens()
        self._next = next(self._tokens)

    def clauses(self) -> Iterator[Syntax]:
        while self._next.kind != "eof":
            yield self._clause()

    def _advance(self) -> Token:
        token = self._next
        if token.kind != "eof":
            self._next = next(self._tokens)
        return token

    def _clause(self) -> Syntax:
        first = self._next
        frames = [_Frame(first, None, _WHOLE)]
        operand_next = True
        while True:
            token = self._advance()
            frame = frames[-1]
            if token.kind == "eof":
                place = self._source.position(first.offset)
                raise self._source.error(token.offset, f"the clause of line {place.line} does not end")
            if operand_next:
                known = len(frame.operands)
                opened = self._operand(frame, token)
                if opened is not None:
                    frames.append(opened)
                # A prefix operator, or whatever opened, still wants one.
                operand_next = len(frame.operands) == known
                continue
            if token.kind == "end":
                if len(frames) > 1:
                    raise self._unclosed(frame)
                return self._reduced(frame)
            if token.kind == "," and frame.limit == _ARGUMENT:
                frame.done.append(self._reduced(frame))
                operand_next = True
            elif token.kind in (")", "]"):
                self._close(frames, token)
            elif token.text in _INFIX and token.kind in ("atom", ","):
                self._infix(frame, token)
                operand_next = True
            elif token.kind == "|":
                raise self._source.error(token.offset, "lists with an open tail are not supported")
            else:
                raise self._source.error(token.offset, f"expected an operator instead of {token.text}")

    def _operand(self, frame: _Frame, token: Token) -> _Frame | None:
        """Takes an operand or a prefix operator; a new frame where something opens."""
        match token.kind:
            case "variable":
                frame.operands.append((LogicVariable(token.text, token.offset), 0))
            case "number":
                frame.operands.append((Number(number(self._source, token), token.offset), 0))
            case "(":
                return _Frame(token, None, _WHOLE)
            case "[" if self._next.kind == "]":
                self._advance()
                frame.operands.append((Compound(LIST, (), token.offset), 0))
            case "[":
                return _Frame(token, LIST, _ARGUMENT, token.offset)
            case "atom" | "quoted" if token.tight:
                return _Frame(self._advance(), token.text, _ARGUMENT, token.offset)
            case "atom" if token.text in _PREFIX and self._starts_operand():
                priority, same = _PREFIX[token.text]
                right = priority if same else priority - 1
                frame.operators.append(_Operator(token.text, priority, right, True, token.offset))
            case "atom":
                priority = max(_INFIX.get(token.text, (0,))[0], _PREFIX.get(token.text, (0,))[0])
                if priority:
                    raise self._source.error(token.offset, f"expected a term instead of {token.text}")
                frame.operands.append((Compound(token.text, (), token.offset), 0))
            case "quoted":
                frame.operands.append((Compound(token.text, (), token.offset), 0))
            case _:
                what = "the end of the clause" if token.kind == "end" else token.text
                raise self._source.error(token.offset, f"expected a term instead of {what}")
        return None

    def _starts_operand(self) -> bool:
        following = self._next
        if following.kind == "atom":
            return following.tight or following.text not in _INFIX or following.text in _PREFIX
        return following.kind in ("variable", "number", "quoted", "(", "[")

    def _infix(self, frame: _Frame, token: Token) -> None:
        priority, left, right = _INFIX[token.text]
        if priority > frame.limit:
            raise self._source.error(token.offset, f"{token.text} needs parentheses here")
        self._reduce(frame, priority if left else priority - 1)
        if frame.operands[-1][1] > (priority if left else priority - 1) or (
            frame.operators and frame.operators[-1].right < priority
        ):
            raise self._source.error(token.offset, f"{token.text} needs parentheses here")
        frame.operators.append(
            _Operator(token.text, priority, priority if right else priority - 1, False, token.offset)
        )

    def _reduce(self, frame: _Frame, most: int) -> None:
        """Apply the operators that bind at least as strongly as ``most`` says."""
        while frame.operators and frame.operators[-1].priority <= most:
            operator = frame.operators.pop()
            args = [frame.operands.pop()]
            if not operator.prefix:
                args.insert(0, frame.operands.pop())
            if args[-1][1] > operator.right:
                raise self._source.error(operator.offset, f"the term after {operator.name} needs parentheses")
            compound = Compound(operator.name, tuple(term for term, _ in args), operator.offset)
            frame.operands.append((compound, operator.priority))

    def _reduced(self, frame: _Frame) -> Syntax:
        self._reduce(frame, _WHOLE)
        [(term, priority)] = frame.operands
        if priority > frame.limit:
            raise self._source.error(frame.opening.offset, "a term between commas needs parentheses")
        frame.operands.clear()
        return term

    def _close(self, frames: list[_Frame], token: Token) -> None:
        frame = frames[-1]
        if len(frames) == 1 or _CLOSING[frame.opening.kind] != token.kind:
            raise self._source.error(token.offset, f"{token.kind} without its counterpart")
        term = self._reduced(frame)
        frames.pop()
        if frame.functor is not None:
            term = Compound(frame.functor, (*frame.done, term), frame.offset)
        frames[-1].operands.append((term, 0))

    def _unclosed(self, frame: _Frame) -> Exception:
        return self._source.error(frame.opening.offset, f"{frame.opening.kind} without its counterpart")


def postorder(root: Syntax) -> Iterator[Syntax]:
    """Every part of a term, arguments first."""
    stack: list[tuple[Syntax, bool]] = [(root, False)]
    while stack:
        term, done = stack.pop()
        if done or not isinstance(term, Compound) or not term.args:
            yield term
        else:
            stack.append((term, True))
            stack.extend((arg, False) for arg in reversed(term.args))


def flattened(term: Syntax, operator: str) -> list[Syntax]:
    """The operands of a chain of an infix operator, in order."""
    found: list[Syntax] = []
    stack = [term]
    while stack:
        top = stack.pop()
        if isinstance(top, Compound) and top.functor == operator and len(top.args) == 2:
            stack.extend(reversed(top.args))
        else:
            found.append(top)
    return found


def text(root: Syntax) -> str:
    """A term as text: equal for equal terms, with operators where Prolog has them, parentheses wherever they nest."""
    parts: dict[int, str] = {}
    for term in postorder(root):
        if isinstance(term, LogicVariable):
            shown = term.name
        elif isinstance(term, Number):
            shown = str(term.value)
        else:
            shown = _compound(term, [parts[id(arg)] for arg in term.args])
        parts[id(term)] = shown
    return parts[id(root)]


def _compound(term: Compound, args: Sequence[str]) -> str:
    if not args:
        return LIST if term.functor == LIST else quoted(term.functor)
    if term.functor in _INFIX and len(args) == 2:
        shown = [f"({part})" if _is_infix(arg) else part for arg, part in zip(term.args, args, strict=True)]
        if term.functor == "-" and _is_infix(term.args[0], "-"):
            # Names such as main-0-5 are shown as people write them.
            shown[0] = args[0]
        return term.functor.join(shown)
    shown = [f"({part})" if _is_infix(arg, *_LOOSE) else part for arg, part in zip(term.args, args, strict=True)]
    return f"[{', '.join(shown)}]" if term.functor == LIST else f"{quoted(term.functor)}({', '.join(shown)})"


def _is_infix(term: Syntax, *functors: str) -> bool:
    return isinstance(term, Compound) and len(term.args) == 2 and term.functor in (functors or _INFIX)


def quoted(name: str) -> str:
    """An atom as it has to be written."""
    if name[:1].islower() and name.isascii() and name.replace("_", "a").isalnum():
        return name
    escaped = name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
    return f"'{escaped}'"
