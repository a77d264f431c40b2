"""Every mutant is noticed by its detector, and no detector cries without one."""

from __future__ import annotations

import pytest

from tests.domains.test_paths import (
    test_the_conditions_of_a_chain_of_branches_tell_its_cases_apart as tells_paths_apart,
)
from tests.domains.test_predicate import test_what_a_path_decides_together_is_not_taken_apart as paths_together

from . import certificates, domains, loops, products, semantics, subsumption
from .mutation import Detector, Mutant, caught, mutated
from .programs import EXPECTED, verdict

LOOP = [
    Mutant("prune forgets what the pruned nodes covered", "argosy.reached:Reached._remove",
           "reopened[other] = None", "pass", loops.graphs_drawn_by_hand),
    Mutant("prune forgets what was covered, in the loop", "argosy.reached:Reached._remove",
           "reopened[other] = None", "pass", loops.a_covered_node_below_another_branch_is_explored_again),
    Mutant("prune leaves a coverer that is gone", "argosy.reached:Reached._remove",
           "other.coverer = None", "pass", loops.loop_agrees_with_brute_force),
    Mutant("prune reopens no parent", "argosy.reached:Reached._remove",
           "reopened[parent] = None", "pass", loops.loop_agrees_with_brute_force),
    Mutant("prune awaits only the last lost successor", "argosy.reached:Reached._remove",
           "parent.pending.add(action)", "pass", loops.graphs_drawn_by_hand),
    Mutant("prune keeps targets", "argosy.reached:Reached._remove",
           "self._targets.pop(node, None)", "pass", loops.loop_agrees_with_brute_force),
    Mutant("prune keeps the covered in its coverer", "argosy.reached:Reached._remove",
           "del node.coverer.covered[node]", "pass", loops.graphs_drawn_by_hand),
    Mutant("prune removes children only", "argosy.reached:Reached._descendants",
           "stack.append(child)", "pass", loops.loop_agrees_with_brute_force),
    Mutant("a coverer that gets covered keeps what it covered", "argosy.reached:Reached.cover",
           "for other in node.covered:", "for other in ():", loops.graphs_drawn_by_hand),
    Mutant("a merged node is not expanded again", "argosy.reached:Reached.absorb",
           "old.expanded = False", "pass", loops.graphs_drawn_by_hand),
    Mutant("a merged node keeps its old state", "argosy.reached:Reached.absorb",
           "old.state = state", "pass", loops.merging_agrees_with_brute_force),
    Mutant("a merged node stays covered", "argosy.reached:Reached.absorb",
           "old.coverer = None", "pass", loops.merging_agrees_with_brute_force),
    Mutant("what stood below a merged node stays", "argosy.reached:Reached.absorb",
           "pruned = self._remove(below)", "pruned = self._remove({})", loops.graphs_drawn_by_hand),
    Mutant("a node covers itself", "argosy.subsumption:find_coverer",
           "old is not node and ", "", loops.loop_agrees_with_brute_force),
    Mutant("covering goes in circles", "argosy.subsumption:find_coverer",
           "old.coverer is None and ", "", loops.loop_agrees_with_brute_force),
    Mutant("the smaller covers the larger", "argosy.subsumption:find_coverer",
           "analysis.covers(old.state, node.state)", "analysis.covers(node.state, old.state)",
           loops.loop_agrees_with_brute_force),
    Mutant("everything is covered", "argosy.subsumption:find_coverer",
           "analysis.covers(old.state, node.state)", "True", loops.loop_agrees_with_brute_force),
    Mutant("an expansion stops at a target", "argosy.engine:expand",
           "or node.state is not expanded:", "or node.state is not expanded or reached.targets:",
           loops.loop_agrees_with_brute_force),
    Mutant("a pruned successor is not computed again", "argosy.engine:expand",
           "if node.awaits(action)]", "if node.pending is None]", loops.loop_agrees_with_brute_force),
    Mutant("a node that merges with itself goes on as it was", "argosy.engine:expand",
           "or node.state is not expanded:", "or False:", loops.merging_agrees_with_brute_force),
    Mutant("a successor lost during the expansion stays lost", "argosy.engine:expand",
           "if node.pending:", "if False:", loops.a_successor_lost_during_an_expansion_is_added_again),
    Mutant("a merged node is not queued", "argosy.engine:place",
           "settle(analysis, reached, frontier, subsumption, old)", "pass", loops.merging_agrees_with_brute_force),
    Mutant("what a merge uncovers is forgotten", "argosy.engine:place",
           "reopen(frontier, reached.absorb(old, merged, *derivation))", "reached.absorb(old, merged, *derivation)",
           loops.merging_agrees_with_brute_force),
    Mutant("what a pruning reopens is not queued", "argosy.frontier:reopen",
           "frontier.push(node)", "pass", loops.loop_agrees_with_brute_force),
    Mutant("what a pruning removes stays queued", "argosy.frontier:reopen",
           "frontier.remove(node)", "pass", loops.loop_agrees_with_brute_force),
    Mutant("a refinement without pivots prunes nothing", "argosy.engine:check",
           "reached.prune(pivots or list(reached))", "reached.prune(pivots)",
           loops.full_pruning_agrees_with_brute_force),
    Mutant("a removed node is popped", "argosy.frontier:BestFirst.pop",
           "if self._waiting.get(node) == order:\n            del self._waiting[node]",
           "if True:\n            self._waiting.pop(node, None)",
           loops.removed_nodes_are_never_popped),
]  # fmt: skip

