# SPDX-License-Identifier: Apache-2.0

"""Times the same queries in DuckDB over the same events, read from their CSV file."""

import statistics
import sys
import time

import duckdb

WEEK = "date_trunc('week', moment)"
PERSON = "coalesce(nullif(user, ''), installation)"
CLOSED = "moment >= current_date - INTERVAL 8 DAY AND moment < current_date - INTERVAL 1 DAY"

FUNNEL = """
WITH first AS (SELECT {person} AS person, min(moment) AS at FROM events WHERE name = 'screen_view' AND {range} GROUP BY 1),
     second AS (SELECT person, min(e.moment) AS at, any_value(first.at) AS began FROM first JOIN events e ON {person} = person
                WHERE e.name = 'event_3' AND e.moment BETWEEN first.at AND first.at + INTERVAL 1 DAY AND {range_e} GROUP BY 1),
     third AS (SELECT person FROM second JOIN events e ON {person} = person
               WHERE e.name = 'purchase' AND e.moment BETWEEN second.at AND began + INTERVAL 1 DAY AND {range_e} GROUP BY 1)
SELECT (SELECT count(*) FROM first), (SELECT count(*) FROM second), (SELECT count(*) FROM third)
"""


def funnel(where: str) -> str:
    return FUNNEL.format(person=PERSON, range=where, range_e=where.replace("moment ", "e.moment "))


QUESTIONS = [
    ("events by day and name, 30 days", "SELECT moment::DATE, name, count(*) FROM events GROUP BY 1, 2"),
    ("DAU of 30 days", f"SELECT moment::DATE, count(DISTINCT {PERSON}) FROM events GROUP BY 1"),
    ("top screens of 30 days", "SELECT screen, count(*) FROM events WHERE name = 'screen_view' GROUP BY 1 ORDER BY 2 DESC LIMIT 10"),
    ("revenue per day, 30 days", "SELECT moment::DATE, currency, sum(amount) FROM events WHERE amount > 0 GROUP BY 1, 2"),
    ("funnel of 3 steps, 7 closed days", funnel(CLOSED)),
    ("funnel of 3 steps, 30 days", funnel("moment > TIMESTAMP '2000-01-01'")),
    (
        "retention by week, screen_view and purchase",
        f"""WITH began AS (SELECT {PERSON} AS person, min({WEEK}) AS week FROM events WHERE name = 'screen_view' GROUP BY 1),
                 back AS (SELECT DISTINCT {PERSON} AS person, {WEEK} AS week FROM events WHERE name = 'purchase')
            SELECT began.week, back.week, count(*) FROM began JOIN back USING (person) WHERE back.week >= began.week GROUP BY 1, 2""",
    ),
    (
        "one event by a parameter, 7 closed days per hour",
        f"SELECT date_trunc('hour', moment), count(*) FROM events WHERE name = 'event_3' AND level >= 50 AND {CLOSED} GROUP BY 1",
    ),
]


def main(csv: str) -> None:
    database = duckdb.connect(config={"threads": 2})
    start = time.perf_counter()
    database.execute(
        f"CREATE TABLE events AS SELECT epoch_ms(time) AS moment, * EXCLUDE time FROM read_csv('{csv}', header=true, types={{'user': 'VARCHAR'}})")
    rows = database.execute("SELECT count(*) FROM events").fetchone()[0]
    print(f"DuckDB {duckdb.__version__}: {rows} rows loaded in {time.perf_counter() - start:.1f} s")
    for name, sql in QUESTIONS:
        times = []
        for _ in range(5):
            start = time.perf_counter()
            database.execute(sql).fetchall()
            times.append((time.perf_counter() - start) * 1000)
        print(f"{name:55} p50 {statistics.median(times):8.1f} ms   slowest {max(times):8.1f}")


main(sys.argv[1])
