"""``python -m tests.frontends.c.attack``: what is wrong today, into ``known_wrong.txt``; with names: only those, shown.

``--truth`` asks the compilers too, and ends with 1 where a file says something else than they do.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from .programs import KNOWN, answer, attacks, compilers, executed

HEAD = """\
# Programs of this folder about which Argosy says something wrong today: program, data model, answer.
# A mend removes its lines (the tests expect these failures strictly); `python -m tests.frontends.c.attack` does it.
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.frontends.c.attack", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names; without them all are asked and the list is written")
    parser.add_argument("--truth", action="store_true", help="ask the compilers whether the files are right")
    options = parser.parse_args()
    chosen = [a for a in attacks() if not options.names or any(part in a.name for part in options.names)]
    wrong: dict[str, str] = {}
    false_files = 0
    answers: Counter[str] = Counter()
    for attack in chosen:
        if options.truth and attack.runs:
            for command in compilers(attack.model):
                seen = executed(attack, command)
                if seen not in attack.expect:
                    false_files += 1
                    print(f"{attack.name}: {command[0]} says {seen}")
        given = answer(attack)
        answers[given.verdict] += 1
        if not given.allowed(attack):
            wrong[attack.name] = given.verdict
            print(f"{attack.name}: {given}; expected {'-or-'.join(sorted(attack.expect))}")
        elif options.names:
            print(f"{attack.name}: {given}")
    print(f"{len(chosen)} asked, {len(wrong)} wrong; answers: {dict(answers)}")
    if not options.names:
        KNOWN.write_text(HEAD + "".join(f"{name} {verdict}\n" for name, verdict in sorted(wrong.items())))
    return 1 if false_files else 0


if __name__ == "__main__":
    sys.exit(main())
