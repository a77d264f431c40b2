"""``--harness FILE.c``: a counterexample that runs. Compiled together with the program, it gives every call of a
function without a body the value that it had in the counterexample, and ends the process with 107 where the error is
reached (the convention of CPAchecker's harnesses).

The text is C11 with GNU attributes and includes nothing: its functions are declared without parameters, so that they
fit whatever the program declares.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from argosy.basics.version import VERSION
from argosy.logic.floating import DOUBLE, SINGLE, FloatFormat, decimal, is_infinite, is_nan, is_negative
from argosy.logic.semantics import Value
from argosy.models.sources import Duty, OutsideFunction, OutsideObject
from argosy.report.cycles import numbered
from argosy.report.exporters import Decided, File
from argosy.report.recording import Recording, recordings

REACHED = 107
BEYOND = 77
EXCLUDED = 76
INSTRUMENTED = "ARGOSY_INSTRUMENTED"

_SUFFIXES = {"int": "", "unsigned int": "u", "long": "l", "unsigned long": "ul"}
_MOST_ARGUMENTS = 1024


def harnesses(decided: Decided, path: str) -> Iterator[File]:
    """A file for each execution; without one nothing is written."""
    found = list(recordings(decided, "harness"))
    for number, recording in found:
        yield numbered(path, number, len(found)), harness(recording)


def observed_calls(recording: Recording) -> tuple[str, ...]:
    """The functions whose entry is the error and which the program itself defines: the compiler has to tell."""
    return tuple(sorted(recording.program.errors.calls & recording.landmarks.outside().defined))


def compile_flags(recording: Recording) -> list[str]:
    """Besides the width: what the compiler has to be told."""
    flags = ["-g", "-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
    if observed_calls(recording):
        flags += ["-finstrument-functions", f"-D{INSTRUMENTED}"]
    return flags


def harness(recording: Recording) -> str:
    lines = [*_head(recording), "", "extern void _Exit(int) __attribute__((noreturn));", ""]
    outside, errors = recording.landmarks.outside(), recording.program.errors
    for function in outside.functions:
        lines += [*_function(recording, function), ""]
    for name in sorted(errors.calls - outside.defined - {function.name for function in outside.functions}):
        lines += [f"void {name}() {{ _Exit({REACHED}); }}", ""]
    for object_ in outside.objects:
        lines += [*_object(recording, object_), ""]
    lines += _errors(recording)
    lines += _entry(recording)
    return "\n".join(lines).rstrip() + "\n"


def _head(recording: Recording) -> Iterator[str]:
    path, place = recording.program.path, recording.place
    yield f"/* A counterexample of {_plain(path)}, found by argosy {VERSION}."
    yield " *"
    yield f" * The error: {_plain(recording.last.text)}, line {place.line}."
    yield f" * {len(recording.calls)} calls get the values that they had there. Compile and run it with"
    yield " *"
    width = "-m32" if recording.landmarks.outside().data_model == "ILP32" else "-m64"
    files = recording.landmarks.outside().files or ((path, ()),)
    words = [*compile_flags(recording), *dict.fromkeys(word for _, own in files for word in own)]
    named = " ".join(_plain(each) for each, _ in files)
    yield f" *     gcc {width} {_plain(' '.join(words))} {named} THIS_FILE -o error && ./error"
    yield " *"
    yield f" * Exit codes: {REACHED} the error is reached, {BEYOND} a call beyond the recording, {EXCLUDED} what the"
    yield " * program assumes does not hold. Anything else: the program ended, or the sanitizer stopped it."
    for reason in recording.unforced:
        yield f" * Not decided here: {_plain(reason)}."
    if observed_calls(recording):
        yield " * The program defines the function that is the error: the compiler is told to report what is entered."
        yield " * Without these two options a failing assertion is taken for it."
    if recording.program.errors.labels:
        yield " * The error is a label, which nobody outside the program can see."
    yield " */"


def _plain(text: str) -> str:
    """Inside a comment."""
    return re.sub(r"[^\x20-\x7e]", "?", text).replace("*/", "* /").replace("/*", "/ *").replace("\\", "/")


# ---- functions ------------------------------------------------------------------------------------------------------


def _function(recording: Recording, function: OutsideFunction) -> Iterator[str]:
    name, type_ = function.name, function.result
    weak = "__attribute__((weak)) "
    if name in recording.program.errors.calls:
        yield f"{type_ or 'void'} {name}() {{ _Exit({REACHED}); }}"
        return
    if not type_:
        yield f"/* {name} gives a structure: it is not defined here. */"
        return
    match function.duty:
        case Duty.VALUE:
            yield from _values(recording, function)
        case Duty.NOTHING:
            yield f"{weak}{type_} {name}() {{ {'' if type_ == 'void' else 'return 0; '}}}"
        case Duty.END:
            yield f"{weak}{type_} {name}() {{ _Exit(0); }}"
        case Duty.ASSUME | Duty.ASSERT:
            code = REACHED if function.duty is Duty.ASSERT else EXCLUDED
            back = "" if type_ == "void" else " return 0;"
            yield f"{weak}{type_} {name}(int condition) {{ if (!condition) _Exit({code});{back} }}"


def _values(recording: Recording, function: OutsideFunction) -> Iterator[str]:
    name, type_ = function.name, function.result
    weak = "__attribute__((weak)) "
    calls = [call for call in recording.calls if call.source.function == name]
    if type_ == "long double":
        yield f"{weak}{type_} {name}() {{ return 0; }} /* its values do not matter */"
    elif not calls:
        yield f"{weak}{type_} {name}() {{ _Exit({BEYOND}); }}"
    else:
        yield f"static {type_}{'' if type_.endswith('*') else ' '}const argosy_{name}[] = {{"
        for call in calls:
            at = call.source.position
            yield f"    {literal(call.value, type_)}, /* line {at.line}: {_plain(call.source.text)} */"
        yield "};"
        yield f"static unsigned long argosy_calls_of_{name};"
        yield f"{weak}{type_} {name}() {{"
        yield f"    if (argosy_calls_of_{name} == sizeof argosy_{name} / sizeof argosy_{name}[0]) _Exit({BEYOND});"
        yield f"    return argosy_{name}[argosy_calls_of_{name}++];"
        yield "}"


def _floating(format_: FloatFormat, value: int) -> str:
    """The number with these bits; what is no number by the builtins that compilers fold."""
    sign, suffix = "-" if is_negative(format_, value) else "", "f" if format_ == SINGLE else ""
    if is_infinite(format_, value):
        return f"{sign}__builtin_inf{suffix}()"
    if is_nan(format_, value):
        payload = value & ((1 << (format_.significand - 2)) - 1)
        quiet = value & format_.nan == format_.nan
        return f'{sign}__builtin_nan{"" if quiet else "s"}{suffix}("{payload:#x}")'
    return decimal(format_, value)


def literal(value: Value, type_: str) -> str:
    """A constant expression with the value, of the type or one that converts to it."""
    assert isinstance(value, int)
    number = int(value)
    if type_ in ("float", "double"):
        return _floating(SINGLE if type_ == "float" else DOUBLE, number)
    if type_.endswith("*"):
        return f"(void *) {number:#x}ul" if number else "0"
    if "__int128" in type_:
        unsigned = number % (1 << 128)
        return f"({type_}) (((unsigned __int128) {unsigned >> 64:#x}ull << 64) | {unsigned % (1 << 64):#x}ull)"
    suffix = _SUFFIXES.get(type_, "ull" if type_.startswith("unsigned long") else "")
    if type_ in ("long", "long long") or number.bit_length() > 31:
        suffix = "ll" if not type_.startswith("unsigned") else "ull"
    if number < 0:
        return f"(-{-number - 1}{suffix} - 1)" if number in (-(1 << 31), -(1 << 63)) else f"-{-number}{suffix}"
    return f"{number}{suffix}"


# ---- objects, errors, the start -------------------------------------------------------------------------------------


def _object(recording: Recording, object_: OutsideObject) -> Iterator[str]:
    """Bytes, whatever the type is: the linker knows names only."""
    content = bytearray(object_.size)
    for cell in object_.cells:
        value = recording.objects.get(cell.variable, 0)
        assert isinstance(value, int)
        content[cell.offset : cell.offset + cell.size] = (int(value) % (1 << 8 * cell.size)).to_bytes(
            cell.size, "little"
        )
    shown = ", ".join(map(str, bytes(content).rstrip(b"\0") or b"\0"))
    yield "__attribute__((weak, aligned(16)))"
    yield f"unsigned char {object_.name}[{object_.size}] = {{ {shown} }};"


def _errors(recording: Recording) -> Iterator[str]:
    errors, outside = recording.program.errors, recording.landmarks.outside()
    own = observed_calls(recording)
    if errors.operations:
        yield "const char *__ubsan_default_options(void);"
        yield f'const char *__ubsan_default_options(void) {{ return "halt_on_error=1:exitcode={REACHED}"; }}'
        yield ""
    if own:
        yield f"#ifdef {INSTRUMENTED}"
        for name in own:
            if name not in outside.hidden:
                yield f"extern void {name}();"
        yield "__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *entered, void *from);"
        yield "__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *left, void *from);"
        yield "void __cyg_profile_func_enter(void *entered, void *from) {"
        yield "    (void) entered;"
        yield "    (void) from;"
        for name in own:
            if name not in outside.hidden:
                yield f"    if (entered == (void *) {name}) _Exit({REACHED});"
        yield "}"
        yield "void __cyg_profile_func_exit(void *left, void *from) { (void) left; (void) from; }"
        yield "#else"
        yield from _failing_assertions()
        yield "#endif"
        yield ""
    elif errors.assertions:
        yield from _failing_assertions()
        yield ""


def _failing_assertions() -> Iterator[str]:
    parameters = "const char *text, const char *file, unsigned int line, const char *function"
    yield f"__attribute__((noreturn)) void __assert_fail({parameters});"
    yield f"void __assert_fail({parameters}) {{"
    yield "    (void) text; (void) file; (void) line; (void) function;"
    yield f"    _Exit({REACHED});"
    yield "}"


def _entry(recording: Recording) -> Sequence[str]:
    """A function of one's own to begin with, or parameters of ``main``: it is called before the system does."""
    outside = recording.landmarks.outside()
    if outside.entry == "main" and not outside.parameters:
        return []
    arguments = []
    count = 0
    for index, parameter in enumerate(outside.parameters):
        value = recording.parameters.get(parameter.cells[0].variable, 0) if parameter.cells else 0
        if outside.entry == "main" and index == 1:
            arguments.append("argosy_arguments")
        elif outside.entry == "main" and index > 1:
            arguments.append("argosy_arguments + argosy_count")
        else:
            arguments.append(f"({parameter.type}) {literal(value, parameter.type)}")
            count = int(value) if isinstance(value, int) and not index else count
    # Without a prototype a float would be passed as a double.
    types = [parameter.type for parameter in outside.parameters]
    lines = [f"extern int {outside.entry}({', '.join(types) if 'float' in types else ''});"]
    if outside.entry != "main":
        call = f"{outside.entry}({', '.join(arguments)})"
        return [*lines, f"int main(void) {{ {call}; return 0; }}"]
    length = max(0, min(count, _MOST_ARGUMENTS))
    texts = ", ".join(['"argosy"'] * length + ["0"])
    return [
        *lines,
        "extern void exit(int) __attribute__((noreturn));",
        f"enum {{ argosy_count = {length} }};",
        f"static char *argosy_arguments[] = {{ {texts} }};",
        "__attribute__((constructor, no_instrument_function)) static void argosy_start(void) {",
        f"    exit(main({', '.join(arguments)}));",
        "}",
    ]
