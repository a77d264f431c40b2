"""The process in which interpolants are sought: a script that reads one request per line and answers with one line.

Z3's Horn engine, its quantifier elimination and bitwuzla's interpolation can crash, hang or eat the memory. They run
here, where ``spacer.Worker`` can kill them. Requests and answers are JSON, formulas inside them SMT-LIB text over the
declared constants. The script imports nothing of the project, so that it starts as fast as the solver's package.

    {"command": "horn", "constants": [[name, sort]...], "relations": [[name...]...],
     "clauses": [[body or null, formula, head or null, names of its arguments or null]...], "levels": n (0: unbounded),
     "time": seconds}
        -> {"relations": [text...]}     an interpretation of each relation, over the names of its arguments
    {"command": "clauses", "script": text in the logic HORN, "constants": ...,
     "relations": [[symbol, [name...]]...], "inline": whether Spacer may, "time": seconds}
        -> {"relations": [text or null...]}     a solution: each relation over the names of its arguments; null where
                                                it can be said with quantifiers only
        -> {"derivable": true}          there is none: false is derivable
    {"command": "eliminate", "constants": ..., "names": [name...], "formula": text, "time": seconds}
        -> {"formula": text}            equivalent to the existential quantification of the names
    {"command": "bits", "constants": ..., "parts": [text...], "limit": characters, "time": seconds}
        -> {"relations": [text...]}     sequence interpolants by bitwuzla
    anything that does not work -> {"failure": reason}

Every answer has "processor" besides: the seconds that this process has taken since it was started.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

# So that no relation vanishes before its interpretation can be read.
KEEP_RELATIONS = (
    "xform.inline_linear",
    "xform.inline_eager",
    "xform.slice",
    "xform.coalesce_rules",
    "xform.magic",
    "xform.subsumption_checker",
    "xform.tail_simplifier_pve",
)
QE_MILLISECONDS = 500
SLACK = 2.0  # the solver's own limit should end it; the process ends itself so many seconds later


class Watch:
    """Ends the process when the one that started it is gone, or when a request is overdue."""

    def __init__(self) -> None:
        self.parent = os.getppid()
        self.end = float("inf")
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(0.25)
            if os.getppid() != self.parent or time.monotonic() > self.end:
                os._exit(1)


class Failure(Exception):
    """The request has no answer; the message says why."""


def _declarations(request: Any) -> str:
    return "".join(f"(declare-const {name} {sort})" for name, sort in request["constants"])


def _parse(context: Any, request: Any, formulas: list[str]) -> tuple[dict[str, Any], list[Any]]:
    """The constants by name, and the formulas. Each stands behind an implication of its own, because the parser
    drops and splits assertions."""
    import z3

    guards = "".join(f"(declare-const guard!{i} Bool)" for i in range(len(formulas)))
    asserted = "".join(f"(assert (=> guard!{i} {formula}))" for i, formula in enumerate(formulas))
    probes = "".join(f"(assert (= {name} {name}))" for name, _ in request["constants"])
    parsed = z3.parse_smt2_string(_declarations(request) + guards + asserted + probes, ctx=context)
    count = len(formulas)
    constants = {name: parsed[count + i].arg(0) for i, (name, _) in enumerate(request["constants"])}
    return constants, [parsed[i].arg(1) for i in range(count)]


def by_z3(command: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """``command`` with Z3's exceptions as failures."""

    def run(request: Any) -> Any:
        import z3

        try:
            return command(request)
        except z3.Z3Exception as error:
            raise Failure(f"z3: {error}") from error

    return run


def _conjunction(context: Any, parts: list[Any]) -> Any:
    import z3

    return z3.And(*parts) if parts else z3.BoolVal(True, context)


def horn(request: Any) -> Any:
    import z3

    context = z3.Context()
    formulas = [formula for _, formula, _, _ in request["clauses"]]
    constants, bodies = _parse(context, request, formulas)
    engine = z3.Fixedpoint(ctx=context)
    settings: dict[str, Any] = dict.fromkeys(KEEP_RELATIONS, False)
    settings |= {"engine": "spacer", "timeout": int(request["time"] * 1000)}
    if request["levels"]:
        settings["spacer.min_level"] = request["levels"]
    engine.set(**settings)
    boolean = z3.BoolSort(context)
    relations = []
    applied = []
    for index, names in enumerate(request["relations"]):
        arguments = [constants[name] for name in names]
        relation = z3.Function(f"relation!{index}", *(a.sort() for a in arguments), boolean)
        engine.register_relation(relation)
        relations.append(relation)
        applied.append(relation(*arguments))
    error = z3.Function("error!", boolean)
    engine.register_relation(error)
    known = {constant.get_id() for constant in constants.values()}
    for (source, _, target, names), formula in zip(request["clauses"], bodies, strict=True):
        premises = [formula] if source is None else [applied[source], formula]
        if target is None:
            conclusion = error()
        elif names is None:
            conclusion = applied[target]
        else:
            conclusion = relations[target](*(constants[name] for name in names))
        implication = z3.Implies(_conjunction(context, premises), conclusion)
        quantified = _constants_of(implication, known)
        engine.add_rule(z3.ForAll(quantified, implication) if quantified else implication)
    answer = engine.query(error())
    if answer != z3.unsat:
        raise Failure(f"spacer: {answer} {engine.reason_unknown() if answer == z3.unknown else ''}".rstrip())
    texts = []
    for relation, names in zip(relations, request["relations"], strict=True):
        cover = engine.get_cover_delta(-1, relation)
        texts.append(z3.substitute_vars(cover, *(constants[name] for name in names)).sexpr())
    return {"relations": texts}


