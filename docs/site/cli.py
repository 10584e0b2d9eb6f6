#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/reference/cli.md from the --help of the built programs: cli.py FOLDER [--write]

Without --write it compares, and fails when the page is not up to date.
"""
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path("docs/reference/cli.md")
HEAD = """# Command line

This page is made from `--help` of both programs by `./scripts/docs --write`.

| program | purpose |
|---|---|
| [`ingestd`](#ingestd) | the daemon, and the operator's commands for its data folder |
| [`dashboard-cli`](#dashboard-cli) | the terminal: live dashboard, queries, reports, checks |

The keys of the live dashboard are in [dashboard.md](DASHBOARD).
"""


def ask(program, *words):
    return subprocess.run([program, *words, "--help"], check=True, capture_output=True, text=True).stdout.rstrip()


def block(text):
    return "\n".join(f"    {line}".rstrip() for line in text.split("\n"))


def section(program):
    """A table of the commands by group, then the help of each."""
    help_text = ask(program)
    name = program.name
    lines = [f"## {name}", ""]
    commands = []
    for line in help_text.split("\n"):
        if group := re.fullmatch(r"(\w[\w ]*):", line):
            lines += ["", f"### {name}: {group[1]}", "", "| command | |", "|---|---|"]
        elif command := re.fullmatch(rf"  {name} ((?:[a-z-]+ )+) +(.*)", line):
            words = command[1].split()
            commands.append(words)
            lines.append(f"| [`{name} {' '.join(words)}`](#{'-'.join([name, *words])}) | {command[2]} |")
        elif line:
            lines += ["", line.replace("<", "&lt;")] if not commands or not lines[-1].startswith("|") else ["", line]
    for words in commands:
        # The keys of the live dashboard are the same for all panes and have a separate page.
        text = ask(program, *words).split("\n\nKeys of the live dashboard:")[0]
        lines += ["", f"### {name} {' '.join(words)}", "", block(text)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1])
    dashboard = next(pathlib.Path("docs").rglob("dashboard.md"))
    link = pathlib.PurePosixPath("..") / dashboard.relative_to("docs").as_posix()
    text = "\n".join([HEAD.replace("DASHBOARD", str(link)), *(section(folder / name) for name in ("ingestd", "dashboard-cli"))])
    if "--write" in sys.argv[2:]:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        sys.exit(f"{PAGE} differs from --help of the programs; run ./scripts/docs --write")


main()
