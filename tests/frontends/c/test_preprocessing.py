"""Programs that need the system's preprocessor."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from argosy.basics.errors import InputError
from argosy.frontends.c import preprocessor
from argosy.frontends.c.embedded import HEADERS, predefined
from argosy.frontends.c.load import load
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


@pytest.mark.parametrize("data_model", ["ILP32", "LP64"])
def test_without_a_compiler_the_embedded_preprocessor_has_its_own_headers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data_model: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "own.h").write_text("#define TWICE(x) ((x) * 2)\nextern int r;\n")
    path = tmp_path / "program.c"
    included = "".join(f"#include <{header.name}>\n" for header in sorted(HEADERS.iterdir()))
    path.write_text(
        f'{included}#include "own.h"\nint r; size_t n; int64_t m; long k; uint8_t u;\n'
        "int main(void) {\n#if FOO > 2 && !defined(BAR)\n"
        "  r = TWICE(FOO) + true; n = sizeof(void *); m = INT64_MAX; k = LONG_MAX; u = 300;"
        " assert(NULL == 0); if (isnan(0.0)) abort();\n#endif\n}\n"
    )
    switches = preprocessor.switches_of([], ["FOO=3", "BAR"], ["BAR"])
    cfa = load(str(path), terms=Terms(), data_model=data_model, switches=switches).cfa
    outcome = execute(cfa)
    width = 32 if data_model == "ILP32" else 64
    assert (outcome["r"], outcome["n"], outcome["k"]) == (7, width // 8, 2 ** (width - 1) - 1)
    assert (outcome["m"], outcome["u"]) == (2**63 - 1, 44)
    assert {edge.position.file for edge in cfa.edges} == {str(path)}


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('int x;\n#include "nowhere.h"\nint main(void) { }\n', 2, "nowhere.h: no such header"),
        ("int x;\n\n#error too old\nint main(void) { }\n", 3, "too old"),
        ("int x;\n#include <sys/socket.h>\nint main(void) { }\n", 2, "sys/socket.h: no such header"),
        ("int x;\n#line 7\nint main(void) { x = __LINE__; }\n", 2, "__LINE__ behind #line"),
    ],
)
def test_errors_of_the_embedded_preprocessor_have_their_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, line: int, what: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    path = tmp_path / "program.c"
    path.write_text(text)
    with pytest.raises(InputError, match=what) as caught:
        load(str(path), terms=Terms())
    assert (caught.value.position.file, caught.value.position.line) == (str(path), line)


@needs_preprocessor
@pytest.mark.parametrize("data_model", ["ILP32", "LP64"])
def test_headers_without_a_compiler_mean_what_they_do_with_one(
    monkeypatch: pytest.MonkeyPatch, data_model: str
) -> None:
    text = """
#include <stdatomic.h>
#include <inttypes.h>
#include <float.h>
#include <stdalign.h>
#include <iso646.h>
atomic_int a = 5;
atomic_flag flag = ATOMIC_FLAG_INIT;
int expected = 5, swapped, old, set, format, epsilon, aligned;
int main(void) {
  swapped = atomic_compare_exchange_weak(&a, &expected, 7) and not atomic_flag_test_and_set(&flag);
  old = atomic_fetch_add_explicit(&a, 2, memory_order_relaxed);
  set = a;
  format = sizeof PRId64;
  epsilon = 1.0f + FLT_EPSILON > 1.0f and 1.0f + FLT_EPSILON / 2 == 1.0f and DBL_MAX > FLT_MAX;
  aligned = alignof(long);
}
"""
    if shutil.which("cc") is not None:
        expected = execute(load("program.c", text=text, data_model="LP64", terms=Terms()).cfa)
    monkeypatch.setattr(preprocessor, "PREPROCESSORS", ())
    outcome = execute(load("program.c", text=text, data_model=data_model, terms=Terms()).cfa)
    word = 8 if data_model == "LP64" else 4
    names = ("swapped", "old", "set", "epsilon", "format", "aligned")
    assert tuple(outcome[name] for name in names) == (1, 7, 9, 1, 3 if word == 8 else 4, word)
    if shutil.which("cc") is not None and data_model == "LP64":
        assert [outcome[name] for name in names] == [expected[name] for name in names]


@needs_preprocessor
@pytest.mark.parametrize(("data_model", "width"), [("LP64", "-m64"), ("ILP32", "-m32")])
def test_macros_that_compilers_define_have_their_values(data_model: str, width: str) -> None:
    command = ["cc", width, "-dM", "-E", "-x", "c", os.devnull]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if ran.returncode:
        pytest.skip(f"no compiler for {data_model}")
    theirs = dict(line.split(" ", 2)[1:] for line in ran.stdout.splitlines() if line.count(" ") > 1)
    ours = predefined(data_model)
    different = {
        name: (value, theirs.get(name))
        for name, value in ours.items()
        if _number(value) is not None and _number(value) != _number(theirs.get(name, ""))
    }
    assert different.keys() <= {"__STDC_VERSION__", "__WCHAR_MAX__"}
    assert {name for name in ours if name not in theirs} == set()
    assert {name for name in theirs if name.startswith("__SIZEOF_") and "FLOAT" not in name} - ours.keys() <= {
        "__SIZEOF_WINT_T__",
        "__SIZEOF_LONG_DOUBLE__",
    }


def _number(value: str) -> tuple[int, str] | None:
    """The value of a macro and the type that it has by its suffix."""
    found = re.fullmatch(r"(0x[0-9a-f]+|[0-9]+)([uUlL]*)", value)
    return None if found is None else (int(found[1], 0), found[2].upper())


def test_without_a_compiler_programs_may_ask_for_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preprocessor, "PREPROCESSORS", ())
    text = """int r;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ || !defined __SIZEOF_INT128__ || __SIZEOF_LONG__ != 8
