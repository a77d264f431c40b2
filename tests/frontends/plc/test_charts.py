"""Sequential function charts of PLCopen XML, cycle by cycle: the cycles are worked out by hand (see ``charts``)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from tests.frontends.plc.random_blocks import Block
from tests.frontends.plc.running import program, run
from tests.frontends.plc.test_diagrams import BOOL, RAIL, contact, into, variables
from tests.frontends.plc.test_random_blocks import interpreted, on_automaton

PROJECT = """<project xmlns="http://www.plcopen.org/xml/tc6_0201" xmlns:xhtml="http://www.w3.org/1999/xhtml"><types>
<pous><pou name="p" pouType="program"><interface>{variables}</interface>{more}<body><SFC>{chart}</SFC></body></pou>
</pous></types></project>"""
INPUTS = variables("inputVars", BOOL, "a", "b", "c")
OUTPUTS = variables("outputVars", BOOL, "q", "r") + variables("outputVars", "<INT/>", "n", "m")


def chart(*parts: str, more: str = "") -> str:
    return PROJECT.format(variables=INPUTS + OUTPUTS, more=more, chart="".join(parts))


def step(id: int, name: str, *above: int, initial: bool = False) -> str:
    first = ' initialStep="true"' if initial else ""
    return f'<step localId="{id}" name="{name}"{first}>{into(*map(str, above)) if above else ""}</step>'


def transition(id: int, condition: str, above: int, x: int = 0, **attributes: Any) -> str:
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    inline = f'<inline name=""><ST><xhtml:p>{condition}</xhtml:p></ST></inline>'
    place = f'<position x="{x}" y="0"/>'
    return f'<transition localId="{id}"{more}>{place}{into(str(above))}<condition>{inline}</condition></transition>'


def link(kind: str, id: int, *above: int) -> str:
    return f'<{kind} localId="{id}">{"".join(into(str(each)) for each in above)}</{kind}>'


def jump(id: int, target: str, above: int) -> str:
    return f'<jumpStep localId="{id}" targetName="{target}">{into(str(above))}</jumpStep>'


def acts(id: int, step: int, qualifier: str, what: str, duration: str = "") -> str:
    """``what`` is a variable or action, or statements."""
    text = f"<inline><ST><xhtml:p>{what}</xhtml:p></ST></inline>" if ":=" in what else f'<reference name="{what}"/>'
    time = f' duration="{duration}"' if duration else ""
    inner = f'<action localId="{id}1" qualifier="{qualifier}"{time}>{text}</action>'
    return f'<actionBlock localId="{id}">{into(str(step))}{inner}</actionBlock>'


def column(found: list[dict[str, Any]], *names: str) -> list[Any]:
    return [each[names[0]] if len(names) == 1 else tuple(each[name] for name in names) for each in found]


# one ── a ──► two ── b ──► one
LOOP = step(1, "one", 4, initial=True) + transition(2, "a", 1) + step(3, "two", 2) + transition(4, ":= b;", 3)


def test_a_chart_moves_one_step_in_a_cycle() -> None:
    # In the first cycle the initial step is active, whatever holds; with a and b a chart goes on in every cycle.
    found = run(chart(LOOP), [{"a": 1, "b": 1}] * 4, "p.xml")
    assert column(found, "one.X", "two.X") == [(True, False), (False, True), (True, False), (False, True)]
    found = run(chart(LOOP), [{"a": 0}, {"a": 1}, {"a": 1, "b": 0}, {"b": 1}, {"a": 0}], "p.xml")
    assert column(found, "one.X") == [True, False, False, True, True]


def test_a_step_knows_how_long_it_has_been_active() -> None:
    waiting = step(1, "one", initial=True) + transition(2, "one.T &gt;= T#20ms", 1) + step(3, "two", 2)
    found = run(chart(waiting + transition(4, "FALSE", 3) + jump(5, "one", 4)), [{"passed": 15}] * 4, "p.xml")
    assert column(found, "one.X") == [True, True, False, False]
    # T stays as it was when the step is left.
    assert column(found, "one.T") == [0, 15, 30, 30]
    assert column(found, "two.T") == [0, 0, 0, 15]


def test_alternatives_are_taken_by_priority_and_then_from_the_left() -> None:
    def parts(**left: Any) -> str:
        return chart(
            step(1, "s", initial=True),
            link("selectionDivergence", 2, 1),
            transition(3, "b", 2, x=90, **left),
            transition(4, "a", 2, x=10),
            step(5, "right", 3),
            step(6, "left", 4),
            transition(7, "TRUE", 5),
            transition(8, "TRUE", 6),
            link("selectionConvergence", 9, 7, 8),
            jump(10, "s", 9),
        )

    both = [{"a": 1, "b": 1}] * 3
    assert column(run(parts(), both, "p.xml"), "left.X", "right.X", "s.X")[1:] == [
        (True, False, False),
        (False, False, True),
    ]
    assert column(run(parts(priority=1), both, "p.xml"), "left.X", "right.X")[1] == (False, True)
    assert column(run(parts(), [{"b": 1}] * 2, "p.xml"), "left.X", "right.X")[1] == (False, True)


def test_simultaneous_branches_start_and_end_together() -> None:
    parts = (
        step(1, "s", initial=True),
        transition(2, "a", 1),
        link("simultaneousDivergence", 3, 2),
        step(4, "u", 3),
        step(5, "v", 3),
        transition(6, "b", 5),
        step(7, "w", 6),
        link("simultaneousConvergence", 8, 4, 7),
        transition(9, "c", 8),
        jump(10, "s", 9),
    )
    cycles = [{"a": 1, "c": 1}, {}, {}, {"b": 1}, {"c": 0}, {"c": 1}]
    found = run(chart(*parts), cycles, "p.xml")
    assert column(found, "s.X", "u.X", "v.X", "w.X") == [
        (True, False, False, False),
        (False, True, True, False),
        (False, True, True, False),  # c holds, but w is not active yet
        (False, True, False, True),
        (False, True, False, True),
        (True, False, False, False),
    ]


def test_actions_of_text_run_while_their_step_is_active_and_once_more() -> None:
    text = chart(LOOP, acts(5, 3, "N", "n := n + 1;"))
    cycles = [{"a": 0, "b": 0}, {"a": 1}, {}, {"a": 0, "b": 1}, {"b": 0}, {}]
    assert column(run(text, cycles, "p.xml"), "n") == [0, 1, 2, 3, 3, 3]
    assert column(run(text, cycles, "p.xml", dialect="siemens"), "n") == [0, 1, 2, 2, 2, 2]


def test_actions_that_are_variables_hold_while_their_step_is_active() -> None:
    text = chart(LOOP, acts(5, 3, "N", "q"))
    cycles = [{"a": 1, "b": 0}, {}, {}, {"a": 0, "b": 1}]
    assert column(run(text, cycles, "p.xml"), "q") == [False, True, True, False]


# one ── a ──► two ── TRUE ──► three ── TRUE ──► four ── TRUE ──► one
FOUR = (
    step(1, "one", 8, initial=True)
    + transition(2, "a", 1)
    + step(3, "two", 2)
    + transition(4, "TRUE", 3)
    + step(5, "three", 4)
    + transition(6, "TRUE", 5)
    + step(7, "four", 6)
    + transition(8, "TRUE", 7)
)


def test_what_is_set_stays_until_it_is_reset() -> None:
    text = chart(FOUR, acts(10, 3, "S", "q"), acts(11, 7, "R", "q"))
    found = run(text, [{"a": 1}] * 6, "p.xml")
    assert column(found, "two.X") == [False, True, False, False, False, True]
    assert column(found, "q") == [False, True, True, False, False, True]


def test_pulses() -> None:
    hold = step(1, "one", 4, initial=True) + transition(2, "a", 1) + step(3, "two", 2) + transition(4, "b", 3)
    cycles = [{"a": 1, "b": 0}, {}, {}, {"a": 0, "b": 1}, {}]
    assert column(run(chart(hold, acts(5, 3, "P", "q")), cycles, "p.xml"), "q") == [False, True, False, False, False]
    # Statements of P run in the final scan as well; those of P1 and P0 do not.
    counted = {
        qualifier: column(run(chart(hold, acts(5, 3, qualifier, "n := n + 1;")), cycles, "p.xml"), "n")
        for qualifier in ("P", "P1", "P0")
    }
    assert counted == {"P": [0, 1, 2, 2, 2], "P1": [0, 1, 1, 1, 1], "P0": [0, 0, 0, 1, 1]}


@pytest.mark.parametrize(
    ("qualifier", "expected"),
    [
        # The step is active from cycle 2 to 5, at 10, 20, 30 and 40 ms; the time is 15 ms, R comes in cycle 8.
        ("N", "-####----"),
        ("L", "-##------"),
        ("D", "---##----"),
        ("SD", "---####--"),
        ("DS", "---####--"),
        ("SL", "-##------"),
    ],
)
def test_qualifiers_with_a_time(qualifier: str, expected: str) -> None:
    parts = (
        step(1, "one", initial=True),
        transition(2, "a", 1),
        step(3, "two", 2),
        transition(4, "b", 3),
        step(5, "three", 4),
        transition(6, "c", 5),
        step(7, "last", 6),
        transition(8, "FALSE", 7),
        jump(9, "one", 8),
        acts(10, 3, qualifier, "q", "" if qualifier == "N" else "T#15ms"),
        acts(11, 7, "R", "q"),
    )
    cycles: list[dict[str, Any]] = [{"a": 1, "passed": 10} for _ in range(9)]
    cycles[5]["b"] = 1
    cycles[7]["c"] = 1
    found = run(chart(*parts), cycles, "p.xml")
    assert "".join("#" if each else "-" for each in column(found, "two.X")) == "-####----"
    assert "".join("#" if each else "-" for each in column(found, "q")) == expected


def test_automata_of_charts_do_what_the_interpreter_does() -> None:
    parts = (
        FOUR.replace(">TRUE<", ">NOT b<"),
        acts(10, 3, "S", "q"),
        acts(11, 7, "R", "q"),
        acts(12, 5, "D", "r", "T#15ms"),
        acts(13, 3, "L", "n := n + 1;", "T#25ms"),
        acts(14, 7, "P0", "m := m + n;"),
    )
    made = program(chart(*parts), "p.xml", require="n >= 0 OR a OR b OR c", cycle_time="1ms..100ms")
    chance = random.Random(1)
    outputs = ["q", "r", "n", "m", "one.X", "two.X", "three.X", "four.X", "three.T"]
    rows = []
    for _ in range(4):
        inputs = [{name: chance.randrange(2) for name in "abc"} for _ in range(40)]
        block = Block("", "", outputs, inputs, [chance.randrange(1, 30) for _ in inputs])
        found = interpreted(block, made)
        assert on_automaton(block, made) == found
        rows.extend(found)
    assert all(len(set(values)) > 1 for values in zip(*rows, strict=True))


def test_actions_and_transitions_of_the_unit() -> None:
    more = (
        "<transitions><transition name='go'><body><ST><xhtml:p>go := a AND NOT b;</xhtml:p></ST></body></transition>"
        "</transitions><actions><action name='count'><body><LD>"
        + RAIL
        + contact(2, "a", "1")
        + "<coil localId='3'>"
        + into("2")
        + "<variable>r</variable></coil></LD></body></action></actions>"
    )
    parts = (
        step(1, "one", initial=True)
        + f"<transition localId='2'>{into('1')}<condition><reference name='go'/></condition></transition>"
        + step(3, "two", 2)
        + RAIL.replace('"1"', '"20"')
        + contact(21, "c", "20", edge="rising")
        + f"<transition localId='4'>{into('3')}<condition>{into('21')}</condition></transition>"
        + jump(5, "one", 4)
        + acts(6, 3, "N", "count")
    )
    cycles = [{"a": 1, "b": 1, "c": 1}, {}, {"b": 0}, {"a": 1}, {"a": 0}, {"c": 0}, {"c": 1}]
    found = run(chart(parts, more=more), cycles, "p.xml")
    assert column(found, "two.X") == [False, False, True, True, True, True, False]
    assert column(found, "r") == [False, False, True, True, False, False, False]


def test_charts_in_blocks_run_when_they_are_called() -> None:
    text = chart(LOOP, acts(5, 3, "N", "q")).replace('pouType="program"', 'pouType="functionBlock"')
    caller = (
        '<pou name="main" pouType="program"><interface>'
        + variables("inputVars", BOOL, "go")
        + variables("localVars", '<derived name="p"/>', "i")
        + "</interface><body><ST><xhtml:p>IF go THEN i(a := TRUE, b := FALSE); END_IF;</xhtml:p></ST></body></pou>"
        + "</pous>"
    )
    found = run(text.replace("</pous>", caller), [{"go": go} for go in (1, 0, 1, 0)], "p.xml")
    assert column(found, "i.one.X", "i.q") == [(True, False), (True, False), (False, True), (False, True)]


def test_the_ledger_says_how_charts_run() -> None:
    made = program(chart(LOOP, acts(5, 3, "N", "n := n + 1;")), "p.xml")
    assert any("tested from the cycle after" in note for note in made.notes)
    assert any("runs once more when it has ended" in note for note in made.notes)
    assert not [cell.name for cell in made.cells if cell.section != "hidden" and " " in cell.name]


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        (step(1, "one") + transition(2, "a", 1) + jump(3, "one", 2), "without an initial step"),
        (step(1, "one", initial=True) + transition(2, "a", 1), "no step is below this transition"),
        (step(1, "one", initial=True) + transition(2, "a", 1) + jump(3, "two", 2), "no step is called two"),
        (step(1, "one", 7, initial=True), "no element of the chart has the localId 7"),
        (step(1, "one", 2, initial=True) + step(2, "two", 1), "a transition is needed between"),
        (step(1, "one", initial=True) + step(2, "ONE"), "declared twice"),
        (step(1, "one", initial=True) + step(2, "a"), "a is declared twice"),
        (LOOP + acts(5, 3, "Q", "q"), "no qualifier of actions is called 'Q'"),
        (LOOP + acts(5, 3, "L", "q"), "the qualifier L has a duration"),
        (LOOP + acts(5, 3, "N", "q", "T#1s"), "the qualifier N has no duration"),
        (LOOP + acts(5, 3, "N", "nothing"), "no action and no variable is called nothing"),
        (LOOP + acts(5, 2, "N", "q"), "belongs to a step"),
    ],
)
def test_wrong_charts(parts: str, what: str) -> None:
    with pytest.raises(InputError, match=what) as raised:
        program(chart(parts), "p.xml")
    assert raised.value.position.line > 0


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        (LOOP + '<macroStep localId="9" name="m"/>', "a macro step"),
        (LOOP + acts(5, 3, "N", "q := a; RETURN;"), "RETURN in an action"),
        (LOOP + acts(5, 3, "N", "q").replace("<action ", '<action indicator="r" '), "an indicator variable"),
        (LOOP.replace("ST>", "IL>"), "not structured text"),
    ],
)
def test_refused_in_charts(parts: str, what: str) -> None:
    with pytest.raises(UnsupportedError, match=what):
        program(chart(parts), "p.xml")
