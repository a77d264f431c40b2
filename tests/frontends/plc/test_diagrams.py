"""Ladder and function block diagrams of PLCopen XML do what the same program in structured text does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from argosy.frontends.registry import recognise
from tests.frontends.plc.running import run

FORMAT = """<?xml version="1.0"?>
<project xmlns="http://www.plcopen.org/xml/tc6_0201" xmlns:xhtml="http://www.w3.org/1999/xhtml">
<types><dataTypes><dataType name="mode"><baseType><enum><values><value name="off"/><value name="on"/></values></enum>
</baseType></dataType></dataTypes><pous><pou name="p" pouType="program"><interface>{variables}</interface>
<body>{body}</body></pou></pous></types>
<instances><configurations><configuration name="c"><resource name="r"><task name="t" interval="T#20ms" priority="0">
<pouInstance name="i" typeName="p"/></task></resource></configuration></configurations></instances></project>
"""


def variables(section: str, type: str, *names: str) -> str:
    listed = "".join(f'<variable name="{name}"><type>{type}</type></variable>' for name in names)
    return f"<{section}>{listed}</{section}>"


def into(*sources: str) -> str:
    """What is connected to a point: localIds, with the pin of a block behind a dot."""
    connections = []
    for source in sources:
        id, _, pin = source.partition(".")
        named = f' formalParameter="{pin}"' if pin else ""
        connections.append(f'<connection refLocalId="{id}"{named}/>')
    return f"<connectionPointIn>{''.join(connections)}</connectionPointIn>"


def contact(id: int, variable: str, *sources: str, **attributes: str) -> str:
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<contact localId="{id}"{more}>{into(*sources)}<variable>{variable}</variable></contact>'


def coil(id: int, variable: str, y: int, *sources: str, **attributes: str) -> str:
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    inner = f'<position x="{500 - y}" y="{y}"/>{into(*sources)}<variable>{variable}</variable>'
    return f'<coil localId="{id}"{more}>{inner}</coil>'


def block(id: int, type: str, y: int, inputs: dict[str, str], outputs: str, instance: str = "") -> str:
    named = f' instanceName="{instance}"' if instance else ""
    pins = "".join(f'<variable formalParameter="{name}">{into(source)}</variable>' for name, source in inputs.items())
    outs = "".join(f'<variable formalParameter="{name}"/>' for name in outputs.split())
    return (
        f'<block localId="{id}" typeName="{type}"{named}><position x="50" y="{y}"/><inputVariables>{pins}'
        f"</inputVariables><outputVariables>{outs}</outputVariables></block>"
    )


def value(id: int, text: str) -> str:
    return f'<inVariable localId="{id}"><expression>{text}</expression></inVariable>'


def result(id: int, text: str, y: int, source: str) -> str:
    inner = f'<position x="90" y="{y}"/>{into(source)}<expression>{text}</expression>'
    return f'<outVariable localId="{id}">{inner}</outVariable>'


BOOL = "<BOOL/>"
RAIL = '<leftPowerRail localId="1"/>'


def rows(*names: str) -> Iterator[dict[str, int]]:
    for number in range(2 ** len(names)):
        yield {name: number >> place & 1 for place, name in enumerate(names)}


def test_series_and_parallel_contacts() -> None:
    ladder = (
        RAIL
        + contact(2, "a", "1")
        + contact(3, "b", "1", negated="true")
        + contact(4, "c", "2", "3")
        + coil(5, "q", 10, "4")
        + coil(6, "n", 20, "4", negated="true")
    )
    text = FORMAT.format(
        variables=variables("inputVars", BOOL, "a", "b", "c") + variables("outputVars", BOOL, "q", "n"),
        body=f"<LD>{ladder}</LD>",
    )
    for given, found in zip(rows("a", "b", "c"), run(text, list(rows("a", "b", "c")), "p.xml"), strict=True):
        expected = bool((given["a"] or not given["b"]) and given["c"])
        assert (found["q"], found["n"]) == (expected, not expected)


def test_coils_happen_from_top_to_bottom_and_set_and_reset() -> None:
    ladder = (
        RAIL
        + coil(7, "m", 30, "2", storage="reset")
        + contact(2, "stop", "1")
        + contact(3, "start", "1")
        + coil(4, "m", 10, "3", storage="set")
        + contact(5, "m", "1")
        + coil(6, "seen", 20, "5")
    )
    text = FORMAT.format(
        variables=variables("inputVars", BOOL, "start", "stop") + variables("localVars", BOOL, "m", "seen"),
        body=f"<LD>{ladder}</LD>",
    )
    found = run(
        text, [{"start": 1, "stop": 0}, {"start": 0}, {"start": 1, "stop": 1}, {"start": 0, "stop": 0}], "p.xml"
    )
    assert [each["m"] for each in found] == [True, True, False, False]
    assert [each["seen"] for each in found] == [True, True, True, False]


def test_edges_of_contacts() -> None:
    ladder = (
        RAIL
        + contact(2, "a", "1", edge="rising")
        + coil(3, "up", 10, "2")
        + contact(4, "a", "1", edge="falling")
        + coil(5, "down", 20, "4")
    )
    text = FORMAT.format(
        variables=variables("inputVars", BOOL, "a") + variables("outputVars", BOOL, "up", "down"),
        body=f"<LD>{ladder}</LD>",
    )
    found = run(text, [{"a": a} for a in (1, 1, 0, 0, 1)], "p.xml", dialect="codesys")
    assert [each["up"] for each in found] == [True, False, False, False, True]
    assert [each["down"] for each in found] == [False, False, True, False, False]


def test_blocks_functions_and_time() -> None:
    diagram = (
        value(1, "a")
        + value(2, "T#40ms")
        + block(3, "TON", 10, {"IN": "1", "PT": "2"}, "Q ET", "timer")
        + value(4, "x")
        + value(5, "10")
        + block(6, "ADD", 20, {"IN1": "4", "IN2": "5"}, "OUT")
        + block(7, "GT", 30, {"IN1": "6.OUT", "IN2": "5"}, "OUT")
        + result(8, "q", 10, "3.Q")
        + result(9, "y", 20, "6.OUT")
        + result(10, "big", 30, "7.OUT")
    )
    text = FORMAT.format(
        variables=variables("inputVars", BOOL, "a")
        + variables("inputVars", "<INT/>", "x")
        + variables("outputVars", BOOL, "q", "big")
        + variables("outputVars", "<INT/>", "y")
        + variables("localVars", '<derived name="TON"/>', "timer"),
        body=f"<FBD>{diagram}</FBD>",
    )
    found = run(text, [{"a": 1, "x": 5}, {"x": -3}, {"x": 0}], "p.xml")
    assert [each["q"] for each in found] == [False, False, True]  # the task says 20 ms
    assert [(each["y"], each["big"]) for each in found] == [(15, True), (7, False), (10, False)]


def test_structured_text_and_types_in_xml() -> None:
    text = FORMAT.format(
        variables=variables("localVars", '<derived name="mode"/>', "m")
        + '<localVars><variable name="v"><type><array><dimension lower="1" upper="3"/><baseType><INT/></baseType>'
        "</array></type><initialValue><arrayValue><value><simpleValue value='7'/></value></arrayValue></initialValue>"
        "</variable></localVars>",
        body="<ST><xhtml:p><![CDATA[m := mode#on;\nIF v[1] < 10 THEN v[2] := v[1] + 1; END_IF;]]></xhtml:p></ST>",
    )
    found = run(text, path="p.xml")[0]
    assert (found["m"], found["v[2]"]) == (1, 8)


def test_rungs() -> None:
    text = """<project xmlns="http://www.plcopen.org/xml/tc6_0200"><pous><pou name="p" pouType="program"><interface>
    <inputVars><variable name="a"><type><BOOL/></type></variable></inputVars>
    <localVars><variable name="q"><type><BOOL/></type></variable><variable name="pt"><type><INT/></type>
    <initialValue><simpleValue value="15"/></initialValue></variable><variable name="et"><type><INT/></type></variable>
    <variable name="z"><type><BOOL/></type></variable></localVars></interface><body><LD>
    <rung><block typeName="TON" instanceName="t"><variable formalParameter="IN">a</variable>
    <variable formalParameter="PT">pt</variable><variable formalParameter="Q">q</variable>
    <variable formalParameter="ET">et</variable></block></rung>
    <rung><contact variable="q"/><contact variable="a" negated="negated"/><coil variable="z" negated="negated"/></rung>
    </LD></body></pou></pous></project>"""
    found = run(text, [{"a": 1, "passed": 10}] * 3, "p.ld")
    assert [each["q"] for each in found] == [False, False, True]
    assert [each["et"] for each in found] == [0, 10, 15]
    assert found[-1]["z"] is True


@pytest.mark.parametrize(("text", "format"), [(FORMAT, "plc"), ("<nta></nta>", "uppaal")])
def test_xml_is_recognised_by_its_content(tmp_path: Path, text: str, format: str) -> None:
    path = tmp_path / "m.xml"
    path.write_text(text)
    assert recognise(str(path)).name == format
