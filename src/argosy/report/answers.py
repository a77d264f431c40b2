"""Answers as JSON has them (``docs/json.md``): positions in full, invariants and executions at places of the source.

Law: whatever a result says of an answer is made here, of the objects that the backend returned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import singledispatch
from typing import Any

from argosy.backends.contract import (
    SAFE,
    UNKNOWN,
    Answer,
    Assumption,
    Evidence,
    Execution,
    Invariant,
    Path,
    TimedRun,
    overall,
)
from argosy.basics.position import Position
from argosy.certify.meanings import sort_kind
from argosy.certify.replay import ReplayedStep
from argosy.logic.terms import Term, Terms
from argosy.logic.traverse import substitute, variables
from argosy.models.cfa import Assign, Assume, Edge, Havoc, Location, Mark
from argosy.models.contracts import Contract, Signature
from argosy.models.cyclic import CyclicProgram
from argosy.models.kinds import Marked, Undefined
from argosy.problem.problem import REQUIREMENT, Problem
from argosy.report.result import Result, assumed

WORDS = {True: "Formula is satisfied.", False: "Formula is NOT satisfied.", None: None}
REQUIRED = {True: "holds", False: "VIOLATED", None: None}

# Numbers of more bits are written in hexadecimal: Python refuses to write them in decimal.
LONGEST = 10_000

Entry = dict[str, Any]

SEVERAL = ("query", REQUIREMENT)
"""The kinds of subjects that are decided one after the other."""


def result_of(problem: Problem, answers: Sequence[Answer]) -> Result:
    """UNSAFE if any answer is, else UNKNOWN if any is, else SAFE; with what the deciding answers say."""
    verdict, deciding = overall(answers)
    reasons = dict.fromkeys(answer.reason for answer in deciding if answer.reason is not None)
    certified = all(answer.certificate is not None for answer in deciding)
    entries = [entry_of(answer) for answer in answers]
    shown = next(entry for entry, answer in zip(entries, answers, strict=True) if answer is deciding[0])
    assumptions = tuple(dict.fromkeys(each for answer in deciding for each in answer.assumptions))
    notes = dict.fromkeys(note for answer in answers for note in answer.notes)
    assumptions_said = [assumption_entry(each) for each in assumptions]
    ledger = [*notes, *(assumed(each) for each in assumptions_said)]
    if problem.nothing is not None:
        ledger.append(problem.nothing)
    queries = [query_entry(entry) for entry in entries if entry["kind"] == "query"]
    return Result(
        verdict,
        reason="; ".join(reasons) if verdict == UNKNOWN else None,
        certified=certified,
        certificate=deciding[0].certificate if certified else None,
        input=problem.input,
        property=named(problem, answers),
        strategy=deciding[0].strategy,
        statistics=added(problem, answers),
        invariant=shown["invariant"],
        counterexample=() if verdict == SAFE else shown["counterexample"],
        ledger=ledger,
        assumes=[each.kind for each in assumptions],
        kind=problem.kind,
        format=problem.format,
        data_model=problem.data_model,
        inputs=problem.inputs,
        assumptions=assumptions_said,
        absent=problem.absent,
        nothing=problem.nothing,
        answers=entries,
        queries=queries,
    )


def named(problem: Problem, answers: Sequence[Answer]) -> str:
    """What the result calls that which was asked."""
    first = problem.subjects[0]
    if first.property is not None:
        return first.property.name
    return first.text if len(answers) == 1 else f"{len(answers)} queries"


def added(problem: Problem, answers: Sequence[Answer]) -> dict[str, float]:
    """Counts of several queries, requirements or bad states add up; the assertions of one program count together
    already."""
    if problem.kind != "system" and all(answer.subject.kind not in SEVERAL for answer in answers):
        last = max(answers, key=lambda answer: answer.statistics.get("nodes", 0))
        certify = sum({id(answer.evidence): answer.statistics.get("certify_s", 0) for answer in answers}.values())
        return {**last.statistics, "certify_s": round(certify, 3)}
    names = dict.fromkeys(name for answer in answers for name in answer.statistics if name != "overhead_s")
    return {name: sum(answer.statistics.get(name, 0) for answer in answers) for name in names}


def entry_of(answer: Answer) -> Entry:
    subject = answer.subject
    satisfied = subject.satisfied(answer.verdict)
    evidence: Entry = {"invariant": [], "counterexample": [], "violation": None}
    if answer.evidence is not None:
        evidence.update(shown(answer.evidence))
    if isinstance(subject.asked, CyclicProgram) and isinstance(answer.evidence, Execution):
        from argosy.report.controller_cycles import controller_cycles

        evidence["cycles"] = controller_cycles(subject.asked, answer.evidence)
    return {
        "kind": subject.kind,
        "text": subject.text,
        **place(subject.position, subject.function),
        "property": None if subject.property is None else subject.property.name,
        "formula": None if subject.property is None else subject.property.formula,
        "status": None
        if subject.property is None
        else subject.property.status(answer.verdict, kind_of(answer.evidence)),
        "satisfied": satisfied,
        "words": (REQUIRED if subject.kind == REQUIREMENT else WORDS)[satisfied],
        "verdict": answer.verdict,
        "reason": answer.reason,
        "certified": answer.certificate is not None,
        "certificate": answer.certificate,
        "assumes": [each.kind for each in answer.assumptions],
        "statistics": dict(answer.statistics),
        **answer.details,
        **evidence,
    }


def query_entry(entry: Mapping[str, Any]) -> Entry:
    """What schema 1 said of a query."""
    kept = ("line", "verdict", "reason", "certified", "certificate", "statistics", "counterexample")
    detail = {"search": entry.get("search"), "dropped": entry.get("dropped", [])}
    optional = ("ending", "recurring", "settles", "extreme", "holds", "symmetry")
    detail |= {name: entry[name] for name in optional if name in entry}
    return {"query": entry["text"], "formula": entry["words"], **detail, **{name: entry[name] for name in kept}}


def assumption_entry(assumption: Assumption) -> Entry:
    return {
        "kind": assumption.kind,
        "words": assumption.words,
        "check_with": assumption.check_with,
        "positions": [place(position) for position in assumption.positions],
    }


def place(position: Position, function: str = "") -> Entry:
    file, line = position.physical
    return {
        "file": position.file,
        "line": position.line,
        "column": position.column,
        "function": function,
        "physical": {"file": file, "line": line},
    }


# ---- evidence -------------------------------------------------------------------------------------------------------


@singledispatch
def shown(evidence: Evidence) -> Entry:
    """The fields ``invariant`` and ``counterexample`` of an answer."""
    raise TypeError(f"no way to show {type(evidence).__name__}")


@shown.register
def _(evidence: Invariant) -> Entry:
    terms, heads = evidence.cfa.terms, evidence.cfa.loop_heads
    claims = sorted(evidence.claims.items(), key=lambda item: item[0].index)
    contracts = [contract_entry(terms, *each) for each in evidence.contracts]
    return {
        **({"contracts": contracts} if contracts else {}),
        "invariant": [
            {
                "location": repr(location),
                "formula": claimed(terms.disjunction(formulas), evidence.bound),
                "kind": "loop" if location in heads else "location",
                **place(location.position, location.function),
            }
            for location, formulas in claims
        ],
        "counterexample": [],
    }


def claimed(formula: Term, bound: Sequence[Term]) -> str:
    """A claim as text: for all values of the bound variables that it has."""
    own = [variable for variable in bound if variable in variables(formula)]
    if not own:
        return str(formula)
    return f"(forall ({' '.join(f'({variable} {variable.sort})' for variable in own)}) {formula})"


def contract_entry(terms: Terms, signature: Signature, contract: Contract) -> Entry:
    """``old(x)`` is what x was when the call began, ``result`` what it returns; names go without the function's own."""
    own = f"{signature.function}::"
    names: dict[Term, str] = {}
    for variable, kept in signature.given:
        name = variable.name.removeprefix(own)
        names[variable] = variable.name if name in names.values() else name
        names[kept] = f"old({names[variable]})"
    parts = signature.result
    names.update((part, "result" if len(parts) == 1 else part.name.removeprefix(own)) for part in parts)
    spoken = {variable: terms.var(name, variable.sort) for variable, name in names.items()}
    return {
        "requires": str(substitute(terms, contract.requires, spoken)),
        "ensures": str(substitute(terms, contract.ensures, spoken)),
        **place(signature.position, signature.function),
    }