ANALYSIS = [
    Mutant("explicit: an assignment keeps the values", "argosy.domains.explicit:ExplicitAnalysis._prepare",
           "in effect.definitions]", "in effect.definitions[:0]]", domains.explicit_laws),
    Mutant("explicit: an undecided condition blocks", "argosy.domains.explicit:Transfer.__call__",
           "if holds is False:", "if holds is not True:", domains.explicit_laws),
    Mutant("explicit: an edge is forgotten", "argosy.domains.explicit:ExplicitAnalysis.successors",
           "self._planned(state.location, precision):", "self._planned(state.location, precision)[:1]:",
           domains.explicit_laws),
    Mutant("explicit: a wrong disjunct fixes a value", "argosy.domains.explicit:_fixed",
           "return part.args[0], False", "return part.args[0], True", domains.explicit_laws),
    Mutant("explicit: anything covers", "argosy.domains.explicit:ExplicitAnalysis.covers",
           "all(", "any(True or ", domains.explicit_cover),
    Mutant("explicit: the more is known, the more is covered", "argosy.domains.explicit:ExplicitAnalysis.covers",
           "o is None or o == n", "n is None or o == n", domains.explicit_cover),
    Mutant("predicates: the smaller region covers the larger", "argosy.domains.blocks:BlockAnalysis.covers",
           "new.abstraction.region <= old.abstraction.region", "old.abstraction.region <= new.abstraction.region",
           domains.single_block_laws),
    Mutant("predicates: every region covers", "argosy.domains.blocks:BlockAnalysis.covers",
           "return new.abstraction.region <= old.abstraction.region", "return True", domains.single_block_laws),
    Mutant("predicates: an edge is forgotten", "argosy.domains.blocks:BlockAnalysis.successors",
           "self.cfa.leaving[state.location]:", "self.cfa.leaving[state.location][:1]:", domains.single_block_laws),
    Mutant("blocks: a merge forgets the second path", "argosy.domains.blocks:BlockAnalysis.merge",
           "self.paths.merge(old.path, new.path)", "old.path", domains.large_block_laws),
    Mutant("blocks: nothing needs to be merged", "argosy.domains.blocks:BlockAnalysis.covers",
           " and old.path.includes(new.path)", "", domains.large_block_laws),
    Mutant("paths: a havoc keeps the index", "argosy.domains.paths:Paths._extend",
           "case Havoc(variable):\n            indices = {**indices, variable: indices.get(variable, 0) + 1}",
           "case Havoc(variable):\n            pass", domains.single_block_laws),
    Mutant("paths: an assignment keeps the index", "argosy.domains.paths:Paths._extend",
           "indices = {**indices, variable: indices.get(variable, 0) + 1}\n            parts.append",
           "parts.append", domains.single_block_laws),
    Mutant("paths: checks are left out", "argosy.domains.paths:Paths._extend",
           "if edge.checks:", "if False:", domains.predicate_loop),
    Mutant("paths: a branch that does not write loses the value", "argosy.domains.paths:Paths._lifting",
           "if before != index:", "if False:", domains.predicate_loop),
    Mutant("abstraction: a satisfiable query entails", "argosy.domains.predicate:PredicateAbstraction._literals",
           "if answer is Answer.UNSAT:", "if answer is not Answer.UNKNOWN:", domains.cartesian_laws),
    Mutant("abstraction: a touched predicate is untouched", "argosy.domains.predicate:PredicateAbstraction._literals",
           "instance is predicate\n", "True\n", domains.cartesian_laws),
    Mutant("abstraction: combinations are lost", "argosy.domains.predicate:PredicateAbstraction._images",
           "while (answer", "if (answer", domains.single_block_laws),
    Mutant("abstraction: what changes is carried over", "argosy.domains.predicate:PredicateAbstraction._concerned",
           "frozenset().union(*map(self._mentions, edges))", "frozenset()", paths_together),
    Mutant("paths: the conditions of one side choose the other", "argosy.domains.paths:Paths._difference",
           "return self._terms.conjunction(refuting[1]), False", "return self._terms.conjunction(refuting[1]), True",
           tells_paths_apart),
    Mutant("abstraction: the feasible is infeasible", "argosy.domains.predicate:PredicateAbstraction.feasible",
           "is not Answer.UNSAT", "is Answer.UNKNOWN", domains.single_block_laws),
    Mutant("refinement: every counterexample is feasible", "argosy.refiners.refinement:TraceRefiner.refine",
           "case Answer.SAT:", "case Answer.SAT | Answer.UNSAT:", domains.predicate_loop),
]  # fmt: skip

