"""Finished programs with their truth: generate, watch, assert, run again under both readings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from .assertions import with_assertion
from .generator import generate
from .statements import SMALL, Profile
from .syntax import Program, Source, replace_points
from .truth import READINGS, Truth, available, observe

BATCH = 20


@dataclass(frozen=True)
class Case:
    program: Program
    source: Source
    truths: Mapping[str, Truth]

    @property
    def name(self) -> str:
        return f"{self.program.seed}-{self.program.data_model}"


def data_models() -> tuple[str, ...]:
    """LP64 three times out of four; ILP32 where the compiler can build for it."""
    return ("LP64", "LP64", "LP64", "ILP32") if available("ILP32") else ("LP64",)


def cases(
    seeds: Iterable[int], profile: Profile = SMALL, finish: Callable[[Program, Truth], Program] = with_assertion
) -> Iterator[Case]:
    """One case per seed, in order, without the programs that have too many or too long executions. ``finish`` puts
    assertions into a program of which it is known what values it has."""
    stream = iter(seeds)
    while batch := list(islice(stream, BATCH)):
        programs = [generate(seed, profile, data_models()) for seed in batch]
        finished: dict[int, Case] = {}
        for data_model in ("LP64", "ILP32"):
            group = [program for program in programs if program.data_model == data_model]
            for case in _finish(group, finish):
                finished[case.program.seed] = case
        yield from (finished[seed] for seed in batch if seed in finished)


def without_assertions(seeds: Iterable[int], data_model: str, profile: Profile = SMALL) -> list[Case]:
    """Programs whose only question is whether a signed operation overflows."""
    programs = [generate(seed, profile, (data_model,)) for seed in seeds]
    plain = [program.with_statements(replace_points(program.statements, {})) for program in programs]
    return [case for case in judge(plain) if all(truth.complete for truth in case.truths.values())]


def judge(programs: list[Program]) -> list[Case]:
    """The cases of finished programs of one data model; all of them, complete or not."""
    truths = {reading: observe(programs, reading) for reading in READINGS}
    return [
        Case(program, program.source(), {reading: truths[reading][index] for reading in READINGS})
        for index, program in enumerate(programs)
    ]


def _finish(programs: list[Program], finish: Callable[[Program, Truth], Program]) -> Iterator[Case]:
    # Half of the programs are watched under each reading: what an overflow would add must be missed in one of them.
    watched = {reading: observe(programs, reading) for reading in READINGS}
    seen = [watched[READINGS[program.seed % 2]][index] for index, program in enumerate(programs)]
    asserted = [finish(p, t) for p, t in zip(programs, seen, strict=True) if t.complete]
    for case in judge(asserted):
        if all(truth.complete for truth in case.truths.values()):
            yield case
