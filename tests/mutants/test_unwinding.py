"""Mistakes in certificates by unwinding and by k-induction are noticed; so are those of the unrolling, and none of them
survives certification."""

from __future__ import annotations

import pytest

from . import unwinding
from .mutation import Detector, Mutant, caught, mutated
from .programs import EXPECTED, verdict

CERTIFIER = [
    Mutant("the step is left out", "argosy.certify.unwinding:_Proof.k_induction",
           "self._impossible(step, step.errors[k])", "Satisfiability.UNSAT", unwinding.certificates_by_hand),
    Mutant("the base is left out", "argosy.certify.unwinding:_Proof.k_induction",
           "self._no_error_within(base, k)", "None", unwinding.certificates_by_hand),
    Mutant("the step is one loop head short", "argosy.certify.unwinding:_Proof.k_induction",
           "step.errors[k]", "step.errors[k - 1]", unwinding.certificates_by_hand),
    Mutant("the unwinding need not be complete", "argosy.certify.unwinding:_Proof.unwinding",
           "self._impossible(levels, levels.passed())", "Satisfiability.UNSAT", unwinding.certificates_by_hand),
    Mutant("the last level is not looked at", "argosy.certify.unwinding:_Proof._no_error_within",
           "levels.errors[known:]", "levels.errors[known:-1]", unwinding.unwinding_agrees_with_brute_force),
    Mutant("levels are looked at only the first time", "argosy.certify.unwinding:_Proof._no_error_within",
           "levels.errors[known:]", "levels.errors[known:] if not known else []", unwinding.certificates_by_hand),
    Mutant("an error that is found does not count", "argosy.certify.unwinding:_Proof._no_error_within",
           "case Satisfiability.SAT", "case None", unwinding.certificates_by_hand),
    Mutant("signed overflow is excluded under both readings", "argosy.certify.unwinding:_Proof._pieces",
           "self._reading is Reading.UNDEFINED", "True", unwinding.certificates_by_hand),
    Mutant("no line is named", "argosy.certify.unwinding:_Proof._impossible",
           "self._refuter.core", "()", unwinding.certificates_by_hand),
    Mutant("in turn: no line is named", "argosy.certify.unwinding:_Proof._in_turn",
           "inquiries[1].core", "()", unwinding.certificates_in_turn),
    Mutant("in turn: the last level is left out", "argosy.certify.unwinding:_Proof._no_error_within",
           "range(known, bound + 1, few)", "range(known, bound, few)", unwinding.certificates_in_turn),
    Mutant("in turn: what is possible is excluded", "argosy.certify.refuter:Inquiry.refute",
           "answer is Satisfiability.UNSAT", "answer", unwinding.certificates_in_turn),
    Mutant("in turn: a fact is left out", "argosy.certify.refuter:Inquiry.refute",
           "told[self._told :]", "told[self._told + 1 :]", unwinding.certificates_in_turn),
    Mutant("only one error is looked at", "argosy.certify.levels:Levels.advance",
           "(self._condition(arrival) for arrival in ends)", "(self._condition(arrival) for arrival in ends[:1])",
           unwinding.certificates_by_hand),
    Mutant("only one loop head goes on", "argosy.certify.levels:Levels.advance",
           "self.front.items()", "list(self.front.items())[:1]", unwinding.certificates_by_hand),
    Mutant("choices are the same on every level", "argosy.certify.levels:Levels._made_unique",
           "not choices", "True", unwinding.certificates_by_hand),
    Mutant("there is one way to a loop head", "argosy.certify.levels:Levels._join",
           "terms.disjunction(ways)", "ways[0]", unwinding.certificates_by_hand),
    Mutant("all ways to a loop head at once", "argosy.certify.levels:Levels._join",
           "terms.disjunction", "terms.conjunction", unwinding.certificates_by_hand),
    Mutant("the values of another way", "argosy.certify.levels:Levels._join",
           "terms.ite(way, one, other)", "terms.ite(way, other, one)", unwinding.certificates_by_hand),
    Mutant("values are not told", "argosy.certify.levels:Levels._named",
           "self.told.append(self._terms.eq(name, value))", "pass", unwinding.certificates_by_hand),
    Mutant("a lemma is assumed without proof", "argosy.certify.unwinding:_Proof._proved",
           "return proved", "return lemmas", unwinding.certificates_by_hand),
]  # fmt: skip

UNROLLING = [
    Mutant("guarded: a havoc keeps the value", "argosy.domains.guarded:GuardedPaths.extend",
           "store = {**store, variable: self._fresh(variable.name, variable.sort)}", "pass",
           unwinding.guarded_paths_agree_with_brute_force),
    Mutant("guarded: checks are left out", "argosy.domains.guarded:GuardedPaths._condition",
           "edge.guard(self._terms, self._reading)", "self._terms.true",
           unwinding.guarded_paths_agree_with_brute_force),
    Mutant("guarded: paths exclude each other", "argosy.domains.guarded:GuardedPaths._ways",
           "self._name(path.guard)", "path.guard", unwinding.guarded_paths_agree_with_brute_force),
    Mutant("guarded: any two paths are branches", "argosy.domains.guarded:GuardedPaths._branches",
           "return None", "pass", unwinding.guarded_paths_agree_with_brute_force),
    Mutant("guarded: the values of the other branch", "argosy.domains.guarded:GuardedPaths._chosen",
           "self._terms.ite(selector, value, result)", "self._terms.ite(selector, result, value)",
           unwinding.guarded_paths_agree_with_brute_force),
    Mutant("unrolling: a merge forgets the new path", "argosy.domains.unrolling:Unrolling.merge",
           "(*old.paths, *new.paths)", "(*old.paths,)", unwinding.unrolling_agrees_with_brute_force),
    Mutant("unrolling: nothing is beyond the bound", "argosy.domains.unrolling:Unrolling.adjust",
           "None if bound.proven or self._is_excluded(state) else beyond", "None",
           unwinding.unrolling_agrees_with_brute_force),
    Mutant("unrolling: errors are excluded unasked", "argosy.refiners.bound:BoundRefiner._counterexample",
           "case Satisfiability.UNSAT", "case Satisfiability.UNSAT | Satisfiability.SAT",
           unwinding.unrolling_agrees_with_brute_force),
    Mutant("induction: the errors of the last level are quiet", "argosy.refiners.bound:_HeadStep.answer",
           "k - 1", "k", unwinding.induction_agrees_with_brute_force),
    Mutant("induction: one loop head is enough", "argosy.refiners.bound:Induction._holds",
           "self._steps", "self._steps[:1]", unwinding.induction_agrees_with_brute_force, nth=1),
]  # fmt: skip

MUTANTS = CERTIFIER + UNROLLING


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_the_mutant_is_caught(mutant: Mutant) -> None:
    assert caught(mutant)


@pytest.mark.parametrize("detector", {m.detector: None for m in MUTANTS}, ids=lambda d: d.__name__)
def test_the_detector_is_silent_without_a_mutant(detector: Detector) -> None:
    detector()


@pytest.mark.parametrize("mutant", UNROLLING, ids=str)
def test_no_mistake_of_the_unrolling_survives_certification(mutant: Mutant) -> None:
    with mutated(mutant):
        for name in ("second branch", "branches"):
            for strategy in ("bmc", "kinduction"):
                assert verdict(name, strategy) in (EXPECTED[name], "unknown", "crash")
