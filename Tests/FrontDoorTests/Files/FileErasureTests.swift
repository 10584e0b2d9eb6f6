// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import TestSupport
import Testing

@testable import FileStore
@testable import ingestd

/// The parts of a user's files that an erasure finds beside the files of that user.
@Suite struct FileErasureTests {
    private struct World: Sendable {
        let accounts: AccountWorld
        let keys: AppKeys

        var api: TestClient { accounts.live.api }

        func send(_ method: String, _ path: String, key: String? = nil, _ json: String? = nil, body: [UInt8]? = nil) async throws -> Reply {
            let headers = json == nil ? [:] : ["Content-Type": "application/json"]
            return try await api.request(
                method, "/v1/files/\(keys.app)/\(path)", key: key ?? keys.admin, headers: headers, body: json.map { Array($0.utf8) } ?? body)
        }

        func erase(_ user: String) async throws {
            let reply = try await api.request("DELETE", "/v1/users/\(user)", key: keys.admin)
            #expect(reply.status == 200, "\(reply.text)")
        }
    }

    private static func use(userBytes: Int = 1_500, _ body: @Sendable (World) async throws -> Void) async throws {
        let configure: @Sendable (inout Configuration) -> Void = { ($0.store.files.reserveBytes, $0.store.files.userBytes) = (0, userBytes) }
        try await RuleWorld.use(configure: configure) { accounts, client async throws in
            let rules = "service firebase.storage { match /b/{b}/o { match /{f=**} { allow read, write: if request.auth != null; } } }"
            let set = try await client.live.api.request(
                "PUT", "/v1/files-rules", key: client.keys.admin, headers: ["Content-Type": "application/json"],
                body: Array(#"{"source": "\#(rules)"}"#.utf8))
            #expect(set.status == 200)
            try await body(World(accounts: accounts, keys: client.keys))
        }
    }

    @Test func `an erasure takes uploads of one request that are under way`() async throws {
        try await Self.use(userBytes: 1_000_000) { world in
            let (ann, bob) = (try await world.accounts.user(), try await world.accounts.user("bob@example.org"))
            let admin = world.keys.admin
            let slow = [("mine", ann.token), ("users/\(ann.id)/slow", admin), ("users/\(bob.id)/slow", admin)]
            let (begin, rest) = ([UInt8](repeating: 1, count: 600_000), [UInt8](repeating: 2, count: 300_000))
            var connections: [HTTPConnection] = []
            for (path, key) in slow {
                let fields = "Host: a\r\nAuthorization: Bearer \(key)\r\nContent-Length: 900000"
                let head = "PUT /v1/files/\(world.keys.app)/\(path) HTTP/1.1\r\n\(fields)\r\n\r\n"
                let connection = try world.api.connect()
                try await connection.send(Array(head.utf8) + begin)
                connections.append(connection)
            }
            // Two of them have 1,200,000 bytes at most.
            let name = "signalbox_files_upload_bytes_total "
            #expect(
                try await eventually {
                    let lines = try await world.api.get("/metrics").text.split(separator: "\n")
                    return lines.first { $0.hasPrefix(name) }.flatMap { Int($0.dropFirst(name.count)) } ?? 0 > 1_300_000
                })
            try await world.erase(ann.id)
            var statuses: [Int] = []
            for connection in connections {
                try await connection.send(rest)
                try await statuses.append(connection.reply().status)
            }
            #expect(!statuses.dropLast().contains { $0 < 400 || $0 >= 500 } && statuses.last == 201, "\(statuses)")
            for (path, _) in slow.dropLast() { #expect(try await world.send("GET", path).status == 404, "\(path)") }
            #expect(try await world.send("PUT", "users/\(ann.id)/slow", body: begin + rest).status == 201)
        }
    }

    @Test func `an erasure takes copies that servers made, and those of other users stay`() async throws {
        try await Self.use { world in
            let (ann, bob) = (try await world.accounts.user(), try await world.accounts.user("bob@example.org"))
            #expect(try await world.send("PUT", "mine", key: ann.token, body: Array(repeating: 1, count: 1_000)).status == 201)
            // The quota of a user is not that of a server, whose copies count for the user.
            #expect(try await world.send("POST", "mine?copy_to=copies/native").status == 201)
            let google = try await world.api.request(
                "POST", "/storage/v1/b/\(world.keys.app)/o/mine/copyTo/b/\(world.keys.app)/o/copies%2Fgoogle", key: world.keys.admin)
            #expect(google.status == 200, "\(google.text)")
            #expect(try await world.send("POST", "mine?copy_to=copies/own", key: ann.token).status == 413)
            #expect(try await world.send("POST", "mine?copy_to=copies/bob", key: bob.token).status == 201)
            for (name, owner) in [("native", ann.id), ("google", ann.id), ("bob", bob.id)] {
                #expect(try JSON(await world.send("GET", "copies/\(name)?info=1"))["owner"].text == owner, "\(name)")
            }
            try await world.erase(ann.id)
            for (path, status) in [("mine", 404), ("copies/native", 404), ("copies/google", 404), ("copies/bob", 200)] {
                #expect(try await world.send("GET", path).status == status, "\(path)")
            }
        }
    }

    @Test func `a file that a user uploaded to the folder of another one belongs to both`() async throws {
        try await Self.use { world in
            let (ann, bob) = (try await world.accounts.user(), try await world.accounts.user("bob@example.org"))
            let path = "users/\(ann.id)/from-bob"
            for erased in [ann, bob] {
                #expect(try await world.send("PUT", path, key: bob.token, body: [1]).status == 201)
                for user in [ann, bob] {
                    let export = try JSON(await world.api.get("/v1/users/\(user.id)/export", key: world.keys.admin))
                    #expect(export["files"].items.map(\.["path"].text) == [path])
                }
                try await world.erase(erased.id)
                #expect(try await world.send("GET", path).status == 404)
            }
        }
    }

    @Test func `an erasure takes links to paths without a file, and responses that would be repeated`() async throws {
        try await Self.use { world in
            let (ann, bob) = (try await world.accounts.user(), try await world.accounts.user("bob@example.org"))
            var links: [String] = []
            for user in [ann.id, bob.id] {
                let made = try await world.send("POST", "users/\(user)/none?link", #"{"revocable": true}"#)
                #expect(made.status == 201)
                links.append(try JSON(made)["url"].text)
            }
            var uploads: [String] = []
            for user in [ann.id, bob.id] {
                let start = try await world.api.request(
                    "POST", "/upload/storage/v1/b/\(world.keys.app)/o?uploadType=resumable", key: world.keys.admin,
                    headers: ["Content-Type": "application/json"], body: Array(#"{"name": "users/\#(user)/photo"}"#.utf8))
                let url = try #require(start.headers["location"])
                uploads.append("/" + url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).dropFirst(2).joined())
            }
            func finish(_ target: String) async throws -> Reply {
                try await world.api.request("PUT", target, key: world.keys.admin, headers: ["Content-Range": "bytes 0-2/3"], body: [1, 2, 3])
            }
            for _ in 0..<2 { for target in uploads { #expect(try await finish(target).status == 200) } }
            try await world.erase(ann.id)
            #expect(try await finish(uploads[0]).status == 404)
            #expect(try await finish(uploads[1]).status == 200)
            for user in [ann.id, bob.id] { #expect(try await world.send("PUT", "users/\(user)/none", body: [1]).status == 201) }
            #expect(try await world.api.request("GET", links[0]).status == 401)
            #expect(try await world.api.request("GET", links[1]).status == 200)
        }
    }
}
