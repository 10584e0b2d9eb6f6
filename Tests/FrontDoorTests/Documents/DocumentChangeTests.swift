// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import ingestd

/// The log of changes over HTTP.
@Suite struct DocumentChangeTests {
    private static func page(_ client: DocumentClient, _ query: String = "") async throws -> JSON {
        let reply = try await client.live.api.get("/v1/documents:changes\(query)", key: client.key)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSON(reply)
    }

    /// Reads all pages.
    private static func all(_ client: DocumentClient, after: String? = nil, _ query: String = "") async throws -> [JSON] {
        var (found, place) = ([JSON](), after)
        while true {
            let page = try await page(client, "?limit=7\(place.map { "&after=\($0)" } ?? "")\(query)")
            found += page["changes"].items
            place = page["next"].text
            if page["current"].bool { return found }
        }
    }

    private static func write(_ client: DocumentClient, _ random: inout SeededGenerator) async throws {
        let writes = (0...Int(random.next() % 3)).map { _ in
            let path = random.next() % 3 == 0 ? "rooms/r1/users/u\(random.next() % 4)" : "users/u\(random.next() % 4)"
            return random.next() % 4 == 0 ? #"{"delete": "\#(path)"}"# : #"{"set": "\#(path)", "fields": {"n": \#(random.next() % 50)}}"#
        }
        _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
    }

