"""Argosy never says the opposite of what is true of the programs in this folder; compilers say what is true."""

from __future__ import annotations

import pytest

from .programs import Attack, answer, attacks, compilers, executed, known_wrong

ATTACKS = list(attacks())
WRONG = known_wrong()


def _marked(attack: Attack) -> object:
    known = WRONG.get(attack.name)
    marks = () if known is None else pytest.mark.xfail(strict=True, reason=f"answers {known}")
    return pytest.param(attack, id=attack.name.replace(" ", "-"), marks=marks)


@pytest.mark.parametrize("attack", [_marked(attack) for attack in ATTACKS])
def test_the_answer_is_true(attack: Attack) -> None:
    given = answer(attack)
    assert given.allowed(attack), f"{given}\n{attack.path.read_text()}"


@pytest.mark.parametrize("attack", [pytest.param(a, id=a.name.replace(" ", "-")) for a in ATTACKS if a.runs])
def test_the_file_says_what_compilers_say(attack: Attack) -> None:
    known = compilers(attack.model)
    if not known:
        pytest.skip(f"no compiler for {attack.model}")
    assert {executed(attack, command) for command in known} <= attack.expect


def test_the_list_names_programs_that_exist() -> None:
    assert WRONG.keys() <= {attack.name for attack in ATTACKS}
