# SPDX-License-Identifier: Apache-2.0

"""Sends judged pairs of events through the Sentry integration and counts wrong groups: grouping.py DAEMON FOLDER.

FOLDER has *.jsonl files. A line of `messages.jsonl` is a message template with three variants, which must become one issue, apart from
all others. A line of any other file is a pair of events that are the same fault or different ones:

    {"name": "...", "same": false, "why": "...", "a": {event}, "b": {event}}

Prints each wrong pair, and for each file the pairs, the merged different pairs and the split equal pairs. Fails above 2 % and 3 %.
"""

import hashlib
import json
import pathlib
import sys
import tempfile
import time
import urllib.request

from sentry import Daemon

MERGED_AT_MOST = 0.02
SPLIT_AT_MOST = 0.03


def event_id(*parts):
    return hashlib.md5("/".join(parts).encode()).hexdigest()


def message_event(template, text):
    event = {"platform": template["platform"], "level": "error"}
    if "type" in template:
        return event | {"exception": {"values": [{"type": template["type"], "value": text}]}}
    return event | {"message": text}


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line]


class Sender:
    """Sends events of a daemon's app and finds the issue of each."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.key, self.project = daemon.dsn.split("//")[1].split("@")[0], daemon.dsn.rsplit("/", 1)[1]

    def send(self, identifier, event):
        body = json.dumps(event | {"event_id": identifier, "timestamp": time.time()}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.daemon.port}/api/{self.project}/store/", body,
            {"X-Sentry-Auth": f"Sentry sentry_key={self.key}, sentry_version=7", "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as response:
            assert response.status == 200

    def issues(self):
        """Returns the issue, and its title and culprit, by the ID of each event."""
        found = {}
        for issue in self.pages("/v1/issues"):
            for event in self.pages(f"/v1/issues/{issue['id']}/events"):
                found[event["id"].replace("-", "")] = issue
        return found

    def pages(self, path):
        after = ""
        while True:
            page = self.daemon.ask("GET", f"{path}?limit=100{after}", "read")
            yield from page["items"]
            if "next" not in page:
                return
            after = "&after=" + urllib.parse.quote(page["next"])


class Score:
    def __init__(self):
        self.different = self.merged = self.equal = self.split = 0

    def add(self, other):
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def __str__(self):
        return f"{self.merged} of {self.different} different merged, {self.split} of {self.equal} equal split"


def describe(issue):
    return f"{issue['id']} {issue['title']!r} in {issue.get('culprit')!r}: {issue.get('reason')!r}"


def judge_pairs(path, issues):
    score = Score()
    for pair in lines(path):
        a, b = (issues[event_id(path.stem, pair["name"], side)] for side in "ab")
        isSame = a["id"] == b["id"]
        if pair["same"]:
            score.equal += 1
            score.split += not isSame
        else:
            score.different += 1
            score.merged += isSame
        if isSame != pair["same"]:
            print(f"{path.stem} {'merged' if isSame else 'split'}: {pair['name']}: {pair['why']}\n    {describe(a)}\n    {describe(b)}")
    return score


def judge_messages(path, issues):
    score, owners = Score(), {}
    for template in lines(path):
        ids = [event_id(path.stem, template["name"], str(n)) for n in range(3)]
        ours = {issues[i]["id"] for i in ids}
        score.equal += 2
        score.split += sum(issues[i]["id"] != issues[ids[0]]["id"] for i in ids[1:])
        score.different += 1
        others = sorted({owners[issue] for issue in ours if issue in owners})
        score.merged += bool(others)
        if others or len(ours) > 1:
            print(f"{path.stem}: {template['name']}: {len(ours)} issues{', with ' + ', '.join(others) if others else ''}")
            for i in ids:
                print("   ", describe(issues[i]))
        owners |= {issue: template["name"] for issue in ours}
    return score


def main(program, folder):
    paths = sorted(pathlib.Path(folder).glob("*.jsonl"))
    total = Score()
    with tempfile.TemporaryDirectory() as data:
        daemon = Daemon(program, data)
        try:
            sender = Sender(daemon)
            for path in paths:
                for line in lines(path):
                    if path.stem == "messages":
                        for number, text in enumerate(line["variants"]):
                            sender.send(event_id(path.stem, line["name"], str(number)), message_event(line, text))
                    else:
                        for side in "ab":
                            sender.send(event_id(path.stem, line["name"], side), line[side])
            issues = sender.issues()
        finally:
            daemon.end()
    scores = {path.stem: (judge_messages if path.stem == "messages" else judge_pairs)(path, issues) for path in paths}
    for name, score in scores.items():
        print(f"{name:14} {score}")
        total.add(score)
    print(f"{'all':14} {total}")
    assert total.merged <= total.different * MERGED_AT_MOST, "too many different faults share an issue"
    assert total.split <= total.equal * SPLIT_AT_MOST, "too many equal faults were split"


if __name__ == "__main__":
    main(*sys.argv[1:])
