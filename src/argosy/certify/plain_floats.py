"""Operators on floats in SMT-LIB's own theory of floating point, for ``certify.plain``.

A value is a bit-vector, and the theory has a way from bits to numbers (``to_fp``) but none back. The result of an
operation therefore gets a name: bits that stand for the number, the one pattern of NaN where there is none. These bits
exist and are the only ones, so that to assert this takes nothing away.

The analysis has solvers read the circuits of ``logic.float_meanings`` instead: a certificate does not depend on these.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from argosy.logic.floating import ROUNDINGS, FloatFormat, rounded
from argosy.logic.terms import Term


def predicate(term: Term, args: Sequence[str]) -> str:
    """The text of a comparison."""
    return f"({term.op} {' '.join(_number(FloatFormat(*term.payload), text) for text in args)})"


def condition(term: Term, args: Sequence[str], name: str) -> str:
    """What is true of ``name`` where it is the value of an operation, whose arguments have the texts ``args``, only."""
    source = FloatFormat(*term.payload[:2])
    if term.op in ("fp.to_sbv", "fp.to_ubv"):
        return f"(= {name} {_to_bits(term, source, args[0])})"
    target = FloatFormat(*term.payload[2:]) if term.op == "fp.to_fp" else source
    number = _operation(term, source, args)
    own = _number(target, name)
    is_number = f"(= {own} {number})"
    one_pattern = f"(=> (fp.isNaN {own}) (= {name} (_ bv{target.nan} {target.width})))"
    return f"(and {is_number} {one_pattern})"


def _number(format_: FloatFormat, text: str) -> str:
    return f"((_ to_fp {format_.exponent} {format_.significand}) {text})"


def _operation(term: Term, source: FloatFormat, args: Sequence[str]) -> str:
    to_source = f"(_ to_fp {source.exponent} {source.significand})"
    match term.op:
        case "fp.from_sbv":
            return f"({to_source} RNE {args[0]})"
        case "fp.from_ubv":
            return f"((_ to_fp_unsigned {source.exponent} {source.significand}) RNE {args[0]})"
    numbers = [_number(source, text) for text in args]
    match term.op:
        case "fp.round":
            return f"(fp.roundToIntegral {ROUNDINGS[term.payload[2]]} {numbers[0]})"
        case "fp.to_fp":
            return f"((_ to_fp {term.payload[2]} {term.payload[3]}) RNE {numbers[0]})"
        case "fp.fmod":
            return _fmod(*numbers)
    return f"({term.op} RNE {' '.join(numbers)})"


def _fmod(x: str, y: str) -> str:
    """``fp.rem`` takes the nearest multiple away; where that is too much, the divisor is added again, exactly."""
    rest = f"(fp.rem (fp.abs {x}) (fp.abs {y}))"
    size = f"(ite (fp.isNegative r) (ite (fp.isZero r) (fp.neg r) (fp.add RNE r (fp.abs {y}))) r)"
    return f"(let ((r {rest})) (let ((s {size})) (ite (fp.isNegative {x}) (fp.neg s) s)))"


def _to_bits(term: Term, source: FloatFormat, text: str) -> str:
    """Towards zero; the theory leaves open what is out of range. Its bounds are powers of two, and exact."""
    width = term.payload[2]
    signed = term.op == "fp.to_sbv"
    number = _number(source, text)
    whole = f"(fp.roundToIntegral RTZ {number})"
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
    patterns = (rounded(source, Fraction(bound)) for bound in (low, high))
    bounds = [_number(source, f"(_ bv{pattern} {source.width})") for pattern in patterns]
    inside = f"(and (fp.leq {bounds[0]} {whole}) (fp.lt {whole} {bounds[1]}))"
    return f"(ite {inside} ((_ {term.op} {width}) RTZ {number}) (_ bv{1 << (width - 1)} {width}))"
