#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every internal link and anchor of the built site leads somewhere: check_links.py SITE

    docs/queries.html: limits.html#bodies: no such anchor
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """The links and anchors of one page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.add(value)


def problems(site):
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    for path, page in sorted(pages.items()):
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                yield f"{path.relative_to(site)}: {link}: no such file"
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                yield f"{path.relative_to(site)}: {link}: no such anchor"


def external_assets(site):
    """Scripts, styles and images of other hosts would need a network."""
    for path in site.rglob("*.html"):
        for link in Page(path).links:
            if link.startswith(("http:", "https:", "//")) and pathlib.PurePath(urllib.parse.urlsplit(link).path).suffix in (".js", ".css"):
                yield f"{path.relative_to(site)}: {link}: not part of the site"


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1]).resolve()
    found = sorted(set(problems(folder)) | set(external_assets(folder)))
    if not any(folder.rglob("*.html")):
        found.append(f"{folder}: no pages")
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
