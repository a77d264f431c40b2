"""What is to be verified: tasks from an ``index.csv``, a folder, a ``.set`` file, or single files.

A task has a name (the paper's *Model*), a category and, where somebody said so, an expected verdict. Said in: the
column ``expected`` of an index; ``expected_verdict`` of a task definition; a file name of the old competitions
(``_true-unreach-call``); a first comment with ``Expected verdict: SAFE``.

Law: two tasks of a list have different names; the same files give the same list in the same order.
"""

from __future__ import annotations

import csv
import glob
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from argosy.basics.choices import choose
from argosy.basics.errors import InputError, UnsupportedError, UsageError
from argosy.basics.position import Position
from argosy.basics.records import dataclass, replace
from argosy.frontends.definition import UNSAID_MODEL, Definition, choose_property, expected_verdict, read_definition
from argosy.frontends.properties import read_property
from argosy.frontends.registry import BY_NAME, SUFFIXES, files_of, suffix_of
from argosy.problem.property import NAMED
from argosy.report.result import SAFE, UNSAFE

INDEX = "index.csv"
_INPUTS = SUFFIXES
DEFINITIONS = BY_NAME["definition"].suffixes
_PROPERTY_IN_NAME = re.compile(r"_(true|false)-([a-z]+-[a-z]+)")
_COMMENT = re.compile(r"Expected verdict:\s*(SAFE|UNSAFE)\b")
_HEAD = 2000


@dataclass(frozen=True, slots=True)
class BenchTask:
    """``property`` and ``data_model`` are None where ``argosy verify`` decides; ``expected`` is safe, unsafe, or None
    where nobody told. ``property_file`` states the property, where there is such a file."""

    name: str
    category: str
    path: str
    property: str | None = None
    data_model: str | None = None
    expected: str | None = None
    property_file: str | None = None

    def files(self) -> tuple[str, ...]:
        """All that a run reads, as far as it exists: the input, what belongs to it, and the file of the property. A
        task definition is not among them: what it says of the run is said by the other fields, and the expected
        verdict does not change a run."""
        stated = () if self.property_file is None else (self.property_file,)
        return tuple(dict.fromkeys((*files_of(self.path), *filter(os.path.isfile, stated))))

    def digest(self) -> str:
        """What the files say, so that a changed one is measured again."""
        content = hashlib.sha256()
        for number, path in enumerate(self.files()):
            # That an input cannot be read is for the run to say.
            with suppress(OSError), open(path, "rb") as file:
                content.update((b"\0" + os.fsencode(os.path.basename(path)) + b"\0" if number else b"") + file.read())
        return content.hexdigest()[:16]


def read_tasks(
    sources: Iterable[str],
    *,
    where: Mapping[str, Sequence[str]] | None = None,
    sample: int | None = None,
    property: str | None = None,
) -> list[BenchTask]:
    """The tasks of all sources. ``where`` keeps rows of an index that have one of the values in a column, and elsewhere
    tasks of such a category; ``sample`` keeps so many, the same in every run. Raises ``InputError`` for a source that
    cannot be read, and ``UnsupportedError`` for a property that is not known."""
    stated = None
    if property is not None and property not in NAMED:
        if not property.endswith(".prp"):
            choose("--property", property, (*NAMED, "FILE.prp"))
        property, stated = read_property(property).name, property
    choice = _Choice(where or {}, property)
    found: dict[tuple[str, str | None], BenchTask] = {}
    for source in sources:
        for task in _read(source, choice):
            if property is not None and task.property != property:
                # A verdict that was expected without a word on the property is meant for any.
                task = replace(
                    task, property=property, expected=None if task.property else task.expected, property_file=stated
                )
            found.setdefault((os.path.realpath(task.path), task.property), task)
    tasks = _distinct(list(found.values()))
    if sample is not None and sample < len(tasks):
        chosen = sorted(tasks, key=lambda task: hashlib.sha256(task.name.encode()).digest())[:sample]
        tasks = [task for task in tasks if task in chosen]
    return tasks


@dataclass(frozen=True, slots=True)
class _Choice:
    where: Mapping[str, Sequence[str]]
    property: str | None


