# SPDX-License-Identifier: Apache-2.0

"""The forms of hidane's fixtures: for each a generator of (name, level, ours, recorded) of its cases, as the daemon answers them."""

import base64
import http.client
import json
import re

from door import Side
from emulator import ROOT

OPEN = "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { match /{path=**} { allow read, write; } } }"
BYTES, JSON, WORDS, DIFFERENT = "byte for byte", "as JSON", "but for words", "different"
# Members of answers that have other values here, or that only the emulator sends.
UNCOMPARED = {"readTime", "done", "skippedResults"}
CODES = {0: "OK", 3: "INVALID_ARGUMENT", 5: "NOT_FOUND", 6: "ALREADY_EXISTS", 9: "FAILED_PRECONDITION", 10: "ABORTED"}
MASKS = [
    (re.compile(r'("(?:create|update|read|commit)Time": *)"[^"]*"'), r'\1"<time>"'),
    (re.compile(r'("nextPageToken": *)"[^"]*"'), r'\1"<token>"'),
    (re.compile(r'("transaction": *)"[^"]*"'), r'\1"<id>"'),
    (re.compile(r"(/gen/)[A-Za-z0-9]{20}\b"), r"\1<auto>"),
]


class Door:
    """The daemon's door for Firestore, with one app in the place of all projects that the fixtures name."""

    def __init__(self, daemon):
        self.key, self.connection = daemon.app("p").keys["admin"], http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60)
        # Without rules the emulator allows everything.
        status, _, text = self.ask("PUT", "/emulator/v1/projects/p:securityRules", json.dumps({"rules": {"files": [{"name": "f", "content": OPEN}]}}))
        assert status == 200, text

    def ask(self, method, path, body=None, is_owner=True, headers=None):
        """Status, header fields and text of an answer to the app's key, or to nobody."""
        sent = {"Content-Type": "application/json"} | (headers or {})
        if is_owner:
            sent["Authorization"] = f"Bearer {self.key}"
        self.connection.request(method, path, None if body is None else body.encode(), sent)
        response = self.connection.getresponse()
        return response.status, response.headers, response.read().decode()

    def documents(self, method, path, body=None):
        """Status and JSON of an answer to the app's key."""
        status, _, answer = self.ask(method, f"/v1/{ROOT}{path}", None if body is None else json.dumps(body, ensure_ascii=False))
        return status, read(answer)

    def begin(self, dataset=()):
        """Deletes all documents and writes others."""
        assert self.ask("DELETE", f"/emulator/v1/{ROOT}")[0] == 200
        self.seed(dataset)

    def seed(self, dataset):
        writes = [{"update": {"name": f"{ROOT}/{document['name']}", "fields": document["fields"]}} for document in dataset]
        status, answer = self.documents("POST", ":commit", filled({"writes": writes}))
        assert status == 200, answer


def filled(part, project="{project}"):
    """A part of a fixture with the app in the place of a project."""
    return json.loads(json.dumps(part).replace("{documents}", ROOT).replace(project, "p"))


def path_of(document):
    return document["name"].removeprefix(f"{ROOT}/")


def read(text):
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text


def fault(answer):
    """The error of an answer, which is in an array where a stream was due."""
    answer = answer[0] if isinstance(answer, list) and answer else answer
    return answer.get("error") if isinstance(answer, dict) else None


def without(part, names):
    if isinstance(part, list):
        return [without(element, names) for element in part]
    if isinstance(part, dict):
        return {name: without(value, names) for name, value in part.items() if name not in names}
    return part


def refusal(status, message, error):
    """The level of a refusal that should have a status and a message."""
    if error is None or error.get("status") != status:
        return DIFFERENT
    return JSON if error.get("message") == message else WORDS


# MARK: Requests and answers as texts


def rest(door, fixture):
    door.begin()
    for case in filled(fixture["cases"]):
        body = case.get("raw") or (json.dumps(case["body"]) if "body" in case else None)
        headers = {name: value for name, value in case["headers"].items() if name != "Authorization"}
        status, found, text = door.ask(case["method"], case["path"], body, "Authorization" in case["headers"], headers)
        for pattern, mark in MASKS:
            text = pattern.sub(mark, text)
        outcome = case["outcome"]
        yield case["name"], text_level(case, status, found["Content-Type"], text), f"{status} {text}", f"{outcome['status']} {outcome['body']}"


