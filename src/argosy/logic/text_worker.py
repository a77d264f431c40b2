"""The process in which a solver reads SMT-LIB text: a script with the solver's name as its argument and the text on
standard input, which prints what the solver prints.

The text goes through the solver's own parser. The script imports nothing of the project: what it answers depends on the
text and on the solver alone.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping


def watch(parent: int) -> None:
    """Ends the process when the one that started it is gone."""
    while os.getppid() == parent:
        time.sleep(0.25)
    os._exit(1)


def by_z3(text: str) -> None:
    import z3

    try:
        answers = z3.Z3_eval_smtlib2_string(z3.main_ctx().ref(), text)
    except z3.Z3Exception as error:
        message = error.value
        answers = message.decode() if isinstance(message, bytes) else str(message)
    print(answers)


def by_bitwuzla(text: str) -> None:
    import bitwuzla

    try:
        bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options()).parse(text, False, False)
    except bitwuzla.BitwuzlaException as error:
        print(error)


def by_cvc5(text: str) -> None:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("incremental", "true")
    solver.setOption("arrays-exp", "true")  # without it a constant array is refused
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "certificate")
    try:
        while not (command := parser.nextCommand()).isNull():
            print(command.invoke(solver, parser.getSymbolManager()), end="", flush=True)
    except RuntimeError as error:
        print(error)


SOLVERS: Mapping[str, Callable[[str], None]] = {"z3": by_z3, "bitwuzla": by_bitwuzla, "cvc5": by_cvc5}


if __name__ == "__main__":
    threading.Thread(target=watch, args=(os.getppid(),), daemon=True).start()
    SOLVERS[sys.argv[1]](sys.stdin.read())
