"""Which further turns a sequence such as ``auto`` has, by what a model looks like: the rules, as data, with reasons.

A rule says: where a model is like that, this strategy has a turn in this place, with this share of the time that is
left. Rules apply one by one in the order of the table; those of one place come in that order before the turn of the
sequence (``table``) that has the place. Nothing else decides about turns, and no rule asks for a name.

``experiments/auto_table.py`` judges exactly this table against measured runs of the single strategies, and what can be
learned from these; docs/performance.md says what came out.
"""

from __future__ import annotations

from collections.abc import Sequence

from argosy.basics.records import dataclass, fields
from argosy.logic.solvers import SortKind
from argosy.models.features import Features
from argosy.strategies.named import Turn

NOT = "no "
FEATURES = tuple(each.name for each in fields(Features))


@dataclass(frozen=True, slots=True)
class Rule:
    """``where``: the words of ``words_of`` that hold of a model, those behind ``no`` do not. ``place``: so many turns
    of the sequence come before. ``expansions``: after so many it has had its chance (0: any number)."""

    where: str
    place: int
    strategy: str
    share: float
    why: str
    expansions: int = 0

    def applies(self, words: frozenset[str]) -> bool:
        asked = (each.strip() for each in self.where.split(","))
        return all((word.removeprefix(NOT) in words) is not word.startswith(NOT) for word in asked)


