# SPDX-License-Identifier: Apache-2.0

"""Compares query results with DuckDB: queries.py PORT KEYS [SEED [COUNT]], with KEYS the key file of an app without events.

Sends random events to the daemon, reads them back with the export, and compares query results with SQL over the export.
"""

import datetime
import http.client
import json
import random
import sys
import tempfile
import urllib.parse

import duckdb

# Hours begin at half past in this zone, and its clocks change twice a year.
ZONE = "America/St_Johns"
DAYS = 40
DAY = 86_400_000


class Client:
    """A client of the running daemon."""

    def __init__(self, port, keys):
        self.connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
        self.keys = keys

    def call(self, method, path, role, body=None):
        self.connection.request(method, path, body=body, headers={"Authorization": f"Bearer {self.keys[role]}", "Content-Type": "application/json"})
        answer = self.connection.getresponse()
        data = answer.read()
        assert answer.status == 200, f"{method} {path}: {answer.status} {data[:300]!r}"
        return data

    def send(self, events):
        for start in range(0, len(events), 2_000):
            part = events[start : start + 2_000]
            taken = json.loads(self.call("POST", "/v1/events", "ingest", json.dumps(part)))
            assert taken["accepted"] == len(part), taken

    def ask(self, name, **parameters):
        query = urllib.parse.urlencode(parameters, doseq=True)
        return json.loads(self.call("GET", f"/v1/query/{name}?{query}", "read"))


def made(seed, count, now):
    """Events of some hundred people who share devices and are not always signed in; no two have the same time."""
    chance = random.Random(seed)
    times = chance.sample(range(now - DAYS * DAY, now), count)
    return [event(chance, number, time) for number, time in enumerate(times)]


def event(chance, number, time):
    name = chance.choice(["screen_view", "screen_view", "sign_up", "level_up", "purchase", "refund"])
    made = {"id": f"event {number}", "name": name, "timestamp": time, "params": {"level": chance.choice([1, 2, 3, 10, "3", "many"])}}
    device = chance.randrange(400)
    if chance.random() < 0.8:
        made["installation_id"] = f"device {device}"
    if chance.random() < 0.4:
        # Mostly the owner, sometimes another user.
        made["user_id"] = f"user {device // 2 if chance.random() < 0.9 else chance.randrange(300)}"
    if chance.random() < 0.7:
        made["context"] = {"platform": chance.choice(["ios", "android", "web"])}
    if name == "screen_view" and chance.random() < 0.9:
        made["params"]["screen_name"] = chance.choice(["Home", "Cart", "Caf\u00e9", "Settings"])
    if name in ("purchase", "refund"):
        made["params"]["value"] = chance.choice([0.99, "12.345678", 5, 100])
        if chance.random() < 0.9:
            made["params"]["currency"] = chance.choice(["EUR", "USD"])
        made["params"]["items"] = [
            {"item_id": chance.choice(["tea", "cup", "pot"]), "price": chance.choice([0.1, "3.50", 12]), "quantity": chance.choice([1, 2, 30])}
            for _ in range(chance.randrange(4))
        ]
    return made


class Judge:
    """The same events in DuckDB."""

    def __init__(self, lines):
        self.sql = duckdb.connect()
        self.sql.execute(f"SET TimeZone = '{ZONE}'")
        self.sql.execute("CREATE MACRO bucket(unit, time) AS epoch_ms(date_trunc(unit, time))")
        # An hour that occurs twice at a clock change is two hours, which date_trunc does not distinguish.
        self.sql.execute(f"CREATE MACRO hour_of(time) AS epoch_ms(time) - epoch_ms(time AT TIME ZONE '{ZONE}') % 3600000")
        with tempfile.NamedTemporaryFile(suffix=".ndjson") as file:
            file.write(lines)
            file.flush()
            self.sql.execute(
                """CREATE TABLE events AS
                SELECT name, "timestamp" AS time, user_id AS "user", installation_id AS device, context.platform AS platform,
                       params->>'screen_name' AS screen, params->>'level' AS level, params->>'currency' AS currency,
                       CAST(params->>'value' AS DECIMAL(18, 6)) AS value,
                       CAST(params->'items' AS STRUCT(item_id VARCHAR, price DECIMAL(18, 6), quantity INTEGER)[]) AS items
                FROM read_json(?, format = 'newline_delimited', columns = {
                    name: 'VARCHAR', "timestamp": 'TIMESTAMPTZ', user_id: 'VARCHAR', installation_id: 'VARCHAR',
                    context: 'STRUCT(platform VARCHAR)', params: 'JSON'})""",
                [file.name],
            )

    def within(self, answer):
        """Selects the events of a result's range with their persons; the range is the period of ownership."""
        self.sql.execute(
            """CREATE OR REPLACE TEMP TABLE found AS
            WITH asked AS (SELECT * FROM events WHERE time >= CAST(? AS TIMESTAMPTZ) AND time < CAST(? AS TIMESTAMPTZ)),
            owners AS (SELECT device, arg_min("user", time) AS owner FROM asked WHERE "user" IS NOT NULL AND device IS NOT NULL GROUP BY device)
            SELECT asked.*, coalesce('u' || "user", 'u' || owner, 'd' || device) AS person FROM asked LEFT JOIN owners USING (device)""",
            [answer["from"], answer["to"]],
        )
        return self

    def rows(self, text, *values):
        return self.sql.execute(text, list(values)).fetchall()


