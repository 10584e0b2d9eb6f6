// SPDX-License-Identifier: Apache-2.0

import Foundation
import DocumentStore
import Firestore
import Platform
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import ingestd

/// Lists, earlier states and transactions of Firestore's REST API.
@Suite struct FirestoreReadTests {
    @Test func `a list also shows documents that are not there but have documents below them`() async throws {
        try await FirestoreClient.use { client in
            let paths = ["m/b", "m/a/s/1", "m/c/s/1", "m/c", "m/d/s/t/u/1", "m/__id2__/s/1", "m/a!"]
            _ = try await client.commit(paths.map { FirestoreClient.set($0, 1) }.joined(separator: ","))
            let plain = try await client.json("GET", "/m")
            #expect(FirestoreClient.ids(plain["documents"]) == ["a!", "b", "c"])
            var (ids, token) = ([String](), "")
            repeat {
                let page = try await client.json("GET", "/m?showMissing=true&pageSize=2&pageToken=\(token)")
                for document in page["documents"].items where document["fields"].exists == (document["updateTime"].text == "") {
                    Issue.record("\(document)")
                }
                ids += FirestoreClient.ids(page["documents"])
                token = page["nextPageToken"].text
            } while !token.isEmpty && ids.count < 20
            #expect(ids == ["__id2__", "a", "a!", "b", "c", "d"])
            #expect(try await client.send("GET", "/m?showMissing=true&orderBy=n").status == 400)
        }
    }

