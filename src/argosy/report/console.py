"""A result as people read it: assumptions, then the counterexample or the invariant, then statistics.

The verdict is not printed here; it is the last line, and belongs to the command line. Colours only ever repeat what
the words say.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from argosy.backends.registry import KINDS
from argosy.basics.records import dataclass
from argosy.report.headline import given, headline, inputs, shown_values, written
from argosy.report.infix import infix
from argosy.report.result import UNKNOWN, Result, satisfied

CERTIFICATES = {
    "replay": "replay",
    "graph": "inductive zones",
    "invariant": "invariant",
    "k-induction": "k-induction",
    "unwinding": "unwinding",
    "contracts": "contracts",
}

COLOURS = {True: 32, False: 31, None: 33}

_WIDEST = 72
_LONGEST = 24
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours for a terminal, or none."""

    colours: bool = False

    @classmethod
    def of(cls, stream: TextIO) -> Paint:
        """Colours where somebody sees them. ``NO_COLOR`` asks for none and ``FORCE_COLOR`` for some, wherever the
        stream leads; empty they ask for nothing, and who sets both gets none."""
        if os.environ.get("NO_COLOR"):
            return cls(False)
        forced = os.environ.get("FORCE_COLOR")
        return cls(forced != "0" if forced else stream.isatty() and os.environ.get("TERM") != "dumb")

    def __call__(self, text: str, *codes: int) -> str:
        return f"\x1b[{';'.join(map(str, codes))}m{text}\x1b[0m" if self.colours and text else text

    def title(self, text: str) -> str:
        return self(text, 1)

    def faint(self, text: str) -> str:
        return self(text, 2)

    def verdict(self, result: Result) -> str:
        """Red is for what one does not hope for: the colour follows the formula, where there is one."""
        return self(result.verdict_line, 1, COLOURS[satisfied(result)])

    def summary(self, result: Result, width: int) -> str:
        """One line: the verdict, the input, the time, and why or where."""
        said = next((line for line in map(headline, result.answers) if line is not None), result.reason or "")
        verdict = self(result.verdict.upper().ljust(7), 1, COLOURS[satisfied(result)])
        return f"{verdict}  {result.input.ljust(width)}  {result.statistics['wall_s']:6.2f} s  {said}".rstrip()


def report(result: Result, paint: Paint, verbose: int = 0) -> Iterator[str]:
    """The lines of a report; -v leaves nothing out."""
    widths = "" if result.data_model is None else f"{result.data_model}, "
    yield paint.faint(f"{result.input}: {result.property}, {widths}{_strategy(result, verbose)}")
    if result.ledger:
        yield ""
        yield paint.title("Assumptions")
        yield from (f"  {line}" for line in result.ledger)
    whole = {"kind": "property", "certified": False, "reason": result.reason}
    answers = result.answers or [{**whole, "counterexample": result.counterexample, "invariant": result.invariant}]
    if len(answers) > 1 and answers[0]["kind"] in ("assertion", "requirement"):
        noun = answers[0]["kind"]
        yield ""
        yield paint.title(_count(len(answers), noun))
        rows = [(str(answer["line"]), answer["text"], _said(answer)) for answer in answers]
        yield from table(("line", noun, "verdict"), rows, paint, verbose)
    for number, answer in enumerate(answers, 1):
        yield from _answer(number, answer, paint, verbose, alone=len(answers) == 1)
    yield ""
    yield from _statistics(result, paint, verbose)