FRONT_END = [
    Mutant("short integers are not promoted", "argosy.frontends.c.types:DataModel.promote",
           "self.int_ if type_.rank < self.int_.rank else type_", "type_", semantics.conversions_and_promotions),
    Mutant("the signed type wins at equal rank", "argosy.frontends.c.types:DataModel.common",
           "return positive\n", "return other\n", semantics.conversions_and_promotions),
    Mutant("a wider signed type loses", "argosy.frontends.c.types:DataModel.common",
           "if other.width > positive.width:", "if False:", semantics.conversions_and_promotions),
    Mutant("a decimal constant may be unsigned", "argosy.frontends.c.types:DataModel.constant_type",
           "if (unsigned or not decimal) and", "if", semantics.conversions_and_promotions),
    Mutant("conversions extend by zeros", "argosy.frontends.c.operators:_resize",
           "terms.sign_extend if isinstance(source, Integer) and source.signed else terms.zero_extend",
           "terms.zero_extend", semantics.conversions_and_promotions),
    Mutant("a conversion to _Bool takes the last bit", "argosy.frontends.c.operators:Operators.convert",
           "if target == BOOL:", "if False:", semantics.conversions_and_promotions),
    Mutant("comparisons are signed", "argosy.frontends.c.operators:Operators._compare",
           '"bvslt" if isinstance(type_, Integer) and type_.signed else "bvult"', '"bvslt"',
           semantics.conversions_and_promotions),
    Mutant("division is unsigned", "argosy.frontends.c.operators:Operators._divide",
           "names[op][type_.signed]", "names[op][0]", semantics.operators),
    Mutant("right shifts bring in zeros", "argosy.frontends.c.operators:Operators._shift",
           '"bvashr" if type_.signed else "bvlshr"', '"bvlshr"', semantics.operators),
    Mutant("any shift amount is defined", "argosy.frontends.c.operators:Operators._shift",
           "self._check(inside, Undefined.SHIFT, position, False)", "pass", semantics.what_leaves_the_language),
    Mutant("left shifts do not overflow", "argosy.frontends.c.operators:Operators._shift",
           "self._check(fits, Undefined.SIGNED_OVERFLOW, position, True)", "pass", semantics.what_leaves_the_language),
    Mutant("division by zero is defined", "argosy.frontends.c.operators:Operators._divide",
           "self._check(terms.ne(b, terms.const(0, b.sort)), Undefined.DIVISION, position, False)", "pass",
           semantics.what_leaves_the_language),
    Mutant("the least number may be divided by -1", "argosy.frontends.c.operators:Operators._divide",
           "self._check(terms.not_(extreme), Undefined.DIVISION, position, True)", "pass",
           semantics.what_leaves_the_language),
    Mutant("the least number may be negated", "argosy.frontends.c.operators:Operators.negate",
           "if value.type.signed:", "if False:", semantics.what_leaves_the_language),
    Mutant("sums may overflow", "argosy.frontends.c.operators:Operators.binary",
           'if type_.signed and op in "+-*":', "if False:", semantics.what_leaves_the_language),
    Mutant("unsigned sums must not overflow", "argosy.frontends.c.operators:Operators.binary",
           'if type_.signed and op in "+-*":', 'if op in "+-*":', semantics.what_leaves_the_language),
    Mutant("what is not evaluated must be defined", "argosy.frontends.c.expressions:Expressions._logical",
           "self._guard(waiting, left)", "pass", semantics.what_leaves_the_language),
    Mutant("both operands of && are evaluated", "argosy.frontends.c.expressions:Expressions._logical",
           "if self.effects.of(node.right) is not None:", "if False:", semantics.effects_and_their_order),
    Mutant("a value is read after later effects", "argosy.frontends.c.expressions:Expressions.protect",
           "return self.save(value, node)", "return value", semantics.values_are_read_in_time),
    Mutant("post-increment gives the new value", "argosy.frontends.c.places:Places.increment",
           "if not postfix:", "if True:", semantics.effects_and_their_order),
    Mutant("continue skips the step of a for", "argosy.frontends.c.statements:Body._for",
           "self._loop_body(node.stmt, leave, again)", "self._loop_body(node.stmt, leave, head)", semantics.statements),
    Mutant("continue in do repeats the body", "argosy.frontends.c.statements:Body._do",
           "self._loop_body(node.stmt, leave, test)", "self._loop_body(node.stmt, leave, body)", semantics.statements),
    Mutant("default is tried where it stands", "argosy.frontends.c.statements:Body._ways",
           "rest = terms.conjunction(terms.not_(condition) for condition, _, _ in switch.cases)",
           "rest = terms.true", semantics.statements),
    Mutant("blocks share their names", "argosy.frontends.c.statements:Body._compound",
           "with self.unit.scopes.block():", "if True:", semantics.statements),
    Mutant("a result is not converted", "argosy.frontends.c.statements:Body._return",
           "self.expressions.operators.convert(self.expressions.value(node.expr), result, position)",
           "self.expressions.value(node.expr)", semantics.conversions_and_promotions),
    Mutant("an argument is not converted", "argosy.frontends.c.calls:Calls._defined",
           "self._operators.convert(values[index], parameter.type, position)", "values[index]",
           semantics.conversions_and_promotions),
]  # fmt: skip

