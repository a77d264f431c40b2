"""Statements about memory as bytes: parts of objects at another width, library functions, texts."""

from __future__ import annotations

from .pointers import Pointers
from .types import HALF, INT, LONG_LONG, SCALARS, SHORT, UNSIGNED, WIDE, Arr, Scalar, Struct, bytewise


class Widths(Pointers):
    def view(self) -> None:
        """An object through a pointer to integers that are not wider than its own."""
        found = self.find(bytewise, write=True)
        if found is None or found.guards:
            return self.assign()
        element = found.type
        while isinstance(element, Arr):
            element = element.element
        width = min(32, element.bits) if isinstance(element, Scalar) else 8
        if isinstance(element, Scalar) and element in (LONG_LONG, WIDE):
            width = 64
        if isinstance(element, Struct):
            width = 8 if self.chance(50) else 32
        seen = self.rng.choice([s for s in SCALARS if s.bits <= width and s.bits > 1])
        w, count = self.name("w"), f"(unsigned)(sizeof({found.text}) / sizeof({seen.name}))"
        self.open("")
        self.emit(f"{seen.name} *{w} = ({seen.name} *)&{found.text};")
        at = "0" if self.chance(30) else f"{self.expression(1)} % {count}"
        self.emit(f"{w}[{at}] {self.rng.choice(('=', '=', '^=', '+='))} {self.expression(1)};")
        self.mix(f"(unsigned){w}[{self.expression(1)} % {count}]")
        if self.chance(50):
            self.mix(self.read(1))
        self.close()
        return None

    def cast(self) -> None:
        """A part of an integer, by a cast where it is used."""
        found = self.find(lambda t: isinstance(t, Scalar) and t.bits > 8, write=True)
        if found is None or found.guards:
            return self.assign()
        assert isinstance(found.type, Scalar)
        width = 32 if found.type.name.endswith("long") else found.type.bits
        seen = self.rng.choice([s for s in SCALARS if 1 < s.bits <= width])
        part = f"*({seen.name} *)&{found.text}"
        if self.chance(60):
            part = f"(({seen.name} *)&{found.text})[{self.rng.randrange(width // seen.bits)}]"
        if self.chance(60):
            self.emit(f"{part} {self.rng.choice(('=', '=', '^=', '+='))} {self.expression(1)};")
        self.mix(f"(unsigned){part} + (unsigned){found.text}")
        return None

    def bytes_(self) -> None:
        """``memcpy``, ``memset`` and ``memmove``."""
        found = self.find(bytewise, write=True)
        if found is None or found.guards:
            return self.assign()
        kind = self.rng.randrange(6)
        if kind == 0:
            self.emit(f"memset(&{found.text}, {self.rng.choice(('0', '1', '255', '-1'))}, sizeof({found.text}));")
        elif kind == 1:
            self.emit(f"memset(&{found.text}, (int){self.expression(1)}, sizeof({found.text}) / 2);")
        elif kind < 4:
            w = self.name("w")
            self.open("")
            self.emit(f"unsigned char {w}[sizeof({found.text})];")
            self.emit(f"memcpy({w}, &{found.text}, sizeof {w});")
            self.emit(f"{w}[{self.expression(1)} % (unsigned)sizeof {w}] ^= {self.expression(1)};")
            self.emit(f"memcpy(&{found.text}, {w}, sizeof {w});")
            self.mix(f"(unsigned){w}[0]")
            self.close()
        elif kind == 4:
            other = self.find(lambda t: t == found.type)
            if other is None or other.guards:
                return self.assign()
            self.emit(f"memmove(&{found.text}, &{other.text}, sizeof({found.text}));")
        else:
            w = self.name("w")
            type_ = self.rng.choice((UNSIGNED, WIDE, INT, SHORT, HALF))
            self.open("")
            self.emit(f"{type_.name} {w} = {self.expression(1)};")
            least = f"(sizeof {w} < sizeof({found.text}) ? sizeof {w} : sizeof({found.text}))"
            if self.chance(50):
                self.emit(f"memcpy(&{w}, &{found.text}, {least});")
            else:
                self.emit(f"memcpy(&{found.text}, &{w}, {least});")
            self.mix(f"(unsigned){w}")
            self.close()
        return None

    def strings(self) -> None:
        w = self.name("w")
        text = "".join(
            self.rng.choice(("a", "Z", "0", "\\\\n", "\\\\0", '\\\\x41" "', "\\\\101", "\\\\377")) for _ in range(4)
        )
        text = text.replace("\\\\", "\\")
        size = self.rng.randint(4, 7)
        self.open("")
        self.emit(f'{self.rng.choice(("char", "unsigned char", "signed char"))} {w}[{size}] = "{text}";')
        self.mix(f'(unsigned){w}[{self.expression(1)} % {size}u] * 3u + (unsigned)sizeof("{text}" "b")')
        self.close()
