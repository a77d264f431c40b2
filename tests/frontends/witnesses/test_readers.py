"""Witnesses of others: what is read, what is refused by name, what is no witness."""

from __future__ import annotations

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.witnesses.graphml_reader import read_graphml
from argosy.frontends.witnesses.yaml_reader import read_yaml

HEAD = """- entry_type: {kind}
  metadata:
    format_version: "2.0"
    uuid: 1
    creation_time: 2026-01-01T00:00:00Z
    producer: {{name: other, version: 1}}
    task:
      input_files: [prog.c]
      input_file_hashes: {{prog.c: ABCD}}
      specification: G ! call(reach_error())
      data_model: LP64
      language: C
  content:
"""
INVARIANTS = HEAD.format(kind="invariant_set") + (
    "    - invariant: {type: loop_invariant, location: {line: 3, column: 5}, value: x > 0, format: c_expression}\n"
    "    - invariant: {type: location_invariant, location: {line: 9}, value: 'y == 1', format: c_expression}\n"
)
VIOLATION = HEAD.format(kind="violation_sequence") + (
    "    - segment:\n"
    "      - waypoint: {type: assumption, action: avoid, location: {line: 2, column: 1}, constraint: {value: x < 0}}\n"
    "      - waypoint: {type: branching, action: follow, location: {line: 4, column: 3}, constraint: {value: true}}\n"
    "    - segment:\n"
    "      - waypoint: {type: target, action: follow, location: {line: 7, column: 9}}\n"
)


def test_invariants_are_read_with_their_places() -> None:
    witness = read_yaml("w.yml", INVARIANTS)
    assert [(i.loop, i.line, i.column, i.value, i.position.line) for i in witness.invariants] == [
        (True, 3, 5, "x > 0", 14),
        (False, 9, 0, "y == 1", 15),
    ]
    assert (witness.data_model, witness.digests, witness.violation) == ("LP64", ("abcd",), False)


def test_a_violation_is_read_segment_by_segment() -> None:
    witness = read_yaml("w.yml", VIOLATION)
    assert [[(w.type, w.action, w.line, w.value) for w in segment] for segment in witness.segments] == [
        [("assumption", "avoid", 2, "x < 0"), ("branching", "follow", 4, "true")],
        [("target", "follow", 7, "")],
    ]


@pytest.mark.parametrize(
    ("old", "new", "error", "said"),
    [
        ('"2.0"', '"0.1"', UnsupportedError, "format 0.1"),
        ("loop_invariant", "loop_transition_invariant", UnsupportedError, "loop_transition_invariant"),
        ("invariant_set", "ghost_instrumentation", UnsupportedError, "ghost_instrumentation"),
        ("line: 3", "line: 0", InputError, "numbers from 1"),
        ("line: 3", "line: many", InputError, "numbers from 1"),
        ("value: x > 0, ", "", InputError, "value is missing"),
        ("value: x > 0", "value: '\\forall int i; 1'", UnsupportedError, "ACSL"),
        ("c_expression", "acsl_predicate", UnsupportedError, "acsl_predicate"),
        ("value: x > 0", "value: !!python/object:os.system x", UnsupportedError, "YAML with"),
        ("invariant: {type: loop", "invariant: &a {type: loop", UnsupportedError, None),
        ("- entry_type", "entry_type", InputError, "not YAML"),
    ],
)
def test_what_is_not_read_is_said(old: str, new: str, error: type[Exception], said: str | None) -> None:
    text = INVARIANTS.replace(old, new, 1)
    if said is None:
        text = text.replace("- invariant: {type: location", "- invariant: *a\n    - invariant: {type: location")
        said = "aliases"
    with pytest.raises(error, match=said) as caught:
        read_yaml("w.yml", text)
    assert "w.yml" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("action: follow, location: {line: 4", "action: avoid, location: {line: 4", "segment 1"),
        ("type: target", "type: function_enter", "the target is the end"),
        ("type: branching", "type: target", "the target is the end"),
        (", constraint: {value: x < 0}", "", "without a constraint"),
    ],
)
def test_segments_have_a_form(old: str, new: str, said: str) -> None:
    with pytest.raises((InputError, UnsupportedError), match=said):
        read_yaml("w.yml", VIOLATION.replace(old, new, 1))


def test_an_empty_file_is_no_witness() -> None:
    for text in ("", "[]", "42", "{}"):
        with pytest.raises(InputError):
            read_yaml("w.yml", text)


GRAPH = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key attr.name="isEntryNode" attr.type="boolean" for="node" id="entry"/>
<key attr.name="startline" attr.type="int" for="edge" id="startline"/>
<graph edgedefault="directed">
<data key="witness-type">KIND</data>
<data key="architecture">64bit</data>
<node id="A"><data key="entry">true</data></node>
<node id="B"><data key="invariant">x == 1</data></node>
<node id="E"><data key="violation">true</data></node>
<edge source="A" target="B"><data key="startline">3</data><data key="enterLoopHead">true</data>
  <data key="control">condition-true</data><data key="assumption">x == 1; \\result == 4;</data></edge>
<edge source="B" target="B"><data key="startline">8</data></edge>
<edge source="B" target="E"><data key="startline">9</data></edge>
</graph></graphml>
"""


def test_an_automaton_of_a_violation_becomes_waypoints() -> None:
    witness = read_graphml("w.graphml", GRAPH.replace("KIND", "violation_witness"))
    assert [(w.type, w.line, w.value) for segment in witness.segments for w in segment] == [
        ("branching", 3, "true"),
        ("function_return", 3, "(\\result == 4)"),
        ("after", 3, "(x == 1)"),
        ("target", 9, ""),
    ]
    assert witness.data_model == "LP64"


def test_invariants_of_an_automaton_are_those_of_loop_heads() -> None:
    text = GRAPH.replace("KIND", "correctness_witness")
    [invariant] = read_graphml("w.graphml", text).invariants
    assert (invariant.loop, invariant.line, invariant.value) == (True, 3, "x == 1")
    assert not read_graphml("w.graphml", text.replace("enterLoopHead", "sourcecode")).invariants


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("KIND", "a_witness", "no type of a witness"),
        ('target="E"', 'target="F"', "not there"),
        ('source="A"', 'source="E"', "no way leads"),
        (">3<", ">three<", "no number of a line"),
        ("condition-true", "maybe", "taken with maybe"),
        ("<graphml xmlns", "<!DOCTYPE g [<!ENTITY a 'b'>]><graphml xmlns", "entit"),
        ("</graphml>", "", "not well-formed"),
    ],
)
def test_automata_that_are_none_are_refused(old: str, new: str, said: str) -> None:
    text = GRAPH.replace(old, new, 1).replace("KIND", "violation_witness")
    with pytest.raises((InputError, UnsupportedError), match=said):
        read_graphml("w.graphml", text)
