"""A hook of mkdocs: links that leave ``docs/`` lead to files of the repository, which a site does not have.

Each must exist; on the site its words stay, as what they are: the name of a file. The rest of the links is checked by
mkdocs itself (``strict``).
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"(?<!!)\[([^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\(([^)#\s]+)(#[^)]*)?\)")

log = logging.getLogger("mkdocs.hooks.links")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    source = Path(page.file.abs_src_path)

    def shown(link: re.Match[str]) -> str:
        target = link[2]
        if "://" in target or target.startswith("mailto:"):
            return link[0]
        place = (source.parent / target).resolve()
        if place.is_relative_to(ROOT / "docs"):
            return link[0]
        if not place.exists():
            log.warning("%s: there is no %s", page.file.src_uri, target)
        return link[1]

    return LINK.sub(shown, markdown)