@shown.register
def _(evidence: Path) -> Entry:
    steps = [step_entry(edge, {}) for edge in evidence.edges if edge.text]
    return {"invariant": [], "counterexample": steps, "violation": violation(evidence.edges)}


@shown.register
def _(evidence: Execution) -> Entry:
    edges = [step.edge for step in evidence.replayed.steps]
    rows = [row for _, row in execution_rows(evidence)]
    found = violation(edges)
    if found is not None and edges[-1].marks[0].about is not None:
        from argosy.report.followed import followed

        found.update(followed(evidence, edges[-1].marks[0]))
    return {"invariant": [], "counterexample": rows, "violation": found}


def execution_rows(evidence: Execution) -> Iterator[tuple[Edge | None, Entry]]:
    """The steps of a counterexample as it is shown, each with the edge that it begins with."""
    opaque = {term.name for term in evidence.cfa.opaque}
    notations = {v.term.name: v.notation for v in evidence.cfa.variables if v.notation is not None}
    yield from ((None, row) for row in _start(evidence))
    from argosy.report.relevance import matters

    flags = dict(zip(map(id, evidence.replayed.steps), matters(evidence), strict=True))
    known: dict[str, Any] = {}
    rounds = 0
    for steps in _statements(evidence.replayed.steps):
        values = {name: value for step in steps for name, value in step.values.items() if name not in opaque}
        if len(steps) > 1:
            # One statement that may write several variables: those that it changed.
            values = {name: value for name, value in values.items() if known.get(name) != value}
        elif steps[0].values and not values:
            continue
        known.update(values)
        rounds += sum(step.rounds for step in steps)
        if steps[0].text:
            edge = steps[0].edge
            row = step_entry(edge, {name: number(value) for name, value in values.items()})
            if rounds:
                row["operation"] = f"after {rounds:,} more rounds: {edge.text}"
                rounds = 0
            written = {name: notations[name].text(value) for name, value in values.items() if name in notations}
            if texts := {name: text for name, text in written.items() if text is not None}:
                row["shown"] = texts
            yield edge, {**row, "matters": any(flags[id(step)] for step in steps)}


