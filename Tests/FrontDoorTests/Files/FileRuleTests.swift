// SPDX-License-Identifier: Apache-2.0

import Crypto
import Files
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Storage rules decide about users and ingest keys, and default deny.
@Suite struct FileRuleTests {
    private static let rules = """
        rules_version = '2';
        service firebase.storage {
          match /b/{bucket}/o {
            match /users/{uid}/{file=**} {
              allow read: if request.auth.uid == uid;
              allow create: if request.auth.uid == uid && request.resource.size < 1000 && request.resource.contentType.matches('image/.*');
              allow delete: if request.auth.uid == uid;
            }
            match /drafts/{file} {
              allow get, create: if true;
              allow update: if resource.metadata.open == 'yes';
            }
            match /shared/{file} {
              allow get: if firestore.get(/databases/(default)/documents/users/$(request.auth.uid)).data.member == true;
            }
          }
        }
        """

    private struct World: Sendable {
        let world: AccountWorld
        let client: DocumentClient

        var keys: AppKeys { client.keys }

        func send(
            _ method: String, _ path: String, key: String, headers: [String: String] = [:], body: [UInt8]? = nil
        ) async throws -> Reply {
            try await client.live.api.request(method, "/v1/files/\(keys.app)\(path)", key: key, headers: headers, body: body)
        }

        func put(_ path: String, _ bytes: Int, _ type: String = "image/png", key: String, _ headers: [String: String] = [:]) async throws -> Int {
            let fields = headers.merging(["Content-Type": type]) { $1 }
            return try await send("PUT", path, key: key, headers: fields, body: Array(repeating: 7, count: bytes)).status
        }

        func set(_ source: String) async throws -> Reply {
            let body = #"{"source": "\#(source.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))"}"#
            return try await client.live.api.request(
                "PUT", "/v1/files-rules", key: keys.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        }
    }