    @Test func `a document reads the same alone, in batches, in queries and in lists`() async throws {
        try await FirestoreClient.use { client in
            let values = [
                #"{"nullValue":null}"#, #"{"booleanValue":true}"#, #"{"booleanValue":false}"#, #"{"integerValue":"-9223372036854775808"}"#,
                #"{"doubleValue":1.0}"#, #"{"doubleValue":-0.0}"#, #"{"doubleValue":1e+300}"#, #"{"doubleValue":"NaN"}"#,
                #"{"doubleValue":"-Infinity"}"#, #"{"timestampValue":"2026-01-31T23:59:59.000001Z"}"#, #"{"stringValue":"a\"\\\u0000\n$é🙂"}"#,
                #"{"stringValue":""}"#, #"{"bytesValue":"AAEC"}"#, #"{"referenceValue":"~/c/d"}"#,
                #"{"referenceValue":"projects/p/databases/d/documents/c/d"}"#, #"{"geoPointValue":{"latitude":1.5,"longitude":-2.0}}"#,
                #"{"geoPointValue":{}}"#, #"{"arrayValue":{}}"#, #"{"arrayValue":{"values":[{"integerValue":"1"},{"mapValue":{}}]}}"#,
                #"{"mapValue":{}}"#, #"{"mapValue":{"fields":{"$time":{"stringValue":"x"},"$$":{"nullValue":null},"a.b":{"integerValue":"2"}}}}"#,
                #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":[{"doubleValue":1.5}]}}}}}"#,
            ]
            let fields = values.enumerated().map { #""$f\#($0)":\#($1)"# }.joined(separator: ",")
            let sets = [("a", fields), ("b", "")].map { #"{"update":{"name":"~/all/\#($0)","fields":{\#($1)}}}"# }.joined(separator: ",")
            _ = try await client.commit(sets)
            let query = #"{"structuredQuery":{"from":[{"collectionId":"all"}]}}"#
            let list = try await client.send("GET", "/all").text
            let queried = try await client.send("POST", ":runQuery", query).text
            let found = try await client.send("POST", ":batchGet", #"{"documents":["~/all/a","~/all/b"]}"#).text
            for id in ["a", "b"] {
                let alone = try await client.send("GET", "/all/\(id)").text
                #expect(list.contains(alone), "\(list)\n\(alone)")
                #expect(queried.contains(#""document":"# + alone) && found.contains(#""found":"# + alone))
                #expect(alone.contains(#""fields""#) == (id == "a"))
            }
            let masked = try await client.json("GET", "/all/a?mask.fieldPaths=%60$f3%60&mask.fieldPaths=x")
            #expect(masked["fields"].names == ["$f3"] && masked["fields"]["$f3"]["integerValue"].text == "-9223372036854775808")
        }
    }

    @Test func `earlier states are read by their time, lists of collections among them`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await FirestoreClient.use(clock: clock.clock) { client in
            let first = try await client.commit(FirestoreClient.set("a/1", 1) + "," + FirestoreClient.set("a/2/b/1", 1))["commitTime"].text
            clock.advance(by: .minutes(50))
            _ = try await client.commit(#"{"delete":"~/a/1"},{"delete":"~/a/2/b/1"},"# + FirestoreClient.set("z/1", 1))
            let get = #"{"documents":["~/a/1","~/z/1"],"readTime":"\#(first)"}"#
            let found = try await client.json("POST", ":batchGet", get)
            #expect(found[0]["found"]["name"].text.hasSuffix("a/1") && found[1]["missing"].text.hasSuffix("z/1"))
            #expect(try await client.json("GET", "/a?readTime=\(first)")["documents"].items.count == 1)
            #expect(FirestoreClient.ids(try await client.json("GET", "/a?readTime=\(first)&showMissing=true")["documents"]) == ["1", "2"])
            #expect(try await client.send("GET", "/a?showMissing=true").text == "{}")
            let lists = [#"{"readTime":"\#(first)"}"#, "{}"]
            for (body, expected) in zip(lists, [["a"], ["z"]]) {
                #expect(try await client.json("POST", ":listCollectionIds", body)["collectionIds"].items.map(\.text) == expected)
            }
            #expect(try await client.json("POST", "/a/2:listCollectionIds", lists[0])["collectionIds"][0].text == "b")
            let begin = [first, "2099-01-01T00:00:00Z"].map { #"{"options":{"readOnly":{"readTime":"\#($0)"}}}"# }
            #expect(try await client.json("POST", ":beginTransaction", begin[0])["transaction"].exists)
            clock.advance(by: .minutes(61))
            for (body, words) in zip(begin, ["is too old", "cannot be in the future"]) {
                let refused = try await client.send("POST", ":beginTransaction", body)
                #expect(refused.status == 400 && refused.text.contains(words), "\(refused.text)")
            }
            let late = try await client.send("POST", ":batchGet", get)
            #expect(late.status == 400 && late.text.hasPrefix(#"[{"error":{"code":400,"message":"The requested 'read_time' is too old."#))
            #expect(late.text.contains("FAILED_PRECONDITION"))
            let future = try await client.send("GET", "/a/1?readTime=2099-01-01T00:00:00Z")
            #expect(future.status == 400 && future.text.contains("cannot be in the future") && future.text.contains("INVALID_ARGUMENT"))
        }
    }

    @Test func `transactions end after a minute without requests, after 270 seconds, and with what they have read`() async throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        try await FirestoreClient.use(clock: clock.clock) { client in
            _ = try await client.commit(FirestoreClient.set("c/a", 1))
            for (seconds, rounds, status) in [(Int64(60), 1, 200), (61, 1, 400), (54, 5, 200), (55, 5, 400)] {
                let id = try await client.json("POST", ":beginTransaction", "{}")["transaction"].text
                var last = 200
                for _ in 0..<rounds {
                    clock.advance(by: .seconds(seconds))
                    last = try await client.send("GET", "/c/a?transaction=\(id.replacing("+", with: "%2B"))").status
                }
                #expect(last == status, "\(rounds) times after \(seconds) s")
            }
        }
    }

    @Test func `a transaction cannot repeat one whose ID no transaction has`() async throws {
        try await FirestoreClient.use { client in
            let refused = try await client.send("POST", ":beginTransaction", #"{"options":{"readWrite":{"retryTransaction":"AAAA"}}}"#)
            #expect(refused.status == 400 && refused.text.contains("Invalid transaction."))
            let ended = try await client.json("POST", ":beginTransaction", "{}")["transaction"].text
            _ = try await client.json("POST", ":rollback", #"{"transaction":"\#(ended)"}"#)
            let repeated = #"{"options":{"readWrite":{"retryTransaction":"\#(ended)"}}}"#
            #expect(try await client.json("POST", ":beginTransaction", repeated)["transaction"].exists)
        }
    }

    @Test func `a transaction that only reads is open after a commit with writes, which is refused`() async throws {
        try await FirestoreClient.use { client in
            let id = try await client.json("POST", ":beginTransaction", #"{"options":{"readOnly":{}}}"#)["transaction"].text
            let read = #"{"documents":["~/c/a"],"transaction":"\#(id)"}"#
            let writing = #"{"writes":[\#(FirestoreClient.set("c/a", 1))],"transaction":"\#(id)"}"#
            let refused = try await client.send("POST", ":commit", writing)
            #expect(refused.status == 400 && refused.text.contains("Cannot modify entities in a read-only transaction."))
            #expect(try await client.json("POST", ":batchGet", read)[0]["missing"].exists)
            _ = try await client.json("POST", ":commit", #"{"writes":[],"transaction":"\#(id)"}"#)
            #expect(try await client.send("POST", ":batchGet", read).status == 400)
        }
    }

    @Test func `a transaction fails if a query would find other documents now`() async throws {
        try await FirestoreClient.use { client in
            _ = try await client.commit(FirestoreClient.set("c/a", 1))
            let query =
                #""structuredQuery":{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"n"},"op":"LESS_THAN","value":{"integerValue":"5"}}}}"#
            for (other, status) in [(9, 200), (3, 409)] {
                let read = try await client.json("POST", ":runQuery", "{\(query),\"newTransaction\":{\"readWrite\":{}}}")
                let id = read[0]["transaction"].text
                _ = try await client.commit(FirestoreClient.set("c/new", other))
                // The transaction reads its own version of the database.
                let again = try await client.json("POST", ":runQuery", "{\(query),\"transaction\":\"\(id)\"}")
                #expect(again.items.count == 1)
                let body = #"{"transaction":"\#(id)","writes":["# + FirestoreClient.set("c/done", 9) + "]}"
                #expect(try await client.send("POST", ":commit", body).status == status)
            }
        }
    }

    @Test func `what the transactions of an app have read is bounded`() throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        let open = FirestoreTransactions(clock: clock.clock, .init(transactions: 2, bytes: 2_000))
        let (app, other) = (Self.owner(1, .server), Self.owner(1, .user))
        let path = try #require(DocumentPath("c/a"))
        let stamp = try #require(DocumentTime(microseconds: 1))
        let first = try open.begin(.readWrite(retryOf: nil), app)
        try open.note(DocumentQuery(collection: nil), bytes: 1_000, at: stamp, in: first, app)
        #expect(throws: FirestoreFault.self) { try open.note([(path: path, version: nil)], at: stamp, in: first, other) }
        let second = try open.begin(.readWrite(retryOf: nil), app)
        #expect(throws: FirestoreFault.self) { try open.begin(.readOnly(at: nil), app) }
        _ = try open.begin(.readOnly(at: nil), other)
        // What does not fit ends its transaction, and another one may begin.
        #expect(throws: FirestoreFault.self) { try open.note(DocumentQuery(collection: nil), bytes: 1_000, at: stamp, in: second, app) }
        #expect(throws: FirestoreFault.self) { try open.end(second, app, isWriting: false) }
        #expect(try open.end(first, app, isWriting: false).conditions.count == 1)
        for _ in 0..<2 { _ = try open.begin(.readOnly(at: nil), app) }
        #expect(throws: FirestoreFault.self) { try open.begin(.readOnly(at: nil), app) }
        clock.advance(by: .seconds(61))
        _ = try open.begin(.readOnly(at: nil), app)
    }

    private static func owner(_ app: Int64, _ kind: FirestoreTransactions.Owner.Kind) -> FirestoreTransactions.Owner {
        .init(app: AppID(rawValue: app), kind: kind)
    }

    @Test func `a query over a large collection group has parts`() async throws {
        try await FirestoreClient.use { client in
            for part in 0..<2 {
                let writes = (0..<200).map { FirestoreClient.set("p/x\(part)/g/d\(1_000 + $0)", $0) }
                _ = try await client.commit(writes.joined(separator: ","))
            }
            func parts(_ count: Int, _ more: String = "", page: String = "") async throws -> Reply {
                let from = #"{"structuredQuery":{"from":[{"collectionId":"g","allDescendants":true}]\#(more)},"partition_count":\#(count)\#(page)}"#
                return try await client.send("POST", ":partitionQuery", from)
            }
            let points = try JSON(await parts(2))["partitions"].items
            #expect(points.map { String($0["values"][0]["referenceValue"].text.suffix(12)) } == ["p/x0/g/d1133", "p/x1/g/d1066"])
            #expect(try JSON(await parts(50))["partitions"].items.count == 2 && points.allSatisfy { $0["before"].bool })
            for more in [#","limit":1"#, #","orderBy":[{"field":{"fieldPath":"n"}}]"#] { #expect(try await parts(2, more).status == 400) }
            #expect(try await parts(0).status == 400)
            let page = try JSON(await parts(2, page: #","pageSize":1"#))
            let token = page["nextPageToken"].text
            #expect(page["partitions"].items.count == 1 && !token.isEmpty)
            let rest = try JSON(await parts(2, page: #","pageSize":1,"pageToken":"\#(token)""#))
            let positions = (page["partitions"].items + rest["partitions"].items).map { $0["values"][0]["referenceValue"].text }
            #expect(positions == points.map { $0["values"][0]["referenceValue"].text } && rest["nextPageToken"].text.isEmpty)
            for more in [#","pageSize":-1"#, #","pageToken":"-1""#, #","pageToken":"x""#] { #expect(try await parts(2, page: more).status == 400) }
        }
    }

    @Test func `a service account reads and writes, whatever its requests' media type, names and API key`() async throws {
        try await FirestoreClient.use { client in
            let body = #"{"structured_query":{"from":[{"collection_id":"c","all_descendants":true}],"order_by":[{"field":{"field_path":"n"}}]}}"#
            _ = try await client.commit(FirestoreClient.set("c/a", 1))
            #expect(try await client.json("POST", ":runQuery?key=\(client.documents.keys.ingest)&alt=json", body).items.count == 1)
            #expect(try await client.json("GET", "/c?page_size=1&mask.field_paths=x")["documents"].items.count == 1)
            let unknown = try await client.send("POST", ":runQuery", #"{"structuredQuery":{"frm":[]}}"#)
            #expect(unknown.status == 400 && unknown.text.contains("Unknown name"))
            let stranger = try await client.send("POST", ":runQuery", body, key: "nonsense")
            #expect(stranger.status == 401 && stranger.text.hasPrefix("[{") && stranger.text.contains("UNAUTHENTICATED"))
            #expect(try await client.send("GET", "/c/a", key: "nonsense").text.hasPrefix(#"{"error":{"code":401"#))
        }
    }

    @Test func `no client can use up the transactions of others`() throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        let open = FirestoreTransactions(clock: clock.clock, .init(transactions: 10, ofClient: 3))
        let (users, anyone) = (Self.owner(1, .user), Self.owner(1, .anyone))
        for address in 0..<5 {
            for number in 0..<4 {
                let isOpen = (try? open.begin(.readOnly(at: nil), anyone, ExactName("address \(address)"))) != nil
                #expect(isOpen == (number < 3 && address * 3 + number < 10), "\(address), \(number)")
            }
        }
        _ = try open.begin(.readOnly(at: nil), users, "user 1")
        clock.advance(by: .seconds(61))
        _ = try open.begin(.readOnly(at: nil), anyone, "address 0")
    }

    @Test func `what a client has read ends its own transactions, and not those of others`() throws {
        let clock = ManualClock(Timestamp(milliseconds: 1_795_260_500_000))
        let open = FirestoreTransactions(clock: clock.clock, .init(transactions: 100, ofClient: 20, bytes: 20_000, bytesOfClient: 8_000))
        let users = Self.owner(1, .user)
        let stamp = try #require(DocumentTime(microseconds: 1))
        func read(_ bytes: Int, _ client: String) throws -> [UInt8] {
            let id = try open.begin(.readWrite(retryOf: nil), users, ExactName(client))
            try open.note(DocumentQuery(collection: nil), bytes: bytes, at: stamp, in: id, users)
            return id
        }
        let small = try read(1_000, "user 1")
        let large = [try read(3_000, "user 2"), try read(3_000, "user 2")]
        let fault = #expect(throws: FirestoreFault.self) { _ = try read(3_000, "user 2") }
        #expect(fault?.status == .resourceExhausted)
        let ofOne = #expect(throws: FirestoreFault.self) { _ = try read(9_000, "user 5") }
        #expect(ofOne?.status == .invalidArgument)
        #expect(try open.time(of: small, users) == stamp && open.time(of: large[0], users) == stamp)
        // Together users may read 20,000 bytes. The one that has read most makes room for others.
        let third = try read(5_000, "user 3")
        let fourth = try read(5_000, "user 4")
        let fifth = try read(5_000, "user 5")
        for id in large { #expect(throws: FirestoreFault.self) { try open.time(of: id, users) } }
        for id in [small, third, fourth, fifth] { #expect(try open.time(of: id, users) == stamp) }
    }

    @Test func `an ingest key opens some transactions of an address, and users go on`() async throws {
        try await FirestoreClient.use { client in
            var statuses: Set<Int> = []
            for _ in 0..<60 { statuses.insert(try await client.send("POST", ":beginTransaction", "{}", key: client.documents.keys.ingest).status) }
            #expect(statuses == [200, 429])
            #expect(try await client.send("POST", ":beginTransaction", "{}").status == 200)
        }
    }
}
