"""The standard function blocks (IEC 61131-3, tables 43 to 46), in structured text.

Timers know time by ``elapsed``: at the beginning of each cycle the time that has passed is added to it while
``running`` holds (``elaborate``), so a timer that is not called for some cycles is right when it is called again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from argosy.frontends.plc.declarations import parse
from argosy.frontends.plc.dialects import PlcDialect
from argosy.frontends.plc.syntax import PlcUnit

TIMERS = frozenset({"TON", "TOF", "TP", "TON_LTIME", "TOF_LTIME", "TP_LTIME", "SFC_STEP"})

_BISTABLE = """
FUNCTION_BLOCK SR
VAR_INPUT S1, R : BOOL; END_VAR
VAR_OUTPUT Q1 : BOOL; END_VAR
Q1 := S1 OR (NOT R AND Q1);
END_FUNCTION_BLOCK
FUNCTION_BLOCK RS
VAR_INPUT S, R1 : BOOL; END_VAR
VAR_OUTPUT Q1 : BOOL; END_VAR
Q1 := NOT R1 AND (S OR Q1);
END_FUNCTION_BLOCK
FUNCTION_BLOCK R_TRIG
VAR_INPUT CLK : BOOL; END_VAR
VAR_OUTPUT Q : BOOL; END_VAR
VAR M : BOOL; END_VAR
Q := CLK AND NOT M;
M := CLK;
END_FUNCTION_BLOCK
FUNCTION_BLOCK F_TRIG
VAR_INPUT CLK : BOOL; END_VAR
VAR_OUTPUT Q : BOOL; END_VAR
VAR M : BOOL := %(first)s; END_VAR
Q := NOT CLK AND NOT M;
M := NOT CLK;
END_FUNCTION_BLOCK
"""

_COUNTERS = """
FUNCTION_BLOCK CTU%(suffix)s
VAR_INPUT CU, R : BOOL; PV : %(type)s; END_VAR
VAR_OUTPUT Q : BOOL; CV : %(type)s; END_VAR
VAR M : BOOL; END_VAR
IF R THEN CV := 0; ELSIF CU AND NOT M AND CV < %(most)s THEN CV := CV + 1; END_IF;
M := CU;
Q := CV >= PV;
END_FUNCTION_BLOCK
FUNCTION_BLOCK CTD%(suffix)s
VAR_INPUT CD, LD : BOOL; PV : %(type)s; END_VAR
VAR_OUTPUT Q : BOOL; CV : %(type)s; END_VAR
VAR M : BOOL; END_VAR
IF LD THEN CV := PV; ELSIF CD AND NOT M AND CV > %(least)s THEN CV := CV - 1; END_IF;
M := CD;
Q := CV <= 0;
END_FUNCTION_BLOCK
FUNCTION_BLOCK CTUD%(suffix)s
VAR_INPUT CU, CD, R, LD : BOOL; PV : %(type)s; END_VAR
VAR_OUTPUT QU, QD : BOOL; CV : %(type)s; END_VAR
VAR MU, MD, up, down : BOOL; END_VAR
up := CU AND NOT MU;
down := CD AND NOT MD;
MU := CU;
MD := CD;
IF R THEN CV := 0;
ELSIF LD THEN CV := PV;
ELSIF up AND NOT down AND CV < %(most)s THEN CV := CV + 1;
ELSIF down AND NOT up AND CV > %(least)s THEN CV := CV - 1;
END_IF;
QU := CV >= PV;
QD := CV <= 0;
END_FUNCTION_BLOCK
"""

_TIMERS = """
FUNCTION_BLOCK TON%(suffix)s
VAR_INPUT IN : BOOL; PT : %(type)s; END_VAR
VAR_OUTPUT Q : BOOL; ET : %(type)s; END_VAR
VAR running : BOOL; elapsed : %(type)s; END_VAR
IF NOT IN THEN
  Q := FALSE; ET := T#0s; running := FALSE; elapsed := T#0s;
