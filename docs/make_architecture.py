"""Draws docs/images/architecture.svg: the one way from a text to a result, and the parts it passes.

python docs/make_architecture.py
"""

from __future__ import annotations

from html import escape
from pathlib import Path

WIDTH, HEIGHT = 1180, 560
BOX = 150

STATIONS = (
    ("text", "", "prog.c, model.xta, …"),
    ("Format", "frontends/", "one line in a table"),
    ("Problem", "problem/ · models/", "model and properties"),
    ("Backend", "backends/", "one per kind of model"),
    ("Answers", "evidence as objects", "one per property, assertion, query"),
    ("Result", "report/", "JSON, schema 2"),
    ("Outputs", "report/", "one line in a table each"),
)
CENTRE = (
    ("engine", "one loop: explore, refine", "engine.py"),
    ("domains · refiners", "values, predicates, products", "interpolants, pruning"),
    ("kernel · directed", "zones in C++", "search heuristics"),
    ("certify", "invariants re-checked", "executions replayed"),
)
GROUND = (
    ("strategies", "typed options, one table"),
    ("invariants", "guessed, then proved"),
    ("logic", "terms, solvers, interpolation"),
    ("basics", "positions, errors, budgets"),
)


def box(x: float, y: float, width: float, height: float, kind: str, *lines: str) -> str:
    texts = "".join(
        f'<text class="{"name" if i == 0 else "note"}" x="{x + width / 2}" y="{y + 26 + 20 * i}">{escape(line)}</text>'
        for i, line in enumerate(filter(None, lines))
    )
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{width}" height="{height}" rx="10"/>{texts}'


def arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path class="arrow" d="M{x1} {y1}L{x2} {y2}" marker-end="url(#tip)"/>'


def picture() -> str:
    parts = []
    gap = (WIDTH - 40 - len(STATIONS) * BOX) / (len(STATIONS) - 1)
    for i, (name, where, note) in enumerate(STATIONS):
        x = 20 + i * (BOX + gap)
        parts.append(box(x, 60, BOX, 84, "station", name, where, note if len(note) <= 24 else ""))
        if i:
            parts.append(arrow(x - gap + 1, 102, x - 3, 102))
    middle = 20 + 3 * (BOX + gap) + BOX / 2
    parts.append(arrow(middle - 14, 146, middle - 14, 214))
    parts.append(arrow(middle + 14, 214, middle + 14, 148))
    parts.append(f'<text class="note" x="{middle - 92}" y="186">problem, plan</text>')
    parts.append(f'<text class="note" x="{middle + 100}" y="186">claims, paths</text>')
    parts.append(f'<rect class="frame" x="20" y="218" width="{WIDTH - 40}" height="140" rx="14"/>')
    parts.append('<text class="title" x="40" y="244">the centre</text>')
    wide = (WIDTH - 80 - 3 * 20) / 4
    for i, (name, *notes) in enumerate(CENTRE):
        parts.append(box(40 + i * (wide + 20), 258, wide, 84, "centre", name, *notes))
    parts.append(f'<rect class="frame" x="20" y="380" width="{WIDTH - 40}" height="112" rx="14"/>')
    parts.append('<text class="title" x="40" y="406">the ground</text>')
    for i, (name, *notes) in enumerate(GROUND):
        parts.append(box(40 + i * (wide + 20), 418, wide, 60, "ground", name, *notes))
    parts.append(
        f'<text class="note" x="{WIDTH / 2}" y="526">session/ runs the way in a child process under a budget; '
        "cli/ and bench/ call it; dependencies point down, and there are no cycles</text>"
    )
    return "\n".join(parts)


def main() -> None:
    style = """
    text { font-family: ui-sans-serif, Helvetica, Arial, sans-serif; text-anchor: middle; fill: #1c2733; }
    .name { font-size: 16px; font-weight: 600; } .note { font-size: 12.5px; fill: #53616f; }
    .title { font-size: 13px; font-weight: 600; text-anchor: start; fill: #53616f; }
    .station { fill: #eaf2fb; stroke: #3b76b8; } .centre { fill: #f3eefb; stroke: #7a55b5; }
    .ground { fill: #eef6ee; stroke: #4b8a56; } .frame { fill: none; stroke: #c4ccd4; stroke-dasharray: 5 5; }
    .arrow { stroke: #3b76b8; stroke-width: 1.8; fill: none; }
    """
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
    tip = '<path d="M0 0L8 4L0 8z" fill="#3b76b8"/>'
    marker = (
        f'<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">{tip}</marker></defs>'
    )
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    title = '<text class="title" x="20" y="36">One way in, one way out</text>'
    text = f"{head}<style>{style}</style>{marker}{ground}{title}\n{picture()}\n</svg>\n"
    (Path(__file__).parent / "images" / "architecture.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