def text_level(case, status, kind, text):
    outcome, ours, theirs = case["outcome"], read(text), read(case["outcome"]["body"])
    if status != outcome["status"]:
        return DIFFERENT
    if text == outcome["body"] and kind == outcome["contentType"]:
        return BYTES
    error = fault(theirs)
    if error:
        return refusal(error["status"], error["message"], fault(ours))
    if case["compare"] == "status" or without(ours, UNCOMPARED) == without(theirs, UNCOMPARED):
        return JSON
    return DIFFERENT


def cors(door, fixture):
    """Whether a page may ask and read what it may at the emulator; other header fields may be allowed, too."""
    door.begin()
    for case in filled(fixture["cases"], "cors"):
        status, found, _ = door.ask(case["method"], case["path"], case["body"], False, case["headers"])
        answers = ((status, found), (case["outcome"]["status"], case["outcome"]["headers"]))
        ours, theirs = (permitted(case["method"], case["headers"], *answer) for answer in answers)
        yield case["name"], JSON if ours == theirs else DIFFERENT, ours, theirs


def permitted(method, asked, status, answered):
    """What an answer permits a page that asked, in a form without the words that do not matter to it."""
    fields = {name.lower(): value for name, value in answered.items()}

    def listed(name):
        return {word.strip().lower() for word in fields.get(f"access-control-allow-{name}", "").split(",")}

    def asks(name):
        return {word.strip().lower() for word in asked.get(f"Access-Control-Request-{name}", "").split(",")} - {""}

    return {
        "status": "good" if method == "OPTIONS" and status in (200, 204) else status,
        "origin": fields.get("access-control-allow-origin"),
        "credentials": fields.get("access-control-allow-credentials"),
        "method": asks("Method") <= listed("methods"),
        "headers": asks("Headers") <= listed("headers"),
        "private network": "access-control-allow-private-network" in fields,
    }


# MARK: Steps with times


def steps(door, fixture):
    """Times are compared by which are equal. Recorded times and page tokens in requests are replaced by the daemon's."""
    for case in fixture["cases"]:
        door.begin()
        ours, theirs, levels = Side(None, None), Side(None, None), []
        for step in filled(case["steps"], case["steps"][0]["path"].split("/")[1]):
            body = None if step["body"] is None else translated(json.dumps(step["body"]), theirs, ours)
            # Who asked is not recorded, but the fixture's requests of nobody were refused.
            status, _, text = door.ask(step["method"], translated(f"/v1/{step['path']}", theirs, ours), body, step["status"] != 403)
            level = step_level(step, status, read(text), ours, theirs)
            levels.append((level, f"{status} {text}", f"{step['status']} {json.dumps(step['response'])}"))
        yield case["name"], *max(levels, key=lambda level: [BYTES, JSON, WORDS, DIFFERENT].index(level[0]))


def translated(text, theirs, ours):
    """A request with the daemon's times and page token in the place of the recorded ones."""
    for recorded_part, own in [*zip(theirs.times, ours.times), (theirs.token.replace("=", "%3D"), ours.token)]:
        text = text.replace(recorded_part, own) if recorded_part and own else text
    return text


def step_level(step, status, answer, ours, theirs):
    error = fault(step["response"])
    if status != step["status"]:
        return DIFFERENT
    if error:
        return refusal(error["status"], error["message"], fault(answer))
    both = [side.normal(part) for side, part in ((ours, answer), (theirs, step["response"]))]
    return JSON if anonymous(both[0]) == anonymous(both[1]) else DIFFERENT


def anonymous(part):
    """An answer without IDs that a server made."""
    return re.sub(r"/c/[A-Za-z0-9]{20}\b", "/c/<auto>", json.dumps(part, sort_keys=True))


# MARK: Queries


