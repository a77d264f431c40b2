"""The XML format: labels with positions, and everything that can be wrong with a document."""

from __future__ import annotations

import re

import pytest

from argosy.basics.errors import InputError, UnsupportedError
from argosy.basics.position import Position
from argosy.frontends.uppaal import load, read
from argosy.models.network_queries import UnsupportedQuery
from tests.frontends.uppaal.reading import xml

TEMPLATE = """
<parameter>const int[0,1] i</parameter>
<declaration>clock x; int v;</declaration>
<location id="id0"><name>A</name><label kind="invariant">x &lt;= 5 &amp;&amp; v &lt; 3</label></location>
<location id="id1"><urgent/></location>
<location id="id2"><name>C</name><committed/><label kind="comments">any ' text</label></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/>
<label kind="select">k : int[0,1]</label><label kind="guard">x &gt;= 2</label>
<label kind="synchronisation">c[k]!</label><label kind="assignment">x = 0, v = k</label><nail x="1" y="2"/></transition>
<transition action=""><source ref="id1"/><target ref="id2"/><label kind="guard"> </label></transition>
"""


def fails(data: bytes) -> InputError:
    with pytest.raises(InputError) as error:
        read("m.xml", data)
    assert error.value.position.file == "m.xml"
    return error.value


def test_a_document() -> None:
    model, _ = read("m.xml", xml(TEMPLATE, "chan c[2];"))
    assert [p.name for p in model.processes] == ["T(0)", "T(1)"]
    a, b, c = model.processes[0].locations
    assert [a.name, b.name, c.name] == ["A", "id1", "C"]
    assert (b.urgent, c.committed, a.text) == (True, True, "x <= 5 && v < 3")
    edges = model.processes[1].edges
    assert [(e.source, e.target) for e in edges] == [(0, 1), (0, 1), (1, 2)]
    assert edges[0].text.guard == "x >= 2"
    assert edges[0].text.update == "x = 0, v = k"


def test_positions_in_labels_count_what_the_file_holds() -> None:
    text = TEMPLATE.replace("x &lt;= 5 &amp;&amp; v &lt; 3", "x &lt;= 5 &amp;&amp; w &lt; 3")
    data = xml(text, "chan c[2];")
    error = fails(data)
    assert "unknown identifier 'w'" in error.what
    lines = data.decode().splitlines()
    assert lines[error.position.line - 1][error.position.column - 1 :].startswith("w &lt; 3")


def test_positions_in_long_texts_count_lines() -> None:
    data = xml(TEMPLATE, "// a &lt; b\n\n  int q = &quot;;\nchan c[2];")
    error = fails(data)
    assert data.decode().splitlines()[error.position.line - 1][error.position.column - 1 :].startswith("&quot;;")


def test_truncated_documents() -> None:
    data = xml(TEMPLATE, "chan c[2];")
    for length in range(0, len(data) - 7, 37):
        error = fails(data[:length])
        assert error.position.line >= 1
        assert error.position.column >= 1


BOMB = """<!DOCTYPE nta [
<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
"""


@pytest.mark.parametrize(
    ("prologue", "message"),
    [
        (BOMB, "entities are not expanded"),
        ('<!DOCTYPE nta [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n', "entities are not expanded"),
        ('<!DOCTYPE nta [<!ENTITY % p SYSTEM "http://example.org/p">%p;]>\n', "entities are not expanded"),
    ],
)
def test_entities_are_refused(prologue: str, message: str) -> None:
    error = fails(xml(TEMPLATE, "chan c[2]; // &c;", prologue=prologue))
    assert message in error.what
    assert error.position.line in (2, 3)


