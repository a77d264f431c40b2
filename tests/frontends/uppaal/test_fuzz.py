"""Whatever is done to a model, it is read or answered with a message that has a line and a column."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from argosy.basics.errors import InputError, UnsupportedError
from argosy.frontends.uppaal import read
from argosy.frontends.uppaal.lexer import PlacedText
from argosy.models.network_evaluation import ModelError
from argosy.models.network_semantics import Semantics

MODEL = """
const int N = 3; typedef int[0,N-1] id_t; typedef struct { int a; bool b[2]; } r_t; typedef scalar[2] set; set s;
r_t r = {1, {true, false}}; int x[N]; int[0,9] y; bool b; clock c, d[N]; chan ch[N]; urgent chan u; broadcast chan bc;
int f(int &p, id_t q, r_t t) {
    int local[2] = {1, 2};
    for (i : id_t) { x[i] += q; }
    while (p < 3) p++;
    if (t.b[1]) return local[0]; else return p;
}
chan priority ch[0] < default < bc;
process P(id_t i, const int k) {
    clock z;
    state A { z <= 3 }, B, C { forall (q : id_t) d[q] <= 5 };
    commit B;
    init A;
    trans A -> B { select j : id_t; guard z > k && (b || x[j] < 3); sync ch[j]!; assign x[j] = f(y, i, r), z = 0; },
          C -> C { guard z != 3; sync bc!; },
          C -> A { guard exists (q : id_t) x[q] == 2; sync u!; assign y = x[0] <? 2, b = !b; };
}
Q(id_t i) = P(i, 2);
R = P(0, 1);
system Q, R;
"""
QUERIES = "E<> R.A and forall (i : id_t) Q(i).B imply x[i] > 2\nA[] not deadlock and (R.z - Q(0).z < 3 or b)\n"
TOKENS = re.findall(r"\w+|\s+|.", MODEL + QUERIES)

OPEN_RANGE = re.compile(r"int\s*\[\s*,|int\s*\[[^],]*,\s*\]")


def test_the_model_itself_is_read() -> None:
    model, queries = read("m.xta", MODEL.encode(), PlacedText("q", QUERIES))
    assert len(model.processes) == 4
    assert len(queries) == 2


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    text = re.findall(r"\w+|\s+|.", MODEL)
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text) - 1))
        word = draw(st.sampled_from(TOKENS))
        match draw(st.integers(0, 2)):
            case 0:
                del text[at]
            case 1:
                text[at] = word
            case _:
                text.insert(at, word)
    return "".join(text)


@settings(max_examples=250, deadline=None)
@given(_damaged())
def test_damaged_models(text: str) -> None:
    # A range without one of its bounds has 32,771 values, and is the parameter of as many processes with as many
    # edges: reading such a model takes its time.
    assume(not OPEN_RANGE.search(text))
    try:
        model, _ = read("m.xta", text.encode(), PlacedText("q", QUERIES))
        semantics = Semantics(model)
        semantics.enabled(semantics.initial())
    except (InputError, UnsupportedError) as error:
        assert error.position.line >= 1
        assert error.position.column >= 1
    except ModelError:
        pass


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (MODEL.replace("int[0,", "int[,"), "more than 10000 processes: 32771 with those of Q"),
        (
            "typedef int[,3] wide; process Q(int[1,100] n) { state A; init A; trans A -> A { select k : wide; }; }"
            "system Q;",
            "more than 1000000 edges for the values of a selection",
        ),
    ],
)
def test_too_many_processes_and_edges_are_counted_before_they_are_made(text: str, what: str) -> None:
    begun = time.process_time()
    with pytest.raises(UnsupportedError) as refused:
        read("m.xta", text.encode())
    assert what in str(refused.value) and re.search(r":\d+:\d+", str(refused.value))
    assert time.process_time() - begun < 1