    private static func use(_ source: String? = rules, _ body: @Sendable (World) async throws -> Void) async throws {
        try await RuleWorld.use { accounts, client async throws in
            let world = World(world: accounts, client: client)
            if let source { #expect(try await world.set(source).status == 200) }
            try await body(world)
        }
    }

    @Test func `without rules users and ingest keys get nothing`() async throws {
        try await Self.use(nil) { world in
            #expect(try await world.put("/a", 1, key: world.keys.admin) == 201)
            for key in [try await world.world.user().token, world.keys.ingest] {
                for method in ["GET", "PUT", "PATCH", "DELETE"] {
                    let headers = ["Content-Type": "application/json"]
                    #expect(try await world.send(method, "/a", key: key, headers: headers, body: Array("{}".utf8)).status == 403, "\(method)")
                }
                for target in ["?prefix=", "?prefix=a/"] { #expect(try await world.send("GET", target, key: key).status == 403) }
                #expect(try await world.send("POST", "/a?link", key: key, body: Array("{}".utf8)).status == 403)
                #expect(try await world.send("POST", "/a?copy_to=b", key: key).status == 403)
            }
        }
    }

    @Test func `users do with their own files what the rules allow`() async throws {
        try await Self.use { world in
            let (ann, bob) = (try await world.world.user(), try await world.world.user("bob@example.org"))
            let own = "/users/\(ann.id)/a/b.png"
            #expect(try await world.put(own, 999, key: ann.token) == 201)
            #expect(try await world.put("/users/\(ann.id)/large", 1_000, key: ann.token) == 403, "larger than the rules allow")
            #expect(try await world.put("/users/\(ann.id)/page", 10, "text/html", key: ann.token) == 403)
            #expect(try await world.put(own, 10, key: ann.token) == 403, "replacing is an update")
            #expect(try await world.put("/users/\(ann.id)/c", 10, key: bob.token) == 403)
            #expect(try await world.put("/users/\(ann.id)/c", 10, key: world.keys.ingest) == 403)
            let got = try await world.send("GET", own, key: ann.token)
            #expect(got.status == 200 && got.body.count == 999)
            #expect(try JSON(await world.send("GET", own + "?info=1", key: ann.token))["owner"].text == ann.id)
            for key in [bob.token, world.keys.ingest] {
                #expect(try await world.send("GET", own, key: key).status == 403)
                #expect(try await world.send("DELETE", own, key: key).status == 403)
                #expect(try await world.send("POST", own + "?link", key: key, body: Array("{}".utf8)).status == 403)
            }
            #expect(try await world.send("GET", "?prefix=users/\(ann.id)/", key: ann.token).status == 200)
            #expect(try await world.send("GET", "?prefix=users/\(ann.id)/a", key: ann.token).status == 200)
            #expect(try await world.send("GET", "?prefix=users/\(ann.id)/", key: bob.token).status == 403)
            #expect(try await world.send("GET", "?prefix=users/\(ann.id)", key: ann.token).status == 403, "the folder of all users")
            #expect(try await world.send("DELETE", own, key: ann.token).status == 204)
            #expect(try await world.send("DELETE", own, key: ann.token).status == 404, "a file that is gone")
        }
    }

    @Test func `a link that a user made works without rules`() async throws {
        try await Self.use { world in
            let ann = try await world.world.user()
            let own = "/users/\(ann.id)/b.png"
            #expect(try await world.put(own, 20, key: ann.token) == 201)
            let made = try await world.send("POST", own + "?link", key: ann.token, body: Array(#"{"revocable": true}"#.utf8))
            #expect(made.status == 201)
            let link = try JSON(made)
            #expect(try await world.client.live.api.request("GET", link["url"].text).status == 200)
            let bob = try await world.world.user("bob@example.org")
            #expect(try await world.send("DELETE", own + "?link=\(link["id"].number)", key: bob.token).status == 403)
            #expect(try await world.send("DELETE", own + "?link=\(link["id"].number)", key: ann.token).status == 204)
            #expect(try await world.client.live.api.request("GET", link["url"].text).status == 401)
        }
    }

    @Test func `a body without a length is judged at its end`() async throws {
        try await Self.use { world in
            let ann = try await world.world.user()
            for (count, status) in [(999, 201), (1_000, 403)] {
                let path = "/users/\(ann.id)/chunked\(count)"
                let head =
                    "PUT /v1/files/\(world.keys.app)\(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(ann.token)\r\n"
                    + "Content-Type: image/png\r\n"
                let chunk = String(count, radix: 16) + "\r\n" + String(repeating: "x", count: count) + "\r\n0\r\n\r\n"
                let connection = try world.client.live.api.connect()
                let reply = try await connection.exchange(Array((head + "Transfer-Encoding: chunked\r\n\r\n" + chunk).utf8))
                #expect(reply.status == status, "\(count): \(reply.text)")
                #expect(try await world.send("GET", path, key: world.keys.admin).status == (status == 201 ? 200 : 404))
            }
        }
    }

    @Test func `of many who create the same file one does, and the others may not replace it`() async throws {
        try await Self.use { world in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<32 { group.addTask { try await world.put("/drafts/a", 10 + number, key: world.keys.ingest) } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 201 } == 1 && statuses.count { $0 == 403 } == 31, "\(statuses)")
            let patch = Array(#"{"metadata": {"open": "yes"}}"#.utf8)
            let headers = ["Content-Type": "application/json"]
            #expect(try await world.send("PATCH", "/drafts/a", key: world.keys.ingest, headers: headers, body: patch).status == 403)
            #expect(try await world.send("PATCH", "/drafts/a", key: world.keys.admin, headers: headers, body: patch).status == 200)
            #expect(try await world.put("/drafts/a", 5, key: world.keys.ingest) == 200)
        }
    }

    @Test func `a listing of every depth needs a rule about every depth`() async throws {
        let rules = """
            rules_version = '2'; service firebase.storage { match /b/{bucket}/o {
              match /albums/{album} { allow list: if true; }
              match /open/{file=**} { allow list: if true; }
              match /named/{file=**} { allow list: if request.path != /b/any/o/other; }
            } }
            """
        try await Self.use(rules) { world in
            for path in ["/albums/a/1", "/albums/a/secret/2", "/open/1", "/open/x/2", "/named/x/1"] {
                #expect(try await world.put(path, 5, key: world.keys.admin) == 201)
            }
            let key = world.keys.ingest
            let folder = try JSON(await world.send("GET", "?prefix=albums/a/&delimiter=/", key: key))
            #expect(folder["items"].items.map { $0["path"].text } == ["albums/a/1"] && folder["folders"].items.map(\.text) == ["albums/a/secret/"])
            for rest in ["", "&delimiter=", "&delimiter=-", "&delimiter=//"] {
                #expect(try await world.send("GET", "?prefix=albums/a/\(rest)", key: key).status == 403, "\(rest)")
                let firebase = try await world.client.live.api.request("GET", "/v0/b/\(world.keys.app)/o?prefix=albums/a/\(rest)")
                #expect(firebase.status == 403, "\(rest)")
            }
            #expect(try await world.client.live.api.request("GET", "/v0/b/\(world.keys.app)/o?prefix=albums/a/&delimiter=/").status == 200)
            let open = try JSON(await world.send("GET", "?prefix=open/", key: key))
            #expect(open["items"].items.map { $0["path"].text } == ["open/1", "open/x/2"])
            // No path is that of every folder, so a condition on it does not hold.
            #expect(try await world.send("GET", "?prefix=named/&delimiter=/", key: key).status == 200)
            #expect(try await world.send("GET", "?prefix=named/", key: key).status == 403)
        }
    }

    @Test func `conditions on checksums decide after the bytes, and denied bytes go`() async throws {
        let right: [UInt8] = Array(repeating: 3, count: 40_000)
        let wrong = Array(right.dropLast()) + [4]
        let (md5, crc32c) = (Base64.encode(MD5.hash(right)), Base64.encode(FileSums(of: right).crc32cBytes))
        let rules = """
            service firebase.storage { match /b/{bucket}/o {
              match /md5/{file} { allow create: if request.resource.md5Hash == '\(md5)' && request.auth.uid != null; }
              match /crc/{file} { allow create: if request.auth.uid != null && request.resource.crc32c in ['\(crc32c)']; }
            } }
            """
        try await Self.use(rules) { world in
            let (ann, api) = (try await world.world.user(), world.client.live.api)
            for folder in ["md5", "crc"] {
                let path = "/v1/files/\(world.keys.app)/\(folder)"
                #expect(try await api.request("PUT", path + "/a", key: ann.token, body: right).status == 201)
                #expect(try await api.request("PUT", path + "/b", key: ann.token, body: wrong).status == 403)
                #expect(try await api.get(path + "/b", key: world.keys.admin).status == 404)
                // Nobody is denied before the bytes, whatever they are. A short body would be skipped first.
                let head = "PUT \(path)/c HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(world.keys.ingest)\r\nContent-Length: 900000\r\n\r\n"
                #expect(try await api.connect().exchange(Array(head.utf8)).status == 403, "\(folder)")
                for (name, bytes, status) in [("d", right, 204), ("e", wrong, 403)] {
                    let metadata = ["Upload-Length": "40000", "Upload-Metadata": "path \(Base64.encode(Array("\(folder)/\(name)".utf8)))"]
                    let version = ["Tus-Resumable": "1.0.0"]
                    let made = try await api.request(
                        "POST", "/v1/uploads/\(world.keys.app)", key: ann.token, headers: version.merging(metadata) { $1 }, body: [])
                    let target = try #require(made.headers["location"])
                    let place = ["Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"]
                    let sent = try await api.request("PATCH", target, key: ann.token, headers: version.merging(place) { $1 }, body: bytes)
                    #expect(sent.status == status, "\(folder)/\(name)")
                }
            }
            #expect(try await eventually { try Folder.names(in: world.client.live.folder + "/incoming").isEmpty })
        }
    }

    @Test func `conditions may read documents`() async throws {
        try await Self.use { world in
            let ann = try await world.world.user()
            #expect(try await world.put("/shared/a", 5, key: world.keys.admin) == 201)
            #expect(try await world.send("GET", "/shared/a", key: ann.token).status == 403)
            for (member, status) in [(true, 200), (false, 403)] {
                _ = try await world.client.json("commit", #"{"writes": [{"set": "users/\#(ann.id)", "fields": {"member": \#(member)}}]}"#)
                #expect(try await world.send("GET", "/shared/a", key: ann.token).status == status)
            }
        }
    }

    @Test func `a denial is the same whether the file is there or not`() async throws {
        try await Self.use { world in
            for path in ["/secret/here", "/users/x/here"] { #expect(try await world.put(path, 20_000, key: world.keys.admin) == 201) }
            let headers = ["Content-Type": "application/json"]
            for folder in ["/secret/", "/users/x/"] {
                for (method, rest, body) in [
                    ("GET", "", ""), ("GET", "?info=1", ""), ("DELETE", "", ""), ("PATCH", "", "{}"), ("PATCH", "", #"{"content_type": "\u0001"}"#),
                    ("POST", "?link", "{}"), ("POST", "?copy_to=drafts/a", ""),
                ] {
                    var answers: [String] = []
                    for name in ["here", "gone"] {
                        let reply = try await world.send(
                            method, folder + name + rest, key: world.keys.ingest, headers: headers, body: Array(body.utf8))
                        answers.append("\(reply.status) \(try JSON(reply)["code"].text)")
                    }
                    #expect(answers == ["403 permission_denied", "403 permission_denied"], "\(method) \(folder)\(rest) \(body)")
                }
            }
        }
    }

    @Test func `reading is judged by the file if rules look at it`() async throws {
        let rules = """
            service firebase.storage { match /b/{bucket}/o {
              match /marked/{file} { allow get: if resource.metadata.open == 'yes'; }
              match /short/{file} { allow get: if resource == null || resource.size < 10; }
              match /any/{file} { allow get; }
            } }
            """
        try await Self.use(rules) { world in
            #expect(try await world.put("/marked/a", 5, key: world.keys.admin, ["X-Meta-Open": "yes"]) == 201)
            for (path, size) in [("/marked/b", 5), ("/short/a", 9), ("/short/b", 10), ("/any/a", 30_000)] {
                #expect(try await world.put(path, size, key: world.keys.admin) == 201)
            }
            for (path, status) in [
                ("/marked/a", 200), ("/marked/b", 403), ("/marked/none", 403), ("/short/a", 200), ("/short/b", 403), ("/short/none", 404),
                ("/any/a", 200), ("/any/none", 404), ("/closed/none", 403),
            ] {
                for rest in ["", "?info=1"] {
                    #expect(try await world.send("GET", path + rest, key: world.keys.ingest).status == status, "\(path)\(rest)")
                }
                let name = String(path.dropFirst()).percentEncoded
                let firebase = try await world.client.live.api.request("GET", "/v0/b/\(world.keys.app)/o/\(name)?alt=media")
                #expect(firebase.status == status, "\(path)")
            }
        }
    }

    @Test func `rules may look at the file and at documents, and decide once`() async throws {
        let member = "firestore.get(/databases/(default)/documents/users/$(request.auth.uid)).data.member == true"
        let rules = """
            service firebase.storage { match /b/{bucket}/o {
              match /first/{file} { allow get: if \(member) && resource.metadata.open == 'yes'; }
              match /last/{file} { allow get: if (resource == null || resource.metadata.open == 'yes') && \(member); }
            } }
            """
        try await Self.use(rules) { world in
            let ann = try await world.world.user()
            for folder in ["first", "last"] {
                #expect(try await world.put("/\(folder)/open", 20_000, key: world.keys.admin, ["X-Meta-Open": "yes"]) == 201)
                #expect(try await world.put("/\(folder)/closed", 5, key: world.keys.admin) == 201)
            }
            var decisions = 0
            for isMember in [true, false] {
                _ = try await world.client.json("commit", #"{"writes": [{"set": "users/\#(ann.id)", "fields": {"member": \#(isMember)}}]}"#)
                for (path, status) in [
                    ("/first/open", 200), ("/first/closed", 403), ("/first/none", 403), ("/last/open", 200), ("/last/closed", 403),
                    ("/last/none", 404),
                ] {
                    for rest in ["", "?info=1"] {
                        let reply = try await world.send("GET", path + rest, key: ann.token)
                        #expect(reply.status == (isMember ? status : 403), "\(path)\(rest) \(isMember)")
                        decisions += 1
                    }
                }
            }
            let figures = try JSON(await world.client.live.api.get("/v1/files:denials", key: world.keys.admin))
            let allowed = figures["statements"].items.reduce(0) { $0 + Int($1["allowed"].number) }
            let denied = figures["items"].items.reduce(0) { $0 + Int($1["count"].number) }
            #expect(allowed + denied == decisions, "\(figures)")
        }
    }

    @Test func `users make links only to files that are there`() async throws {
        try await Self.use { world in
            let reply = try await world.send("POST", "/drafts/none?link", key: world.keys.ingest, body: Array("{}".utf8))
            #expect(reply.status == 404)
            #expect(try await world.send("POST", "/drafts/none?link", key: world.keys.admin, body: Array("{}".utf8)).status == 201)
        }
    }

    @Test func `rules have revisions, and those of Firestore are refused`() async throws {
        try await Self.use { world in
            let firestore = "service cloud.firestore { match /databases/{d}/documents { match /{all=**} { allow read; } } }"
            let refused = try await world.set(firestore)
            #expect(refused.status == 422 && refused.text.contains("cloud.firestore"), "\(refused.text)")
            #expect(try await world.set("service firebase.storage {").status == 422)
            let open = "service firebase.storage { match /b/{b}/o { match /{all=**} { allow read, write; } } }"
            #expect(try JSON(await world.set(open))["revision"].number == 2)
            #expect(try await world.put("/a", 5, "text/html", key: world.keys.ingest) == 201)
            let page = try JSON(await world.client.live.api.get("/v1/files-rules?limit=5", key: world.keys.admin))
            #expect(page["items"].items.map { $0["revision"].number } == [2, 1] && page["items"][0]["source"].text == open)
            #expect(page["items"][0]["by"]["role"].text == "admin" && page["items"][0]["by"]["key"].number > 0)
        }
    }

    @Test func `a trial shows the decision and its line`() async throws {
        try await Self.use { world in
            func trial(_ body: String) async throws -> JSON {
                let headers = ["Content-Type": "application/json"]
                return try JSON(
                    await world.client.live.api.request(
                        "POST", "/v1/files-rules/test", key: world.keys.admin, headers: headers, body: Array(body.utf8)))
            }
            let own = try await trial(
                #"{"method": "create", "path": "users/u1/a", "auth": {"uid": "u1"}, "size": 10, "type": "image/png"}"#)
            #expect(own["allowed"].bool && own["line"].number == 6)
            let other = try await trial(#"{"method": "get", "path": "users/u1/a", "auth": {"uid": "u2"}}"#)
            #expect(!other["allowed"].bool && other["line"].number == 5)
            let nobody = try await trial(#"{"method": "get", "path": "users/u1/a", "auth": null}"#)
            #expect(!nobody["allowed"].bool && !nobody["errors"].items.isEmpty)
            #expect(try await trial(#"{"method": "get", "path": "nowhere"}"#)["line"].exists == false)
            // A trial of a create is decided as if there were no file, whatever is there; an update as if that file were replaced.
            #expect(try await world.put("/drafts/d", 5, key: world.keys.admin) == 201)
            for (method, allowed) in [("create", true), ("update", false)] {
                #expect(try await trial(#"{"method": "\#(method)", "path": "drafts/d", "size": 5}"#)["allowed"].bool == allowed, "\(method)")
            }
            let open = Array(#"{"metadata": {"open": "yes"}}"#.utf8)
            let json = ["Content-Type": "application/json"]
            #expect(try await world.send("PATCH", "/drafts/d", key: world.keys.admin, headers: json, body: open).status == 200)
            #expect(try await trial(#"{"method": "update", "path": "drafts/d", "size": 5}"#)["allowed"].bool)
        }
    }
}