def test_unknown_entities_are_refused_with_and_without_a_dtd() -> None:
    dtd = "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://example.org/flat.dtd'>\n"
    assert "unknown entity 'foo'" in fails(xml(TEMPLATE, "chan c[2]; &foo;", prologue=dtd)).what
    assert "undefined entity" in fails(xml(TEMPLATE, "chan c[2]; &foo;")).what
    read("m.xml", xml(TEMPLATE, "chan c[2];", prologue=dtd))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('<init ref="id0"/>', "", "no initial location"),
        ('<init ref="id0"/>', '<init ref="id9"/>', "initial location is unknown"),
        ('<source ref="id1"/>', '<source ref="id9"/>', "source of the transition is unknown"),
        ('<target ref="id1"/>', "", "target of the transition is unknown"),
        ('<location id="id1">', '<location id="id0">', "used twice"),
        ('kind="guard">x', 'kind="gard">x', "unknown label 'gard'"),
        ("x &gt;= 2", "x &gt;= ", "an expression expected"),
        ("c[k]!", "c[k]", "'!' or '\\?'"),
        ("x = 0, v = k", "x = 0; v = k", "end of text"),
        ("<name>C</name>", "<name>A</name>", "declared twice"),
    ],
)
def test_broken_templates(before: str, after: str, message: str) -> None:
    assert before in TEMPLATE
    error = fails(xml(TEMPLATE.replace(before, after, 1), "chan c[2];"))
    assert re.search(message, error.what)
    assert error.position.line > 1
    assert error.position.column >= 1


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no element found"),
        (b"hello", "not well-formed"),
        (b"<nta></nta>", "no system section"),
        (b"<nta><system></system></nta>", "no system line"),
        (b"<nta><system>system T;</system></nta>", "unknown process or template 'T'"),
        (b"<html></html>", "not 'nta'"),
        (b"<nta><template/><system>system T;</system></nta>", "no name"),
        (b"<a>" * 100, "nested too deeply"),
        (b"\xff\xfe\x00", "not well-formed"),
        (b'<?xml version="1.0" encoding="no-such"?><nta/>', "encoding"),
        (b'<?xml version="1.0" encoding="shift_jis"?><nta/>', "encoding"),
    ],
)
def test_no_automata_and_no_document(data: bytes, message: str) -> None:
    assert message in fails(data).what


def test_probabilities_are_refused() -> None:
    for text in ('<branchpoint id="b"/>', '<transition><source ref="id0"/><target ref="id0"/>'
                 '<label kind="probability">3</label></transition>'):  # fmt: skip
        with pytest.raises(UnsupportedError, match="probabili"):
            read("m.xml", xml(TEMPLATE + text, "chan c[2];"))


def test_the_old_syntax_in_xml() -> None:
    template = """<parameter>int n; const k</parameter>
    <location id="a"><label kind="invariant">n =&lt; 3, k == 2</label></location><init ref="a"/>
    <transition><source ref="a"/><target ref="a"/><label kind="guard">n =&gt; 0, n &lt; K</label>
    <label kind="assignment">n := n + 1</label></transition>"""
    model, _ = read("m.xml", xml(template, "const K 3; int v;", "Q := T(v, 2); system Q;"))
    assert [variable.name for variable in model.variables] == ["v"]
    reference = template.replace("int n; const k", "int n").replace(", k == 2", "")
    model, _ = read("m.xml", xml(reference, "const K 3; int v;", "Q := T(v); system Q;"))
    assert [variable.name for variable in model.variables] == ["v"]
    fails(xml(reference, "const int K = 3; int v;", "Q = T(v); system Q;"))


def test_a_missing_file() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load("no-such-file.xml")


def test_positions_of_embedded_queries() -> None:
    data = xml(TEMPLATE, "chan c[2];", queries="<query><formula>E&lt;&gt; T(0).A &amp;&amp; U.B</formula></query>")
    (query,) = read("m.xml", data)[1]
    assert isinstance(query, UnsupportedQuery)
    line = data.decode().splitlines()[query.position.line - 1]
    assert line[query.position.column - 1 :].startswith("U.B")
    assert query.position != Position("m.xml", 1, 1)
