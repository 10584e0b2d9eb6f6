# SPDX-License-Identifier: Apache-2.0

"""Sends the reports of bugsink/event-samples through the Sentry integration and counts wrong groups: event_samples.py DAEMON FOLDER.

FOLDER is a copy of that repository, which belongs to other projects. Files `sentry/group_N_event_M.json` with the same N are one fault.
Every report must be stored, with its exceptions' types and their frames. Prints wrong pairs, and fails if more than 2 of 8 equal pairs are
split, more than 9 of 182 different ones merged, or one JavaScript error of eight browsers is more than one issue for each folder of its page.
"""

import hashlib
import itertools
import json
import pathlib
import sys
import tempfile

from grouping import Sender, describe
from sentry import Daemon


def values(part):
    """The entries of an interface that is a list, an object with a list, or one entry."""
    if isinstance(part, dict):
        part = part.get("values", [part] if part else [])
    return [one for one in part or [] if isinstance(one, dict) and one]


def exceptions(event):
    return values(event.get("exception") or event.get("sentry.interfaces.Exception"))


def frames(part):
    """The frames that say where they are."""
    places = ("function", "raw_function", "filename", "abs_path", "module", "package", "instruction_addr")
    return [one for one in (part.get("stacktrace") or {}).get("frames") or [] if isinstance(one, dict) and any(one.get(name) for name in places)]


def losses(event, report):
    """What the report lacks of the event."""
    sent, kept = exceptions(event), report.get("exceptions", [])
    if len(sent) != len(kept):
        yield f"{len(kept)} of {len(sent)} exceptions"
    for number, (a, b) in enumerate(zip(sent, kept)):
        if a.get("type") and str(a["type"])[:1024] != b.get("type"):
            yield f"type {a['type']!r} of exception {number}"
        if len(frames(a)) > len(b.get("frames", [])) < 250:
            yield f"{len(frames(a))} frames of exception {number}, now {len(b.get('frames', []))}"


def named(part):
    """The event without the text that replaces the names of the apps' own functions in the samples. Real reports have a name or none."""
    if isinstance(part, dict):
        return {name: named(value) for name, value in part.items() if (name, value) != ("function", "stripped_application_code")}
    return [named(one) for one in part] if isinstance(part, list) else part


def judge(pairs, issues):
    wrong = [(a, b) for a, b, same in pairs if (issues[a]["id"] == issues[b]["id"]) != same]
    for a, b in wrong:
        print(f"{a} and {b}\n    {describe(issues[a])}\n    {describe(issues[b])}")
    return len(wrong)


def main(program, folder):
    events = {path.stem: named(json.loads(path.read_text())) for path in sorted(pathlib.Path(folder, "sentry").glob("*.json"))}
    ids = {name: hashlib.md5(name.encode()).hexdigest() for name in events}
    missing = []
    with tempfile.TemporaryDirectory() as data:
        daemon = Daemon(program, data)
        try:
            sender = Sender(daemon)
            for name, event in events.items():
                sender.send(ids[name], event)
            found = sender.issues()
            for name, event in events.items():
                dashed = "-".join(ids[name][a:b] for a, b in ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32)))
                stored = daemon.ask("GET", f"/v1/issues/{found[ids[name]]['id']}/events/{dashed}", "read")
                missing += [f"{name}: {loss}" for loss in losses(event, stored["report"])]
        finally:
            daemon.end()
    issues = {name: found[ids[name]] for name in events}
    print(*missing, sep="\n")
    native = [name for name in events if name.startswith("group_")]
    pairs = [(a, b, a.split("_")[1] == b.split("_")[1]) for a, b in itertools.combinations(native, 2)]
    browsers = [name for name in events if name.startswith("javascript-xbrowser")]
    equal, different = ([pair for pair in pairs if pair[2] == same] for same in (True, False))
    split, merged = judge(equal, issues), judge(different, issues)
    count = len({issues[name]["id"] for name in browsers})
    folders = {pathlib.PurePath(frames(exceptions(events[name])[-1])[-1]["filename"]).parent.name for name in browsers}
    print(f"event samples: {len(events)} reports, {split} of {len(equal)} equal pairs split, {merged} of {len(different)} different pairs merged")
    print(f"event samples: one error of {len(browsers)} browsers on a page in {len(folders)} folders is {count} issues")
    assert len(equal) == 8 and len(different) == 182 and len(browsers) == 8, "the samples have changed"
    assert split <= 2 and merged <= 9 and count == len(folders), "too many wrong groups"
    assert not missing, "reports lack parts"


if __name__ == "__main__":
    main(*sys.argv[1:])
