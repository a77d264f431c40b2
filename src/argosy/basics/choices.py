"""Words of which one is to be chosen, and what to say to somebody who chose another."""

from __future__ import annotations

from collections.abc import Collection

from argosy.basics.errors import UsageError


def choose(option: str, value: str, choices: Collection[str]) -> str:
    """``value``, if it is one of the choices; otherwise an error that names them."""
    if value in choices:
        return value
    raise UsageError(f"{option} cannot be {value}{did_you_mean(value, choices)}; it is one of {', '.join(choices)}")


def did_you_mean(value: str, choices: Collection[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(value, choices, 1, 0.5)
    return f" (did you mean {close[0]}?)" if close else ""
