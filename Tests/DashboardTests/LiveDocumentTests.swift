// SPDX-License-Identifier: Apache-2.0

import JSON
import TestSupport
import Testing

/// Documents in a pseudo terminal and as commands, with a running daemon.
struct LiveDocumentTests {
    private static let missing = "orders/o9/lines/l1"

    /// Two users, a cart of one of them, and a document below one that is not there.
    private static func running() async throws -> DevelopmentDaemon {
        let running = try await DevelopmentDaemon()
        let ann =
            #"{"name": "Ann", "since": {"$time": "2026-11-23T10:00:00.000001Z"}, "address": {"city": "Bonn\u001b[31m"}, "ratio": {"$double": "2"}}"#
        try await write([("users/ann", ann), ("users/bob", #"{"name": "Bob"}"#), ("users/ann/carts/c1", "{}"), (missing, #"{"count": 2}"#)], running)
        return running
    }

    private static func write(_ documents: [(path: String, fields: String)], _ running: DevelopmentDaemon) async throws {
        let writes = documents.map { #"{"set": "\#($0.path)", "fields": \#($0.fields)}"# }.joined(separator: ",")
        let done = try await running.process.api.post("/v1/documents:commit", key: running.keys.text("admin"), #"{"writes": [\#(writes)]}"#)
        #expect(done.status == 200, "\(done.text)")
    }

    /// The environment that opens the daemon with a key of the role `data`.
    private static func dataKey(_ running: DevelopmentDaemon) async throws -> [String: String] {
        let made = try await ProgramUnderTest.ingestd.run(
            ["key", "create", "--app", "1", "--role", "data", "--json", "--data", running.folder.path])
        #expect(made.code == 0, "\(made)")
        let key = try JSONValue(Array(made.output.utf8)).text("key")
        return running.environment("read").merging(["SIGNALBOX_KEY": key]) { $1 }
    }

    @Test func `an admin key browses collections, documents and the collections below them`() async throws {
        let running = try await Self.running()
        let screen = try LiveScreen(running, as: "admin")
        for (keys, text) in [
            (":documents\r", "─ Documents"), (":path users\r", #"name="Bob""#), ("\r", #""Bonn\u{1b}[31m""#), ("v", "─ Collections"), ("\r", "c1"),
            ("\u{7f}", "carts"), ("\u{7f}", #"name="Bob""#), (":path **/lines\r", Self.missing), ("\r", "integer"),
        ] {
            try screen.see(text, after: keys)
        }
        await screen.leave()
        #expect(await running.process.stop() == 0)
    }

    @Test func `a read key sees collections and is told which key shows their documents`() async throws {
        let running = try await Self.running()
        let screen = try LiveScreen(running, as: "read")
        for (keys, text) in [(":documents\r", "carts"), ("\r", "cannot read documents"), (":path users\r", "─ Collection users")] {
            try screen.see(text, after: keys)
        }
        await screen.leave()
        let refused = try await running.run("documents", "users/ann")
        #expect(refused.code == 3 && refused.output.isEmpty && refused.complaintIsOneLine, "\(refused)")
    }

    @Test func `the commands of a data key print collections, documents and values`() async throws {
        let running = try await Self.running()
        let environment = try await Self.dataKey(running)
        func printed(_ arguments: String...) async throws -> String {
            let ended = try await ProgramUnderTest.dashboard.run(["documents"] + arguments, environment: environment)
            #expect(ended.code == 0 && ended.complaint.isEmpty, "\(ended)")
            return ended.output
        }
        #expect(try await printed("--csv") == "collection\r\norders\r\nusers\r\n")
        let users = try await printed("users", "--csv").split(separator: "\r\n")
        #expect(users.count == 3 && users[1].hasPrefix("users/ann,") && users[2].contains(#""{""name"":""Bob""}""#), "\(users)")
        let lines = try await printed("**/lines", "--csv").split(separator: "\r\n")
        #expect(lines.count == 2 && lines[1].hasPrefix("\(Self.missing),"), "\(lines)")
        let ann = try await printed("users/ann", "--csv").split(separator: "\r\n")
        #expect(ann.contains("since,timestamp,2026-11-23T10:00:00.000001Z") && ann.contains("ratio,double,2.0"), "\(ann)")
        let plain = try await printed("users/ann")
        #expect(plain.contains("timestamp") && plain.contains("Collections 1") && !plain.contains("\u{1b}"), "\(plain)")
        let missing = try await ProgramUnderTest.dashboard.run(["documents", "users/eve"], environment: environment)
        #expect(missing.code == 1 && missing.complaintIsOneLine && missing.complaint.contains("no such document"), "\(missing)")
    }

    @Test func `documents that exceed the response of a page are printed in smaller ones`() async throws {
        let running = try await Self.running()
        let text = String(repeating: "x", count: 900_000)
        for half in [0..<10, 10..<20] { try await Self.write(half.map { ("large/d\($0 + 10)", #"{"text": "\#(text)"}"#) }, running) }
        let plain = try await running.run("documents", "large", as: "admin")
        #expect(
            plain.code == 0 && plain.output.contains("the first 2") && plain.output.contains("d11"),
            "\(plain.output.suffix(2_000)) \(plain.complaint)")
    }

    @Test func `CSV has all pages of a collection, also large ones behind others, and says that the list of a group goes on`() async throws {
        let running = try await Self.running()
        try await Self.write((10..<35).map { ("mixed/a\($0)", "{}") }, running)
        let text = String(repeating: "x", count: 900_000)
        for half in [10..<20, 20..<30] { try await Self.write(half.map { ("mixed/b\($0)", #"{"text": "\#(text)"}"#) }, running) }
        let all = try await running.run("documents", "mixed", "--csv", as: "admin")
        #expect(all.code == 0 && all.complaint.isEmpty && all.output.split(separator: "\r\n").count == 46, "\(all.complaint)")
        let group = try await running.run("documents", "**/mixed", "--csv", as: "admin")
        #expect(group.code == 0 && group.output.split(separator: "\r\n").count == 26, "\(group.complaint)")
        #expect(group.complaint.contains("The list goes on: only the first 25 rows are printed."), "\(group.complaint)")
    }
}