    @Test func `a copy that applies the changes after any stamp is the store`() async throws {
        try await DocumentClient.use { client in
            let other = try await DocumentClient.make(client.live, "theirs")
            var random = SeededGenerator(7)
            var stamps = ["0"]
            for _ in 0..<60 {
                try await Self.write(client, &random)
                try await Self.write(other, &random)
                stamps.append(String(try await client.json("get", #"{"paths": ["none/none"]}"#)["stamp"].number))
            }
            let paths = (0..<4).flatMap { ["users/u\($0)", "rooms/r1/users/u\($0)"] }
            let list = paths.map { "\"\($0)\"" }.joined(separator: ",")
            let now = try await client.json("get", #"{"paths": [\#(list)]}"#)["documents"].items
            let whole = try await Self.all(client)
            for start in [0, 1, 17, 40, 59, 60] {
                let after = start == 0 ? nil : stamps[start]
                var copy: [String: Int] = [:]
                if start > 0 {
                    let then = try await client.json("get", #"{"paths": [\#(list)], "at": \#(stamps[start])}"#)["documents"].items
                    for document in then where document["version"].exists { copy[document["path"].text] = document["fields"]["n"].number }
                }
                let changes = try await Self.all(client, after: after)
                #expect(changes.count == whole.count { start == 0 || $0["stamp"].number > Int(stamps[start]) ?? 0 })
                for change in changes {
                    let path = change["path"].text
                    #expect(change["before"]["fields"]["n"].exists == (copy[path] != nil))
                    if let known = copy[path] { #expect(change["before"]["fields"]["n"].number == known) }
                    #expect(change["kind"].text == (copy[path] == nil ? "created" : change["after"].exists ? "updated" : "deleted"))
                    if change["after"].exists { #expect(change["after"]["version"].number == change["stamp"].number) }
                    copy[path] = change["after"].exists ? change["after"]["fields"]["n"].number : nil
                }
                for document in now { #expect(copy[document["path"].text] == (document["version"].exists ? document["fields"]["n"].number : nil)) }
            }
            let nested = try await Self.all(client, "&collection=rooms/r1/users")
            #expect(nested.map { $0["place"].text } == whole.filter { $0["path"].text.hasPrefix("rooms/") }.map { $0["place"].text })
            #expect(try await Self.all(client, "&collection=users&group=true").count == whole.count)
            #expect(try await Self.all(client, "&collection=none").isEmpty)
        }
    }

    @Test func `a stream goes on with later changes, and resumes behind its last event`() async throws {
        try await DocumentClient.use { client in
            var random = SeededGenerator(3)
            for _ in 0..<20 { try await Self.write(client, &random) }
            let target = "/v1/documents:changes"
            let accept = ["Accept": "text/event-stream"]
            let stream = try await EventStream(client.live.api, target, key: client.key, headers: accept)
            var (places, last) = ([String](), "")
            while let message = try await stream.next(), message.event != "current" {
                if message.event == "change" { places.append(try message.json["place"].text) }
            }
            #expect(try await places == Self.all(client).map { $0["place"].text })
            _ = try await client.json("commit", #"{"writes": [{"set": "users/new", "fields": {"n": 1}}]}"#)
            while let message = try await stream.next() {
                guard message.event == "change" else { continue }
                #expect(try message.json["path"].text == "users/new" && message.json["kind"].text == "created")
                last = message.id ?? ""
                break
            }
            await stream.close()
            _ = try await client.json("commit", #"{"writes": [{"delete": "users/new"}]}"#)
            let second = try await EventStream(client.live.api, target, key: client.key, headers: accept.merging(["Last-Event-ID": last]) { $1 })
            let message = try await second.next()
            #expect(try message?.json["kind"].text == "deleted" && message?.json["before"]["fields"]["n"].number == 1)
            // An erasure removes what the stream would go on from.
            _ = try await client.live.api.request(
                "PUT", "/v1/documents:persons", key: client.keys.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"patterns": [{"path": "users/{uid}"}]}"#.utf8))
            _ = try await client.json("commit", #"{"writes": [{"set": "users/ann", "fields": {"n": 1}}]}"#)
            #expect(try await client.live.api.request("DELETE", "/v1/users/ann", key: client.keys.admin).status == 200)
            let reply = try await client.live.api.get("\(target)?after=\(last)", key: client.key)
            #expect(try reply.status == 422 && JSON(reply)["errors"][0]["code"].text == "out_of_range", "\(reply.text)")
            var wasReset = false
            while let message = try await second.next() { wasReset = message.event == "reset" }
            #expect(wasReset)
        }
    }

    @Test(arguments: [
        "after=x", "after=1.ffffffff", "after=1-0.", "after=9000000000000000", "after=-1", "after=1-", "after=1-x", "after=99999999999999999999",
        "collection=a/b", "group=true",
        "collection=a/b/c&group=true", "limit=0",
    ])
    func `a wrong parameter is refused`(query: String) async throws {
        try await DocumentClient.use { (client: DocumentClient) async throws -> Void in
            #expect(try await client.live.api.get("/v1/documents:changes?\(query)", key: client.key).status == 422)
        }
    }

    @Test func `a restored backup does not go on from positions that it never had`() async throws {
        let (folder, backups) = (TemporaryFolder(), TemporaryFolder())
        let first = try await DaemonProcess.start(in: folder.path + "/data")
        let admin = try await first.api.makeApp().admin
        func send(_ api: TestClient, _ method: String, _ target: String, _ body: String = "") async throws -> Reply {
            try await api.request(method, target, key: admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        }
        func write(_ api: TestClient, _ id: String) async throws {
            #expect(try await send(api, "POST", "/v1/documents:commit", #"{"writes": [{"set": "c/\#(id)", "fields": {}}]}"#).status == 200)
        }
        try await write(first.api, "a")
        #expect(try await first.api.asOperator("POST", "/v1/backup", #"{"directory": "\#(backups.path)/b"}"#).status == 200)
        let kept = try JSON(await send(first.api, "GET", "/v1/documents:changes"))["next"].text
        try await write(first.api, "b")
        let later = try JSON(await send(first.api, "GET", "/v1/documents:changes"))["next"].text
        #expect(await first.stop() == 0)
        _ = try Backup.restore(backups.path + "/b", into: folder.path + "/again")
        let second = try await DaemonProcess.start(in: folder.path + "/again")
        try await write(second.api, "c")
        for place in [kept, later] {
            let reply = try await send(second.api, "GET", "/v1/documents:changes?after=\(place)")
            #expect(try reply.status == 422 && JSON(reply)["errors"][0]["code"].text == "out_of_range", "\(reply.text)")
        }
        let whole = try JSON(await send(second.api, "GET", "/v1/documents:changes"))
        #expect(whole["changes"].items.map { $0["path"].text } == ["c/a", "c/c"])
        #expect(await second.stop() == 0)
    }
}