def moment(text):
    return round(datetime.datetime.fromisoformat(text).timestamp() * 1_000)


def points(line, figure="value"):
    """The values other than zero by time."""
    return {moment(point["t"]): point[figure] for point in line["points"] if float(point[figure]) != 0}


def plain(amount):
    """A decimal as the daemon writes it."""
    text = f"{amount:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# Each function runs a query in both systems and returns both results.


def counts_by_day_and_name(client, judge, stretch):
    answer = client.ask("series", metric="events", breakdown="name", limit=100, tz=ZONE, **stretch)
    mine = {line["name"]: points(line) for line in answer["series"]}
    other = {}
    for name, day, count in judge.within(answer).rows("SELECT name, bucket('day', time), count(*) FROM found GROUP BY 1, 2"):
        other.setdefault(name, {})[day] = count
    return mine, other


# Two numbers compare as numbers, other values as texts.
AT_LEAST_3 = "coalesce(try_cast(level AS DOUBLE) >= 3, level >= '3')"


def filtered_counts_by_hour(client, judge, stretch):
    filters = ["context.platform=ios|web", "params.level>=3"]
    answer = client.ask("series", metric="events", event="level_up", interval="hour", filter=filters, tz=ZONE, **stretch)
    rows = judge.within(answer).rows(
        f"""SELECT hour_of(time), count(*) FROM found
        WHERE name = 'level_up' AND platform IN ('ios', 'web') AND {AT_LEAST_3} GROUP BY 1"""
    )
    return points(answer["series"][0]), dict(rows)


def people_by_day(client, judge, stretch):
    answer = client.ask("active-users", tz=ZONE, **stretch)
    rows = judge.rows(
        """WITH asked AS (SELECT *, bucket('day', time) AS day FROM events WHERE time >= CAST(? AS TIMESTAMPTZ) AND time < CAST(? AS TIMESTAMPTZ)),
        owners AS (SELECT day, device, arg_min("user", time) AS owner FROM asked WHERE "user" IS NOT NULL AND device IS NOT NULL GROUP BY ALL)
        SELECT day, count(DISTINCT coalesce('u' || "user", 'u' || owner, 'd' || device)) FROM asked LEFT JOIN owners USING (day, device) GROUP BY day""",
        answer["from"], answer["to"],
    )
    total = judge.within(answer).rows("SELECT count(DISTINCT person) FROM found")[0][0]
    return (points(answer, "dau"), answer["total"]), (dict(rows), total)


def top_screens(client, judge, stretch):
    answer = client.ask("top", field="params.screen_name", metric="screen_views", limit=3, **stretch)
    rows = judge.within(answer).rows(
        "SELECT coalesce(screen, '(none)'), count(*) FROM found WHERE name = 'screen_view' GROUP BY 1 ORDER BY 2 DESC, 1"
    )
    others = sum(count for _, count in rows[3:])
    return [(item["name"], item["value"]) for item in answer["items"]], rows[:3] + [("(other)", others)]