def queries(door, fixture):
    door.begin(fixture["dataset"])
    for case in fixture["cases"]:
        below = f"/{case['parent']}" if case["parent"] else ""
        _, answer = door.documents("POST", f"{below}:runQuery", {"structuredQuery": filled(case["query"])})
        outcome = filled(case["outcome"])
        yield case["name"], *result_level(answer, outcome, lambda: found(answer, "fields" in outcome), lambda: recorded(outcome))


def found(answer, has_fields=False):
    documents = [part["document"] for part in answer if "document" in part]
    names = [path_of(document) for document in documents]
    return names, dict(zip(names, (document.get("fields", {}) for document in documents))) if has_fields else None


def recorded(outcome):
    return [part["document"] for part in outcome["responses"] if "document" in part], outcome.get("fields")


def aggregations(door, fixture):
    door.begin(fixture["dataset"])
    for case in fixture["cases"]:
        below = f"/{case['parent']}" if case["parent"] else ""
        query = {"structuredAggregationQuery": {"structuredQuery": case["query"], "aggregations": case["aggregations"]}}
        _, answer = door.documents("POST", f"{below}:runAggregationQuery", query)
        yield case["name"], *result_level(
            answer, case["outcome"], lambda: [part["result"] for part in answer if "result" in part],
            lambda: [part["result"] for part in case["outcome"]["responses"]])


def result_level(answer, outcome, ours, theirs):
    """The level of a stream of results, whose contents are taken if neither is a refusal, and what both answered."""
    error = fault(answer)
    if outcome["status"] != "OK":
        return refusal(outcome["status"], outcome["message"], error), json.dumps(answer)[:300], outcome
    if error:
        return DIFFERENT, error, outcome
    ours, theirs = ours(), theirs()
    return JSON if ours == theirs else DIFFERENT, ours, theirs


def value_order(door, fixture):
    """Each value once with a name that rises, and once with one that falls, within its group of equal values."""
    fixture = json.loads(json.dumps(fixture).replace("projects/demo/", "projects/p/"))
    groups, orders = fixture["values"]["groups"], []
    for names in (lambda number: number, lambda number: 9 - number):
        labels = {f"{place:03}-{names(number)}": entry for place, group in enumerate(groups) for number, entry in enumerate(group)}
        door.begin([{"name": f"v/{name}", "fields": {"v": entry["value"]}} for name, entry in labels.items()])
        query = {"from": [{"collectionId": "v"}], "orderBy": [{"field": {"fieldPath": "v"}}]}
        paths, _ = found(door.documents("POST", ":runQuery", {"structuredQuery": query})[1])
        orders.append([labels[path.removeprefix("v/")]["label"] for path in paths])
    at = 0
    for group in ([entry["label"] for entry in group] for group in groups):
        ours = [order[at:at + len(group)] for order in orders]
        yield f"order of {group[0]}", JSON if ours == [group, group[::-1]] else DIFFERENT, ours, group
        at += len(group)
    for entry in fixture["values"]["rejected"]:
        _, answer = door.documents("POST", ":commit", {"writes": [{"update": {"name": f"{ROOT}/v/x", "fields": {"v": entry["value"]}}}]})
        yield entry["label"], refusal("INVALID_ARGUMENT", entry["error"], fault(answer)), fault(answer), entry["error"]
    order = fixture["paths"]["order"]
    door.begin([{"name": path, "fields": {}} for path in reversed(order)])
    query = {"structuredQuery": {"from": [{"collectionId": "items", "allDescendants": True}]}}
    names, _ = found(door.documents("POST", ":runQuery", query)[1])
    yield "order of names", JSON if names == order else DIFFERENT, names, order


# MARK: Lists and limits


def list_documents(door, fixture):
    door.begin()
    for paths in fixture["seed"]:
        door.seed([{"name": path, "fields": {"m": {"booleanValue": True}, "n": {"integerValue": "1"}}} for path in paths])
    for case in fixture["rest"]:
        status, _, text = door.ask("GET", f"/v1/{ROOT}{case['path']}")
        yield case["name"], list_level(case["outcome"], status, read(text)), f"{status} {text}", case["outcome"]
    for case in fixture["grpc"]:
        # Without a collection the request has no form in REST but those above.
        if "collection_id" in case["request"]:
            yield case["name"], *list_of_collection(door, case)


