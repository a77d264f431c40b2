"""Programs that need the system's preprocessor."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from argosy.basics.errors import InputError
from argosy.frontends.c import load, source
from argosy.logic.terms import Terms

from .running import execute, read

needs_preprocessor = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@needs_preprocessor
def test_macros_and_own_headers(tmp_path: Path) -> None:
    (tmp_path / "own.h").write_text("#define TWICE(x) ((x) * 2)\nextern int r;\n")
    path = tmp_path / "program.c"
    path.write_text('#include "own.h"\nint r;\nint main(void) {\n#ifdef TWICE\n  r = TWICE(21);\n#endif\n}\n')
    cfa = load(str(path), terms=Terms()).cfa
    assert execute(cfa)["r"] == 42
    assert [(edge.position.file, edge.position.line) for edge in cfa.edges] == [(str(path), 2), (str(path), 5)]


@needs_preprocessor
@pytest.mark.parametrize("data_model", ["ILP32", "LP64"])
def test_system_headers(data_model: str) -> None:
    text = """
#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int64_t r; uint8_t u = 300; bool b = 5; long m = LONG_MAX;
int main(void) {
  printf("%d", 3);
  r = INT64_MAX; r -= u + b;
  assert(r != 5);
  if (sizeof(size_t) != sizeof(void *)) abort();
  assert(m != LONG_MAX);
}
"""
    program = read(text, data_model=data_model)
    outcome = execute(program.cfa)
    assert outcome.error
    assert outcome.trace[-1].position.line == 15
    assert outcome["r"] == 2**63 - 1 - 45
    assert outcome["m"] == (2**31 - 1 if data_model == "ILP32" else 2**63 - 1)


@needs_preprocessor
def test_errors_of_the_preprocessor_have_their_place() -> None:
    with pytest.raises(InputError, match="nowhere") as caught:
        read('int x;\n#include "nowhere.h"\nint main(void) { }\n')
    assert caught.value.position.line == 2
    with pytest.raises(InputError, match="syntax error") as caught:
        read("#define X )\nint main(void) {\n  return (1 X;\n  return ( X;\n}\n")
    assert caught.value.position.line == 4


def test_without_a_preprocessor_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_PREPROCESSORS", ("no-such-preprocessor",))
    with pytest.raises(InputError, match="needs a C preprocessor") as caught:
        read("#define X 1\nint main(void) { return X; }\n")
    assert caught.value.position.line == 1


@needs_preprocessor
def test_headers_of_another_data_model_are_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    from argosy.basics.errors import UnsupportedError

    def host_only(command: list[str], path: str) -> object:
        if "-m32" in command:
            command = ["false"]
        return original(command, path)

    original = source._run
    monkeypatch.setattr(source, "_run", host_only)
    program = read("#include <stdio.h>\nint r;\nint main(void) { r = 1; }\n")
    assert any("as the host has them" in line for line in program.ledger)
    with pytest.raises(UnsupportedError, match="int64_t has 32 bits"):
        read("#include <stdint.h>\nint64_t r;\nint main(void) { r = 1; }\n")
