// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

/// Kills of the daemon before calls that change a file, and readers in its way, during the erasure of a person who has documents.
@Suite(.namesFaultSeed) struct DocumentErasureKillTests {
    private static let word = "annsecretword"
    private static let patterns = #"""
        {"patterns": [{"path": "users/{uid}/**"}, {"collection": "orders", "field": "owner"}, {"collection": "reviews", "group": true, "field": "author"}]}
        """#
    private static let indexes = #"""
        {"indexes": [{"collectionGroup": "orders", "queryScope": "COLLECTION",
                      "fields": [{"fieldPath": "owner", "order": "ASCENDING"}, {"fieldPath": "text", "order": "ASCENDING"}]}]}
        """#

    private static func admin(_ api: TestClient, _ key: String, _ method: String, _ target: String, _ body: String = "") async throws -> Reply {
        try await api.request(method, target, key: key, headers: body.isEmpty ? [:] : ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    /// Documents of Ann in several states, with entries of an index, answers of batches and documents that are there no longer.
    private static func fill(_ api: TestClient, _ key: String) async throws {
        #expect(try await admin(api, key, "PUT", "/v1/documents:persons", patterns).status == 200)
        #expect(try await admin(api, key, "PUT", "/v1/documents:indexes", indexes).status == 200)
        for round in 0..<3 {
            let writes = ["bob", word].flatMap { who in
                [#"{"set": "users/\#(who)", "fields": {"name": "\#(who) \#(round)", "n": {"$increment": 1}}, "merge": true}"#]
                    + (0..<20).map { number in
                        #"{"set": "orders/\#(who == word ? "o" : "p")\#(number)", "fields": {"owner": "\#(who)", "text": "\#(round) of \#(who)"}}"#
                    } + [
                        #"{"set": "shops/s/reviews/\#(who == word ? "v" : "w")\#(round)", "fields": {"author": "\#(who)"}}"#,
                        #"{"set": "users/\#(who)/notes/n\#(round)", "fields": {"text": "\#(who)"}}"#,
                    ]
            }
            let batch = #""client": "phone of \#(word)", "batch": \#(round + 1)"#
            let reply = try await admin(api, key, "POST", "/v1/documents:commit", #"{"writes": [\#(writes.joined(separator: ","))], \#(batch)}"#)
            #expect(reply.status == 200, "\(reply.text)")
        }
        let deletion = #"{"writes": [{"delete": "users/\#(word)/notes/n0"}]}"#
        #expect(try await admin(api, key, "POST", "/v1/documents:commit", deletion).status == 200)
    }

    /// The files of a folder, at any depth, that have the word, with its places and what stands around the first.
    private static func placesOfWord(_ folder: String) throws -> [String] {
        let word = Data(word.utf8)
        return try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().compactMap { name in
            guard let content = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")) else { return nil }
            var (places, from) = ([Int](), 0)
            while let found = content.range(of: word, in: from..<content.count) {
                places.append(found.lowerBound)
                from = found.upperBound
            }
            guard let first = places.first else { return nil }
            let around = content[max(0, first - 24)..<min(content.count, first + word.count + 24)]
            let text = String(decoding: around.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
            return "\(name) of \(content.count) bytes, \(places.count) times, first at \(first): \(text)"
        }
    }

    private static func expectNoWord(_ folder: String, _ comment: String) throws {
        let places = try placesOfWord(folder)
        #expect(places == [], "\(comment): \(places.joined(separator: "; "))")
    }

    private static func expectOthers(_ api: TestClient, _ key: String, _ comment: String) async throws {
        let count = #"{"from": "orders", "where": ["owner", "==", "bob"], "aggregates": {"n": {"count": true}}}"#
        #expect(try JSON(await admin(api, key, "POST", "/v1/documents:aggregate", count))["values"]["n"].number == 20, "\(comment)")
        let all = #"{"from": "reviews", "group": true}"#
        let reviews = try JSON(await admin(api, key, "POST", "/v1/documents:query", all))["documents"].items.map { $0["path"].text }
        #expect(reviews == ["shops/s/reviews/w0", "shops/s/reviews/w1", "shops/s/reviews/w2"], "\(comment)")
        let user = try JSON(await admin(api, key, "POST", "/v1/documents:get", #"{"paths": ["users/bob", "users/bob/notes/n0"]}"#))
        #expect(user["documents"][0]["fields"]["n"].number == 3 && user["documents"][1]["fields"].exists, "\(comment)")
    }

    /// Erases in a copy of the folder, killed before a call. Returns the number of calls that an erasure made if it was answered.
    private static func erase(_ folder: TemporaryFolder, _ key: String, killingAt call: Int) async throws -> Int? {
        let copy = TemporaryFolder()
        #expect(try await ChildProcess.run("/bin/cp", ["-a", folder.path + "/data", copy.path + "/data"]).code == 0)
        let shim = FaultShim(watching: copy.path)
        let child = try await DaemonProcess.start(in: copy.path + "/data", environment: shim.environment)
        shim.kill(at: call)
        let reply = try? await admin(child.api, key, "DELETE", "/v1/users/\(word)")
        let calls = shim.calls
        shim.heal()
        await child.killHard()
        #expect(reply == nil || reply?.status == 200, "call \(call): \(reply?.text ?? "")")
        let next = try await DaemonProcess.start(in: copy.path + "/data")
        let again = try await admin(next.api, key, "DELETE", "/v1/users/\(word)")
        #expect(again.status == 200, "call \(call): \(again.text)")
        // Nothing is left while the daemon runs, and nothing comes back when it ends.
        try expectNoWord(copy.path + "/data", "call \(call)")
        try await expectOthers(next.api, key, "call \(call)")
        #expect(await next.stop() == 0)
        try expectNoWord(copy.path + "/data", "call \(call), after the end")
        return reply == nil ? nil : calls
    }

    @Test func `an erasure that is repeated after a kill at any call leaves no byte of the person`() async throws {
        let folder = TemporaryFolder()
        let first = try await DaemonProcess.start(in: folder.path + "/data")
        let key = try await first.api.makeApp().admin
        try await Self.fill(first.api, key)
        #expect(await first.stop() == 0)
        #expect(try Self.placesOfWord(folder.path + "/data") != [])
        let calls = try #require(await Self.erase(folder, key, killingAt: 1_000_000))
        #expect(calls > 5)
        var kills = 0
        for call in KilledCalls.some(of: calls) {
            if try await Self.erase(folder, key, killingAt: call) == nil { kills += 1 }
        }
        #expect(kills > 1)
    }

    @Test(arguments: ["documents.db", "main.db"])
    func `an erasure is answered when no reader needs a log that has the person`(file: String) async throws {
        let folder = TemporaryFolder()
        let data = folder.path + "/data"
        let daemon = try await DaemonProcess.start(in: data)
        let key = try await daemon.api.makeApp().admin
        try await Self.fill(daemon.api, key)
        let reader = try Connection("\(data)/\(file)", .read)
        try reader.execute("BEGIN; SELECT count(*) FROM sqlite_schema")
        let refused = try await Self.admin(daemon.api, key, "DELETE", "/v1/users/\(Self.word)")
        let left = try Self.placesOfWord(data).joined(separator: "; ")
        #expect(refused.status == 503, "\(refused.text), left in \(left)")
        try reader.execute("ROLLBACK")
        // The log is emptied without a further commit.
        #expect(try await eventually { try Self.placesOfWord(data).allSatisfy { !$0.hasPrefix("\(file)-wal") } })
        let again = try await Self.admin(daemon.api, key, "DELETE", "/v1/users/\(Self.word)")
        #expect(again.status == 200, "\(again.text)")
        try Self.expectNoWord(data, file)
        try await Self.expectOthers(daemon.api, key, file)
        #expect(await daemon.stop() == 0)
    }

    /// SQLite moves rows between pages when documents of many lengths arrive in any order, and leaves copies in their former places.
    @Test func `an erasure removes copies of rows that moved within the file`() async throws {
        let folder = TemporaryFolder()
        let data = folder.path + "/data"
        let daemon = try await DaemonProcess.start(in: data)
        let key = try await daemon.api.makeApp().admin
        #expect(try await Self.admin(daemon.api, key, "PUT", "/v1/documents:persons", Self.patterns).status == 200)
        func commit(_ field: String, where isIncluded: (Int) -> Bool) async throws {
            let writes = (1..<2_003).map { $0 * 733 % 2_003 }.filter(isIncluded).map { number in
                let author = number % 2 == 0 ? Self.word : "bob"
                let pad = String(repeating: "p", count: number * 7_919 % 900)
                return #"{"set": "reviews/v\#(number)", "fields": {"author": "\#(author)", "\#(field)": "\#(pad)"}}"#
            }
            for start in stride(from: 0, to: writes.count, by: 100) {
                let body = #"{"writes": [\#(writes[start..<min(start + 100, writes.count)].joined(separator: ","))]}"#
                #expect(try await Self.admin(daemon.api, key, "POST", "/v1/documents:commit", body).status == 200)
            }
        }
        try await commit("first") { _ in true }
        #expect(try await Self.admin(daemon.api, key, "DELETE", "/v1/users/\(Self.word)").status == 200)
        try Self.expectNoWord(data, "after the erasure")
        // Pages that the daemon still has in memory bring nothing back.
        try await commit("second") { $0 % 2 == 1 }
        try Self.expectNoWord(data, "after further commits")
        #expect(await daemon.stop() == 0)
        try Self.expectNoWord(data, "after the end")
    }
}
