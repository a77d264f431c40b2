"""Programs of controllers that have a little of everything, and what is required of them."""

from __future__ import annotations

STRUCTURED = b"""TYPE mode : (off, slow := 4, fast) USINT; small : INT(-3..9);
  point : STRUCT x : INT := 7; y : ARRAY[0..2] OF SINT := [1, 2(-5)]; END_STRUCT; END_TYPE
VAR_GLOBAL CONSTANT n : INT := 3; END_VAR
VAR_GLOBAL g AT %MW4 : WORD := 16#F0; END_VAR
FUNCTION twice : DINT VAR_INPUT v : INT; END_VAR VAR_OUTPUT o : BOOL; END_VAR
  o := v > 3; twice := 2 * v; END_FUNCTION
FUNCTION_BLOCK counter VAR_INPUT up : BOOL R_EDGE; END_VAR VAR_IN_OUT total : INT; END_VAR VAR c : CTU; END_VAR
  c(CU := up, PV := n); IF c.Q THEN RETURN; END_IF; total := total + 1; END_FUNCTION_BLOCK
PROGRAM p
VAR_INPUT a, b AT %IX0.1 : BOOL; i : INT; t : TIME; s : STRING[5]; r : REAL; m : mode; END_VAR
VAR_OUTPUT q AT %QX0.0 : BOOL; END_VAR
VAR RETAIN k : small; END_VAR
VAR v : ARRAY[1..n, 0..1] OF point; l : ARRAY[0..1] OF counter; timer : TON; w : WORD; sum, j : INT; d : DINT; END_VAR
VAR_TEMP x : LREAL; END_VAR
timer(IN := a AND NOT b, PT := T#1s_500ms, Q => q);
l[i MOD 2](up := a, total := sum);
CASE m OF off: sum := 0; mode#slow, fast: sum := sum + 1; ELSE sum := LIMIT(-5, i, 2#101); END_CASE
FOR j := 1 TO n BY 1 DO v[j, 1].y[2] := INT_TO_SINT(i / j); IF v[j, 0].x < i THEN CONTINUE; END_IF; END_FOR
WHILE sum > 100 DO sum := sum / 2; EXIT; END_WHILE
REPEAT k := k + 1; UNTIL k >= 3 END_REPEAT
w := SHL(g, 3) OR w XOR 16#FF; w.3 := b; d := twice(v := i, o => q); x := r * 1.5e2;
IF s = 'stop' OR x > 3.0 THEN v[2] := v[1]; ELSIF t + T#5ms > T#10ms THEN d := SEL(a, d, MUX(i, 1, 2, 3)); END_IF
//#ASSERT sum < 200 : bounded;
END_PROGRAM
"""

SCL = b"""FUNCTION_BLOCK "fb1"
TITLE = 'x'
{ S7_Optimized_Access := 'TRUE' }
VERSION : 0.1
VAR_INPUT in1 : Bool; END_VAR
VAR_OUTPUT out1 : Int := 3; END_VAR
VAR st : Array[0..3] of Int; t1 {InstructionName := 'TON_TIME'} : TON_TIME; END_VAR
VAR_TEMP tmp : Int; END_VAR
VAR CONSTANT K : Int := 2; END_VAR
BEGIN
  REGION first part
  again: #tmp := 5;
  IF #in1 THEN #out1 := #tmp + #K; #out1 += 1; ELSE "glob".val := 3; END_IF;
  END_REGION
  #t1(IN := #in1, PT := T#10ms);
  FOR #tmp := 0 TO 3 DO #st[#tmp] := #tmp DIV 2; END_FOR;
  IF #out1 > 20 THEN #out1 := 0; GOTO again; END_IF;
  #out1.%X1 := TRUE;
  //#ASSERT "glob".val <= 9 : small;
END_FUNCTION_BLOCK
DATA_BLOCK "glob"
STRUCT val : Int; END_STRUCT;
BEGIN
 val := 9;
END_DATA_BLOCK
"""

_PROJECT = b"""<?xml version="1.0"?>
<project xmlns="http://www.plcopen.org/xml/tc6_0201" xmlns:h="http://www.w3.org/1999/xhtml">
<types><dataTypes><dataType name="mode"><baseType><enum><values><value name="off"/><value name="on"/></values></enum>
</baseType></dataType></dataTypes><pous><pou name="p" pouType="program"><interface>
<inputVars><variable name="a"><type><BOOL/></type></variable><variable name="b"><type><BOOL/></type></variable>
<variable name="i"><type><INT/></type><initialValue><simpleValue value="3"/></initialValue></variable></inputVars>
<outputVars><variable name="q"><type><BOOL/></type></variable><variable name="n"><type><INT/></type></variable>
</outputVars><localVars retain="true"><variable name="v"><type><array><dimension lower="1" upper="3"/><baseType><INT/>
</baseType></array></type></variable><variable name="m"><type><derived name="mode"/></type></variable>
<variable name="timer"><type><derived name="TON"/></type></variable></localVars></interface>%s</pou></pous></types>
<instances><configurations><configuration name="c"><resource name="r"><task name="t" interval="T#20ms" priority="0">
<pouInstance name="k" typeName="p"/></task></resource></configuration></configurations></instances></project>
"""

