"""Random circuits on demand: ``python -m tests.kernel.circuit_fuzz --count 2000 --seed 7``."""

from __future__ import annotations

import argparse
from random import Random

from tests.kernel.test_pdr import check
from tests.models.circuits import random_circuit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    for each in range(chosen.count):
        random = Random(f"{chosen.seed} {each}")
        latches, inputs, gates = random.choice(((5, 3, 12), (8, 2, 25), (9, 3, 40)))
        check(random_circuit(random, latches, inputs, gates))
    print(f"{chosen.count} circuits, no disagreement")


if __name__ == "__main__":
    main()
