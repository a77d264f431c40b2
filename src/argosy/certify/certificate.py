"""A proof as a file that any SMT solver re-checks: SMT-LIB 2.6, every ``check-sat`` expected to answer ``unsat``.

The text is made from the model as read and the invariant by ``certify.proof``, ``certify.passage`` and
``certify.plain``; no term is built or rewritten on the way (docs/certificates.md says what a reader has to trust).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from argosy.basics.budget import Budget
from argosy.basics.records import replace
from argosy.certify.invariant import Certified, NotCertified
from argosy.certify.meanings import sort_kind
from argosy.certify.plain import Assert, Comment, Names, Printer, Statement
from argosy.certify.proof import InductiveClaims, Obligation, Proof, Scope
from argosy.certify.recheck import recheck
from argosy.logic.solver import Satisfiability

_ASKED = "(check-sat)"


def certificate_lines(proof: Proof) -> Iterator[str]:
    """The certificate, line by line."""
    names = Names()
    printer = Printer(names)
    yield from _header(proof)
    for scope in proof.scopes(names):
        yield from _scope(printer, scope)
    yield "(exit)"


def certificate_text(proof: Proof) -> str:
    return "".join(f"{line}\n" for line in certificate_lines(proof))


def confirmed(certified: Certified, solver: str, budget: Budget) -> Certified | NotCertified:
    """What ``solver``, in a process of its own, says to the certificate."""
    assert certified.proof is not None
    text = certificate_text(certified.proof)
    answer = recheck(text, solver, budget)
    if answer.confirms(text.count(_ASKED)):
        return replace(certified, by=tuple(dict.fromkeys((*certified.by, f"{solver} from the text"))))
    said = (
        answer.complaint
        or f"{sum(a is not Satisfiability.UNSAT for a in answer.answers)} obligations are not confirmed"
    )
    initial = certified.proof.as_read.initial
    return NotCertified(initial, f"{solver} read the certificate: {said}", refuted=answer.refutes)


def _header(proof: Proof) -> Iterator[str]:
    cfa = proof.as_read
    claim = {
        "unwinding": f"complete unwinding to {proof.depth} loop heads",
        "k-induction": f"k-induction with k = {proof.depth}",
        "contracts": "contracts of its recursive functions, each of which is begun here inside its precondition",
    }.get(proof.kind, "an inductive invariant" + _for_all(proof))
    yield f"; {_line(cfa.name or 'a program')} never reaches its error, by {claim}."
    yield "; Every check-sat must answer unsat. Written by Argosy; docs/certificates.md explains the form."
    if proof.assumed:
        places = ", ".join(dict.fromkeys(str(check.position) for check in proof.assumed))
        yield _line(f"; Executions with a signed overflow at these places are left out: {places}.")
        yield "; Signed overflow anywhere else wraps around."
    else:
        yield "; Signed overflow wraps around."
    yield "; Executions end at any other undefined operation (its condition stands beside that of the edge)."
    yield f"(set-logic {_logic(proof)})"
    yield "(set-info :smt-lib-version 2.6)"


def _for_all(proof: Proof) -> str:
    bound = proof.main.bound if isinstance(proof.main, InductiveClaims) else ()
    return f" that holds for all {', '.join(variable.name for variable in bound)}" if bound else ""


def _scope(printer: Printer, scope: Scope) -> Iterator[str]:
    yield ""
    yield _line(f"; ==== {scope.about}")
    yield "(push 1)"
    yield from _printed(printer, scope.statements)
    for obligation in scope.obligations:
        yield from _obligation(printer, obligation)
    yield "(pop 1)"


def _obligation(printer: Printer, obligation: Obligation) -> Iterator[str]:
    yield "(push 1)"
    yield from _printed(printer, [Comment(f"---- {obligation.shows}"), Assert(obligation.formula)])
    yield "(set-info :status unsat)"
    yield _ASKED
    yield "(pop 1)"


def _printed(printer: Printer, statements: Iterable[Statement]) -> Iterator[str]:
    for statement in statements:
        yield from printer.lines(statement)


def _line(text: str) -> str:
    return " ".join(text.split())


def _logic(proof: Proof) -> str:
    """The smallest of the usual logics; where numbers of both kinds or arrays of numbers meet, or claims are about all
    values, ALL."""
    cfa = proof.as_read
    if isinstance(proof.main, InductiveClaims) and proof.main.bound:
        return "ALL"
    kinds = {variable.term.sort.kind for variable in cfa.variables}
    if sort_kind(cfa) == "bits":
        floats = "FP" if cfa.terms.floats else ""
        return f"QF_{'A' if 'array' in kinds else ''}BV{floats}"
    return "ALL"
