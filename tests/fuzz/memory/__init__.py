"""Random C programs about memory: arrays, structures, unions, pointers, and most of what C has besides.

Laws of the generator: for given inputs a program is deterministic, ends, and does nothing that C leaves undefined or
unspecified. Indices are reduced to their ranges, pointers lead to objects that live at least as long as they do,
pointers that may be null are asked first, everything is initialised, arithmetic is unsigned or small, and expressions
have no side effects but where their order is defined. All that a program computes goes to the global ``r``; a marker
shows a checksum of all globals.

Every block of a program starts at the end of a line and ends at the start of one: ``reduction`` cuts along lines.
"""

from .program import generate as generate
from .scope import FEATURES as FEATURES
from .scope import Profile as Profile