CERTIFIER = [
    Mutant("a refuted obligation counts as proved", "argosy.certify.invariant:_Check.location",
           "if answer is Answer.SAT:", "if False:", certificates.nothing_false_is_certified_safe),
    Mutant("overflow is excluded under both readings", "argosy.certify.invariant:_Check.location",
           "if answer is Answer.SAT and self.reading is Reading.UNDEFINED:", "if answer is Answer.SAT:",
           certificates.overflow_is_excluded_only_where_it_is_undefined),
    Mutant("the claim at the start is believed", "argosy.certify.invariant:certify_safe",
           "prepared[cfa.initial] = Claims(cfa.terms, (cfa.terms.true,))", "pass",
           certificates.nothing_false_is_certified_safe),
    Mutant("a path may have gaps", "argosy.certify.replay:_not_a_path",
           "if edge.source is not at:", "if False:", certificates.a_path_with_a_gap_is_no_path),
]  # fmt: skip

SUBSUMPTION = [
    Mutant("the frontier does not hear of what is replaced", "argosy.subsumption:settle",
           "frontier.subsumed(old, node)", "pass", subsumption.the_example_of_section_2),
    Mutant("a node that is covered is queued all the same", "argosy.subsumption:settle",
           "if coverer is not None:", "if False:", subsumption.covered),
    Mutant("what is subsumed stays", "argosy.subsumption:settle",
           "reached.replace(old, node)", "pass", subsumption.circles),
    Mutant("the subtree stays", "argosy.subsumption:settle",
           "reopen(frontier, reached.discard(old, node))", "pass", subsumption.the_example_of_section_2),
    Mutant("the smaller subsumes the larger", "argosy.subsumption:find_subsumed",
           "analysis.covers(node.state, old.state)", "analysis.covers(old.state, node.state)",
           subsumption.the_example_of_section_2),
    Mutant("edges are lost", "argosy.reached:Reached.replace",
           "source.children[action, target] = None", "pass", subsumption.moved_edges),
    Mutant("what stems from a replaced node is its replacement's", "argosy.reached:Reached.replace",
           "moved._offspring = moved.offspring", "pass", subsumption.moved_edges),
    Mutant("an initial state is lost", "argosy.reached:Reached.prune",
           "removed if self._initial.keys().isdisjoint(removed) else dict(self._nodes)", "removed",
           subsumption.moved_edges),
    Mutant("a new node goes with what it replaced", "argosy.reached:Reached.discard",
           "below.pop(by, self) is None", "by in below", subsumption.moved_edges),
    Mutant("what covers a merged node leaves it in the queue", "argosy.subsumption:settle",
           "frontier.remove(node)", "pass", subsumption.merged),
    Mutant("the last that waits below", "argosy.subsumption:SubsumerFirst._find",
           "for first, at in sorted(found, key=lambda one: one[0].position):", "for first, at in found[::-1]:",
           subsumption.places),
    Mutant("the walk stays on the first level", "argosy.subsumption:SubsumerFirst._find",
           "order.append(child)", "pass", subsumption.the_example_of_section_2),
    Mutant("what no longer waits counts as first", "argosy.subsumption:SubsumerFirst._find",
           "waiting.get(first.waits) is first.position", "True", subsumption.places),
    Mutant("a subsumer is not known above", "argosy.subsumption:SubsumerFirst.push",
           "self._forget(node)", "pass", subsumption.kept),
    Mutant("a subsumer is known to its parents only", "argosy.subsumption:SubsumerFirst._forget",
           "left.extend(self._relation.above(at))", "pass", subsumption.kept),
    Mutant("a fork is passed over", "argosy.subsumption:SubsumerFirst._find_forks",
           "len(leading) == 1", "leading", subsumption.kept),
    Mutant("what is removed is still believed above", "argosy.subsumption:SubsumerFirst.remove",
           "self._first = {}", "pass", subsumption.kept),
    Mutant("behind the first that waits below", "argosy.subsumption:SubsumerFirst._position",
           "(*self._before[:-1], ticket, inf)", "(*self._before, ticket)", subsumption.queues),
]  # fmt: skip