def clauses(request: Any) -> Any:
    import z3

    context = z3.Context()
    constants, _ = _parse(context, request, [])
    engine = z3.SolverFor("HORN", ctx=context)
    engine.set("timeout", int(request["time"] * 1000))
    if request["guided"]:
        engine.set("fp.spacer.global", True)
    if not request["inline"]:
        for setting in KEEP_RELATIONS[:3]:
            engine.set(setting, False)
    engine.from_string(request["script"])
    answer = engine.check()
    if answer == z3.unsat:
        return {"derivable": True}
    if answer != z3.sat:
        raise Failure(f"spacer: {engine.reason_unknown()}")
    model = engine.model()
    declared = {declaration.name(): declaration for declaration in model.decls()}
    texts: list[str | None] = []
    for name, names in request["relations"]:
        relation = declared.get(name)
        if relation is None:
            texts.append(None)
            continue
        # Not completed: that would give values to the names of the arguments.
        found = z3.simplify(model.eval(relation(*(constants[each] for each in names))))
        if _quantified(found):
            # A relation that Spacer put in place of its uses: mostly equations, which are solved.
            found = _without_quantifiers(context, found)
        texts.append(None if found is None else found.sexpr())
    return {"relations": texts}


def _without_quantifiers(context: Any, formula: Any) -> Any:
    import z3

    goal = z3.Goal(ctx=context)
    goal.add(formula)
    try:
        light = z3.TryFor(z3.Then("simplify", "qe-light", "simplify", ctx=context), QE_MILLISECONDS)
        result = z3.simplify(_miniscoped(light(goal).as_expr(), 0))
        if _quantified(result):
            goal = z3.Goal(ctx=context)
            goal.add(result)
            result = z3.TryFor(z3.Then("qe", "simplify", ctx=context), QE_MILLISECONDS)(goal).as_expr()
    except (z3.Z3Exception, RecursionError):
        return None
    return None if _quantified(result) else result


def _miniscoped(formula: Any, depth: int) -> Any:
    """The formula with existential quantifiers moved inwards: what speaks of quantified variables alone is decided."""
    import z3

    if z3.is_and(formula) or z3.is_or(formula):
        parts = [_miniscoped(part, depth) for part in formula.children()]
        return z3.And(*parts) if z3.is_and(formula) else z3.Or(*parts)
    if not z3.is_quantifier(formula) or not formula.is_exists():
        return formula
    context = formula.ctx
    own = [z3.Const(f"own!{depth}!{i}", formula.var_sort(i)) for i in range(formula.num_vars())]
    body = _miniscoped(z3.simplify(z3.substitute_vars(formula.body(), *reversed(own))), depth + 1)
    ids = {variable.get_id() for variable in own}
    cases = []
    for case in body.children() if z3.is_or(body) else [body]:
        parts = _solved(list(case.children()) if z3.is_and(case) else [case], ids)
        kept = [part for part in parts if not _constants_of(part, ids)]
        for group in _connected([part for part in parts if _constants_of(part, ids)], ids):
            solver = z3.Solver(ctx=context)
            solver.set("timeout", QE_MILLISECONDS)
            solver.add(*group)
            answer = z3.unknown if _free(group, ids) else solver.check()
            if answer == z3.unsat:
                kept = [z3.BoolVal(False, context)]
                break
            if answer != z3.sat:
                kept.append(z3.Exists(_constants_of(z3.And(*group), ids), z3.And(*group)))
        cases.append(_conjunction(context, kept))
    return z3.Or(*cases)