RULES: tuple[Rule, ...] = (
    # ---- first of all: one execution, and what is easy to run into
    Rule("program, loops, closed, arrays, no cyclic", 0, "execution", 0.4, "one execution, with loops: it is executed"),
    Rule(
        "program, loops, closed, no arrays, no cyclic",
        0,
        "execution",
        0.015,
        "one execution, with loops: it may have no end, and then proofs are quicker",
    ),
    Rule(
        "program, recursive, closed, no reactive",
        0,
        "explicit-all",
        0.25,
        "one execution, with calls of itself: its values are followed, call by call",
    ),
    Rule("program, loops, memory, no closed", 0, "execution", 0.05, "memory: most violations are easy to run into"),
    Rule(
        "program, loops, given, no closed, no cyclic",
        0,
        "bmc",
        0.06,
        "nothing comes from outside: few executions, whose loops mostly end soon",
        4_000,
    ),
    # ---- what has nothing to refine
    Rule(
        "program, reactive",
        0,
        "explicit-all",
        0.25,
        "reacts to inputs, with modes and no numbers: all its states",
        20_000,
    ),
    Rule(
        "program, loops, floats", 0, "intervals", 0.1, "loops with floating-point numbers: bounds, which need no solver"
    ),
    Rule(
        "program, loops, floats, no cyclic",
        0,
        "intervals-pred",
        0.05,
        "loops with floating-point numbers: bounds for each mode, told apart by predicates",
        300,
    ),
    # ---- loops over arrays: what is guessed is decided soon; what keeps accesses inside first, where it is asked for
    Rule(
        "program, arrays, loops, memory, objects, bits",
        0,
        "objects",
        0.4,
        "memory is handed out object by object: lifetimes and owners of all of them are said of each",
    ),
    Rule(
        "arrays, loops, memory, bits",
        0,
        "kinduction",
        0.3,
        "loops over arrays: what keeps an access inside is often in the text",
    ),
    Rule(
        "arrays, loops, memory",
        0,
        "cells",
        0.15,
        "loops over arrays: claims about all elements are often read off the text",
    ),
    Rule(
        "program, arrays, loops, no memory, no cyclic",
        0,
        "lbe",
        0.03,
        "few predicates about control may be enough, whatever the arrays hold",
    ),
    Rule(
        "arrays, loops, objects, bits, no memory",
        0,
        "objects",
        0.15,
        "memory is handed out object by object: claims about all of them are often read off the text",
    ),
    Rule(
        "arrays, loops, no memory",
        0,
        "cells",
        0.15,
        "loops over arrays: claims about all elements are often read off the text",
    ),
    Rule(
        "program, arrays, loops, bits, no closed, no memory",
        0,
        "execution",
        0.12,
        "loops over arrays: an error is behind all rounds of those that fill them",
    ),
    Rule(
        "arrays, loops, no memory, bits",
        0,
        "kinduction",
        0.3,
        "loops over arrays: what keeps an access inside is often in the text",
    ),
    # ---- other loops: a short look each, before anything has long
    Rule("program, loops, no arrays, no cyclic", 0, "explicit", 0.1, "what constants decide is decided soon", 4_000),
    Rule(
        "program, loops, memory, no arrays, no cyclic",
        0,
        "bmc",
        0.03,
        "memory, and loops over few objects: they end soon when they are unwound",
    ),
    Rule(
        "program, counting, no cyclic",
        0,
        "closed-forms",
        0.05,
        "loops that count or add up: where their rounds are determined, there is a formula for any number of them",
    ),
    Rule(
        "program, counting, no cyclic",
        0,
        "polynomials",
        0.05,
        "loops that count or add up: what they come to is an equation, whatever the number of rounds",
    ),
    Rule(
        "program, counting, no cyclic",
        0,
        "summaries",
        0.1,
        "loops that count or add up: what a round changes at most, so many times, is a bound",
    ),
    Rule(
        "program, loops, counted, no arrays, no cyclic",
        0,
        "bmc",
        0.04,
        "every loop counts by constants: where they end soon, unwinding is complete",
        2_000,
    ),
    Rule(
        "program, loops, no arrays, no cyclic",
        0,
        "kinduction",
        0.06,
        "loops: what holds is often a matter of a few rounds, whatever is computed in them",
    ),
    Rule(
        "program, loops, no arrays, no cyclic",
        0,
        "lbe",
        0.03,
        "few predicates may be enough, where rounds are not",
    ),
    Rule(
        "program, loops, closed, no arrays, no cyclic",
        0,
        "execution",
        0.4,
        "one execution, with loops: it is executed to its end",
    ),
    Rule(
        "program, accelerable",
        0,
        "accelerated",
        0.1,
        "loops that many rounds of can be taken at once: an error far away is a few edges away",
        400,
    ),
    Rule(
        "program, loops, no arrays, no cyclic",
        0,
        "bmc",
        0.05,
        "loops: an error is often a few rounds away, and loops that end soon are unwound",
    ),
    # ---- after values
    Rule("recursive", 1, "horn", 0.35, "recursion: contracts need no copies of functions"),
    Rule("no loops", 1, "kinduction", 0.4, "no loops: the program is one formula"),
    Rule(
        "loops, cyclic, floats",
        1,
        "kinduction",
        0.15,
        "a cyclic model: errors are a few rounds away, proofs often about one; predicates over floats are found slowly",
    ),
    Rule(
        "program, loops, counted, no cyclic", 1, "bmc", 0.2, "every loop counts by constants: unwinding may be complete"
    ),
    # ---- after values and predicates
    Rule(
        "loops, cyclic, no floats",
        2,
        "kinduction",
        0.15,
        "a cyclic model: errors are a few rounds away, proofs often about one",
    ),
    Rule(
        "program, loops, no closed, no cyclic",
        2,
        "execution",
        0.15,
        "loops: an error may be many rounds away, and easy to run into",
    ),
    Rule("arrays, loops", 2, "cells-horn", 0.2, "loops over arrays: claims about all elements"),
    Rule("arrays, loops", 2, "cells", 0.25, "loops over arrays: claims about all elements"),
    Rule(
        "program, loops, closed, cyclic",
        3,
        "execution",
        0.15,
        "one execution, which has no end: it is executed for a while",
    ),
)


def words_of(features: Features, kind: str, own: SortKind) -> frozenset[str]:
    """The features that a model has, what ``kind`` of model it is, and whether its numbers are ``bits``."""
    has = {each for each in FEATURES if getattr(features, each)}
    return frozenset(has | {kind, own})


def chosen_turns(
    turns: Sequence[Turn],
    features: Features,
    kind: str = "program",
    own: SortKind = "bits",
    rules: Sequence[Rule] | None = None,
) -> list[tuple[Turn, str]]:
    """The turns of a sequence with those that the ``rules`` add to them; and why, or "" for what is in every one."""
    words = words_of(features, kind, own)
    added = [rule for rule in (RULES if rules is None else rules) if rule.applies(words)]
    found: list[tuple[Turn, str]] = []
    for place, turn in enumerate(turns):
        found += [((rule.strategy, rule.share, rule.expansions), rule.why) for rule in added if rule.place == place]
        found.append((turn, ""))
    return found