def _read(source: str, choice: _Choice) -> Iterator[BenchTask]:
    suffix = os.path.splitext(source)[1].lower()
    if os.path.isdir(source):
        index = os.path.join(source, INDEX)
        yield from _of_index(index, choice) if os.path.exists(index) else _of_folder(source, choice)
    elif not os.path.exists(source):
        raise InputError(Position(source, 0), "no such file or folder")
    elif not os.path.isfile(source):
        # A pipe or a device is read once, if it ever ends; the bench reads its inputs again for every strategy.
        raise InputError(Position(source, 0), "neither a file nor a folder")
    elif suffix == ".csv":
        yield from _of_index(source, choice)
    elif suffix == ".set":
        yield from _of_set(source, choice)
    elif suffix in _INPUTS:
        folder = os.path.dirname(os.path.abspath(source))
        yield from _of_categories([_of_file(source, os.path.dirname(source), os.path.basename(folder), choice)], choice)
    else:
        known = ", ".join((INDEX, "a folder", ".set", *SUFFIXES))
        raise InputError(Position(source, 0), f"no list of tasks, and no task; known are {known}")


def _of_index(path: str, choice: _Choice) -> Iterator[BenchTask]:
    """A row for each task; ``file`` is relative to the index. Columns that are known are category, property, expected
    and data_model; a task definition beside a program has the data model too."""
    folder = os.path.dirname(path)
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            columns = list(reader.fieldnames or ())
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(Position(path, 0), f"cannot be read: {error}") from None
    if rows and "file" not in columns:
        raise InputError(Position(path, 1, 1), f"no column called file (there are {', '.join(columns)})")
    for column in choice.where:
        if rows and column not in columns:
            raise UsageError(f"--where {column}: {path} has no such column; it has {', '.join(columns)}")
    for number, row in enumerate(rows, 2):
        if len(row) > len(columns):
            raise InputError(Position(path, number, 1), f"more cells than the header has, which are {len(columns)}")
        if any(row[column] not in values for column, values in choice.where.items()):
            continue
        name = row["file"] or ""
        target = os.path.join(folder, name)
        if os.path.splitext(name)[1].lower() not in _INPUTS:
            continue  # a query beside its network, a proof, a picture
        if not os.path.isfile(target):
            raise InputError(Position(path, number, 1), f"no such file: {target}")
        category = row.get("category") or os.path.basename(os.path.dirname(target))
        above = re.sub(r"^(\.\./)+", "", os.path.normpath(name))
        task = _of_file(target, folder, category, choice, above)
        yield replace(
            task,
            property=row.get("property") or task.property,
            data_model=row.get("data_model") or task.data_model or _data_model_beside(target),
            expected=_expected(row["expected"] or "") if "expected" in row else task.expected,
        )


def _of_folder(folder: str, choice: _Choice) -> Iterator[BenchTask]:
    """Every input below the folder, a program that a task definition names through that definition only."""
    paths = sorted(
        os.path.join(place, name)
        for place, _, names in os.walk(folder)
        for name in names
        if os.path.splitext(name)[1].lower() in _INPUTS and os.path.isfile(os.path.join(place, name))
    )
    base = os.path.basename(os.path.abspath(folder))
    tasks = {path: _of_file(path, folder, _category(path, folder) or base, choice) for path in paths}
    defined = {
        os.path.realpath(task.path)
        for path, task in tasks.items()
        if os.path.splitext(path)[1].lower() in DEFINITIONS and task.path != path
    }
    yield from _of_categories(
        (task for path, task in tasks.items() if task.path != path or os.path.realpath(path) not in defined), choice
    )


def _category(path: str, folder: str) -> str:
    return os.path.dirname(os.path.relpath(path, folder))


def _of_set(path: str, choice: _Choice) -> Iterator[BenchTask]:
    """A line is a pattern of task definitions or inputs, relative to the set; the set is their category."""
    folder = os.path.dirname(path)
    category = os.path.splitext(os.path.basename(path))[0]
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.partition("#")[0].strip() for line in file]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(Position(path, 0), f"cannot be read: {error}") from None
    for number, pattern in enumerate(lines, 1):
        if not pattern:
            continue
        matches = sorted(glob.glob(os.path.join(glob.escape(folder), pattern), recursive=True))
        matches = [m for m in matches if os.path.splitext(m)[1].lower() in _INPUTS and os.path.isfile(m)]
        if not matches:
            raise InputError(Position(path, number, 1), f"no task matches {pattern}")
        yield from _of_categories((_of_file(match, folder, category, choice) for match in matches), choice)


