# SPDX-License-Identifier: Apache-2.0

"""Minifies `src` in two builds with different names, with source maps, and records the stack of a failure in each: make.py

It needs Node. Each build has `app.min.js`, `app.min.js.map` and `stack.json`, the frames as SDKs send them, oldest first.
"""

import json
import pathlib
import re
import subprocess

FOLDER = pathlib.Path(__file__).parent
SOURCES = ["node_modules/tiny/index.js", "src/stock.js", "src/cart.js", "src/main.js"]
TOKEN = re.compile(r'\s+|//[^\n]*|"[^"]*"|[A-Za-z_$][\w$]*|\d+|[-+*/=<>!]=|&&|=>|.')
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
KEPT = {"items", "total", "left", "amount", "shop", "pay", "globalThis"}
BUILDS = {
    "first": {
        "banner": '"use strict";',
        "names": {
            "runTask": "a", "checkStock": "b", "Cart": "c", "addItem": "d", "startPayment": "e", "checkout": "f",
            "callback": "t", "item": "t", "cart": "n",
        },
    },
    "second": {
        "banner": '"use strict";const version="2.1.0";',
        "names": {
            "addItem": "a", "runTask": "b", "Cart": "d", "startPayment": "f", "checkStock": "g", "checkout": "h",
            "callback": "n", "item": "r", "cart": "e",
        },
    },
}


def number(value):
    """Encodes a number as in `mappings`."""
    value = -value << 1 | 1 if value < 0 else value << 1
    text = ""
    while True:
        digit, value = value & 31, value >> 5
        text += DIGITS[digit | 32 if value else digit]
        if not value:
            return text


def tokens(source):
    """Yields each token with its line and column, both from 0."""
    line, start = 0, 0
    for match in TOKEN.finditer(source):
        text = match.group()
        if not text.isspace() and not text.startswith("//"):
            yield text, line, match.start() - start
        if "\n" in text:
            line, start = line + text.count("\n"), match.start() + text.rindex("\n") + 1


class Bundle:
    """A line of code with its mappings."""

    def __init__(self, banner, renamed):
        self.code, self.renamed, self.names, self.segments = banner, renamed, [], []
        self.last = [0, 0, 0, 0, 0]

    def add(self, source, text):
        before = ""
        for token, line, column in tokens(text):
            isWord = lambda character: character.isalnum() or character in "_$"
            if isWord(self.code[-1]) and isWord(token[0]):
                self.code += " "
            after = before == "." and token in KEPT
            name = None if after else self.renamed.get(token)
            self.map(source, line, column, token if name else None)
            self.code += name or token
            before = token

    def map(self, source, line, column, name):
        if name and name not in self.names:
            self.names.append(name)
        fields = [len(self.code), source, line, column] + ([self.names.index(name)] if name else [])
        self.segments.append("".join(number(new - old) for new, old in zip(fields, self.last)))
        self.last[: len(fields)] = fields


def stack(file):
    """Returns the frames of a failure, as Node names them."""
    program = f"""
        require({json.dumps(str(file))});
        try {{ shop.pay([{{left: 3, amount: 2}}, {{left: 1, amount: 2}}]); }} catch (error) {{ console.log(error.stack); }}
    """
    printed = subprocess.run(["node", "-e", program], capture_output=True, text=True, check=True).stdout
    frames = []
    for line in printed.splitlines():
        found = re.match(r"\s+at (?:(.*) \()?.*app\.min\.js:(\d+):(\d+)\)?$", line)
        if found:
            frames.append({"function": found[1] or "?", "lineno": int(found[2]), "colno": int(found[3])})
    return frames[::-1]


for build, options in BUILDS.items():
    bundle = Bundle(options["banner"], options["names"])
    texts = [(FOLDER / "src" / source).read_text() for source in SOURCES]
    for source, text in enumerate(texts):
        bundle.add(source, text)
    folder = FOLDER / build
    folder.mkdir(exist_ok=True)
    (folder / "app.min.js").write_text(bundle.code + "\n//# sourceMappingURL=app.min.js.map\n")
    content = {
        "version": 3, "file": "app.min.js", "sources": ["webpack://shop/./" + source for source in SOURCES], "sourcesContent": texts,
        "names": bundle.names, "mappings": ",".join(bundle.segments), "ignoreList": [0],
    }
    (folder / "app.min.js.map").write_text(json.dumps(content, separators=(",", ":")) + "\n")
    (folder / "stack.json").write_text(json.dumps(stack(folder / "app.min.js"), indent=1) + "\n")
