"""Random networks of two or three processes of one template, as text: half of them over a scalar set, half over
integers, where now and then something tells the processes apart."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from argosy.frontends.uppaal.load import read_text
from argosy.models.network import Network
from argosy.models.network_queries import Query

LARGEST = 2


@dataclass
class SymmetricCase:
    text: str
    network: Network
    queries: list[Query]
    scalar: bool


class SymmetricGenerator:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.scalar = seed % 2 == 0
        self.size = self.random.choice([2, 3, 3])
        self.shared = self.size == 2 and self.chance(0.4)
        self.diagonals = self.chance(0.15)
        self.timed = self.chance(0.8)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def case(self) -> SymmetricCase:
        text = self.model()
        queries = [self.query() for _ in range(4)]
        network, read = read_text("model", text, "\n".join(queries))
        asked = [query for query in read if isinstance(query, Query)]
        assert len(asked) == len(queries), (text, read)
        return SymmetricCase(text, network, asked, self.scalar)

    def model(self) -> str:
        domain = f"scalar[{self.size}]" if self.scalar else f"int[1, {self.size}]"
        turn = "id_t turn;" if self.scalar else f"int[0, {self.size}] turn = 0;"
        broadcast = "urgent broadcast" if self.chance(0.2) else "broadcast"
        lines = [
            f"typedef {domain} id_t;",
            turn,
            "bool flag[id_t];",
            f"int[0, 1] v; chan c, d[id_t]; {broadcast} chan b;",
            "clock g;" if self.shared else "",
        ]
        count = self.random.choice([2, 3])
        clock = "clock x;" if self.timed else ""
        local = self.random.choice(["", "id_t friend;", "int[0, 1] k;"])
        self.own = local.split()[-1][:-1] if local else ""
        lines.append(f"process P(const id_t me) {{ {clock} {local}")
        lines.append(self.locations(count))
        lines.append("trans")
        edges = [self.edge(n % count, self.random.randrange(count)) for n in range(self.random.choice([3, 4, 5]))]
        lines.append(",\n".join(edges) + ";\n}")
        lines.append("process Q() { state M0, M1; init M0; trans")
        lines.append(",\n".join(self.controller() for _ in range(2)) + ";\n}")
        lines.append("system P, Q;" if self.chance(0.6) else "system P;")
        return "\n".join(lines)

    def locations(self, count: int) -> str:
        places = []
        kinds: dict[str, list[str]] = {"commit": [], "urgent": []}
        for number in range(count):
            invariant = f" {{ x <= {self.constant(1)} }}" if self.timed and self.chance(0.4) else ""
            places.append(f"L{number}{invariant}")
            for kind in kinds:
                if number and self.chance(0.1):
                    kinds[kind].append(f"L{number}")
                    break
        text = f"state {', '.join(places)};\n"
        for kind, names in kinds.items():
            if names:
                text += f"{kind} {', '.join(names)};\n"
        return text + "init L0;"

    def edge(self, source: int, target: int) -> str:
        sync = self.random.choice(["", "", "c!", "c?", "b!", "b?", "d[me]?", "d[turn]!"])
        if not self.scalar and sync == "d[turn]!":
            sync = "d[me]!"
        guards = [self.guard(not sync.startswith("b")) for _ in range(self.random.choice([0, 1, 1, 2]))]
        updates = [self.update(sync == "b?") for _ in range(self.random.choice([0, 1, 1, 2]))]
        parts = [
            f"guard {' && '.join(guards)};" if guards else "",
            f"sync {sync};" if sync else "",
            f"assign {', '.join(u for u in updates if u)};" if any(updates) else "",
        ]
        return f"L{source} -> L{target} {{ {' '.join(parts)} }}"

    def guard(self, clocks: bool) -> str:
        pool = ["turn == me", "turn != me", "flag[me]", "!flag[me]", f"v == {self.random.randrange(2)}"]
        pool.append("forall (i : id_t) (i == me || !flag[i])")
        pool.append("exists (i : id_t) (i != me && flag[i])")
        if clocks and self.timed:
            pool += [f"x {self.random.choice(['<', '<=', '>=', '>', '=='])} {self.constant(0)}"] * 5
            if self.shared:
                pool.append(f"g >= {self.constant(0)}")
                if self.diagonals:
                    pool.append(f"x - g < {self.constant(0)}")
        if self.own == "friend":
            pool += ["friend == turn", "flag[friend]", "friend != me"]
        if self.own == "k":
            pool.append("k == 1")
        if self.scalar:
            pool.append("flag[turn]")
        elif self.chance(0.1):
            pool += ["me == 1", "turn < me", "turn + 1 == me"] * 3
        else:
            pool += ["turn == 0"] * 2
        return self.random.choice(pool)

    def update(self, receives: bool) -> str:
        pool = ["flag[me] = true", "flag[me] = false"]
        if self.timed:
            pool += ["x = 0"] * 3
        if self.own == "friend":
            pool.append("friend = me")
        if self.own == "k":
            pool.append("k = 1 - k")
        if not receives or self.chance(0.1):
            pool += ["turn = me", "turn = me", "v = 1 - v", "v = 1"]
            if self.shared:
                pool.append("g = 0")
            if self.scalar:
                pool.append("flag[turn] = false")
            else:
                pool += ["turn = 0"]
                if self.chance(0.05):
                    pool += ["v = (me == 2)", "turn = 1"] * 3
            if self.own == "friend" and self.scalar:
                pool += ["friend = turn", "turn = friend"]
        return self.random.choice(pool)

    def controller(self) -> str:
        source, target = self.random.randrange(2), self.random.randrange(2)
        return self.random.choice(
            [
                f"M{source} -> M{target} {{ select i : id_t; sync d[i]!; assign turn = i; }}",
                f"M{source} -> M{target} {{ select i : id_t; guard flag[i]; assign flag[i] = false; }}",
                f"M{source} -> M{target} {{ sync b!; assign v = 0; }}",
                f"M{source} -> M{target} {{ guard forall (i : id_t) flag[i]; sync c!; }}",
            ]
        )

    def constant(self, least: int) -> int:
        return self.random.randint(least, LARGEST)

    def query(self) -> str:
        place = f"L{self.random.randrange(2)}"
        pool = [
            f"E<> exists (i : id_t) exists (j : id_t) (i != j && P(i).{place} && P(j).L1)",
            f"E<> forall (i : id_t) P(i).{place}",
            f"E<> exists (i : id_t) (P(i).{place} && turn == i && flag[i])",
            "E<> forall (i : id_t) flag[i]",
            "A[] not deadlock",
        ]
        if self.timed:
            pool.append(f"E<> exists (i : id_t) (P(i).{place} && P(i).x > {self.constant(0)})")
            pool.append(f"E<> exists (i : id_t) (P(i).{place} && P(i).x > {self.constant(0)} && turn == i)")
        if not self.scalar:
            pool.append(f"E<> P(1).{place} && P(2).L1")
            pool.append(f"E<> P({self.size}).{place} && flag[{self.size}] && v == 1")
        return self.random.choice(pool)