def list_level(outcome, status, answer):
    if "error" in outcome:
        return refusal(outcome["error"]["status"], outcome["error"]["message"], fault(answer)) if status == outcome["status"] else DIFFERENT
    if "body" in outcome:
        return JSON if status == outcome["status"] else DIFFERENT
    if status != outcome["status"] or not isinstance(answer, dict):
        return DIFFERENT
    names = [path_of(document) for document in answer.get("documents", [])]
    return JSON if (names, "nextPageToken" in answer) == (outcome["documents"], outcome["next_page"]) else DIFFERENT


def list_of_collection(door, case):
    request, outcome = case["request"], case["outcome"]
    spelled = {"show_missing": "showMissing", "order_by": "orderBy", "page_size": "pageSize"}
    words = [f"{spelled[name]}={json.dumps(value).strip(chr(34)).replace(' ', '%20')}" for name, value in request.items() if name in spelled]
    _, answer = door.documents("GET", f"/{request['collection_id']}?{'&'.join(words)}")
    if "code" in outcome:
        return refusal(outcome["code"], outcome["message"], fault(answer)), answer, outcome
    ours = [{"name": path_of(document), "fields": sorted(document.get("fields", {}))} for document in answer.get("documents", [])]
    return JSON if ours == outcome["documents"] else DIFFERENT, ours, outcome["documents"]


def limits(door, fixture):
    for case in fixture["cases"]:
        door.begin()
        path = "/".join(part if isinstance(part, str) else part[1] * part[2] for part in case["path"])
        write = {"update": {"name": f"{ROOT}/{path}", "fields": {name: value(spec) for name, spec in case["fields"].items()}}}
        status, answer = door.documents("POST", ":commit", {"writes": [write]})
        outcome = case["outcome"]
        level = JSON if status == 200 else DIFFERENT
        if outcome["status"] != 200:
            level = refusal("INVALID_ARGUMENT", outcome["message"], fault(answer)) if status == outcome["status"] else DIFFERENT
        yield case["name"], level, f"{status} {(fault(answer) or {}).get('message', '')[:200]}", f"{outcome['status']} {outcome['message']}"


def value(spec):
    """The value that a short form stands for."""
    kind = spec[0]
    if kind == "string":
        return {"stringValue": spec[2] * spec[1]}
    if kind == "bytes":
        return {"bytesValue": base64.b64encode(b"x" * spec[1]).decode()}
    if kind == "map":
        return {"mapValue": {"fields": {name: value(part) for name, part in spec[1].items()}}}
    if kind == "array":
        return {"arrayValue": {"values": [value(part) for part in spec[1]]}}
    nested = {"integerValue": "1"}
    for level in range(spec[1] if kind == "nest" else 0):
        is_array = spec[2] and level % 2 == 0
        nested = {"arrayValue": {"values": [nested]}} if is_array else {"mapValue": {"fields": {"m": nested}}}
    return nested


# MARK: Transactions


def transactions(door, fixture):
    """Steps of scenarios, one after the other: nothing waits for locks. A scenario ends at its first step that differs."""
    for scenario in filled(fixture["scenarios"]):
        if scenario.get("slow"):
            continue
        door.begin()
        run, worst = Scenario(door), (JSON, None, None)
        for step in scenario["steps"]:
            level, ours = run.level(step) if "outcome" in step else (JSON, None)
            if level == DIFFERENT or (level == WORDS and worst[0] == JSON):
                worst = level, f"{step['label']}: {ours}", step["outcome"]
            if level == DIFFERENT:
                break
        yield scenario["name"], *worst


