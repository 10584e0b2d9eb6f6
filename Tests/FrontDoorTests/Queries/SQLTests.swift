// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct SQLTests {
    private static let start = Day(year: 2026, month: 11, day: 19).start + .hours(9)

    /// A daemon with SQL enabled, an app with three days of events and a second app.
    private static func withEvents(
        timeout: Duration = .seconds(10), _ body: @Sendable (LiveDaemon, _ ours: AppKeys, _ theirs: AppKeys) async throws -> Void
    ) async throws {
        let clock = ManualClock(start)
        try await withDaemon(
            clock: clock.clock, configure: { ($0.sql.enabled, $0.sql.timeout) = (true, timeout) }
        ) { live in
            let keys = [try await live.api.makeApp("ours"), try await live.api.makeApp("theirs")]
            for day in 0..<3 {
                for (place, owner) in zip(["ours", "theirs"], keys) {
                    let events = #"""
                        [{"id": "\#(place)-\#(day)", "name": "level_up", "user_id": "\#(place)-u\#(day % 2)", "session_id": "s\#(day)",
                          "installation_id": "i", "context": {"platform": "ios", "app_version": "1.\#(day)"}, "params": {"n": \#(day), "t": "x"}},
                         {"id": "0190b0c8-0000-7000-8000-00000000000\#(day)", "name": "purchase", "user_id": "\#(place)-u0",
                          "params": {"value": 1.25, "currency": "EUR", "transaction_id": "\#(place)\#(day)"}},
                         {"name": "late_\#(place)", "timestamp": "\#((start - .days(4) + .hours(1)).rfc3339)"}]
                        """#
                    #expect(try Taken(await live.api.post("/v1/events", key: owner.ingest, events)) == Taken(accepted: 3))
                    let users = #"{"users": [{"user_id": "\#(place)-u0", "properties": {"tier": "gold", "n": \#(day), "gone": null}}]}"#
                    #expect(try Taken(await live.api.post("/v1/users", key: owner.ingest, users)).status == 200)
                }
                clock.advance(by: .days(1))
            }
            try await body(live, keys[0], keys[1])
        }
    }

    private static func ask(_ live: LiveDaemon, _ keys: AppKeys, _ sql: String, _ more: String = "") async throws -> Reply {
        let quoted = sql.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return try await live.api.post("/v1/query/sql", key: keys.admin, #"{"sql": "\#(quoted)"\#(more)}"#)
    }

    private static func rows(_ live: LiveDaemon, _ keys: AppKeys, _ sql: String, _ more: String = "") async throws -> String {
        rows(try await ask(live, keys, sql, more))
    }

    /// Waits for the next query's result. It may take several attempts, because the time limit is short.
    private static func nextIsAnswered(_ live: LiveDaemon, _ keys: AppKeys) async throws {
        #expect(try await eventually { try await ask(live, keys, "SELECT count(*) FROM events").text.contains("[[9]]") })
    }

    /// The rows of a response as text.
    private static func rows(_ answer: Reply) -> String {
        #expect(answer.status == 200, "\(answer.text)")
        let parts = answer.text.split(separator: #""rows":"#, maxSplits: 1)
        return String(parts.last?.split(separator: #","truncated"#).first ?? "")
    }

    private static let answered = [
        ("SELECT count(*) FROM events", "[[9]]"),
        ("SELECT name, count(*) FROM events GROUP BY name ORDER BY 1", #"[["late_ours",3],["level_up",3],["purchase",3]]"#),
        (
            "SELECT seq, id, user_id, installation_id, session_id, platform, app_version, country, params FROM events WHERE app_version = '1.1'",
            #"[[7,"ours-1","ours-u1","i","s1","ios","1.1",null,"{\"n\": 1, \"t\": \"x\"}"]]"#
        ),
        ("SELECT id FROM events WHERE name = 'purchase' AND seq < 3", #"[["0190b0c8-0000-7000-8000-000000000000"]]"#),
        ("SELECT sum(amount_micros), currency FROM events GROUP BY 2 ORDER BY 2", #"[[null,null],[3750000,"EUR"]]"#),
        ("SELECT sum(json_extract(params, '$.n')), sum(params ->> 'n') FROM events WHERE name = 'level_up'", "[[3,3]]"),
        ("SELECT DISTINCT date(timestamp / 1000, 'unixepoch') FROM events ORDER BY 1 LIMIT 2", #"[["2026-11-15"],["2026-11-19"]]"#),
        ("SELECT late, clock, corrected FROM events WHERE name LIKE 'late%' LIMIT 1", "[[1,0,0]]"),
        ("SELECT count(*) FROM events WHERE user_id = 'ours-u0'", "[[5]]"),
        ("SELECT count(*) FROM events WHERE user_id = 'OURS-U0' COLLATE NOCASE", "[[5]]"),
        ("SELECT count(*) FROM events WHERE name IN ('level_up', 'purchase', 'nothing')", "[[6]]"),
        ("SELECT count(*) FROM events WHERE session_id = 's1' OR installation_id IS NULL", "[[7]]"),
        ("SELECT count(*) FROM events WHERE timestamp >= 1763634000000 + 365 * 86400000 AND timestamp < '1795280400000'", "[[2]]"),
        (
            "SELECT u.user_id, u.properties, count(*) FROM users u JOIN events e ON e.user_id = u.user_id GROUP BY 1 ORDER BY 1",
            #"[["ours-u0","{\"n\":2,\"tier\":\"gold\"}",5],["ours-u1","{}",1]]"#
        ),
        ("SELECT user_id, installation_id, first_seen % 900000 FROM users WHERE user_id = 'ours-u1'", #"[["ours-u1",null,0]]"#),
        ("SELECT j.key, j.value FROM events e, json_each(e.params) j WHERE e.seq = 1", #"[["n",0],["t","x"]]"#),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i, i / 2.0, x'00ff', 9e999 FROM n LIMIT 1",
            #"[[1,0.5,"00ff",null]]"#
        ),
        ("SELECT row_number() OVER (ORDER BY seq), lag(seq) OVER (ORDER BY seq) FROM events LIMIT 2 -- the first\n;", "[[1,null],[2,1]]"),
    ]

    @Test func `a query returns the app's own rows`() async throws {
        try await Self.withEvents { live, ours, _ in
            for (sql, rows) in Self.answered {
                let found = try await Self.rows(live, ours, sql)
                #expect(found == rows, "\(sql)")
            }
        }
    }

    private static let rejected = [
        "INSERT INTO events (seq) VALUES (1)", "UPDATE events SET name = 'x'", "DELETE FROM users", "CREATE TABLE t (n)", "CREATE TEMP TABLE t (n)",
        "CREATE VIEW v AS SELECT 1", "CREATE VIRTUAL TABLE t USING events", "DROP TABLE events", "ATTACH 'main.db' AS other", "DETACH main",
        "PRAGMA user_version", "PRAGMA temp_store = 1", "SELECT * FROM pragma_database_list", "SELECT * FROM sqlite_schema",
        "SELECT * FROM sqlite_temp_schema", "SELECT * FROM dbstat", "SELECT * FROM sqlite_dbpage", "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')", "SELECT writefile('/tmp/x', 'y')", "SELECT fts3_tokenizer('x')", "SELECT zeroblob(100)",
        "SELECT randomblob(100)", "SELECT printf('%1000d', 1)", "SELECT sqlite_version()", "VACUUM", "VACUUM INTO '/tmp/x'", "BEGIN", "COMMIT",
        "SAVEPOINT s", "ANALYZE", "REINDEX", "EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN SELECT 1", "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE events",
        "", ";", "-- nothing", "SELECT", "SELECT nothing FROM events", "SELECT * FROM nowhere", "SELECT * FROM main.people", "SELECT * FROM batch",
        "SELECT ?", "SELECT 1 \\u0000 DROP", "SELECT \(String(repeating: "(", count: 200))1\(String(repeating: ")", count: 200))",
        "SELECT \(String(repeating: "1,", count: 300))1", "SELECT '\(String(repeating: "x", count: 70_000))'",
        "SELECT replace(hex(replace(hex('\(String(repeating: "x", count: 20_000))'), '7', '77777777')), '3', '3333333333333333')",
    ]

    @Test func `other statements are rejected with SQLite's error and no internals`() async throws {
        try await Self.withEvents { live, ours, _ in
            for sql in Self.rejected {
                let answer = try await live.api.post("/v1/query/sql", key: ours.admin, #"{"sql": "\#(sql)"}"#)
                #expect(answer.status == 422, "\(sql.prefix(80)): \(answer.text)")
                #expect(!answer.text.contains(live.folder) && !answer.text.contains(".db\""), "\(sql.prefix(80))")
                #expect(try await Self.rows(live, ours, "SELECT count(*) FROM events") == "[[9]]", "\(sql.prefix(80))")
            }
        }
    }

    @Test func `a query cannot read another app's rows`() async throws {
        try await Self.withEvents { live, ours, theirs in
            for table in ["events", "users"] {
                let own = try await Self.ask(live, ours, "SELECT * FROM \(table)")
                #expect(own.text.contains("ours") && !own.text.contains("theirs"))
                let foreign = try await Self.ask(live, theirs, "SELECT * FROM \(table)")
                #expect(foreign.text.contains("theirs"))
            }
            for condition in ["user_id = 'theirs-u0'", "name = 'late_theirs'", "seq = 4", "seq BETWEEN 4 AND 6", "id = 'theirs-0'"] {
                #expect(try await Self.rows(live, ours, "SELECT count(*) FROM events WHERE \(condition)") == "[[0]]", "\(condition)")
            }
            let foreign = try await live.api.post("/v1/query/sql?app=\(theirs.app)", key: ours.admin, #"{"sql": "SELECT count(*) FROM events"}"#)
            #expect(Self.rows(foreign) == "[[9]]")
        }
    }

    @Test(arguments: [
        "SELECT count(*) FROM events a, events b, events c, events d, events e, events f, events g, events h, events i, events j",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0",
    ])
    func `an endless query is interrupted in time`(sql: String) async throws {
        try await Self.withEvents(timeout: .milliseconds(300)) { live, ours, _ in
            let start = ContinuousClock.now
            let answer = try await Self.ask(live, ours, sql)
            #expect(ContinuousClock.now - start < .seconds(40))
            #expect(answer.status == 422)
            #expect(try JSON(answer)["detail"].text.contains("time limit"), "\(answer.text)")
            try await Self.nextIsAnswered(live, ours)
        }
    }

    @Test(arguments: [
        "SELECT length(trim(?1, ?2)), length(trim(?1 || '', ?2))", "SELECT length(ltrim(?1, ?2)), length(rtrim(?1, ?2))",
        "SELECT length(?2), " + (0..<50).map { "instr(?1, substr(?1, 1, 70000) || \($0))" }.joined(separator: ","),
        "SELECT length(?2), " + (0..<50).map { "length(replace(?1, substr(?1, 1, 70000) || \($0), ''))" }.joined(separator: ","),
        "SELECT length(?2), " + (0..<150).map { "?1 || \($0) LIKE '%\(String(repeating: "a", count: 250))b'" }.joined(separator: ","),
        "SELECT length(?2), " + (0..<150).map { "?1 || \($0) GLOB '*\(String(repeating: "a", count: 250))b'" }.joined(separator: ","),
    ])
    func `a long function call is interrupted in time`(sql: String) async throws {
        try await Self.withEvents(timeout: .seconds(1)) { live, ours, _ in
            let (text, other) = (String(repeating: "a", count: 150_000), String(repeating: "b", count: 50_000) + "a")
            let start = ContinuousClock.now
            let answer = try await Self.ask(live, ours, sql, #", "params": ["\#(text)", "\#(other)"]"#)
            #expect(ContinuousClock.now - start < .seconds(40))
            #expect([200, 422].contains(answer.status), "\(answer.text.prefix(300))")
            try await Self.nextIsAnswered(live, ours)
        }
    }

    @Test func `exponentially nested tables are interrupted during preparation`() async throws {
        try await Self.withEvents(timeout: .seconds(1)) { live, ours, _ in
            let tables = (1...20).map { "t\($0) AS (SELECT 1 FROM t\($0 - 1) a, t\($0 - 1) b)" }
            let start = ContinuousClock.now
            let answer = try await Self.ask(live, ours, "WITH t0 AS (SELECT 1), \(tables.joined(separator: ", ")) SELECT 1 FROM t20 LIMIT 1")
            #expect(ContinuousClock.now - start < .seconds(40))
            #expect(answer.status == 422)
            try await Self.nextIsAnswered(live, ours)
        }
    }

    @Test(arguments: [
        "SELECT max(t) FROM n GROUP BY i", "SELECT count(*) FROM (SELECT DISTINCT t, i FROM n)",
        "SELECT count(*) FROM (SELECT i, t FROM n UNION SELECT i, t FROM n)",
        "SELECT i, t FROM n ORDER BY t", "SELECT lag(t, 1000000) OVER () FROM n",
    ])
    func `a query beyond the memory limit is interrupted`(sql: String) async throws {
        try await Self.withEvents(timeout: .seconds(60)) { live, ours, _ in
            let long = "hex('\(String(repeating: "x", count: 30_000))')"
            let rows = "WITH RECURSIVE n(i, t) AS (SELECT 1, \(long) UNION ALL SELECT i + 1, t FROM n)"
            let answer = try await Self.ask(live, ours, "\(rows) \(sql)")
            #expect(answer.status == 422)
            #expect(try JSON(answer)["detail"].text.contains("memory"), "\(answer.text)")
        }
    }

    @Test func `a result is limited in rows and bytes, and says that it is truncated`() async throws {
        try await Self.withEvents { live, ours, _ in
            let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
            let all = try JSON(await Self.ask(live, ours, many))
            #expect(all["rows"].items.count == 10_000 && all["truncated"].bool)
            let few = try JSON(await Self.ask(live, ours, many, #", "limit": 3"#))
            #expect(few["rows"].items.count == 3 && few["truncated"].bool)
            let whole = try JSON(await Self.ask(live, ours, "SELECT 1 AS one, 2", #", "limit": 1"#))
            #expect(whole["rows"].items.count == 1 && !whole["truncated"].bool && whole["columns"].items.map(\.text) == ["one", "2"])
            let large =
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT hex('\(String(repeating: "x", count: 50_000))') FROM n"
            let cut = try await Self.ask(live, ours, large)
            #expect(try JSON(cut)["truncated"].bool, "\(cut.text.prefix(500))")
            #expect((7 << 20...8 << 20).contains(cut.body.count))
        }
    }

    @Test func `parameters are bound, and a range limits the events`() async throws {
        try await Self.withEvents { live, ours, _ in
            let values = #", "params": ["level_up", 1, 2.5, null, true]"#
            let sql = "SELECT count(*), ?2, ?3, ?4, ?5 FROM events WHERE name = ?1"
            let found = try await Self.rows(live, ours, sql, values)
            #expect(found == "[[3,1,2.5,null,1]]")
            for range in [#", "from": "2026-11-20T00:00:00Z""#, #", "from": "-2d""#] {
                #expect(try await Self.rows(live, ours, "SELECT count(*) FROM events", range) == "[[4]]", "\(range)")
            }
            let old = #", "from": "2026-11-15T00:00:00Z", "to": "2026-11-16T00:00:00Z""#
            #expect(try await Self.rows(live, ours, "SELECT DISTINCT name FROM events", old) == #"[["late_ours"]]"#)
            for wrong in [
                #", "from": "-32d""#, #", "from": "now", "to": "-1d""#, #", "params": [1]"#, #", "params": [[]]"#, #", "limit": 10001"#,
                #", "more": 1"#,
            ] {
                #expect(try await Self.ask(live, ours, "SELECT 1", wrong).status == 422, "\(wrong)")
            }
        }
    }

    @Test func `SQL is disabled by default`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            let answer = try await Self.ask(live, keys, "SELECT 1")
            #expect(answer.status == 404)
            #expect(try JSON(answer)["hint"].text.contains("sql.enabled"))
        }
    }
}