LADDER = (
    _PROJECT
    % b"""<body><LD><leftPowerRail localId="1"/>
<contact localId="2" edge="rising"><connectionPointIn><connection refLocalId="1"/></connectionPointIn>
<variable>a</variable></contact>
<contact localId="3" negated="true"><connectionPointIn><connection refLocalId="1"/><connection refLocalId="2"/>
</connectionPointIn><variable>b</variable></contact>
<inVariable localId="4"><expression>T#40ms</expression></inVariable>
<block localId="5" typeName="TON" instanceName="timer"><position x="50" y="10"/><inputVariables>
<variable formalParameter="IN"><connectionPointIn><connection refLocalId="3"/></connectionPointIn></variable>
<variable formalParameter="PT"><connectionPointIn><connection refLocalId="4"/></connectionPointIn></variable>
</inputVariables><outputVariables><variable formalParameter="Q"/></outputVariables></block>
<coil localId="6" storage="set"><position x="90" y="10"/><connectionPointIn>
<connection refLocalId="5" formalParameter="Q"/></connectionPointIn><variable>q</variable></coil>
<inVariable localId="7"><expression>i</expression></inVariable>
<block localId="8" typeName="ADD"><position x="50" y="30"/><inputVariables>
<variable formalParameter="IN1"><connectionPointIn><connection refLocalId="7"/></connectionPointIn></variable>
<variable formalParameter="IN2"><connectionPointIn><connection refLocalId="7"/></connectionPointIn></variable>
</inputVariables><outputVariables><variable formalParameter="OUT"/></outputVariables></block>
<outVariable localId="9"><position x="90" y="30"/><connectionPointIn><connection refLocalId="8" formalParameter="OUT"/>
</connectionPointIn><expression>v[2]</expression></outVariable>
<return localId="10"><position x="90" y="40"/>
<connectionPointIn><connection refLocalId="2"/></connectionPointIn></return>
</LD></body>"""
)

CHART = (
    _PROJECT
    % b"""<actions><action name="count"><body><ST><h:p>n := n + 1; m := mode#on;</h:p></ST></body></action>
</actions><transitions><transition name="go"><body><ST><h:p>a AND two.T &gt; T#40ms</h:p></ST></body></transition>
</transitions><body><SFC>
<step localId="1" name="one" initialStep="true"/>
<selectionDivergence localId="2"><connectionPointIn><connection refLocalId="1"/></connectionPointIn>
</selectionDivergence>
<transition localId="3" priority="1"><connectionPointIn><connection refLocalId="2"/></connectionPointIn><condition>
<inline name=""><ST><h:p>a</h:p></ST></inline></condition></transition>
<transition localId="4"><connectionPointIn><connection refLocalId="2"/></connectionPointIn><condition>
<inline name=""><ST><h:p>b</h:p></ST></inline></condition></transition>
<step localId="5" name="two"><connectionPointIn><connection refLocalId="3"/></connectionPointIn></step>
<simultaneousDivergence localId="6"><connectionPointIn><connection refLocalId="4"/></connectionPointIn>
</simultaneousDivergence>
<step localId="7" name="three"><connectionPointIn><connection refLocalId="6"/></connectionPointIn></step>
<step localId="8" name="four"><connectionPointIn><connection refLocalId="6"/></connectionPointIn></step>
<simultaneousConvergence localId="9"><connectionPointIn><connection refLocalId="7"/></connectionPointIn>
<connectionPointIn><connection refLocalId="8"/></connectionPointIn></simultaneousConvergence>
<transition localId="10"><connectionPointIn><connection refLocalId="9"/></connectionPointIn><condition>
<inline name=""><ST><h:p>TRUE</h:p></ST></inline></condition></transition>
<transition localId="11"><connectionPointIn><connection refLocalId="5"/></connectionPointIn><condition>
<reference name="go"/></condition></transition>
<selectionConvergence localId="12"><connectionPointIn><connection refLocalId="10"/></connectionPointIn>
<connectionPointIn><connection refLocalId="11"/></connectionPointIn></selectionConvergence>
<jumpStep localId="13" targetName="one"><connectionPointIn><connection refLocalId="12"/></connectionPointIn></jumpStep>
<actionBlock localId="14"><connectionPointIn><connection refLocalId="5"/></connectionPointIn>
<action localId="15" qualifier="L" duration="T#60ms"><reference name="q"/></action>
<action localId="16" qualifier="P"><reference name="count"/></action></actionBlock>
<actionBlock localId="17"><connectionPointIn><connection refLocalId="8"/></connectionPointIn>
<action localId="18" qualifier="N"><inline><ST><h:p>v[1] := i;</h:p></ST></inline></action></actionBlock>
</SFC></body>"""
)

DOOR = b"""PROGRAM door VAR_INPUT open, close : BOOL; END_VAR VAR_OUTPUT up, down : BOOL; n : INT; END_VAR
up := open AND NOT close; down := close AND NOT open; IF up THEN n := n + 1; ELSE n := 0; END_IF END_PROGRAM
"""

PATTERNS = (
    b"""{"properties": [
 {"id": "a", "kind": "invariant", "expression": "NOT (up AND down)"},
 {"id": "b", "kind": "leads-to", "if": "up", "then": "n > 0 || !open", "within": 3},
 {"id": "c", "kind": "change-between-cycles", "if": "n = 1", "and": "up", "then": "n = 2"},
 {"id": "d", "kind": "mutual-exclusion", "variables": ["up", "down"]},
 {"id": "e", "kind": "leads-to", "if": "up", "then": "n > 0", "within": "T#20ms"}]}
""",
    b"""{"properties_to_be_validated": [{"property": {"job_req": "pattern", "pattern_id": "pattern-implication",
 "pattern_params": {"0": "instance.up", "1": "instance.open == TRUE"}, "entry_point": "door"}},
 {"property": {"pattern_id": "pattern-repeatability", "pattern_params": {"0": "up"}}}]}
""",
)

YAML = (
    b"""properties:
  - {id: a, kind: invariant, expression: "!up || !down"}
  - {id: b, kind: reachable, expression: n = 1}
  - id: c
    kind: preceded-by
    if: up
    then: open
""",
)

TRACE = b"open,close,passed,up\nTRUE,,T#10ms,TRUE\n0,1,20,FALSE\n,,,\n"