@shown.register
def _(evidence: TimedRun) -> Entry:
    from argosy.report.runs import described, failing

    steps = described(evidence.network, evidence.moments, evidence.zones, evidence.repeats)
    if evidence.last is not None:
        steps.append(failing(evidence.network, *evidence.last))
    names = [clock.name for clock in evidence.network.clocks[1:]]
    maximal: Entry = {}
    if evidence.ending is not None:
        maximal["ending"] = evidence.ending
    if evidence.repeats is not None:
        maximal["recurring"] = [zone.constraints(names) for zone in evidence.recurring]
    return {"invariant": [], "counterexample": steps, **maximal}


def kind_of(evidence: Evidence | None) -> Marked | Undefined | None:
    """What an execution into the error does there."""
    edges: Sequence[Edge] = ()
    if isinstance(evidence, Execution):
        edges = [step.edge for step in evidence.replayed.steps]
    elif isinstance(evidence, Path):
        edges = evidence.edges
    return edges[-1].marks[0].kind if edges and edges[-1].marks else None


def violation(edges: Sequence[Edge]) -> dict[str, Any] | None:
    """What the last step of a path into the error does that was asked not to happen, and where."""
    if not edges or not edges[-1].marks:
        return None
    last, mark = edges[-1], edges[-1].marks[0]
    kind = mark.kind.name.lower().replace("_", "-")
    return {"what": _violated(mark), "kind": kind, **place(mark.position, last.source.function)}


def _violated(mark: Mark) -> str:
    match mark.kind:
        case Marked.CALL:
            return f"{mark.name} is called"
        case Marked.LABEL:
            return f"label {mark.name} is reached"
        case Marked.ASSERTION:
            return f"{mark.text} fails"
    return f"{mark.kind.value} in {mark.text}" if mark.text else mark.kind.value


OPERATIONS = {Assume: "assume", Assign: "assign", Havoc: "choice"}


def step_entry(edge: Edge, values: Mapping[str, Any]) -> Entry:
    return {
        "operation": edge.text,
        "kind": OPERATIONS.get(type(edge.operation), "relation"),
        "choice": None if edge.choice is None else edge.choice.text,
        "source": None if edge.choice is None else edge.choice.kind.value,
        "values": dict(values),
        "depth": edge.source.depth,
        **place(edge.position, edge.source.function),
    }


def _start(evidence: Execution) -> Iterator[Entry]:
    """The values that an execution starts with, where the model itself says that they are arbitrary."""
    initial: Location = evidence.cfa.initial
    if evidence.replayed.initial and sort_kind(evidence.cfa) != "bits":
        values = {name: number(value) for name, value in evidence.replayed.initial.items()}
        where = place(initial.position, initial.function)
        yield {"operation": "start", "kind": "start", "choice": None, "source": None, "values": values, **where}


def _statements(steps: Sequence[ReplayedStep]) -> Iterator[list[ReplayedStep]]:
    """Steps of one statement together: they stand at the same place, say the same and are different edges."""
    group: list[ReplayedStep] = []
    for step in steps:
        same = group and (step.position, step.text) == (group[0].position, group[0].text)
        if not same or isinstance(step.edge.operation, Assume) or step.edge in [s.edge for s in group]:
            if group:
                yield group
            group = []
        group.append(step)
    if group:
        yield group


def number(value: Any) -> Any:
    """JSON has no rationals, and no number of thousands of digits is read by anybody."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    return hex(value) if isinstance(value, int) and value.bit_length() > LONGEST else value
