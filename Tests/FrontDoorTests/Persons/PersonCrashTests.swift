// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Crashes on a person's page, in the export, and after an erasure.
@Suite struct PersonCrashTests {
    private static let word = "annsecret"

    /// Ann's events and crashes alternately, a second apart, and a crash of another person.
    private static func withAnn(_ body: @Sendable (TestClient, AppKeys) async throws -> Void) async throws {
        let clock = ManualClock(PersonWorld.start)
        try await withDaemon(clock: clock.clock) { live in
            let keys = try await live.api.makeApp()
            for number in 0..<6 {
                // The last one has only an installation.
                let user = number < 5 ? #""user_id": "\#(word)", "# : ""
                let who = #"\#(user)"installation_id": "\#(word)-phone", "session_id": "\#(word)-1""#
                let (path, body) =
                    number % 2 == 0
                    ? ("events", #"[{"id": "\#(number)", "name": "here", \#(who)}]"#)
                    : ("crashes", #"{"crashes": [\#(crash("\(number)", clock.now, who))]}"#)
                #expect(try Taken(await live.api.post("/v1/\(path)", key: keys.ingest, body)) == Taken(accepted: 1))
                clock.advance(by: .seconds(1))
            }
            let other = crash("other", clock.now, #""user_id": "bob", "installation_id": "bob's""#)
            #expect(try Taken(await live.api.post("/v1/crashes", key: keys.ingest, #"{"crashes": [\#(other)]}"#)).accepted == 1)
            try await body(live.api, keys)
        }
    }

    private static func crash(_ id: String, _ time: Timestamp, _ who: String) -> String {
        let notes =
            #""logs": "\#(word)", "custom_keys": {"who": "\#(word)"}, "#
            + #""breadcrumbs": [{"category": "ui", "message": "\#(word)", "data": {"who": "\#(word)"}}]"#
        return #"{"id": "\#(id)", "timestamp": "\#(time.rfc3339)", "type": "Boom", "handled": false, "# + who + ", " + notes
            + #", "frames": [{"function": "Cart.checkout", "in_app": true}]}"#
    }

    private static func issue(_ api: TestClient, _ keys: AppKeys) async throws -> JSON {
        try JSON(await api.get("/v1/issues", key: keys.read))["items"][0]
    }

    @Test(arguments: [1, 2, 4, 100]) func `a person's page has events and crashes in order, each once`(limit: Int) async throws {
        try await Self.withAnn { api, keys in
            var (found, after): ([JSON], String) = ([], "")
            repeat {
                let page = try JSON(await api.get("/v1/users/\(Self.word)?limit=\(limit)\(after)", key: keys.read))
                #expect(page["items"].items.count <= limit)
                found += page["items"].items
                after = page["next"].exists ? "&after=\(page["next"].text)" : ""
            } while !after.isEmpty
            #expect(found.map(\.["id"].text) == ["5", "4", "3", "2", "1", "0"])
            #expect(found.map(\.["issue"].exists) == [true, false, true, false, true, false])
            #expect(try await api.get("/v1/users/\(Self.word)?after=7.7", key: keys.read).status == 422)
        }
    }

    @Test func `a person's export has the crash reports`() async throws {
        try await Self.withAnn { api, keys in
            let whole = try JSON(await api.get("/v1/users/\(Self.word)/export", key: keys.admin))
            #expect(whole["crashes"].items.map(\.["id"].text) == ["5", "3", "1"])
            #expect(whole["crashes"][1]["report"]["logs"].text == Self.word)
            #expect(whole["crashes"][1]["report"]["user_id"].text == Self.word)
        }
    }

    @Test func `an erasure removes the person's crashes from the issue's counts`() async throws {
        try await Self.withAnn { api, keys in
            let target = "/v1/users/\(Self.word)"
            for query in ["?dry_run=true", ""] {
                let report = try JSON(await api.request("DELETE", target + query, key: keys.admin))
                #expect(report["crashes"].number == 3)
            }
            #expect(try await api.get(target, key: keys.read).status == 404)
            let issue = try await Self.issue(api, keys)
            #expect(issue["count"].number == 1 && issue["users"].number == 1)
        }
    }

    @Test func `an erasure removes the person's exception text from the issue's title`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for user in [Self.word, "bob"] {
                let who = #""user_id": "\#(user)", "reason": "no account for \#(user)""#
                let body = #"{"crashes": [\#(Self.crash(user, live.daemon.clock.now(), who))]}"#
                #expect(try Taken(await live.api.post("/v1/crashes", key: keys.ingest, body)).accepted == 1)
            }
            #expect(try await Self.issue(live.api, keys)["title"].text == "Boom: no account for \(Self.word)")
            #expect(try await live.api.request("DELETE", "/v1/users/\(Self.word)", key: keys.admin).status == 200)
            let issue = try await Self.issue(live.api, keys)
            #expect(issue["count"].number == 1 && issue["title"].text == "Boom: no account for bob")
            let detail = try await live.api.get("/v1/issues/\(issue["id"].text)", key: keys.read)
            #expect(!detail.text.contains(Self.word))
        }
    }

    @Test func `an anonymised person's crashes count, without IDs and private fields`() async throws {
        try await Self.withAnn { api, keys in
            let answer = try JSON(await api.post("/v1/users/\(Self.word)/anonymise", key: keys.admin, ""))
            #expect(answer["crashes"].number == 3)
            let issue = try await Self.issue(api, keys)
            #expect(issue["count"].number == 4 && issue["users"].number == 3)
            for id in ["1", "3", "5"] {
                let crash = try await api.get("/v1/issues/\(issue["id"].text)/events/\(id)", key: keys.read)
                let report = try JSON(crash)["report"]
                #expect(!crash.text.contains(Self.word) && report["frames"][0]["function"].text == "Cart.checkout")
                #expect(report["breadcrumbs"][0]["category"].text == "ui")
            }
            // Other persons' reports are unchanged.
            let other = try await api.get("/v1/issues/\(issue["id"].text)/events/other", key: keys.read)
            #expect(try JSON(other)["report"]["logs"].text == Self.word)
        }
    }
}