def revenue_by_day(client, judge, stretch):
    answer = client.ask("revenue", tz=ZONE, **stretch)
    mine = {line["currency"]: (line["buyers"], points(line, "gross"), points(line, "refunds")) for line in answer["currencies"]}
    judge.within(answer)
    other = {}
    for (currency,) in judge.rows("SELECT DISTINCT currency FROM found WHERE currency IS NOT NULL"):
        text = "SELECT bucket('day', time), sum(value) FROM found WHERE name = ? AND currency = ? GROUP BY 1"
        sums = [judge.rows(text, name, currency) for name in ("purchase", "refund")]
        buyers = judge.rows("SELECT count(DISTINCT person) FROM found WHERE name = 'purchase' AND currency = ?", currency)[0][0]
        other[currency] = (buyers, *({day: f"{amount:f}".rstrip("0").rstrip(".") for day, amount in rows} for rows in sums))
    return mine, other


def funnel(client, judge, stretch):
    answer = client.ask("funnel", steps=["sign_up", "level_up", "purchase;context.platform=ios"], window="3d", **stretch)
    rows = judge.within(answer).rows(
        """WITH a AS (SELECT person, time FROM found WHERE name = 'sign_up' AND person IS NOT NULL),
        b AS (SELECT person, time FROM found WHERE name = 'level_up'),
        c AS (SELECT person, time FROM found WHERE name = 'purchase' AND platform = 'ios'),
        ab AS (SELECT a.person, a.time AS first, b.time AS second FROM a ASOF LEFT JOIN b ON a.person = b.person AND a.time < b.time),
        ways AS (SELECT ab.*, c.time AS third FROM ab ASOF LEFT JOIN c ON ab.person = c.person AND ab.second < c.time),
        whole AS (SELECT epoch_ms(arg_min(third, first)) - epoch_ms(min(first)) AS wait FROM ways WHERE third <= first + INTERVAL 72 HOURS GROUP BY person)
        SELECT count(DISTINCT person), count(DISTINCT person) FILTER (second <= first + INTERVAL 72 HOURS), (SELECT count(*) FROM whole),
               (SELECT quantile_cont(wait, 0.5) FROM whole) FROM ways"""
    )
    *people, median = rows[0]
    return ([step["people"] for step in answer["steps"]], answer["median_seconds"]), (people, int(median + 0.5) / 1_000)


def weekly_retention(client, judge, stretch):
    answer = client.ask("retention", interval="week", periods=4, tz=ZONE, **stretch)
    mine = {(moment(cohort["t"]), cell["period"]): cell["people"] for cohort in answer["cohorts"] for cell in cohort["cells"] if cell["people"]}
    # The later weeks of cohorts belong to the period, which extends to today.
    rows = judge.within({"from": answer["from"], "to": "2100-01-01T00:00:00Z"}).rows(
        """WITH persons AS (SELECT DISTINCT person, coalesce('u' || "user", 'd' || device) AS key FROM found WHERE person IS NOT NULL),
        told AS (SELECT 'u' || "user" AS key, time FROM events UNION ALL SELECT 'd' || device, time FROM events),
        born AS (SELECT person, date_trunc('week', min(time)) AS week FROM persons JOIN told USING (key) GROUP BY person),
        there AS (SELECT DISTINCT person, week, date_diff('week', week, date_trunc('week', time)) AS period FROM born JOIN found USING (person))
        SELECT epoch_ms(week), period, count(*) FROM there WHERE period < 4 AND week >= CAST(? AS TIMESTAMPTZ) AND week < CAST(? AS TIMESTAMPTZ)
        GROUP BY week, period""",
        answer["from"], answer["to"],
    )
    return mine, {(week, period): people for week, period, people in rows}


FIGURES = {
    "sum": "coalesce(sum(number), 0)", "avg": "avg(number)", "min": "min(number)", "max": "max(number)",
    "p50": "quantile_disc(number, 0.5)", "p90": "quantile_disc(number, 0.9)", "p95": "quantile_disc(number, 0.95)", "p99": "quantile_disc(number, 0.99)",
}