PRODUCTS = [
    Mutant("a predicate survives that its variable is written", "argosy.domains.product:ProductAnalysis._question",
           "p in known and changed.isdisjoint(variables(p))", "p in known", products.laws),
    Mutant("what an edge mentions is all it concerns", "argosy.domains.product:ProductAnalysis._question",
           "while len(connected) > size:", "while False:", products.handed_on),
    Mutant("a question that forgets the state", "argosy.domains.product:ProductAnalysis._computed",
           "self._formula(values.items())", "self.cfa.terms.true", products.handed_on),
    Mutant("an answer for all states", "argosy.domains.product:ProductAnalysis._answer",
           "question.relevant, known)", "question.relevant, ())", products.laws),
    Mutant("what is not asked for is forgotten", "argosy.domains.product:ProductAnalysis._computed",
           "{**old, **new}", "new", products.handed_on),
    Mutant("the first impossible edge is explained", "argosy.refiners.values:ValueRefiner._choose",
           "reversed(impossible[-CHOICES:])", "impossible[:1]", products.choice),
    Mutant("counters are as good as modes", "argosy.refiners.values:ValueRefiner._choose",
           "count = len(", "count = 0 * len(", products.choice),
    Mutant("adaptive pruning that is lazy", "argosy.refiners.pruning:AdaptivePruning.refine",
           "answer.precision is precision", "False", products.adaptive),
    Mutant("adaptive pruning that is full", "argosy.refiners.pruning:AdaptivePruning.refine",
           "answer.precision is precision", "True", products.adaptive),
    Mutant("a recursive call keeps nothing", "argosy.frontends.c.inline:_Assembly._instantiate",
           "if calls else ()", "if False else ()", products.recursion),
    Mutant("a recursive call restores nothing", "argosy.frontends.c.inline:_Assembly._instantiate",
           "after = [(term, copy) for copy, term in saved]", "after = []", products.recursion),
    Mutant("all calls are saved in one place", "argosy.frontends.c.inline:_Assembly._saved",
           "~{call}\", term.sort", "~\", term.sort", products.recursion),
    Mutant("static variables belong to a call", "argosy.frontends.c.inline:_frames",
           "term not in objects or not objects[term].lasting", "True", products.recursion),
    Mutant("deeper calls do not exist", "argosy.frontends.c.inline:_Assembly._leave",
           "self.edges.append((source, ERROR, step, function, origin + call.source))", "pass", products.too_deep),
]  # fmt: skip