ELSIF NOT Q THEN
  IF NOT running THEN running := TRUE; elapsed := T#0s; END_IF;
  IF elapsed >= PT THEN Q := TRUE; ET := PT; running := FALSE; elapsed := T#0s;
  ELSE ET := elapsed; END_IF;
END_IF;
END_FUNCTION_BLOCK
FUNCTION_BLOCK TOF%(suffix)s
VAR_INPUT IN : BOOL; PT : %(type)s; END_VAR
VAR_OUTPUT Q : BOOL; ET : %(type)s; END_VAR
VAR running : BOOL; elapsed : %(type)s; END_VAR
IF IN THEN
  Q := TRUE; ET := T#0s; running := FALSE; elapsed := T#0s;
ELSIF Q THEN
  IF NOT running THEN running := TRUE; elapsed := T#0s; END_IF;
  IF elapsed >= PT THEN Q := FALSE; ET := PT; running := FALSE; elapsed := T#0s;
  ELSE ET := elapsed; END_IF;
END_IF;
END_FUNCTION_BLOCK
FUNCTION_BLOCK TP%(suffix)s
VAR_INPUT IN : BOOL; PT : %(type)s; END_VAR
VAR_OUTPUT Q : BOOL; ET : %(type)s; END_VAR
VAR running, expired : BOOL; elapsed : %(type)s; END_VAR
IF IN AND NOT running AND NOT expired THEN running := TRUE; elapsed := T#0s; Q := TRUE; END_IF;
IF running THEN
  IF elapsed >= PT THEN running := FALSE; elapsed := T#0s; expired := TRUE; Q := FALSE; ET := PT;
  ELSE ET := elapsed; END_IF;
END_IF;
IF expired AND NOT IN THEN expired := FALSE; ET := T#0s; END_IF;
END_FUNCTION_BLOCK
"""

# What charts are made of (``charts``, ``chart_actions``).
_CHARTS = """
FUNCTION_BLOCK SFC_STEP
VAR_OUTPUT X : BOOL; T : TIME; END_VAR
VAR running : BOOL; elapsed : TIME; END_VAR
IF X AND NOT running THEN elapsed := T#0s; END_IF;
running := X;
IF X THEN T := elapsed; END_IF;
END_FUNCTION_BLOCK
FUNCTION_BLOCK SFC_FALL
VAR_INPUT CLK : BOOL; END_VAR
VAR_OUTPUT Q : BOOL; END_VAR
VAR M : BOOL; END_VAR
Q := M AND NOT CLK;
M := CLK;
END_FUNCTION_BLOCK
"""

LIBRARY = "<standard library>"


@lru_cache(maxsize=8)
def standard_blocks(dialect: PlcDialect) -> Mapping[str, PlcUnit]:
    """The blocks by name, as the dialect has them."""
    text = _CHARTS + _BISTABLE % {"first": "FALSE" if dialect.falls_first else "TRUE"}
    for suffix, type, width, signed in (
        ("", "INT", 16, True),
        ("_INT", "INT", 16, True),
        ("_DINT", "DINT", 32, True),
        ("_LINT", "LINT", 64, True),
        ("_UINT", "UINT", 16, False),
        ("_UDINT", "UDINT", 32, False),
        ("_ULINT", "ULINT", 64, False),
    ):
        most = (1 << (width - 1)) - 1 if signed else (1 << width) - 1
        least = -(1 << (width - 1)) if signed else 0
        text += _COUNTERS % {"suffix": suffix, "type": type, "most": most, "least": least}
    for suffix, type in (("", "TIME"), ("_LTIME", "LTIME")):
        text += _TIMERS % {"suffix": suffix, "type": type}
    found = {unit.key: unit for unit in parse(LIBRARY, text).units}
    found.update({f"{name}_TIME": found[name] for name in ("TON", "TOF", "TP")})
    return found