def figures_of_levels(client, judge, stretch):
    """Levels are small whole numbers, so their sums are exact in both."""
    mine, other = {}, {}
    for function, sql in FIGURES.items():
        answer = client.ask("series", metric=f"{function}(params.level)", breakdown=["context.platform", "name"], limit=100, tz=ZONE, **stretch)
        rows = judge.within(answer).rows(
            f"""WITH numbers AS (SELECT coalesce(platform, '(none)') AS platform, name, bucket('day', time) AS day, try_cast(level AS DOUBLE) AS number
                FROM found WHERE try_cast(level AS DOUBLE) IS NOT NULL)
            SELECT platform, name, day, {sql} FROM numbers GROUP BY GROUPING SETS ((platform, name, day), (platform, name))"""
        )
        for line in answer["series"]:
            key = (function, *line["values"])
            mine[key] = {moment(point["t"]): point["value"] for point in line["points"] if point["value"] not in (None, 0)} | {None: line["total"]}
        for platform, name, day, figure in rows:
            other.setdefault((function, platform, name), {})[day] = figure
    return mine, other


def items_by_revenue(client, judge, stretch):
    answer = client.ask("top", field="items.item_id", metric="revenue", limit=100, **stretch)
    units = client.ask("top", field="items.item_id", metric="quantity", limit=100, **stretch)
    mine = {(item["currency"], item["name"]): item["value"] for item in answer["items"]}
    mine |= {item["name"]: item["value"] for item in units["items"]}
    rows = judge.within(answer).rows(
        """WITH sold AS (SELECT currency, CASE name WHEN 'refund' THEN -1 ELSE 1 END AS sign, unnest(items) AS item FROM found)
        SELECT currency, item.item_id, sum(sign * item.price * item.quantity) FROM sold WHERE currency IS NOT NULL GROUP BY 1, 2"""
    )
    other = {(currency, item): plain(amount) for currency, item, amount in rows}
    for item, quantity in judge.rows(
        """WITH sold AS (SELECT CASE name WHEN 'refund' THEN -1 ELSE 1 END AS sign, unnest(items) AS item FROM found)
        SELECT item.item_id, sum(sign * item.quantity) FROM sold GROUP BY 1"""
    ):
        other[item] = quantity
    return mine, other


def funnel_by_platform(client, judge, stretch):
    """The first step has no filter, so a person's first sign-up that is followed by a level-up in time begins the attempt, else the first."""
    answer = client.ask("funnel", steps=["sign_up", "level_up"], window="3d", breakdown="context.platform", **stretch)
    rows = judge.within(answer).rows(
        """WITH a AS (SELECT person, time, platform FROM found WHERE name = 'sign_up' AND person IS NOT NULL),
        b AS (SELECT person, time FROM found WHERE name = 'level_up'),
        ab AS (SELECT a.*, coalesce(b.time <= a.time + INTERVAL 72 HOURS, false) AS converts
               FROM a ASOF LEFT JOIN b ON a.person = b.person AND a.time < b.time),
        best AS (SELECT person, max(converts) AS converts, arg_min(coalesce(platform, '(none)'), (NOT converts, time)) AS platform FROM ab GROUP BY person)
        SELECT platform, count(*), count(*) FILTER (converts) FROM best GROUP BY 1"""
    )
    mine = {part["name"]: [step["people"] for step in part["steps"]] for part in answer["breakdown"]}
    return mine, {platform: [first, second] for platform, first, second in rows}


QUESTIONS = [
    figures_of_levels, items_by_revenue, funnel_by_platform, counts_by_day_and_name, filtered_counts_by_hour, people_by_day, top_screens, revenue_by_day, funnel,
    weekly_retention,
]


def main(port, keys, seed=2026, count=30_000):
    with open(keys) as file:
        client = Client(port, json.load(file)["keys"])
    now = int(datetime.datetime.now(datetime.timezone.utc).timestamp() * 1_000)
    client.send(made(int(seed), int(count), now))
    judge = Judge(client.call("GET", "/v1/export", "read"))
    stored = judge.rows("SELECT count(*) FROM events")[0][0]
    assert stored == int(count), f"{stored} of {count} events came out again"
    wrong = 0
    for question in QUESTIONS:
        for stretch in ({"from": "-38d", "to": "-1d"}, {"from": "-9d", "to": "-3h"}):
            mine, other = question(client, judge, stretch)
            if mine != other:
                wrong += 1
                print(f"{question.__name__}, {stretch}, differ\n  ours:   {str(mine)[:2000]}\n  DuckDB: {str(other)[:2000]}")
    print(f"{len(QUESTIONS)} questions about {count} events, {wrong} answered otherwise than by DuckDB (seed {seed})")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
