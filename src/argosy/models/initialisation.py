"""Values that were never written: which bits of which variables have a value, and where one without is used.

Every variable that may hold something that was never written gets a *shadow* of its own sort, whose bits are 1 where
its bits have a value (MemorySanitizer: Stepanov and Serebryany, CGO 2015; C11 6.2.4, 6 and 6.3.2.1, 2). To copy such a
value, whole or in parts, copies the shadow; whoever computes with it, decides on it or takes it for an address *uses*
it, which carries a check. A conjunction does not use a part where another one is false.

Law: without its shadows and checks the automaton is the one that was given.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from argosy.basics.position import NOWHERE
from argosy.basics.records import replace
from argosy.logic.terms import Term
from argosy.logic.traverse import variables
from argosy.models.cfa import Assign, Assume, Cfa, Check, Edge, Havoc, Location, Operation, Refusal, Variable
from argosy.models.kinds import Undefined
from argosy.models.sources import SourceKind

# What moves bits and looks at none of them.
_MOVING = frozenset(("concat", "extract", "zero_extend", "sign_extend", "store", "const-array"))
_UNWRITTEN = (SourceKind.UNINITIALISED, SourceKind.UNDETERMINED)


def with_initialisation(cfa: Cfa, unwritten: Collection[Term]) -> Cfa:
    """The automaton with a check wherever something without a value may be used. The ``unwritten`` have none at first,
    all others do; what is left open where a variable begins has none from there on."""
    shadows = _Shadows(cfa, unwritten)
    return cfa if not shadows.of else shadows.cfa()


class _Shadows:
    def __init__(self, cfa: Cfa, unwritten: Collection[Term]) -> None:
        self._cfa = cfa
        self._terms = cfa.terms
        self._unwritten = {v.term for v in cfa.variables}.intersection(unwritten)
        self._opaque: dict[Term, Refusal] = {}
        self.of: dict[Term, Term] = {}
        self._moved: dict[Term, Term] = {}
        self._needed: dict[Term, Term] = {}
        for term in self._doubtful():
            self.of[term] = self._terms.var(f"{term.name} is written", term.sort)
            if term in cfa.opaque:
                self._opaque[self.of[term]] = cfa.opaque[term]

    def _doubtful(self) -> list[Term]:
        """The variables that may hold something without a value: those that begin so, and copies of them. Nobody knows
        of what is not modelled."""
        found = {**dict.fromkeys(self._cfa.opaque), **dict.fromkeys(self._unwritten)}
        copies: dict[Term, list[Term]] = {}
        for edge in self._cfa.edges:
            match edge.operation:
                case Havoc(variable) if edge.choice is not None and edge.choice.kind in _UNWRITTEN:
                    found[variable] = None
                case Assign(variable, value):
                    for source in variables(value):
                        copies.setdefault(source, []).append(variable)
        work = list(found)
        while work:
            for copy in copies.get(work.pop(), ()):
                if copy not in found:
                    found[copy] = None
                    work.append(copy)
        return [variable.term for variable in self._cfa.variables if variable.term in found]

    # ---- terms --------------------------------------------------------------------------------------------

    def _is_known(self, term: Term) -> bool:
        return variables(term).isdisjoint(self.of.keys())

    def _all(self, term: Term) -> Term:
        """A shadow of which every bit has a value."""
        sort = term.sort
        if sort.element is not None:
            return self._terms.const_array(sort, self._terms.bv(-1, sort.element.width))
        return self._terms.bv(-1, sort.width)

    def moved(self, term: Term) -> Term:
        """The shadow of a term."""
        known = self._moved.get(term)
        if known is None:
            known = self._moved[term] = self._all(term) if self._is_known(term) else self._move(term)
        return known

    def _move(self, term: Term) -> Term:
        terms, args = self._terms, term.args
        match term.op:
            case "var":
                return self.of.get(term, self._all(term))
            case "ite":
                return terms.ite(args[0], self.moved(args[1]), self.moved(args[2]))
            case "concat":
                return terms.concat(self.moved(args[0]), self.moved(args[1]))
            case "extract":
                return terms.extract(self.moved(args[0]), *term.payload)
            case "zero_extend":
                return terms.concat(terms.bv(-1, term.payload), self.moved(args[0]))
            case "sign_extend":
                return terms.sign_extend(self.moved(args[0]), term.payload)
            case "select":
                return terms.select(self.moved(args[0]), args[1])
            case "store":
                return terms.store(self.moved(args[0]), args[1], self.moved(args[2]))
            case "const-array":
                return terms.const_array(term.sort, self.moved(args[0]))
            case "bvand" | "bvor" if self._mask(term) is not None:
                mask = self._mask(term)
                assert mask is not None
                other = args[0] if args[1] is mask else args[1]
                decided = terms.bit("bvnot", mask) if term.op == "bvand" else mask
                return terms.bit("bvor", self.moved(other), decided)
            case "bvor":
                return terms.bit("bvand", self.moved(args[0]), self.moved(args[1]))
            case "bvshl" if args[1].op == "const":
                empty = terms.bit("bvshl", self._all(term), args[1])
                return terms.bit("bvor", terms.bit("bvshl", self.moved(args[0]), args[1]), terms.bit("bvnot", empty))
        return self._all(term)

    @staticmethod
    def _mask(term: Term) -> Term | None:
        return next((each for each in term.args if each.op == "const"), None)

    def _moves(self, term: Term) -> bool:
        """Whether a term only moves bits."""
        if term.op in ("bvand", "bvor"):
            return term.op == "bvor" or self._mask(term) is not None
        return term.op in _MOVING or (term.op == "bvshl" and term.args[1].op == "const")

    def needed(self, term: Term) -> Term:
        """When everything that a term uses has a value, whether the term itself has one or not."""
        known = self._needed.get(term)
        if known is None:
            known = self._needed[term] = self._terms.true if self._is_known(term) else self._need(term)
        return known

    def _need(self, term: Term) -> Term:
        terms, args = self._terms, term.args
        match term.op:
            case "var":
                return terms.true
            case "ite":
                chosen = terms.ite(args[0], self.needed(args[1]), self.needed(args[2]))
                return terms.and_(self.used(args[0]), chosen)
            case "select":
                return terms.and_(self.needed(args[0]), self.used(args[1]))
            case "store":
                parts = (self.needed(args[0]), self.used(args[1]), self.needed(args[2]))
                return terms.conjunction(parts)
            case "and" | "or":
                whole = terms.conjunction(self.used(each) for each in args)
                decides = (each if term.op == "or" else terms.not_(each) for each in args)
                alone = (terms.and_(self.used(each), says) for each, says in zip(args, decides, strict=True))
                return terms.disjunction((whole, *alone))
        take = self.needed if self._moves(term) else self.used
        return terms.conjunction(take(each) for each in args)

    def used(self, term: Term) -> Term:
        """When a term may be used."""
        needed = self.needed(term)
        if not term.sort.is_bits or self._is_known(term):
            return needed
        return self._terms.and_(needed, self._terms.eq(self.moved(term), self._all(term)))

    # ---- the automaton ------------------------------------------------------------------------------------

    def cfa(self) -> Cfa:
        cfa, locations = self._cfa, list(self._cfa.locations)

        def point(like: Location) -> Location:
            locations.append(replace(like, index=len(locations), label="", origin=-1, loops=()))
            return locations[-1]

        initial = point(cfa.initial) if self.of else cfa.initial
        edges: list[Edge] = []
        here = initial
        for number, (term, shadow) in enumerate(self.of.items()):
            target = cfa.initial if number == len(self.of) - 1 else point(cfa.initial)
            edges.append(Edge(here, target, self._at_first(term, shadow)))
            here = target
        for edge in cfa.edges:
            checks = (*self._checks(edge), *edge.checks)
            update = self._update(edge)
            if update is None:
                edges.append(replace(edge, checks=checks))
                continue
            between = point(edge.source)
            edges.append(Edge(edge.source, between, update, edge.position, "", checks))
            edges.append(replace(edge, source=between, checks=()))
        given = cfa.variable_of
        shadows = tuple(Variable(s, s.name, given[t].function, False, given[t].position) for t, s in self.of.items())
        return replace(
            cfa,
            initial=initial,
            locations=tuple(locations),
            edges=tuple(edges),
            variables=(*cfa.variables, *shadows),
            opaque={**cfa.opaque, **self._opaque},
        )

    def _none(self, shadow: Term) -> Term:
        zero = self._terms.bv(0, shadow.sort.width if shadow.sort.element is None else shadow.sort.element.width)
        return zero if shadow.sort.element is None else self._terms.const_array(shadow.sort, zero)

    def _at_first(self, term: Term, shadow: Term) -> Operation:
        if shadow in self._opaque:
            return Havoc(shadow)
        return Assign(shadow, self._none(shadow) if term in self._unwritten else self._all(term))

    def _update(self, edge: Edge) -> Operation | None:
        """What happens to the shadow of what an edge writes, before it does."""
        match edge.operation:
            case Assign(variable, value) if variable in self.of:
                return Assign(self.of[variable], self.moved(value))
            case Havoc(variable) if variable in self.of:
                shadow = self.of[variable]
                if shadow in self._opaque:
                    return Havoc(shadow)
                open_ = edge.choice is not None and edge.choice.kind in _UNWRITTEN
                return Assign(shadow, self._none(shadow) if open_ else self._all(variable))
        return None

    def _is_kept(self, variable: Term, value: Term) -> bool:
        """Whether what is assigned to a variable is what it has, unless that is something of a kind."""
        if value.op != "ite" or variable not in value.args[1:]:
            return False
        return variables(value.args[0]) & self.of.keys() <= {variable}

    def _checks(self, edge: Edge) -> Iterator[Check]:
        conditions = [self.used(check.condition) for check in edge.checks]
        match edge.operation:
            case Assign(variable, value) if not edge.text and self._is_kept(variable, value):
                # Nobody but the model looks: whether a pointer leads to what ends.
                pass
            case Assume(condition):
                conditions.append(self.used(condition))
            case Assign(_, value):
                conditions.append(self.needed(value))
        whole = self._terms.conjunction(conditions)
        if whole is not self._terms.true:
            at = edge.position if edge.position is not NOWHERE else edge.source.position
            yield Check(whole, Undefined.UNINITIALISED, at, what=edge.text)
