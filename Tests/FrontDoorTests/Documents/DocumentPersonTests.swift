// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import ingestd

/// Documents of persons in erasure, anonymisation and export, over HTTP.
@Suite struct DocumentPersonTests {
    private static let word = "annsecret"
    private static let patterns = #"""
        {"patterns": [
            {"path": "users/{uid}/**"}, {"path": "rooms/{room}/members/{uid}"},
            {"collection": "orders", "field": "by.owner", "private": ["address"]},
            {"collection": "reviews", "group": true, "field": "author"}]}
        """#
    private static let indexes = #"""
        {"indexes": [{"collectionGroup": "orders", "queryScope": "COLLECTION", "fields": [{"fieldPath": "address", "order": "ASCENDING"}]},
                     {"collectionGroup": "reviews", "queryScope": "COLLECTION_GROUP", "fields": [{"fieldPath": "author", "order": "ASCENDING"}]}]}
        """#

    private static func admin(_ client: DocumentClient, _ method: String, _ target: String, _ body: String? = nil) async throws -> Reply {
        try await client.live.api.request(
            method, target, key: client.keys.admin, headers: body == nil ? [:] : ["Content-Type": "application/json"],
            body: body.map { Array($0.utf8) })
    }

    private static func set(_ path: String, _ fields: String) -> String { #"{"set": "\#(path)", "fields": \#(fields)}"# }

    /// Writes documents of Ann, who is called by the word, and of Bob.
    private static func fill(_ client: DocumentClient) async throws {
        #expect(try await admin(client, "PUT", "/v1/documents:persons", patterns).status == 200)
        #expect(try await admin(client, "PUT", "/v1/documents:indexes", indexes).status == 200)
        for who in [word, "bob"] {
            let isAnn = who == word
            var writes = [
                set("users/\(who)", #"{"name": "\#(who) first"}"#), set("users/\(who)/notes/n1", #"{"text": "\#(who)"}"#),
                set("users/\(who)/notes/n1/parts/p", #"{"text": "\#(who)"}"#), set("rooms/r1", #"{"n": 1}"#),
                set("rooms/r1/members/\(who)", #"{"since": 1}"#), set("rooms/r2/members/\(who)", #"{"since": 2}"#),
                set("orders/\(isAnn ? "o1" : "o2")", #"{"by": {"owner": "\#(who)"}, "address": "street of \#(who)", "sum": 7}"#),
                set("shops/s1/reviews/\(isAnn ? "v1" : "v2")", #"{"author": "\#(who)", "text": "good"}"#),
                set("reviews/\(isAnn ? "v3" : "v4")", #"{"author": "\#(who)", "text": "\#(who)"}"#),
            ]
            if !isAnn { writes.append(set("users/bobx", #"{"name": "another"}"#)) }
            let batch = #""client": "phone of \#(who)", "batch": 1"#
            _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))], \#(batch)}"#)
        }
        // States before, a document that is there no longer, one that had another owner, and an answer with a value.
        let later = [
            set("users/\(word)", #"{"name": "\#(word) second"}"#), #"{"delete": "users/\#(word)/notes/n1"}"#,
            set("orders/o3", #"{"by": {"owner": "\#(word)"}, "address": "lane of \#(word)"}"#),
        ]
        _ = try await client.json("commit", #"{"writes": [\#(later.joined(separator: ","))]}"#)
        let last = [
            set("orders/o3", #"{"by": {"owner": "bob"}, "address": "lane"}"#),
            #"{"update": "users/\#(word)", "fields": {"best": {"$max": 7}}}"#,
        ]
        _ = try await client.json("commit", #"{"writes": [\#(last.joined(separator: ","))], "client": "other", "batch": 1}"#)
        #expect(try await eventually { try await areReady(client) })
    }

    private static func areReady(_ client: DocumentClient) async throws -> Bool {
        try JSON(await admin(client, "GET", "/v1/documents:indexes"))["indexes"].items.allSatisfy { $0["state"].text == "ready" }
    }

    /// The files of the folder that have the word.
    private static func filesWithWord(_ live: LiveDaemon) throws -> [String] {
        try Folder.names(in: live.folder).filter { $0.hasPrefix("documents.db") && !$0.hasSuffix("-shm") }.filter { name in
            let file = try File(live.folder + "/" + name, .read)
            return try file.read(at: 0, count: file.size).holds(Array(word.utf8))
        }
    }

    private static let all = [
        "users/\(word)", "users/\(word)/notes/n1/parts/p", "rooms/r1/members/\(word)", "rooms/r2/members/\(word)", "orders/o1",
        "reviews/v3", "shops/s1/reviews/v1",
    ]

    private static let ofOthers = [
        "users/bob", "users/bob/notes/n1", "users/bobx", "rooms/r1", "rooms/r1/members/bob", "orders/o2", "orders/o3", "reviews/v4",
        "shops/s1/reviews/v2",
    ]

    private static func present(_ client: DocumentClient, _ paths: [String]) async throws -> [String] {
        let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
        return try await client.json("get", #"{"paths": [\#(list)]}"#)["documents"].items.filter { $0["fields"].exists }.map { $0["path"].text }
    }

    @Test func `an erasure leaves nothing of the person's documents, in no table and no page`() async throws {
        let folder = TemporaryFolder()
        try await DocumentClient.use(in: folder) { client in
            try await Self.fill(client)
            #expect(try Self.filesWithWord(client.live) != [])
            let counted = try JSON(await Self.admin(client, "DELETE", "/v1/users/\(Self.word)?dry_run=true"))
            #expect(counted["documents"].number == Self.all.count)
            #expect(try await Self.present(client, Self.all) == Self.all)
            // An index that is dropped still has entries for a while.
            #expect(try await Self.admin(client, "PUT", "/v1/documents:indexes", "{}").status == 200)
            let report = try JSON(await Self.admin(client, "DELETE", "/v1/users/\(Self.word)"))
            #expect(report["documents"].number == Self.all.count)
            #expect(try await Self.present(client, Self.all) == [])
            #expect(try await Self.present(client, Self.ofOthers) == Self.ofOthers)
            #expect(try Self.filesWithWord(client.live) == [])
            #expect(try await client.json("collections", #"{"under": "users/\#(Self.word)"}"#)["items"].items.isEmpty)
            #expect(try JSON(await Self.admin(client, "DELETE", "/v1/users/\(Self.word)"))["documents"].number == 0)
            // The batch is still known, without the values of its answer.
            let batch = #"{"writes": [{"delete": "users/bob"}], "client": "other", "batch": 1}"#
            #expect(try await client.json("commit", batch)["results"].items.allSatisfy { !$0["transforms"].exists })
            #expect(try await Self.present(client, ["users/bob"]) == ["users/bob"])
        }
        try await withDaemon(in: folder) { (live: LiveDaemon) async throws -> Void in #expect(try Self.filesWithWord(live) == []) }
    }

    @Test func `listeners see an erasure, and those that resume from before begin anew`() async throws {
        try await DocumentClient.use { client in
            try await Self.fill(client)
            let targets = #"{"target": 1, "query": {"from": "reviews", "group": true}}"#
            let follower = try await DocumentFollower(client, #"{"targets": [\#(targets)]}"#)
            try await follower.follow(untilCurrent: [1])
            let (token, stamp) = await (follower.token, follower.stamp)
            #expect(try await Self.admin(client, "DELETE", "/v1/users/\(Self.word)").status == 200)
            try await follower.follow { $0.results[1]?.keys.sorted() == ["reviews/v4", "shops/s1/reviews/v2"] }
            let resume = try #require(token)
            let second = try await DocumentFollower(client, #"{"targets": [\#(targets)], "resume": "\#(resume)"}"#)
            try await second.follow(untilCurrent: [1])
            let (resets, results) = await (second.resets, second.results[1]?.keys.sorted())
            #expect(resets == [1] && results == ["reviews/v4", "shops/s1/reviews/v2"])
            let past = try await client.send("query", #"{"from": "reviews", "at": \#(stamp)}"#)
            #expect(past.status == 422, "\(past.text)")
            // A transaction that read before cannot know whether it is still true.
            let condition = #"{"writes": [], "queries": [{"query": {"from": "reviews"}, "stamp": \#(stamp)}]}"#
            #expect(try await client.send("commit", condition).status == 409)
        }
    }

    @Test func `an anonymisation keeps documents with private fields under a random ID`() async throws {
        try await DocumentClient.use { client in
            try await Self.fill(client)
            let report = try JSON(await Self.admin(client, "POST", "/v1/users/\(Self.word)/anonymise"))
            #expect(report["documents"].number == Self.all.count)
            #expect(try await Self.present(client, Self.all) == ["orders/o1"])
            let fields = try await client.fields("orders/o1") ?? ""
            #expect(fields.contains(#""sum":7"#) && !fields.contains("address") && !fields.contains(Self.word), "\(fields)")
            #expect(fields.contains(#""by":{"owner":""#))
            #expect(try Self.filesWithWord(client.live) == [])
        }
    }

    @Test func `the export of a person has the documents, each once`() async throws {
        try await DocumentClient.use { client in
            try await Self.fill(client)
            let both = #"{"patterns": [{"path": "users/{uid}/**"}, {"path": "users/{uid}"}, {"collection": "orders", "field": "by.owner"}]}"#
            #expect(try await Self.admin(client, "PUT", "/v1/documents:persons", both).status == 200)
            let export = try JSON(await Self.admin(client, "GET", "/v1/users/\(Self.word)/export"))
            let paths = ["users/\(Self.word)", "users/\(Self.word)/notes/n1/parts/p", "orders/o1"]
            #expect(export["documents"].items.map { $0["path"].text } == paths)
            #expect(export["documents"][2]["fields"]["address"].text == "street of \(Self.word)")
            #expect(try await Self.admin(client, "GET", "/v1/users/nobody/export").status == 404)
            #expect(try await Self.admin(client, "GET", "/v1/users/\(Self.word)/export?by=installation").status == 404)
        }
    }

    @Test func `many documents are found and erased in pages`() async throws {
        try await DocumentClient.use { client in
            #expect(try await Self.admin(client, "PUT", "/v1/documents:persons", Self.patterns).status == 200)
            // More than two pages of 2,000 are walked.
            for start in stride(from: 0, to: 4_500, by: 1_500) {
                let writes = (start..<start + 1_500).map { number in
                    let owner = number % 2 == 0 ? Self.word : "bob"
                    return Self.set("reviews/v\(number)", #"{"author": "\#(owner)"}"#)
                }
                _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            }
            let deep = (0..<100).map { Self.set("users/\(Self.word)/c\($0)/d", "{}") }
            _ = try await client.json("commit", #"{"writes": [\#(deep.joined(separator: ","))]}"#)
            #expect(try JSON(await Self.admin(client, "GET", "/v1/users/\(Self.word)/export"))["documents"].items.count == 2_350)
            #expect(try JSON(await Self.admin(client, "DELETE", "/v1/users/\(Self.word)"))["documents"].number == 2_350)
            #expect(try Self.filesWithWord(client.live) == [])
            let count = #"{"from": "reviews", "aggregates": {"n": {"count": true}}}"#
            #expect(try await client.json("aggregate", count)["values"]["n"].number == 2_250)
        }
    }

    private static let wrongPatterns: [(String, String)] = [
        (#"{}"#, "patterns"), (#"{"patterns": [{"path": "users"}]}"#, "patterns[0].path"),
        (#"{"patterns": [{"path": "users/u"}]}"#, "patterns[0].path"),
        (#"{"patterns": [{"path": "users/{uid}/a/{uid}"}]}"#, "patterns[0].path"), (#"{"patterns": [{"path": "{uid}/a"}]}"#, "patterns[0].path"),
        (#"{"patterns": [{"path": "{a}/{uid}"}]}"#, "patterns[0].path"), (#"{"patterns": [{"path": "users/{uid}/**/b/c"}]}"#, "patterns[0].path"),
        (#"{"patterns": [{"path": "users/{uid}/**/b"}]}"#, "patterns[0].path"), (#"{"patterns": [{"path": "users/{uid}/*/b"}]}"#, "patterns[0].path"),
        (#"{"patterns": [{"path": "rooms/*/members/{uid}"}]}"#, "patterns[0].path"),
        (#"{"patterns": [{"path": "rooms/r{n}/members/{uid}"}]}"#, "patterns[0].path"),
        (#"{"patterns": [{"path": "users//{uid}"}]}"#, "patterns[0].path"), (#"{"patterns": [{"path": "../{uid}"}]}"#, "patterns[0].path"),
        (#"{"patterns": [{"path": "users/{uid}", "field": "a"}]}"#, "patterns[0].field"), (#"{"patterns": [{"field": "a"}]}"#, "patterns[0].path"),
        (#"{"patterns": [{"collection": "a/b", "field": "a"}]}"#, "patterns[0].collection"),
        (#"{"patterns": [{"collection": "a/b/c", "group": true, "field": "a"}]}"#, "patterns[0].collection"),
        (#"{"patterns": [{"collection": "a", "field": "__name__"}]}"#, "patterns[0].field"),
        (#"{"patterns": [{"collection": "a", "field": "b", "private": ["a..b"]}]}"#, "patterns[0].private[0]"),
        (#"{"patterns": [{"collection": "a", "field": "b.c", "private": ["a", "`b`.c"]}]}"#, "patterns[0].private[1]"),
    ]

    @Test func `a wrong pattern is refused by its place and changes nothing`() async throws {
        try await DocumentClient.use { client in
            let good = try JSON(await Self.admin(client, "PUT", "/v1/documents:persons", Self.patterns))
            for (body, place) in Self.wrongPatterns {
                let reply = try await Self.admin(client, "PUT", "/v1/documents:persons", body)
                #expect(try reply.status == 422 && JSON(reply)["errors"][0]["field"].text == place, "\(body): \(reply.text)")
                let kept = try JSON(await Self.admin(client, "GET", "/v1/documents:persons"))["patterns"].items.map { $0["path"].text }
                #expect(kept == good["patterns"].items.map { $0["path"].text } && kept.count == 4, "\(body)")
            }
        }
    }
}
