// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Merging, splitting and annotating issues.
@Suite struct IssueMergeTests {
    @Test func `merged issues stay one issue under all their IDs`() async throws {
        try await CrashingWorld.restart { world in
            let pay = try await world.take(SentCrash("1").from("ann"))
            let search = try await world.take(SentCrash("2", in: "Search.run()").from("ann"))
            let scan = try await world.take(SentCrash("3", in: "Scan.run()").from("bob"))
            #expect(try await world.post("/v1/issues/\(search)/notes", #"{"text": "of the search"}"#).status == 200)
            let merged = try JSON(await world.post("/v1/issues/\(pay)/merge", #"{"issues": ["\#(search)", "\#(scan)"]}"#))
            #expect(merged["id"].text == pay && [merged["count"], merged["users"], merged["notes_count"]].map(\.number) == [3, 2, 1])
            #expect(Set(merged["former_ids"].items.map(\.text)) == [search, scan])
            #expect(merged["variants"].items.count == 3 && merged["notes"][0]["text"].text == "of the search")
            #expect(try await world.take(SentCrash("4", in: "Search.run()")) == pay)
        } then: { world in
            let issues = try await world.issues()
            #expect(issues.count == 1 && issues[0]["count"].number == 4)
            let former = try await world.issue(issues[0]["id"].text)["history"].items.filter { $0["what"].text == "merged" }.map(\.["detail"].text)
            #expect(former.count == 2)
            for id in former {
                #expect(try await world.issue(id)["id"].text == issues[0]["id"].text)
                #expect(try await world.crash("3", of: id)["issue"].text == issues[0]["id"].text)
            }
            #expect(try await world.take(SentCrash("5", in: "Scan.run()")) == issues[0]["id"].text)
            // The ID of a merged issue must not delete the issue that it is in now.
            let refusal = try await world.api.request("DELETE", "/v1/issues/\(former[0])", key: world.ours.admin)
            #expect(try refusal.status == 409 && JSON(refusal)["detail"].text.contains(issues[0]["id"].text))
            #expect(try await world.issue(issues[0]["id"].text)["count"].number == 5)
        }
    }

    @Test func `an issue is found at every moment of its merges and splits`() async throws {
        try await CrashingWorld.use { world in
            let pay = try await world.take(SentCrash("1"))
            let search = try await world.take(SentCrash("2", in: "Search.run()"))
            let variant = try await world.crash("2", of: search)["variant"].text
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 {
                    group.addTask {
                        while !Task.isCancelled { _ = try await world.issue(search) }
                    }
                }
                for _ in 1...60 {
                    #expect(try await world.post("/v1/issues/\(pay)/merge", #"{"issues": ["\#(search)"]}"#).status == 200)
                    #expect(try await world.post("/v1/issues/\(pay)/split", #"{"variant": "\#(variant)"}"#).status == 200)
                }
                group.cancelAll()
                while let ended = await group.nextResult() {
                    if case .failure(let error) = ended, !(error is CancellationError) { throw error }
                }
            }
        }
    }

    @Test func `changes by a former ID name the issue and the former ID in the log`() async throws {
        try await CrashingWorld.use { world in
            var ids: [String] = []
            for name in ["Pay", "Search", "Scan"] { ids.append(try await world.take(SentCrash(in: "\(name).run()"))) }
            #expect(try await world.post("/v1/issues/\(ids[0])/merge", #"{"issues": ["\#(ids[1])"]}"#).status == 200)
            _ = try await world.change(ids[1], #"{"assignee": "ann"}"#)
            let body = Array(#"{"ids": ["\#(ids[1])"], "state": "closed"}"#.utf8)
            #expect(try await world.api.request("PATCH", "/v1/issues", key: world.ours.admin, body: body).status == 200)
            #expect(try await world.post("/v1/issues/\(ids[2])/merge", #"{"issues": ["\#(ids[1])"]}"#).status == 200)
            // All of them are one issue by now.
            #expect(try await world.post("/v1/issues/\(ids[1])/merge", #"{"issues": ["\#(ids[0])"]}"#).status == 200)
            let lines = world.live.log.text.split(separator: "\n").filter { $0.contains("msg=\"issue ") }
            #expect(lines.count == 4)
            for (line, part) in zip(lines, ["issue=\(ids[1]) named=\(ids[1])"] + Array(repeating: "issue=\(ids[0]) named=\(ids[1])", count: 3)) {
                #expect(line.contains(part), "\(line)")
            }
            #expect(lines[0].contains("into=\(ids[0])") && lines[3].contains("into=\(ids[2])"), "\(lines)")
        }
    }

    @Test func `a split variant becomes an issue of its own`() async throws {
        try await CrashingWorld.use { world in
            let pay = try await world.take(SentCrash("1").from("ann"))
            let search = try await world.take(SentCrash("2", in: "Search.run()").from("bob"))
            #expect(try await world.post("/v1/issues/\(pay)/merge", #"{"issues": ["\#(search)"]}"#).status == 200)
            let variant = try await world.crash("2", of: pay)["variant"].text
            let made = try JSON(await world.post("/v1/issues/\(pay)/split", #"{"variant": "\#(variant)"}"#))
            #expect(made["id"].text == search && [made["count"], made["users"]].map(\.number) == [1, 1] && made["culprit"].text == "Search.run")
            let rest = try await world.issue(pay)
            #expect(rest["former_ids"].items.isEmpty && made["former_ids"].items.isEmpty)
            #expect([rest["count"], rest["users"]].map(\.number) == [1, 1] && rest["variants"].items.count == 1)
            #expect(rest["history"][0]["what"].text == "split" && rest["history"][0]["detail"].text == made["id"].text)
            #expect(try await world.take(SentCrash("3", in: "Search.run()")) == made["id"].text)
            #expect(try await world.take(SentCrash("4")) == pay)
            #expect(try await world.api.get("/v1/issues/\(pay)/events/2", key: world.ours.read).status == 404)
        }
    }

    @Test func `a split gives the IDs of merged issues back`() async throws {
        try await CrashingWorld.restart { world in
            let names = ["Pay", "Search", "Scan"]
            var issues: [String] = []
            for name in names { issues.append(try await world.take(SentCrash("\(name)-1", in: "\(name).run()"))) }
            #expect(try await world.post("/v1/issues/\(issues[1])/notes", #"{"text": "of the search"}"#).status == 200)
            // Scan goes into Search, and both go into Pay.
            for (other, into) in [(2, 1), (1, 0)] {
                #expect(try await world.post("/v1/issues/\(issues[into])/merge", #"{"issues": ["\#(issues[other])"]}"#).status == 200)
            }
            // A stack that came after the merge belongs to the same origin.
            let stack = SentCrash("Scan-2").with(
                "frames", json: #"[{"function": "other", "in_app": true}, {"function": "Scan.run()", "in_app": true}]"#)
            #expect(try await world.take(stack) == issues[0])
            try await world.take(SentCrash("0", in: "Unmerged.run()"))
        } then: { world in
            let pay = try #require(try await world.issues().first { $0["culprit"].text == "Pay.run" })["id"].text
            let merged = try await world.issue(pay)["history"].items.filter { $0["what"].text == "merged" }.map(\.["detail"].text)
            let (search, scan) = (merged[0], merged[1])
            for (event, id) in [("Scan-1", scan), ("Search-1", search)] {
                let variant = try await world.crash(event, of: pay)["variant"].text
                let made = try JSON(await world.post("/v1/issues/\(pay)/split", #"{"variant": "\#(variant)"}"#))
                #expect(made["id"].text == id && made["culprit"].text == event.prefix { $0 != "-" } + ".run", "\(event)")
                #expect(try await world.issue(id)["id"].text == id)
                #expect(try await world.crash(event, of: id)["id"].text == event)
                #expect(made["history"][0]["what"].text == "split" && made["history"][0]["detail"].text == pay)
            }
            // Notes stay, and a second part of Scan finds its ID taken.
            #expect(try await world.issue(pay)["notes"][0]["text"].text == "of the search")
            let second = try await world.crash("Scan-2", of: pay)["variant"].text
            let made = try JSON(await world.post("/v1/issues/\(pay)/split", #"{"variant": "\#(second)"}"#))
            #expect(![pay, search, scan].contains(made["id"].text) && made["count"].number == 1)
            #expect(try await world.take(SentCrash("Search-3", in: "Search.run()")) == search)
        }
    }

    @Test func `later stacks of a group count where its last stack is`() async throws {
        try await CrashingWorld.use { world in
            func stack(_ id: String, from caller: String) -> SentCrash {
                let frames = #"[{"function": "\#(caller)", "in_app": true}, {"function": "Search.run()", "in_app": true}]"#
                return SentCrash(id).with("frames", json: frames)
            }
            func split(_ event: String, from issue: String) async throws -> String {
                let variant = try await world.crash(event, of: issue)["variant"].text
                return try JSON(await world.post("/v1/issues/\(issue)/split", #"{"variant": "\#(variant)"}"#))["id"].text
            }
            let pay = try await world.take(SentCrash("pay"))
            let search = try await world.take(stack("1", from: "main"))
            #expect(try await world.take(stack("2", from: "list")) == search)
            #expect(try await world.post("/v1/issues/\(pay)/merge", #"{"issues": ["\#(search)"]}"#).status == 200)
            // The other stack is still in the issue, so the group is too.
            #expect(try await split("1", from: pay) == search)
            #expect(try await world.take(stack("3", from: "menu")) == pay)
            #expect(try await world.take(stack("4", from: "main")) == search)
            let second = try await split("2", from: pay)
            #expect(try await world.take(stack("5", from: "key")) == pay, "the stack `menu` is left")
            _ = try await split("3", from: pay)
            let last = try await split("5", from: pay)
            #expect(try await world.take(stack("6", from: "voice")) == last && ![pay, search, second].contains(last))
            #expect(try await world.issue(pay)["count"].number == 1)
            #expect(try await world.take(SentCrash("7")) == pay)
        }
    }

    @Test func `a former issue comes back with its group`() async throws {
        try await CrashingWorld.use { world in
            let pay = try await world.take(SentCrash("pay"))
            let search = try await world.take(SentCrash("1", in: "Search.run()"))
            #expect(try await world.post("/v1/issues/\(pay)/merge", #"{"issues": ["\#(search)"]}"#).status == 200)
            let variant = try await world.crash("1", of: pay)["variant"].text
            #expect(try await world.post("/v1/issues/\(pay)/split", #"{"variant": "\#(variant)"}"#).status == 200)
            let caller = SentCrash("2").with(
                "frames", json: #"[{"function": "other", "in_app": true}, {"function": "Search.run()", "in_app": true}]"#)
            #expect(try await world.take(caller) == search)
            #expect(try await world.issue(pay)["count"].number == 1)
            #expect(try await world.issue(search)["count"].number == 2)
        }
    }

    @Test func `an issue has the title of a group that is left`() async throws {
        try await CrashingWorld.use { world in
            let pay = try await world.take(SentCrash("pay").with("type", "PayError"))
            let search = try await world.take(SentCrash("1", in: "Search.run()").with("type", "SearchError"))
            #expect(try await world.post("/v1/issues/\(pay)/merge", #"{"issues": ["\#(search)"]}"#).status == 200)
            let variant = try await world.crash("pay", of: pay)["variant"].text
            let made = try JSON(await world.post("/v1/issues/\(pay)/split", #"{"variant": "\#(variant)"}"#))
            #expect(made["culprit"].text == "Cart.pay" && made["title"].text.hasPrefix("PayError"))
            let rest = try await world.issue(pay)
            #expect(rest["culprit"].text == "Search.run" && rest["title"].text.hasPrefix("SearchError"))
        }
    }

    @Test func `regrouping keeps merges and splits, also when it is repeated`() async throws {
        try await CrashingWorld.use { world in
            func regroup(_ query: String = "") async throws -> [JSON] {
                let reply = try await world.post("/v1/issues/regroup\(query)", "")
                #expect(reply.status == 200)
                return try JSON(reply)["items"].items
            }
            func issues() async throws -> [[String]] {
                try await world.issues("?sort=first_seen").map { [$0["id"].text, $0["culprit"].text, $0["count"].text] }
            }
            let other = #"[{"function": "other", "in_app": true}, {"function": "Cart.pay()", "in_app": true}]"#
            let pay = try await world.take(SentCrash("1"))
            try await world.take(SentCrash("2").with("frames", json: other))
            let variant = try await world.crash("2", of: pay)["variant"].text
            let apart = try JSON(await world.post("/v1/issues/\(pay)/split", #"{"variant": "\#(variant)"}"#))["id"].text
            let search = try await world.take(SentCrash("3", in: "Search.run()"))
            let scan = try await world.take(SentCrash("4", in: "Scan.run()"))
            #expect(try await world.post("/v1/issues/\(search)/merge", #"{"issues": ["\#(scan)"]}"#).status == 200)
            for id in ["5", "6", "7"] {
                let before = try await issues()
                #expect(before.count == 3)
                for query in ["?dry_run=true", "", ""] { #expect(try await regroup(query).isEmpty, "\(query) before \(id)") }
                #expect(try await issues() == before)
                #expect(try await world.take(SentCrash(id, in: "Scan.run()")) == search)
                #expect(try await world.take(SentCrash("o\(id)").with("frames", json: other)) == apart)
                #expect(try await world.take(SentCrash("p\(id)")) == pay)
            }
        }
    }

    @Test func `notes are listed with their author, newest first`() async throws {
        try await CrashingWorld.use { world in
            let id = try await world.take(SentCrash())
            #expect(try await world.post("/v1/issues/\(id)/notes", #"{"text": "seen \ud83d\udc40", "author": "ann"}"#).status == 200)
            let issue = try JSON(await world.post("/v1/issues/\(id)/notes", #"{"text": "mended"}"#))
            #expect(issue["notes"].items.map(\.["text"].text) == ["mended", "seen 👀"])
            #expect(issue["notes"].items.map(\.["author"].text) == ["", "ann"] && issue["notes_count"].number == 2)
        }
    }
}
