// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Lists of issues and crashes.
@Suite struct IssueListTests {
    /// Issues with their number of crashes and people and their release, in the order of their last crash.
    private static let all: [(title: String, count: Int, people: Int, release: String)] = [
        ("AError", 3, 3, "1.0"), ("BError", 5, 1, "1.1"), ("CError", 1, 1, "1.1"), ("DError", 2, 2, "2.0"),
    ]

    private static func fill(_ world: CrashingWorld, _ clock: ManualClock) async throws -> [String: String] {
        var ids: [String: String] = [:]
        for issue in all {
            let crashes = (0..<issue.count).map {
                SentCrash(in: "\(issue.title).f()").with("type", issue.title).with("release", issue.release).from("user\($0 % issue.people)")
            }
            let reply = try await world.send(crashes)
            #expect(try Taken(reply) == Taken(accepted: issue.count))
            ids[issue.title] = try JSON(reply)["results"][0]["issue"].text
            clock.advance(by: .hours(1))
        }
        return ids
    }

    private static func titles(_ query: String, _ world: CrashingWorld) async throws -> [String] {
        try await world.issues(query).map { String($0["title"].text.prefix(1)) }
    }

    @Test func `issues are sorted, filtered and paged`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let ids = try await Self.fill(world, clock)
            #expect(try await Self.titles("", world) == ["D", "C", "B", "A"])
            #expect(try await Self.titles("?sort=last_seen", world) == ["D", "C", "B", "A"])
            #expect(try await Self.titles("?sort=count", world) == ["B", "A", "D", "C"])
            #expect(try await Self.titles("?sort=users", world) == ["A", "D", "C", "B"])
            #expect(try await Self.titles("?release=1.1", world) == ["C", "B"])
            #expect(try await Self.titles("?release=3.0", world) == [])
            #expect(try await Self.titles("?sort=first_seen", world) == ["D", "C", "B", "A"])
            #expect(try await Self.titles("?user=user1", world) == ["D", "A"])
            #expect(try await Self.titles("?user=user2&sort=count", world) == ["A"])
            #expect(try await Self.titles("?user=nobody", world) == [])
            let (second, fourth) = (CrashingWorld.start + .hours(1), CrashingWorld.start + .hours(3))
            #expect(try await Self.titles("?from=\(second.rfc3339)&to=\(fourth.rfc3339)", world) == ["C", "B"])
            #expect(try await Self.titles("?from=-1h", world) == ["D"])
            #expect(try await Self.titles("?to=\(second.rfc3339)&user=user0", world) == ["A"])
            #expect(try await Self.titles("?text=berror", world) == ["B"])
            #expect(try await Self.titles("?text=DError.f", world) == ["D"])
            try await world.take(SentCrash().with("kind", "anr").with("type", "HError"))
            #expect(try await Self.titles("?kind=anr", world) == ["H"])
            try await world.change(try #require(ids["BError"]), #"{"state": "closed"}"#)
            try await world.change(try #require(ids["CError"]), #"{"state": "muted"}"#)
            #expect(try await Self.titles("?state=closed", world) == ["B"])
            #expect(try await Self.titles("?state=muted", world) == ["C"])
            #expect(try await Self.titles("?state=open&kind=fatal&sort=count", world) == ["A", "D"])
            for sort in ["last_seen", "first_seen", "count", "users"] {
                let whole = try await Self.titles("?sort=\(sort)", world)
                for limit in 1...3 { #expect(try await Self.pages(sort, limit, world) == whole, "\(sort) \(limit)") }
            }
        }
    }

    @Test func `issues are found by the release in which they appeared`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            _ = try await Self.fill(world, clock)
            // The issue A occurs in 2.0 as well, but it appeared in 1.0.
            try await world.take(SentCrash(in: "AError.f()").with("type", "AError").with("release", "2.0"))
            #expect(try await Self.titles("?release=2.0&sort=first_seen", world) == ["D", "A"])
            #expect(try await Self.titles("?first_release=2.0", world) == ["D"])
            #expect(try await Self.titles("?first_release=1.1&sort=first_seen", world) == ["C", "B"])
            #expect(try await Self.titles("?first_release=1.10", world) == [])
            #expect(try await world.issues("?first_release=2.0", as: world.theirs.read).isEmpty)
        }
    }

    @Test func `a release is found by its key and by the name that SDKs give it`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let issue = try await world.take(SentCrash("1").with("release", "shop@2.2+57").from("ann"))
            try await world.take(SentCrash("2", in: "Other.f()").with("release", "shop@2.20"))
            let plain = try await world.take(
                SentCrash("3", in: "Plain.f()").with("release", json: nil).with("context", json: #"{"app_version": "a@3+1"}"#))
            for name in ["2.2", "shop@2.2", "shop@2.2%2B57", "shop@2.2%2B58"] {
                #expect(try await world.issues("?release=\(name)").map(\.["id"].text) == [issue], "\(name)")
                #expect(try await world.issues("?first_release=\(name)").map(\.["id"].text) == [issue], "\(name)")
                #expect(try await world.issues("?release=\(name)&user=ann").map(\.["id"].text) == [issue], "\(name)")
                #expect(try await world.get("/v1/issues/\(issue)/events?release=\(name)")["items"].items.count == 1, "\(name)")
                for filter in ["=", "!="] {
                    let target = "/v1/query/series?metric=crashes&from=-1d&filter=context.app_version\(filter)\(name)"
                    #expect(try await world.get(target)["series"][0]["total"].number == (filter == "=" ? 1 : 2), "\(name) \(filter)")
                }
            }
            for name in ["shop@", "shop@2.3", "@", "2.2@", "shop@2.2@1"] {
                #expect(try await world.issues("?release=\(name)").isEmpty, "\(name)")
                #expect(try await world.get("/v1/issues/\(issue)/events?release=\(name)")["items"].items.isEmpty, "\(name)")
            }
            // An app version that looks like a release is found as it was sent, and hides no release.
            #expect(try await world.issues("?release=a@3%2B1").map(\.["id"].text) == [plain])
            let hiding = SentCrash("4", in: "Plain.f()").with("release", json: nil).with("context", json: #"{"app_version": "shop@2.2"}"#)
            try await world.take(hiding.from("ann"))
            for query in ["", "&user=ann"] {
                let found = try await world.issues("?release=shop@2.2\(query)").map(\.["id"].text)
                #expect(found.sorted() == [issue, plain].sorted(), "\(query)")
            }
            #expect(try await world.issues("?first_release=shop@2.2").map(\.["id"].text) == [issue])
            for one in [issue, plain] {
                #expect(try await world.get("/v1/issues/\(one)/events?release=shop@2.2")["items"].items.count == 1)
            }
        }
    }

    @Test func `an installation is found in reports without a user, and within its app`() async throws {
        try await CrashingWorld.use { world in
            let issue = try await world.take(SentCrash().with("installation_id", "phone"))
            try await world.take(SentCrash(in: "Other.f()").with("installation_id", "phone").from("ann"))
            #expect(try await world.issues("?user=phone").map(\.["id"].text) == [issue])
            #expect(try await world.issues("?user=ann").count == 1)
            #expect(try await world.issues("?user=phone", as: world.theirs.read).isEmpty)
        }
    }

    @Test func `issues and their events are filtered by environment, release and tags`() async throws {
        try await CrashingWorld.use { world in
            let sentry = [
                #"{"message":"Sentry A","release":"shop@2.0","environment":"live","tags":{"plan":"pro","a:b":"c"},"extra":{"n":7}}"#,
                #"{"message":"Sentry A","release":"shop@2.1","environment":"test","tags":[["plan","free"]]}"#,
            ]
            for event in sentry {
                #expect(try await world.api.post("/api/\(world.ours.app)/store/?sentry_key=\(world.ours.ingest)", key: nil, event).status == 200)
            }
            try await world.take(SentCrash().with("custom_keys", json: #"{"plan": "pro", "n": 7}"#).with("release", "2.1"))
            func titles(_ query: String) async throws -> [String] {
                try await world.issues("?" + query).map { $0["title"].text.hasSuffix("Sentry A") ? "Sentry" : "native" }.sorted()
            }
            let all = try await titles("tag=plan:pro")
            #expect(all.count == 2 && all.contains("Sentry"))
            #expect(try await titles("tag=plan:pro&release=2.0") == ["Sentry"])
            #expect(try await titles("tag=plan:pro&release=2.1").count == 1)
            #expect(try await titles("tag=n:7&tag=plan%3Apro").count == 2)
            #expect(try await titles("tag=plan:free&tag=plan:pro").isEmpty)
            #expect(try await titles("environment=live") == ["Sentry"])
            #expect(try await titles("environment=live&tag=plan:free").isEmpty)
            #expect(try await titles("tag=a:b:c") == ["Sentry"])
            #expect(try await titles("environment=production").isEmpty)
            #expect(try await world.issues("?tag=plan:pro", as: world.theirs.read).isEmpty)
            let issue = try #require(try await world.issues("?tag=plan:free").first)["id"].text
            for (query, count) in [
                ("", 2), ("tag=plan:free", 1), ("release=2.0", 1), ("environment=test&release=2.1", 1), ("environment=test&release=2.0", 0),
            ] {
                #expect(try await world.get("/v1/issues/\(issue)/events?\(query)")["items"].items.count == count, "\(query)")
            }
            for wrong in [
                "tag=plan", "tag=:pro", "tag=", "environment=\(String(repeating: "x", count: 201))",
                "tag=a:b&tag=a:b&tag=a:b&tag=a:b&tag=a:b&tag=a:b",
            ] {
                for path in ["/v1/issues", "/v1/issues/\(issue)/events"] {
                    #expect(try await world.api.get("\(path)?\(wrong)", key: world.ours.read).status == 422, "\(wrong)")
                }
            }
        }
    }

    @Test func `an anonymized report is found by its environment, not by tags`() async throws {
        try await CrashingWorld.use { world in
            let crash = SentCrash().with("context", json: #"{"environment": "test"}"#).with("custom_keys", json: #"{"plan": "pro"}"#)
            let issue = try await world.take(crash.from("ann").with("installation_id", "phone"))
            #expect(try await world.issues("?tag=plan:pro&environment=test").map(\.["id"].text) == [issue])
            #expect(try await world.post("/v1/users/ann/anonymise", "").status == 200)
            #expect(try await world.issues("?tag=plan:pro").isEmpty)
            #expect(try await world.issues("?environment=test").map(\.["id"].text) == [issue])
        }
    }

    private static func pages(_ sort: String, _ limit: Int, _ world: CrashingWorld) async throws -> [String] {
        var (titles, after): ([String], String?) = ([], "")
        while let place = after, titles.count < 20 {
            let page = try await world.get("/v1/issues?sort=\(sort)&limit=\(limit)" + (place.isEmpty ? "" : "&after=\(place)"))
            titles += page["items"].items.map { String($0["title"].text.prefix(1)) }
            after = page["next"].exists ? page["next"].text : nil
        }
        return titles
    }

    @Test func `an issue's crashes are paged and filtered by variant`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            var issue = ""
            for number in 0..<5 {
                let caller = number < 2 ? "one" : "two"
                let frames = [caller, "Cart.pay()"].map { #"{"function": "\#($0)", "in_app": true}"# }.joined(separator: ",")
                issue = try await world.take(SentCrash("\(number)").with("frames", json: "[\(frames)]"))
                clock.advance(by: .minutes(1))
            }
            let path = "/v1/issues/\(issue)/events"
            var (found, target): ([String], String?) = ([], "\(path)?limit=2")
            while let page = target, found.count < 9 {
                let answer = try await world.get(page)
                found += answer["items"].items.map(\.["id"].text)
                target = answer["next"].exists ? "\(path)?limit=2&after=\(answer["next"].text)" : nil
            }
            #expect(found == ["4", "3", "2", "1", "0"])
            let variants = try await world.issue(issue)["variants"].items
            #expect(variants.map(\.["count"].number).sorted() == [2, 3])
            for variant in variants {
                let crashes = try await world.get("\(path)?variant=\(variant["id"].text)")["items"].items
                #expect(crashes.count == variant["count"].number && crashes.allSatisfy { $0["variant"].text == variant["id"].text })
            }
            #expect(try await world.get("\(path)?variant=999999")["items"].items.isEmpty)
        }
    }
}
