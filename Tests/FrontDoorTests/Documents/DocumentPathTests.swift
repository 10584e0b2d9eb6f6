// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization
import TestSupport
import Testing

@testable import ingestd

@Suite struct DocumentPathTests {
    private static func send(
        _ client: DocumentClient, _ method: String, _ path: String, _ body: String = "", _ headers: [String: String] = [:]
    ) async throws -> Reply {
        try await client.live.api.request(method, "/v1/documents/\(path)", key: client.key, headers: headers, body: Array(body.utf8))
    }

    @Test func `a document is made, read, changed and deleted by its path`() async throws {
        try await DocumentClient.use { client async throws in
            let made = try await Self.send(client, "PUT", "users/u1", #"{"fields": {"name": "Ann", "a": {"b": 1, "c": 2}}}"#)
            #expect(try made.status == 200 && JSON(made)["path"].text == "users/u1", "\(made.text)")
            let version = try JSON(made)["version"].number
            let read = try await Self.send(client, "GET", "users/u1")
            #expect(read.headers["etag"] == "\"\(version)\"")
            #expect(read.text == #"{"path":"users/u1","fields":{"a":{"b":1,"c":2},"name":"Ann"},"version":\#(version),"created":\#(version)}"#)
            #expect(try await Self.send(client, "PATCH", "users/u1", #"{"fields": {"a.b": 5, "name": {"$delete": true}}}"#).status == 200)
            #expect(try await client.fields("users/u1") == #"{"a":{"b":5,"c":2}}"#)
            #expect(try await Self.send(client, "PUT", "users/u1?merge=true", #"{"fields": {"a": {"d": 1}}}"#).status == 200)
            #expect(try await client.fields("users/u1") == #"{"a":{"b":5,"c":2,"d":1}}"#)
            let selected = try await Self.send(client, "GET", "users/u1?fields=a.c&fields=x")
            #expect(selected.text.contains(#""fields":{"a":{"c":2}}"#))
            #expect(try await Self.send(client, "GET", "users/u1?at=\(version)").text.contains("Ann"))
            #expect(try await Self.send(client, "DELETE", "users/u1").status == 204)
            #expect(try await Self.send(client, "GET", "users/u1").status == 404)
            #expect(try await Self.send(client, "PATCH", "users/u1", #"{"fields": {}}"#).status == 404)
        }
    }

    @Test func `preconditions are in the head`() async throws {
        try await DocumentClient.use { client async throws in
            let body = #"{"fields": {}}"#
            let made = try await Self.send(client, "PUT", "a/b", body, ["If-None-Match": "*"])
            #expect(made.status == 200)
            #expect(try await Self.send(client, "PUT", "a/b", body, ["If-None-Match": "*"]).status == 409)
            #expect(try await Self.send(client, "DELETE", "a/b", "", ["If-Match": "\"7\""]).status == 412)
            #expect(try await Self.send(client, "PUT", "a/c", body, ["If-Match": "*"]).status == 404)
            for wrong in ["7", "\"x\"", "W/\"7\"", ""] {
                #expect(try await Self.send(client, "DELETE", "a/b", "", ["If-Match": wrong]).status == 400, "\(wrong)")
            }
            let version = try JSON(made)["version"].number
            #expect(try await Self.send(client, "DELETE", "a/b", "", ["If-Match": "\"\(version)\""]).status == 204)
        }
    }

    @Test func `a document that the client has is not sent again`() async throws {
        try await DocumentClient.use { client async throws in
            #expect(try await Self.send(client, "PUT", "a/b", #"{"fields": {"n": 1, "m": 2}}"#).status == 200)
            let read = try await Self.send(client, "GET", "a/b")
            let tag = try #require(read.headers["etag"])
            for same in [tag, "W/\(tag)", "\"7\", \(tag)", "*"] {
                let reply = try await Self.send(client, "GET", "a/b", "", ["If-None-Match": same])
                #expect(reply.status == 304 && reply.text.isEmpty && reply.headers["etag"] == tag, "\(same)")
            }
            #expect(try await Self.send(client, "GET", "a/b?fields=n", "", ["If-None-Match": tag]).status == 304)
            for other in ["\"7\"", "7", ""] {
                #expect(try await Self.send(client, "GET", "a/b", "", ["If-None-Match": other]).status == 200, "\(other)")
            }
            let denied = try await client.live.api.request(
                "GET", "/v1/documents/a/b", key: client.keys.ingest, headers: ["If-None-Match": tag], body: [])
            #expect(denied.status == 403)
            #expect(try await Self.send(client, "PATCH", "a/b", #"{"fields": {"n": 3}}"#).status == 200)
            #expect(try await Self.send(client, "GET", "a/b?fields=m", "", ["If-None-Match": tag]).status == 200)
            #expect(try await Self.send(client, "DELETE", "a/b").status == 204)
            #expect(try await Self.send(client, "GET", "a/b", "", ["If-None-Match": tag]).status == 404)
        }
    }

    @Test func `a refusal names a place that the request has`() async throws {
        try await DocumentClient.use { client async throws in
            #expect(try await Self.send(client, "PUT", "a/b", #"{"fields": {}}"#).status == 200)
            for (method, path, body, headers, field, code) in [
                ("PUT", "a/b", #"{"fields": {"x": [[1]]}}"#, [:], "fields", "invalid"),
                ("POST", "a", #"{"fields": {"x": [[1]]}}"#, [:], "fields", "invalid"),
                ("PUT", "a/b", #"{"fields": {"x": {"$now": true}, "m": {"__x__": 1}}}"#, [:], "fields", "invalid"),
                ("PATCH", "a/none", #"{"fields": {"x": 1}}"#, [:], "path", "not_found"),
                ("PUT", "a/b", #"{"fields": {}}"#, ["If-None-Match": "*"], "path", "exists"),
                ("DELETE", "a/b", "", ["If-Match": "\"7\""], "path", "precondition_failed"),
                ("DELETE", "a/b?recursive=true", "", ["If-Match": "\"7\""], "path", "precondition_failed"),
            ] as [(String, String, String, [String: String], String, String)] {
                let error = try JSON(try await Self.send(client, method, path, body, headers))["errors"][0]
                #expect(error["field"].text == field && error["code"].text == code, "\(method) \(path) \(body)")
            }
        }
    }

    @Test func `added documents have IDs in the order of their creation, and a collection is read by pages`() async throws {
        try await DocumentClient.use { client async throws in
            var paths: [String] = []
            for number in 0..<5 {
                let made = try await Self.send(client, "POST", "users/u1/orders", #"{"fields": {"n": \#(number)}}"#)
                #expect(made.status == 201, "\(made.text)")
                paths.append(try JSON(made)["path"].text)
                #expect(paths.last?.utf8.count == "users/u1/orders/".utf8.count + 20)
            }
            var (read, after): ([String], String?) = ([], nil)
            repeat {
                let page = try JSON(try await Self.send(client, "GET", "users/u1/orders?limit=2\(after.map { "&after=\($0)" } ?? "")"))
                read += page["items"].items.map { $0["path"].text }
                after = page["next"].exists ? page["next"].text : nil
            } while after != nil
            #expect(read == paths.sorted() && Set(read).count == 5)
        }
    }

    @Test(arguments: ["", "users//u1", "users/..", "users/../u1", ".", "users/%2e%2e", "__x__/a", "users/%00"])
    func `what is no path is refused`(path: String) async throws {
        try await DocumentClient.use { client async throws in
            #expect(try await Self.send(client, "GET", path).status == 422, "\(path)")
            #expect(try await Self.send(client, "PUT", path, #"{"fields": {}}"#).status == 422, "\(path)")
        }
    }

    @Test func `an encoded slash is part of no ID, and every text is kept as it is`() async throws {
        try await DocumentClient.use { client async throws in
            for path in ["users/a%2Fb", "users/a%2Fb/c", "users/%C3%28"] {
                let refused = try await Self.send(client, "PUT", path, #"{"fields": {}}"#)
                #expect(try refused.status == 422 && JSON(refused)["errors"][0]["field"].text == "path", "\(path): \(refused.text)")
            }
            for id in ["%C3%A9", "e%CC%81", "a%20b", "a+b", "%25", "__id7__"] {
                #expect(try await Self.send(client, "PUT", "names/\(id)", #"{"fields": {}}"#).status == 200, "\(id)")
            }
            let found = try await client.paths(#"{"from": "names"}"#)
            #expect(
                found.map { Array($0.utf8) }
                    == ["names/__id7__", "names/%", "names/a b", "names/a+b", "names/e\u{301}", "names/\u{e9}"].map { Array($0.utf8) })
        }
    }

    @Test(arguments: [("GET", "a/b?merge=true"), ("PUT", "a/b?at=1"), ("POST", "a/b"), ("PUT", "a"), ("PATCH", "a"), ("DELETE", "a")])
    func `a method that the path or parameter does not have is refused`(method: String, path: String) async throws {
        try await DocumentClient.use { client async throws in
            #expect(try await Self.send(client, method, path, #"{"fields": {}}"#).status == 422, "\(method) \(path)")
        }
    }

    @Test func `a mask in the URL names the fields that are set or removed`() async throws {
        try await DocumentClient.use { client async throws in
            _ = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {"n": 1, "m": {"x": 1, "y": 2}, "old": 1, "t": 10}}]}"#)
            let body = #"{"fields": {"n": 5, "m": {"y": 7, "z": 8}, "old": 2, "t": {"$increment": 1}, "u": {"$increment": 1}}}"#
            #expect(try await Self.send(client, "PUT", "a/b?fields=n&fields=m.y&fields=gone&fields=t", body).status == 200)
            #expect(try await client.fields("a/b") == #"{"m":{"x":1,"y":7},"n":5,"old":1,"t":11}"#)
            #expect(try await Self.send(client, "PUT", "a/b?fields=old", #"{"fields": {}}"#).status == 200)
            #expect(try await client.fields("a/b") == #"{"m":{"x":1,"y":7},"n":5,"t":11}"#)
            for wrong in ["merge=1", "merge=TRUE", "merge=true&fields=n", "fields=a..b", "fields=", "fields=__name__"] {
                #expect(try await Self.send(client, "PUT", "a/b?\(wrong)", #"{"fields": {}}"#).status >= 400, "\(wrong)")
            }
            #expect(try await client.fields("a/b") == #"{"m":{"x":1,"y":7},"n":5,"t":11}"#)
        }
    }

    @Test func `a server deletes a document with all below it`() async throws {
        try await DocumentClient.use { client async throws in
            let below = (0..<1_100).map { #"{"set": "users/u1/orders/o\#($0)/lines/l", "fields": {}}"# }
            _ = try await client.json("commit", #"{"writes": [\#(below.joined(separator: ","))]}"#)
            let others = ["users/u1", "users/u1/notes/n", "users/u10", "users/u10/orders/o1", "users/u", "users/u/orders/o", "users/u1x/orders/o"]
            _ = try await client.json("commit", #"{"writes": [\#(others.map { #"{"set": "\#($0)", "fields": {}}"# }.joined(separator: ","))]}"#)
            #expect(try await Self.send(client, "DELETE", "users/u1?recursive=yes").status == 422)
            #expect(try await Self.send(client, "DELETE", "users/u1?recursive=true", "", ["If-Match": "\"7\""]).status == 412)
            let denied = try await client.live.api.request("DELETE", "/v1/documents/users/u1?recursive=true", key: client.keys.ingest)
            #expect(denied.status == 403)
            #expect(try await client.paths(#"{"from": "lines", "group": true}"#).count == 1_100)
            #expect(try await Self.send(client, "DELETE", "users/u1?recursive=true").status == 204)
            #expect(try await client.paths(#"{"from": "lines", "group": true}"#) == [])
            #expect(try await client.paths(#"{"from": "notes", "group": true}"#) == [])
            #expect(try await client.paths(#"{"from": "users"}"#) == ["users/u", "users/u10"])
            #expect(
                try await client.paths(#"{"from": "orders", "group": true}"#) == ["users/u/orders/o", "users/u10/orders/o1", "users/u1x/orders/o"])
            #expect(try await Self.send(client, "DELETE", "users/u1?recursive=true").status == 204)
        }
    }

    @Test func `a deletion with all below ends while others add documents`() async throws {
        try await DocumentClient.use { client async throws in
            let below = (0..<1_200).map { #"{"set": "users/u1/orders/o\#(10_000 + $0)", "fields": {}}"# }
            _ = try await client.json("commit", #"{"writes": [\#(below.joined(separator: ","))]}"#)
            let isOver = Mutex(false)
            async let added: Int = {
                var number = 0
                while !isOver.withLock({ $0 }) {
                    _ = try await client.json("commit", #"{"writes": [{"set": "users/u1/orders/a\#(number)", "fields": {}}]}"#)
                    number += 1
                }
                return number
            }()
            let deleted = try await Self.send(client, "DELETE", "users/u1?recursive=true")
            isOver.withLock { $0 = true }
            let count = try await added
            #expect(deleted.status == 204 && count > 0)
            #expect(try await client.paths(#"{"from": "orders", "group": true}"#).allSatisfy { $0.hasPrefix("users/u1/orders/a") })
        }
    }

    @Test func `a cursor may name a document that the caller may read`() async throws {
        try await DocumentClient.use { client async throws in
            let writes = [("a", 2), ("b", 1), ("c", 2), ("d", 3)].map { #"{"set": "l/\#($0)", "fields": {"n": \#($1)}}"# }
            _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ",")), {"set": "l/e", "fields": {}}]}"#)
            let query = #"{"from": "l", "order": ["n"], "#
            #expect(try await client.paths(query + #""startAfter": {"path": "l/a"}}"#) == ["l/c", "l/d"])
            #expect(try await client.paths(query + #""startAt": {"path": "l/a"}, "endBefore": {"path": "l/d"}}"#) == ["l/a", "l/c"])
            #expect(try await client.paths(#"{"from": "l", "endAt": {"path": "l/b"}}"#) == ["l/a", "l/b"])
            for wrong in [#"{"path": "l/missing"}"#, #"{"path": "l/e"}"#, #"{"path": "l"}"#, "{}", #"{"path": "l/a", "n": 1}"#] {
                #expect(try await client.send("query", query + #""startAt": \#(wrong)}"#).status == 422, "\(wrong)")
            }
            for (verb, cursor, problem) in [
                ("query", #"{"path": "l/missing"}"#, "names a document that is not there"),
                ("query", #""x""#, #"must be a list of at most 100 values, or a document such as {"path": "users/u1"}"#),
                ("aggregate", #"{"path": "l/a"}"#, "must be a list of values; only POST /v1/documents:query takes a document"),
                ("aggregate", #""x""#, "must be a list of at most 100 values"),
            ] {
                let aggregates = verb == "query" ? "" : #", "aggregates": {"n": {"count": true}}"#
                let reply = try await client.send(verb, query + #""startAfter": \#(cursor)\#(aggregates)}"#)
                #expect(try reply.status == 422 && JSON(reply)["detail"].text == "startAfter \(problem).", "\(verb) \(cursor): \(reply.text)")
            }
            let rules = "service cloud.firestore { match /databases/{d}/documents { match /l/{id} { allow list; allow get: if id == 'a'; } } }"
            let body = Array(#"{"source": "\#(rules)"}"#.utf8)
            let set = try await client.live.api.request(
                "PUT", "/v1/documents:rules", key: client.keys.admin, headers: ["Content-Type": "application/json"], body: body)
            #expect(set.status == 200, "\(set.text)")
            #expect(try await client.send("query", query + #""startAt": {"path": "l/a"}}"#, key: client.keys.ingest).status == 200)
            #expect(try await client.send("query", query + #""startAt": {"path": "l/b"}}"#, key: client.keys.ingest).status == 403)
        }
    }
}