def table(
    titles: Sequence[str], rows: Sequence[Sequence[str]], paint: Paint, verbose: int = 0, indent: str = "  "
) -> Iterator[str]:
    """Columns as wide as what stands in them; unless verbose, long cells and long tables lose their middle."""
    if not verbose:
        rows = [[_shorten(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [titles, *rows]) for i in range(len(titles))]
    # Numbers stand under each other when they end in the same column.
    numeric = [all(row[i].isdigit() or not row[i] for row in rows) for i in range(len(titles))]

    def line(row: Sequence[str]) -> str:
        cells = [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numeric, strict=True)]
        return (indent + "  ".join(cells)).rstrip()

    yield paint.faint(line(titles))
    if verbose or len(rows) <= _LONGEST + 1:
        yield from map(line, rows)
    else:
        half = _LONGEST // 2
        yield from map(line, rows[:half])
        yield paint.faint(f"{indent}... {len(rows) - 2 * half} more, shown with -v ...")
        yield from map(line, rows[-half:])


def _strategy(result: Result, verbose: int) -> str:
    """Which strategy, and what of it gave the result; -v adds every option."""
    choices = {key: value for key, value in result.strategy.items() if key != "name"}
    shown = [f"{key} {value}" for key, value in choices.items() if verbose or key in ("stage", "arithmetic")]
    name = f"strategy {result.strategy.get('name', '')}"
    return f"{name} ({', '.join(shown)})" if shown else name


def _lines(entries: Sequence[Mapping[str, Any]]) -> Callable[[Mapping[str, Any]], str]:
    """Where each of them stands; the file is said where there are several."""
    several = len({each.get("file") for each in entries if each["line"]}) > 1

    def line(entry: Mapping[str, Any]) -> str:
        if not entry["line"]:
            return ""
        return f"{os.path.basename(entry['file'])}:{entry['line']}" if several else str(entry["line"])

    return line


def _steps(steps: Sequence[Mapping[str, Any]], verbose: int = 1) -> list[tuple[str, ...]]:
    """A step shows its function, where there are several, and the values that it changed; calls are indented. Unless
    verbose, what does not matter for the end is folded."""
    names = _short_names(name for step in steps for name in step["values"])
    known: dict[str, str] = {}
    line = _lines(steps)
    rows: list[tuple[str, ...]] = []
    aside: list[tuple[str, ...]] = []
    for step in steps:
        changed = {name: value for name, value in shown_values(step).items() if known.get(name) != value}
        known.update(changed)
        values = ", ".join(f"{names[name]} = {value}" for name, value in changed.items())
        indent = "  " * min(step.get("depth", 0), _DEEPEST)
        row = (line(step), step.get("function", ""), f"{indent}{step['operation']}", values)
        if not verbose and not step.get("matters", True) and step is not steps[-1] and not inputs([step]):
            aside.append(row)
            continue
        rows += _folded(aside)
        rows.append(row)
        aside = []
    return rows


