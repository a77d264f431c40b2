"""How an option is declared: a field of a frozen class, and with it all that is said about the option anywhere.

    @dataclass(frozen=True, slots=True, kw_only=True)
    class PatientOptions(Options):
        patience: int = option(3, number(), "how many rounds without a change are waited for")

gives the flag ``--patience N``, its line of help, the keyword ``patience=`` of ``argosy.verify`` and the check of what
is given. Laws: what a form shows is read back as the same value; an object of such a class has no choices that do not
go together, since ``refusal`` is asked whenever one is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import Enum
from typing import Any, ClassVar, Generic, TypeVar

from argosy.basics.choices import did_you_mean
from argosy.basics.errors import UsageError
from argosy.basics.records import Field, dataclass, field, fields, replace

T = TypeVar("T")
Self = TypeVar("Self", bound="Options")


class StrategyError(UsageError):
    """A strategy or option that does not exist, or options that do not go together."""


class Word(Enum):
    """A value that is one of some words; ``advice`` says when to choose it."""

    def __init__(self, word: str, advice: str = "") -> None:
        self.word = word
        self.advice = advice


W = TypeVar("W", bound=Word)


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """How the values of an option are written. ``values`` is what a person reads of it, ``each`` advises on single
    ones; ``parse`` raises ``ValueError``."""

    values: str
    parse: Callable[[str], T]
    show: Callable[[T], str]
    each: Mapping[str, str] = field(default_factory=dict)


def named(kind: type[W], text: str) -> W:
    """The member of that word; ``ValueError`` where there is none."""
    for member in kind:
        if member.word == text:
            return member
    raise ValueError(text)


def words(kind: type[W]) -> Form[W]:
    """One of the words."""
    return Form(
        ", ".join(member.word for member in kind),
        lambda text: named(kind, text),
        lambda value: value.word,
        {member.word: member.advice for member in kind if member.advice},
    )


def switch() -> Form[bool]:
    positions = {"on": True, "off": False}

    def parse(text: str) -> bool:
        if text not in positions:
            raise ValueError(text)
        return positions[text]

    return Form(", ".join(positions), parse, lambda value: "on" if value else "off")


DIGITS = 9


def number(values: str = "N", least: int = 1) -> Form[int]:
    """A number of at most ``DIGITS`` digits that is not smaller than ``least``."""

    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= DIGITS and int(text) >= least):
            raise ValueError(text)
        return int(text)

    return Form(values, parse, str)


def or_none(word: str, form: Form[T], values: str, each: Mapping[str, str] | None = None) -> Form[T | None]:
    """A value of that form, or ``word``, which stands for None."""

    def parse(text: str) -> T | None:
        return None if text == word else form.parse(text)

    def show(value: T | None) -> str:
        return word if value is None else form.show(value)

    return Form(values, parse, show, each or {})


def file() -> Form[str]:
    """The name of a file."""

    def parse(text: str) -> str:
        if not text:
            raise ValueError(text)
        return text

    return Form("FILE", parse, str)


@dataclass(frozen=True, slots=True)
class _Declaration:
    form: Form[Any]
    advice: str
    elsewhere: str


_DECLARATION = "argosy"


def option(default: Any, form: Form[Any], advice: str, *, elsewhere: str = "") -> Any:
    """A field that is an option. ``elsewhere`` says why a strategy (``{name}``) with a domain may lack it."""
    return field(default=default, metadata={_DECLARATION: _Declaration(form, advice, elsewhere)})


def as_in(owner: type[Options], name: str, *, default: Any = None) -> Any:
    """The same option as another class has it, perhaps with another default."""
    shared = next(f for f in fields(owner) if f.name == name)
    return field(default=shared.default if default is None else default, metadata=shared.metadata)


@dataclass(frozen=True, slots=True)
class Option:
    """An option as a person meets it: ``--name`` on the command line, ``keyword`` in Python."""

    keyword: str
    default: str
    advice: str
    form: Form[Any]
    elsewhere: str = ""

    @classmethod
    def of(cls, declared: Field[Any]) -> Option:
        its: _Declaration = declared.metadata[_DECLARATION]
        return cls(declared.name, its.form.show(declared.default), its.advice, its.form, its.elsewhere)

    @property
    def name(self) -> str:
        return self.keyword.replace("_", "-")

    @property
    def values(self) -> str:
        return self.form.values

    @property
    def each(self) -> Mapping[str, str]:
        return self.form.each

    def accepts(self, text: str) -> bool:
        try:
            self.form.parse(text)
        except ValueError:
            return False
        return True

    def parse(self, text: str) -> Any:
        """The value; ``StrategyError`` names those that there are."""
        try:
            return self.form.parse(text)
        except ValueError:
            close = did_you_mean(text, self.values.split(", "))
            raise StrategyError(f"--{self.name} cannot be {text}{close}; it is one of {self.values}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The choices of a strategy; of this class itself: none."""

    kind: ClassVar[str] = "program"
    """The models that such a strategy is for."""

    def __post_init__(self) -> None:
        reason = self.refusal()
        if reason is not None:
            raise StrategyError(reason)

    def refusal(self) -> str | None:
        """Why choices do not go together; None where they do."""
        return None

    def completed(self: Self, given: Collection[str]) -> tuple[Self, str | None]:
        """With what follows from the choices that were ``given``, and what there is to say about it."""
        return self, None

    @classmethod
    def declared(cls) -> dict[str, Option]:
        """The options by name."""
        every = map(Option.of, fields(cls))
        return {one.name: one for one in every}

    def choosing(self: Self, values: Mapping[str, Any]) -> Self:
        """With other values for some options, which are given by name."""
        return replace(self, **{name.replace("-", "_"): value for name, value in values.items()})

    def to_strings(self) -> dict[str, str]:
        """Every option by name, as it is written."""
        return {name: one.form.show(getattr(self, one.keyword)) for name, one in self.declared().items()}


def as_text(value: object) -> str:
    """A value that was given in Python, as it is written on the command line (``relations=False`` is ``off``)."""
    match value:
        case bool():
            return "on" if value else "off"
        case Word():
            return value.word
    return str(value)