MUTANTS = LOOP + SUBSUMPTION + ANALYSIS + FRONT_END + CERTIFIER + PRODUCTS


@pytest.mark.parametrize("mutant", MUTANTS, ids=str)
def test_the_mutant_is_caught(mutant: Mutant) -> None:
    assert caught(mutant)


@pytest.mark.parametrize("detector", {m.detector: None for m in MUTANTS}, ids=lambda d: d.__name__)
def test_the_detector_is_silent_without_a_mutant(detector: Detector) -> None:
    detector()


def test_a_mutant_is_gone_afterwards() -> None:
    with mutated(MUTANTS[0]), pytest.raises(AssertionError):
        MUTANTS[0].detector()
    MUTANTS[0].detector()


def test_an_outdated_mutant_is_an_error() -> None:
    outdated = Mutant("outdated", MUTANTS[0].target, "no such text", "", MUTANTS[0].detector)
    with pytest.raises(LookupError), mutated(outdated):
        pass


@pytest.mark.parametrize("mutant", ANALYSIS, ids=str)
def test_no_mistake_of_an_analysis_survives_certification(mutant: Mutant) -> None:
    """Whatever the analysis says, the verdict is right or UNKNOWN."""
    with mutated(mutant):
        for name in ("second branch", "branches"):
            assert verdict(name, "explicit" if "explicit" in mutant.name else "sbe") in (
                EXPECTED[name],
                "unknown",
                "crash",
            )