def _of_categories(tasks: Iterable[BenchTask], choice: _Choice) -> Iterator[BenchTask]:
    for column in choice.where:
        if column != "category":
            raise UsageError(f"--where {column}: only an index has columns; elsewhere there is category")
    yield from (task for task in tasks if task.category in choice.where.get("category", (task.category,)))


def _of_file(path: str, folder: str, category: str, choice: _Choice, name: str | None = None) -> BenchTask:
    """A single input. One that ``argosy verify`` will refuse is a task like others: the refusal is its result."""
    name = name or os.path.relpath(path, folder or ".")
    if os.path.splitext(path)[1].lower() in DEFINITIONS:
        try:
            definition = read_definition(path)
            return _of_definition(definition, name, category, choice)
        except (InputError, UnsupportedError):
            return BenchTask(name, category, path)
    return BenchTask(name, category, path, expected=_said_by(path))


def _of_definition(definition: Definition, name: str, category: str, choice: _Choice) -> BenchTask:
    stated = None
    property = choice.property
    if property is None:
        stated, chosen = choose_property(definition)
        property = chosen.name
    holds = expected_verdict(definition, property)
    expected = None if holds is None else SAFE if holds else UNSAFE
    model = _model_of(definition)
    return BenchTask(name, category, definition.input, property, model, expected, stated)


def _model_of(definition: Definition) -> str | None:
    """How wide types are, by a definition: where it says nothing it does not mean those of this machine."""
    unsaid = UNSAID_MODEL if suffix_of(definition.input) in BY_NAME["c"].suffixes else None
    return definition.data_model or unsaid


def _data_model_beside(path: str) -> str | None:
    beside = os.path.splitext(path)[0] + DEFINITIONS[0]
    if not os.path.isfile(beside) or suffix_of(path) not in BY_NAME["c"].suffixes:
        return None
    try:
        return _model_of(read_definition(beside))
    except (InputError, UnsupportedError):
        return None


def _said_by(path: str) -> str | None:
    in_name = _PROPERTY_IN_NAME.search(os.path.basename(path))
    if in_name is not None and in_name[2] == "unreach-call":
        return SAFE if in_name[1] == "true" else UNSAFE
    try:
        with open(path, "rb") as file:
            said = _COMMENT.search(file.read(_HEAD).decode(errors="replace"))
    except OSError:
        return None
    return said[1].lower() if said is not None else None


def _expected(text: str) -> str | None:
    """How lists of tasks say it: true or false, safe or unsafe, or what becomes of a query of UPPAAL."""
    words = re.findall(r"\w+", text.lower())
    query = re.match(r"\s*(E<>|A\[\])", text)
    if query is not None and query[1] == "E<>":
        return UNSAFE if {"satisfied", "sat", "reachable"} & set(words) else SAFE if words else None
    if query is not None:
        return SAFE if {"holds", "satisfied"} & set(words) else UNSAFE if words else None
    return {"true": SAFE, "safe": SAFE, "false": UNSAFE, "unsafe": UNSAFE}.get(words[0] if words else "")


def _distinct(tasks: list[BenchTask]) -> list[BenchTask]:
    """The same list; where a name occurs twice, paths tell the tasks apart, and then properties."""
    names = [task.name for task in tasks]
    if len(set(names)) == len(names):
        return tasks
    common = os.path.commonpath([os.path.abspath(task.path) for task in tasks])
    by_path = [
        replace(task, name=os.path.relpath(os.path.abspath(task.path), common)) if names.count(task.name) > 1 else task
        for task in tasks
    ]
    names = [task.name for task in by_path]
    return [
        replace(task, name=f"{task.name} ({task.property})") if names.count(task.name) > 1 else task for task in by_path
    ]