class Scenario:
    def __init__(self, door):
        self.door, self.open = door, {}

    def level(self, step):
        outcome, answer = step["outcome"], self.answer(step)
        error = fault(answer)
        if step.get("compare") == "none":
            return JSON, answer
        if outcome["status"] != "OK":
            level = refusal(outcome["status"], outcome["message"], error)
            return (JSON if level == WORDS and step.get("compare") == "status" else level), error or answer
        if error:
            return DIFFERENT, error
        if "result" not in outcome or step["op"] == "begin":
            return JSON, answer
        ours, theirs = self.result(step, answer), outcome["result"]
        if step["op"] == "batchWrite" and step.get("compare") == "codes":
            ours, theirs = ([part["status"] for part in side] for side in (ours, theirs))
        theirs = [part for part in theirs if "transaction" not in part] if isinstance(theirs, list) and step["op"] != "batchWrite" else theirs
        return (JSON if ours == theirs else DIFFERENT), ours

    def answer(self, step):
        if step["op"] == "reset":
            return read(self.door.ask("DELETE", f"/emulator/v1/{ROOT}")[2])
        answer = self.door.documents(*self.request(step))[1]
        parts = answer if isinstance(answer, list) else [answer]
        for part in parts:
            if isinstance(part, dict) and "transaction" in part:
                self.open[step["as"]] = part["transaction"]
        return answer

    def request(self, step):
        """Method, path and body of a step."""
        operation = step["op"]
        within = {"transaction": step["raw"]} if "raw" in step else {"transaction": self.open[step["txn"]]} if "txn" in step else {}
        within |= {"newTransaction": step["new"]} if "new" in step else {}
        if operation == "begin":
            return "POST", ":beginTransaction", self.named({"options": step["options"]} if "options" in step else {})
        if operation == "read":
            return "POST", ":batchGet", {"documents": [f"{ROOT}/{path}" for path in step["documents"]]} | within
        if operation in ("get", "list"):
            words = {"transaction": within.get("transaction"), "pageSize": step.get("pageSize")}
            query = "&".join(f"{name}={str(word).replace('+', '%2B').replace('=', '%3D')}" for name, word in words.items() if word)
            return "GET", f"/{step.get('document') or step['collection']}?{query}", None
        if operation == "query":
            selector = {"collectionId": step["collection"], "allDescendants": step.get("group", False)}
            return "POST", ":runQuery", {"structuredQuery": {"from": [selector]}} | within
        if operation in ("commit", "batchWrite"):
            return "POST", f":{operation}", {"writes": [self.write(write) for write in step["writes"]]} | within
        return "POST", ":rollback", within

    def named(self, part):
        text = json.dumps(part)
        for name, transaction in self.open.items():
            text = text.replace(f"{{{name}}}", transaction)
        return json.loads(text)

    def write(self, write):
        fields = ({"n": {"integerValue": str(write["n"])}} if "n" in write else {}) | ({"__x__": {"nullValue": None}} if "reserved" in write else {})
        kind = next(kind for kind in ("update", "delete", "verify") if kind in write)
        name = f"{ROOT}/{write[kind]}"
        made = {kind: {"name": name, "fields": fields} if kind == "update" else name}
        made |= {"currentDocument": {"exists": write["exists"]}} if "exists" in write else {}
        made |= {"updateMask": {"fieldPaths": write["mask"]}} if "mask" in write else {}
        return made | ({"updateTransforms": [{"fieldPath": write["increment"], "increment": {"integerValue": "1"}}]} if "increment" in write else {})

    def result(self, step, answer):
        """An answer in the form of the fixture, without transactions."""
        if step["op"] == "get":
            return self.short(answer)
        if step["op"] == "list":
            return [self.short(document) for document in answer.get("documents", [])]
        if step["op"] == "batchWrite":
            return [{"status": CODES[status.get("code", 0)], "message": status.get("message", "")} for status in answer["status"]]
        kinds = {"found": self.short, "document": self.short, "missing": lambda name: path_of({"name": name})}
        return [{kind: take(part[kind])} for part in answer for kind, take in kinds.items() if kind in part]

    def short(self, document):
        number = document.get("fields", {}).get("n", {}).get("integerValue")
        return {"name": path_of(document), "n": None if number is None else int(number)}


FORMS = {
    "value_order": value_order,
    "rest": rest,
    "document_writes": steps,
    "transforms": steps,
    "queries": queries,
    "aggregations": aggregations,
    "list_documents": list_documents,
    "limits": limits,
    "transactions": transactions,
    "cors": cors,
}
