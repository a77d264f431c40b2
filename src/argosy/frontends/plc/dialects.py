"""Where the standard leaves a choice, and what the families of controllers chose: one table.

Each choice that a program meets is written to the ledger with the words of ``DIALECTS``.
"""

from __future__ import annotations

from collections.abc import Mapping

from argosy.basics.records import dataclass


@dataclass(frozen=True, slots=True)
class PlcDialect:
    """``intermediate``: arithmetic is done with at least so many bits. ``division_by_zero`` is ``stops`` (the
    controller does) or ``zero``. ``falls_first``: an F_TRIG whose input is FALSE when it is called for the first time
    finds a falling edge there, as the text of the standard has it (its memory starts with FALSE, negated).
    ``signed_time``: TIME is negative too. ``quoted_names``: names may stand in double quotes. ``final_scan``: an action
    of a chart runs once more when it has ended. ``addresses``: what their numbers count (``addresses``).
    ``real_bits``: REAL_TO_DWORD and the like copy bits (table 24 of the third edition) and do not convert numbers."""

    name: str
    title: str
    intermediate: int
    division_by_zero: str
    falls_first: bool
    signed_time: bool
    quoted_names: bool
    final_scan: bool
    addresses: str
    real_bits: bool

    def notes(self) -> Mapping[str, str]:
        """The choices in words, each with what a program has to use for it to matter."""
        at_least = f"at least {self.intermediate} bits" if self.intermediate else "the width of its operands"
        zero = "gives 0" if self.division_by_zero == "zero" else "stops the controller, which ends the run"
        falls = "finds an edge" if self.falls_first else "finds no edge"
        scan = "runs once more when it has ended" if self.final_scan else "does not run once more when it has ended"
        sign = "with" if self.signed_time else "without"
        counted = {
            "bytes": "count bytes",
            "units": "count units of their size",
            "unknown": "of one size are apart; different sizes are refused where they may overlap",
        }
        real = "copy bits" if self.real_bits else "convert numbers"
        return {
            "real bits": f"{self.title}: conversions between real numbers and bit strings {real}",
            "addresses": f"{self.title}: addresses {counted[self.addresses]}",
            "charts": f"{self.title}: an action of a chart {scan}",
            "arithmetic": f"{self.title}: integer arithmetic has {at_least} and wraps around",
            "division": f"{self.title}: a division by zero {zero}",
            "time": f"{self.title}: TIME has 32 bits {sign} a sign and wraps around",
            "F_TRIG": f"{self.title}: an F_TRIG that is called with FALSE for the first time {falls}",
        }


DIALECTS: Mapping[str, PlcDialect] = {
    dialect.name: dialect
    for dialect in (
        PlcDialect("iec", "IEC 61131-3", 0, "stops", True, True, False, True, "unknown", True),
        PlcDialect("siemens", "Siemens SCL", 0, "zero", False, True, True, False, "bytes", True),
        PlcDialect("codesys", "CODESYS", 32, "stops", False, False, False, True, "units", False),
    )
}