def _solved(parts: list[Any], own: set[int]) -> list[Any]:
    """Without those of the constants that an equation determines."""
    import z3

    found = True
    while found:
        found = False
        for part in parts:
            for left, right in zip(part.children(), reversed(part.children()), strict=True) if z3.is_eq(part) else ():
                if left.get_id() not in own and left.num_args() == 2 and left.decl().kind() == z3.Z3_OP_BADD:
                    one, other = left.children()
                    one, other = (one, other) if one.get_id() in own else (other, one)
                    left, right = one, right - other
                if left.get_id() in own and not _constants_of(right, {left.get_id()}):
                    rest = (z3.substitute(p, (left, right)) for p in parts if p is not part)
                    parts = [z3.simplify(p) for p in rest]
                    found = True
                    break
            if found:
                break
    return parts


def _connected(parts: list[Any], own: set[int]) -> list[list[Any]]:
    """In groups that share none of the constants."""
    groups: list[tuple[set[int], list[Any]]] = []
    for part in parts:
        about, members = {each.get_id() for each in _constants_of(part, own)}, [part]
        for ids, others in [group for group in groups if group[0] & about]:
            about |= ids
            members = others + members
        groups = [group for group in groups if not group[0] & about]
        groups.append((about, members))
    return [members for _, members in groups]


def _free(parts: list[Any], own: set[int]) -> bool:
    """Do the parts speak of more than of these constants?"""
    import z3

    seen: set[int] = set()
    stack = list(parts)
    while stack:
        top = stack.pop()
        if z3.is_quantifier(top) or z3.is_var(top):
            return True
        if z3.is_const(top) and top.decl().kind() == z3.Z3_OP_UNINTERPRETED and top.get_id() not in own:
            return True
        fresh = [child for child in top.children() if child.get_id() not in seen]
        seen.update(child.get_id() for child in fresh)
        stack.extend(fresh)
    return False


def _constants_of(formula: Any, known: set[int]) -> list[Any]:
    """The constants of ``formula`` out of ``known``; a relation without arguments looks like one and is not."""
    found: dict[int, Any] = {}
    seen = {formula.get_id()}
    stack = [formula]
    while stack:
        top = stack.pop()
        if top.get_id() in known:
            found[top.get_id()] = top
        for child in top.children():
            if child.get_id() not in seen:
                seen.add(child.get_id())
                stack.append(child)
    return list(found.values())


def eliminate(request: Any) -> Any:
    import z3

    context = z3.Context()
    constants, (formula,) = _parse(context, request, [request["formula"]])
    goal = z3.Goal(ctx=context)
    goal.add(z3.Exists([constants[name] for name in request["names"]], formula))
    tactic = z3.TryFor(z3.Then("qe-light", "simplify", "qe", "simplify", ctx=context), int(request["time"] * 1000))
    result = z3.simplify(tactic(goal).as_expr())
    if _quantified(result):
        raise Failure("qe: a quantifier is left")
    return {"formula": result.sexpr()}


def _quantified(formula: Any) -> bool:
    import z3

    seen = {formula.get_id()}
    stack = [formula]
    while stack:
        top = stack.pop()
        if z3.is_quantifier(top):
            return True
        for child in top.children():
            if child.get_id() not in seen:
                seen.add(child.get_id())
                stack.append(child)
    return False


def bits(request: Any) -> Any:
    import bitwuzla

    try:
        return _bits(bitwuzla, request)
    except bitwuzla.BitwuzlaException as error:
        raise Failure(f"bitwuzla: {error}") from error


def _bits(bitwuzla: Any, request: Any) -> Any:
    manager = bitwuzla.TermManager()
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_INTERPOLANTS, True)
    options.set(bitwuzla.Option.TIME_LIMIT_PER, int(request["time"] * 1000))
    parser = bitwuzla.Parser(manager, options)
    text = "(set-logic QF_ABV)" + _declarations(request) + "".join(f"(assert {part})" for part in request["parts"])
    parser.parse(text, True, False)
    solver = parser.bitwuzla()
    parts = solver.get_assertions()
    if len(parts) != len(request["parts"]):
        raise Failure("bitwuzla: parts were lost")
    answer = solver.check_sat()
    if answer != bitwuzla.Result.UNSAT:
        raise Failure(f"bitwuzla: {answer}")
    texts = [term.str(10) for term in solver.get_interpolants([[part] for part in parts[:-1]])]
    if max(map(len, texts), default=0) > request["limit"]:
        raise Failure(f"bitwuzla: interpolants of {max(map(len, texts))} characters")
    return {"relations": texts}


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    watch = Watch()
    commands = {"horn": by_z3(horn), "clauses": by_z3(clauses), "eliminate": by_z3(eliminate), "bits": bits}
    for line in sys.stdin:
        request = json.loads(line)
        watch.end = time.monotonic() + request["time"] + SLACK
        try:
            answer = commands[request["command"]](request)
        except Failure as failure:
            answer = {"failure": str(failure)}
        watch.end = float("inf")
        sys.stdout.write(json.dumps({**answer, "processor": time.process_time()}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