#error another machine
#endif
#define PACKED(n) _Pragma("pack(push, 1)") struct n { char a; int b; }; _Pragma("pack(pop)")
PACKED(s)
int main(void) { r = sizeof(struct s); }
"""
    assert execute(load("program.c", text=text, data_model="LP64", terms=Terms()).cfa)["r"] == 5


def test_headers_of_another_data_model_are_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    from argosy.basics.errors import UnsupportedError

    def host_only(command: list[str], path: str, content: bytes, folder: str) -> object:
        if "-m32" in command:
            command = ["false"]
        return original(command, path, content, folder)

    original = preprocessor.run
    monkeypatch.setattr(preprocessor, "run", host_only)
    program = read("#include <stdio.h>\nint r;\nint main(void) { r = 1; }\n")
    assert any("as the host has them" in line for line in program.ledger)
    with pytest.raises(UnsupportedError, match="int64_t has 32 bits"):
        read("#include <stdint.h>\nint64_t r;\nint main(void) { r = 1; }\n")


# ---- what the child is given --------------------------------------------------------------------------------------

PROGRAM = '#include "own.h"\nint r;\nint main(void) {\n  r = TWICE(21);\n}\n'


@needs_preprocessor
@pytest.mark.parametrize(
    "name",
    [
        "@x.c",
        "-x.c",
        "a b.c",
        "a\nb.c",
        "-wrapper touch,ran",
        "-include own.h",
        '"quoted".c',
        "back\\slash.c",
        "x.s",
        "$(touch ran).c",
        "é.c",
    ],
)
def test_no_name_is_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The payload: files of options beside the program, which a driver that read them would obey."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.h").write_text("#define TWICE(x) ((x) * 2)\n")
    payload = f"-wrapper /bin/touch,{tmp_path}/ran\n"
    for options in ("x.c", "@x.c", "b.c"):
        (tmp_path / options).write_text(payload)
    (tmp_path / name).write_text(PROGRAM)
    cfa = load(name, terms=Terms()).cfa
    assert execute(cfa)["r"] == 42
    assert {edge.position.file for edge in cfa.edges} == {name}
    assert [edge.position.line for edge in cfa.edges] == [2, 4]
    assert not (tmp_path / "ran").exists()


@needs_preprocessor
def test_a_file_of_options_is_a_program_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.c").write_text(f"-wrapper /bin/touch,{tmp_path}/ran -E -x c own.c\n#define X\n")
    (tmp_path / "@evil.c").write_text("#define X 1\nint main(void) { return X; }\n")
    load("@evil.c", terms=Terms())
    with pytest.raises(InputError):
        load("evil.c", terms=Terms())
    assert not (tmp_path / "ran").exists()


@needs_preprocessor
def test_headers_are_called_as_the_program_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "own.h").write_text("static int one(void) {\n  return 1;\n}\n")
    (tmp_path / "inner" / "p.c").write_text('#include "own.h"\nint r;\nint main(void) { r = one(); }\n')
    (tmp_path / "own.h").write_text("#error the wrong one\n")
    monkeypatch.chdir(tmp_path)
    cfa = load(os.path.join("inner", "p.c"), terms=Terms()).cfa
    assert {edge.position.file for edge in cfa.edges} == {"inner/p.c", "inner/own.h"}
    with pytest.raises(InputError) as caught:
        (tmp_path / "inner" / "own.h").write_text("int x;\n#error no\n")
        load(os.path.join("inner", "p.c"), terms=Terms())
    assert str(caught.value).startswith("inner/own.h:2:")


@needs_preprocessor
def test_the_preprocessor_reads_a_text_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.h").write_text("#define TWICE(x) ((x) * 2)\n")
    cfa = load("-", terms=Terms(), text=PROGRAM).cfa
    assert execute(cfa)["r"] == 42
    assert {edge.position.file for edge in cfa.edges} == {"-"}


@needs_preprocessor
def test_the_output_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preprocessor, "OUTPUT", 1 << 20)
    doubling = "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(18))
    with pytest.raises(InputError, match="wrote more than 1 MB"):
        read(f"#define A0 int x;\n{doubling}A18\n")


@needs_preprocessor
def test_the_memory_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preprocessor, "MEMORY", 1 << 20)
    with pytest.raises(InputError, match="preprocessor"):
        read("#define X 1\nint main(void) { return X; }\n")


@needs_preprocessor
@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs the children of a process")
def test_the_time_is_limited_where_the_child_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "never.h")
    monkeypatch.setattr(preprocessor, "SECONDS", 1)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="took more than 1 s"):
        load("p.c", terms=Terms(), text='#include "never.h"\nint main(void) { }\n')
    time.sleep(1)
    with pytest.raises(OSError, match="No such device") as refused:
        os.open(tmp_path / "never.h", os.O_WRONLY | os.O_NONBLOCK)
    assert refused.value.errno == errno.ENXIO, "somebody is left to read the pipe"