def _folded(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Instead of one or two rows a line that says so would be no shorter."""
    return rows if len(rows) < 3 else [("", "", f"... {len(rows)} steps ...", "")]


def _taken(steps: Sequence[Mapping[str, Any]], paint: Paint, verbose: int) -> Iterator[str]:
    """The values that an execution took from outside, in their order."""
    line = _lines(steps)
    rows = [(line(step), step["operation"], given(step)) for step in inputs(steps)]
    if rows:
        yield ""
        yield paint.title(_count(len(rows), "input"))
        yield from table(("line", "taken by", "value"), rows, paint, verbose)


def _answer(number: int, answer: Mapping[str, Any], paint: Paint, verbose: int, *, alone: bool) -> Iterator[str]:
    """What was asked and what is said of it, with the run, the counterexample or the invariant."""
    if answer["kind"] == "query":
        yield ""
        yield paint.title(f"Verifying formula {number}: {' '.join(answer['text'].split())}")
        yield " -- " + paint(_said(answer), COLOURS[answer["satisfied"]])
        if "extreme" in answer:
            yield f"    {answer['extreme']['words']}"
        if "holds" in answer:
            yield f"    what holds: {', '.join(answer['holds'])}"
    elif not alone:
        if not answer["counterexample"] and not verbose:
            return
        yield ""
        yield paint.title(f"{answer['file']}:{answer['line']}: {answer['text']}")
        yield " -- " + paint(_said(answer), COLOURS[{"safe": True, "unsafe": False}.get(answer["verdict"])])
    if verbose and answer.get("search"):
        overhead = answer["statistics"].get("overhead_s", 0)
        yield f"Search: {answer['search']}" + (f", built in {overhead:.2f} s" if overhead else "")
        yield from (f"  without {dropped}" for dropped in answer.get("dropped", ()))
    if verbose and answer.get("symmetry"):
        yield from (f"Symmetry: {', '.join(family)} are alike" for family in answer["symmetry"]["families"])
        yield from (f"No symmetry: {reason}" for reason in answer["symmetry"]["reasons"])
    yield from execution(answer, paint, verbose)
    if answer.get("witness"):
        yield ""
        yield paint.title(f"Witness {answer['witness']['status']}: {answer['witness']['why']}")
    if answer.get("execution"):
        yield ""
        yield from executed(answer["execution"], paint)
    if answer["invariant"]:
        yield ""
        yield paint.title("Invariant")
        yield from table(("line", "location", "formula"), _claims(answer["invariant"], verbose), paint, verbose)
    if answer.get("contracts"):
        yield ""
        yield paint.title("Contracts")
        yield from table(("line", "function", "contract"), _contracts(answer["contracts"], verbose), paint, verbose)
    if answer["certified"] and (answer["kind"] == "query" or not alone):
        yield f"Certified by {CERTIFICATES[answer['certificate']]} in {answer['statistics']['certify_s']:.2f} s"


def executed(run: Mapping[str, Any], paint: Paint) -> Iterator[str]:
    """What the compiled program did with the counterexample."""
    by = f" ({run['compiler']}, {run['data_model']})" if run["data_model"] else ""
    yield paint.title(f"Executed: {run['outcome']}{by}" + (" -- confirmed" if run["confirmed"] else ""))
    yield from (f"  {note}" for note in run["notes"])


def _said(answer: Mapping[str, Any]) -> str:
    if answer["verdict"] == UNKNOWN:
        depth = f"; no error before loops begin round {answer['depth'] + 1}" if answer.get("depth") else ""
        return f"UNKNOWN ({answer['reason']}{depth})"
    return str(answer["words"] or answer["verdict"].upper())


def execution(answer: Mapping[str, Any], paint: Paint, verbose: int) -> Iterator[str]:
    steps = answer["counterexample"]
    if not steps:
        return
    if answer.get("cycles"):
        yield from _cycles(answer, paint, verbose)
        return
    if "time" not in steps[0]:
        said = headline(answer)
        yield ""
        mattering = sum(1 for step in steps if step.get("matters", True))
        those = "" if verbose or mattering == len(steps) else f", of which {mattering:,} matter"
        yield paint.title(f"Counterexample, {_count(len(steps), 'step')}{those}")
        if said is not None:
            yield f"  {said}"
        part = str(answer.get("status") or "")[len("false(") : -1]
        if part and part != answer.get("property"):
            yield f"  violates {part}"
        rows = _steps(steps, verbose)
        titles: tuple[str, ...] = ("line", "function", "operation", "values")
        if len({step.get("function") for step in steps} - {""}) < 2:
            titles, rows = ("line", "operation", "values"), [(row[0], *row[2:]) for row in rows]
        yield from table(titles, rows, paint, verbose)
        yield from _taken(steps, paint, verbose)
        return
    # The first step is the initial state.
    count = f"{_count(len(steps) - 1, 'step')}, time {steps[-1]['time']}"
    yield paint.title(f"Run into the model error, {count}" if answer["reason"] else f"Run, {count}")
    titles = ("time", "delay", "action", "changes", "zone", *(("clocks",) if verbose else ()))
    yield from table(titles, [_timed(step, verbose) for step in steps], paint, verbose)
    if "recurring" in answer:
        sets = " or ".join(", ".join(bounds) or "any clock values" for bounds in answer["recurring"])
        yield f"  The steps marked with * are repeated for ever; they can be taken from {sets}"
    if "ending" in answer:
        yield f"  The run {answer['ending']}"
    if "settles" in answer:
        yield f"  {answer['settles']['words']}"


def _cycles(answer: Mapping[str, Any], paint: Paint, verbose: int) -> Iterator[str]:
    from argosy.report.controller_cycles import cycle_table

    cycles = answer["cycles"]
    reached = "Witness" if answer["satisfied"] else "Counterexample"
    yield ""
    yield paint.title(f"{reached}, {_count(len(cycles), 'cycle')} ({answer['text']})")
    rows = list(cycle_table(cycles, verbose))
    name_width = max(len(name) for name, _ in rows)
    columns = max(len(cells) for _, cells in rows)
    widths = [max((len(cells[i]) for _, cells in rows if cells), default=0) for i in range(columns)]
    for name, cells in rows:
        row = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=False))
        line = f"  {name.ljust(name_width)}  {row}".rstrip()
        yield paint.faint(line) if name in ("cycle", "time") or not cells else line


def _timed(step: Mapping[str, Any], verbose: int) -> tuple[str, ...]:
    """An action names the locations it leaves and enters, so only the initial state shows them again."""
    changes = []
    for name, value in step["values"].items():
        process, _, rest = name.rpartition(".")
        if rest != "location":
            changes.append(f"{name} = {written(value)}")
        elif not step["line"]:
            changes.append(f"{process}.{value}")
    operation = f"* {step['operation']}" if step.get("repeats") else step["operation"]
    row = (step["time"], step["delay"], operation, ", ".join(changes), ", ".join(step["zone"]))
    return (*row, ", ".join(f"{name} = {value}" for name, value in step["clocks"].items())) if verbose else row


def _claims(claims: Sequence[Mapping[str, Any]], verbose: int) -> list[tuple[str, str, str]]:
    """-v shows the formulas exactly as they were checked."""
    names = _short_names(
        name for claim in claims for name in re.findall(r"(?<=\|)[^|\s]+(?=\|)|[\w:]+", claim["formula"])
    )
    shown = (c["formula"] if verbose else infix(c["formula"], lambda name: names.get(name, name)) for c in claims)
    line = _lines(claims)
    return [(line(c), c["location"], formula) for c, formula in zip(claims, shown, strict=True)]


def _contracts(contracts: Sequence[Mapping[str, Any]], verbose: int) -> list[tuple[str, str, str]]:
    def said(formula: str) -> str:
        return formula if verbose else infix(formula)

    rows, line = [], _lines(contracts)
    for contract in contracts:
        rows.append((line(contract), contract["function"], f"requires {said(contract['requires'])}"))
        rows.append(("", "", f"ensures {said(contract['ensures'])}"))
    return rows


def _short_names(names: Iterable[str]) -> dict[str, str]:
    """A local variable goes without its function where no other variable is called the same."""
    distinct = dict.fromkeys(names)
    shorts = {name: name.rpartition("::")[2] for name in distinct}
    spoken = Counter(shorts.values())
    return {name: short if spoken[short] == 1 else name for name, short in shorts.items()}


def _statistics(result: Result, paint: Paint, verbose: int) -> Iterator[str]:
    counts = result.statistics
    if result.certified and len(result.answers) <= 1 and not result.queries:
        yield f"Certified by {result.certificate} in {counts['certify_s']:.2f} s"
    if verbose:
        yield paint.title("Statistics")
        width = max(map(len, counts))
        yield from (f"  {name.ljust(width)}  {value:,}" for name, value in counts.items())
        return
    nouns = KINDS[result.kind].counts
    figures = [_count(counts.get(name, 0), noun) for name, noun in nouns]
    yield f"{', '.join(figures)}; {counts['wall_s']:.2f} s, {counts['peak_memory_mb']:,.0f} MB"


def _count(number: float, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _shorten(text: str) -> str:
    if len(text) <= _WIDEST:
        return text
    half = (_WIDEST - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"
