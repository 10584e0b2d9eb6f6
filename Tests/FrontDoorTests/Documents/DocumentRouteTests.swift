// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

@Suite struct DocumentRouteTests {
    @Test func `a key with the role data reads and writes documents and nothing else`() async throws {
        try await DocumentClient.use { client async throws in
            let made = try await client.json("commit", #"{"writes": [{"set": "users/u1", "fields": {"name": "Ann", "n": 1, "d": 1.0}}]}"#)
            #expect(made["results"][0]["version"].number == made["stamp"].number)
            #expect(try await client.fields("users/u1") == #"{"d":1.0,"n":1,"name":"Ann"}"#)
            #expect(try await client.live.api.get("/v1/app", key: client.key).status == 403)
            #expect(try await client.live.api.post("/v1/events", key: client.key, #"[{"name": "a"}]"#).status == 403)
            for key in [client.keys.ingest, client.keys.read, client.keys.send] {
                #expect(try await client.send("get", #"{"paths": ["users/u1"]}"#, key: key).status == 403)
            }
            let other = try await client.live.api.makeApp("other")
            let seen = try await client.send("get", #"{"paths": ["users/u1"]}"#, key: other.admin)
            #expect(seen.status == 200 && !seen.text.contains("Ann") && seen.text.contains(#"{"path":"users/u1"}"#))
            #expect(try await client.send("query", #"{"from": "users"}"#, key: other.admin).text.contains(#""documents":[]"#))
        }
    }

    @Test func `values keep their types and bytes`() async throws {
        try await DocumentClient.use { client async throws in
            let fields =
                #"{"$$tag":1,"a":[{"$time":"2026-11-23T10:00:00.000001Z"},{"$bytes":"AAEC"}],"geo":{"$geo":[48.1,11.5]},"#
                + #""m":{"nan":{"$double":"NaN"},"ref":{"$ref":"users/u1"}},"v":{"$vector":[1.0,2.5]},"z":null}"#
            _ = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": \#(fields)}]}"#)
            #expect(try await client.fields("a/b") == fields)
        }
    }

    @Test func `updates, merges, transforms and deletions change the fields that they name`() async throws {
        try await DocumentClient.use { client async throws in
            _ = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {"m": {"x": 1, "y": 2}, "old": 1, "l": [1]}}]}"#)
            let update = #"{"m.x": 5, "old": {"$delete": true}, "n": {"$increment": 2}, "l": {"$union": [1, 2.0, 2]}}"#
            let updated = try await client.json("commit", #"{"writes": [{"update": "a/b", "fields": \#(update)}]}"#)
            #expect(updated["results"][0]["transforms"].items.count == 2)
            #expect(try await client.fields("a/b") == #"{"l":[1,2.0],"m":{"x":5,"y":2},"n":2}"#)
            let merge = #"{"m": {"z": {"$max": 9}, "y": {"$delete": true}}, "e": {}}"#
            _ = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": \#(merge), "merge": true}]}"#)
            #expect(try await client.fields("a/b") == #"{"e":{},"l":[1,2.0],"m":{"x":5,"z":9},"n":2}"#)
            let now = try await client.json("commit", #"{"writes": [{"set": "a/t", "fields": {"at": {"$now": true}}}]}"#)
            #expect(now["results"][0]["transforms"][0]["$time"].text.hasSuffix("Z"))
            _ = try await client.json("commit", #"{"writes": [{"delete": "a/b"}]}"#)
            #expect(try await client.fields("a/b") == nil)
        }
    }

    @Test func `refusals have their codes, and nothing of the commit is there`() async throws {
        try await DocumentClient.use { client async throws in
            let version = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {}}]}"#)["stamp"].number
            for (write, status, code) in [
                (#"{"set": "a/b", "fields": {}, "if": {"exists": false}}"#, 409, "exists"),
                (#"{"update": "a/none", "fields": {"x": 1}}"#, 404, "not_found"),
                (#"{"set": "a/b", "fields": {}, "if": {"version": 7}}"#, 412, "precondition_failed"),
                (#"{"verify": "a/none", "if": {"exists": true}}"#, 404, "not_found"),
                (#"{"set": "a/b", "fields": {"x": [[1]]}}"#, 422, "invalid"), (#"{"set": "a/b", "fields": {"__x__": 1}}"#, 422, "invalid"),
                (#"{"set": "a/b", "fields": {"x": {"$delete": true}}}"#, 422, "invalid"), (#"{"set": "a", "fields": {}}"#, 422, "invalid"),
                (#"{"set": "a/..", "fields": {}}"#, 422, "invalid"), (#"{"set": "a/b%2Fc", "fields": {}, "x": 1}"#, 422, "invalid"),
                (#"{"update": "a/b", "fields": {"a": 1, "a.b": 2}}"#, 422, "invalid"), (#"{"verify": "a/b"}"#, 422, "invalid"),
                (#"{"set": "a/b", "delete": "a/b", "fields": {}}"#, 422, "invalid"), (#"{"delete": "a/b", "if": {}}"#, 422, "invalid"),
            ] as [(String, Int, String)] {
                let reply = try await client.send("commit", #"{"writes": [{"set": "a/c", "fields": {}}, \#(write)]}"#)
                #expect(reply.status == status, "\(write): \(reply.text)")
                #expect(try JSON(reply)["code"].text == code, "\(write)")
            }
            #expect(try await client.fields("a/c") == nil)
            let kept = try await client.json("get", #"{"paths": ["a/b"]}"#)
            #expect(kept["documents"][0]["version"].number == version)
        }
    }

    @Test func `a wrong field has the code that it has in other bodies`() async throws {
        try await DocumentClient.use { client async throws in
            let names = Array(repeating: #""a""#, count: 1_001).joined(separator: ",")
            for (verb, body, field, code) in [
                ("query", #"{"from": "a", "select": [\#(names)]}"#, "select", "wrong_type"),
                ("commit", #"{"writes": 7}"#, "writes", "wrong_type"), ("commit", #"{"writes": [7]}"#, "writes[0]", "wrong_type"),
                ("commit", #"{"writes": [{"set": 7, "fields": {}}]}"#, "writes[0].set", "wrong_type"),
                ("commit", #"{"writes": [{"set": "a", "fields": {}}]}"#, "writes[0].set", "invalid"),
                ("commit", #"{"writes": [{"set": "a/b"}]}"#, "writes[0].fields", "missing"),
                ("commit", #"{"writes": [{"set": "a/b", "fields": 7}]}"#, "writes[0].fields", "wrong_type"),
                ("commit", #"{"writes": [{"set": "a/b", "fields": {}, "merge": 1}]}"#, "writes[0].merge", "wrong_type"),
                ("commit", #"{"writes": [{"set": "a/b", "fields": {}, "if": {"version": "1"}}]}"#, "writes[0].if.version", "out_of_range"),
                ("commit", #"{"writes": [{"set": "a/b", "fields": {}, "x": 1}]}"#, "writes[0].x", "unknown"),
                ("query", #"{"from": "a", "limit": -1}"#, "limit", "out_of_range"), ("query", #"{"limit": 1}"#, "from", "missing"),
                ("query", #"{"from": "a", "group": "yes"}"#, "group", "wrong_type"),
                ("query", #"{"from": "a", "select": [7]}"#, "select", "wrong_type"),
                ("query", #"{"from": "a", "select": [".."]}"#, "select", "invalid"), ("get", #"{"paths": "a/b"}"#, "paths", "wrong_type"),
                ("get", "{}", "paths", "missing"), ("collections", #"{"after": 7}"#, "after", "wrong_type"),
            ] {
                let reply = try await client.send(verb, body)
                let error = try JSON(reply)["errors"][0]
                #expect(reply.status == 422 && error["field"].text == field && error["code"].text == code, "\(body): \(reply.text)")
            }
        }
    }

    @Test func `a transaction fails when a document or query that it read was changed`() async throws {
        try await DocumentClient.use { client async throws in
            let first = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {"n": 1}}]}"#)["stamp"].number
            let commit = #"{"writes": [{"set": "a/c", "fields": {}}], "reads": [{"path": "a/b", "version": \#(first)}]}"#
            let query = #"{"from": "a", "where": ["n", ">", 5]}"#
            let guarded = #"{"writes": [{"set": "a/d", "fields": {}}], "queries": [{"query": \#(query), "stamp": \#(first)}]}"#
            _ = try await client.json("commit", commit)
            _ = try await client.json("commit", guarded)
            _ = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {"n": 6}}]}"#)
            for body in [commit, guarded] {
                let reply = try await client.send("commit", body)
                #expect(try reply.status == 409 && JSON(reply)["code"].text == "conflict")
            }
        }
    }

    @Test func `a batch counts once`() async throws {
        try await DocumentClient.use { client async throws in
            let batch = #"{"writes": [{"set": "a/b", "fields": {"n": {"$increment": 1}}, "merge": true}], "client": "phone", "batch": 1}"#
            let (first, second) = (try await client.send("commit", batch), try await client.send("commit", batch))
            #expect(first.status == 200 && first.text == second.text)
            #expect(try await client.fields("a/b") == #"{"n":1}"#)
            #expect(try await client.send("commit", #"{"writes": [], "client": "phone"}"#).status == 422)
        }
    }

    @Test func `refusals of names show the name, also an empty one`() async throws {
        try await DocumentClient.use { client async throws in
            let long = String(repeating: "n", count: 1_501)
            for (write, detail) in [
                (#"{"set": "a/b", "fields": {"": 1}}"#, "writes[0] has a field with an empty name."),
                (#"{"set": "a/b", "fields": {"m": {"": 1}}}"#, "writes[0] has a field with an empty name."),
                (#"{"set": "a/b", "fields": {"__x__": 1}}"#, "writes[0] has a field with a reserved name: __x__."),
                (
                    #"{"set": "a/b", "fields": {"\#(long)": 1}}"#,
                    "writes[0] has a field whose name, or path through maps, has more than 1500 bytes: \(long.prefix(64))…."
                ),
                (#"{"update": "a/b", "fields": {"": 1}}"#, #"writes[0].fields."" is not the path of a field."#),
                (#"{"set": "a", "fields": {}}"#, "writes[0].set must be the path of a document, such as users/u1."),
                (#"{"set": "a/", "fields": {}}"#, "writes[0].set must be the path of a document, such as users/u1; an ID in it is empty."),
                (
                    #"{"set": "a/__x__", "fields": {}}"#,
                    "writes[0].set must be the path of a document, such as users/u1; the ID __x__ is reserved."
                ),
                (
                    #"{"set": "a/\#(long)", "fields": {}}"#,
                    "writes[0].set must be the path of a document, such as users/u1; an ID in it has more than 1500 bytes."
                ),
                (#"{"set": "a/b", "fields": {}, "": 1}"#, #"writes[0]."" is not known here; known are set, fields, merge, if."#),
                (#"{"set": "a/b", "set": "a/c", "fields": {}}"#, "writes[0].set occurs twice."),
            ] {
                let reply = try await client.send("commit", #"{"writes": [\#(write)]}"#)
                #expect(try reply.status == 422 && JSON(reply)["detail"].text == detail, "\(reply.text)")
            }
        }
    }

    @Test func `an empty batch of a new client takes its number`() async throws {
        try await DocumentClient.use { client async throws in
            let empty = try await client.send("commit", #"{"writes": [], "client": "phone", "batch": 1}"#)
            let late = try await client.send("commit", #"{"writes": [{"set": "a/b", "fields": {}}], "client": "phone", "batch": 1}"#)
            #expect(empty.status == 200 && late.status == 200 && late.text == empty.text)
            let found = try await client.json("query", #"{"from": "a"}"#)
            #expect(found["documents"].items.isEmpty)
        }
    }

    @Test func `queries filter, order, page and aggregate`() async throws {
        try await DocumentClient.use { client async throws in
            let writes = (0..<10).map {
                #"{"set": "products/p\#($0)", "fields": {"price": \#($0 * 10), "tags": ["t\#($0 % 3)"], "name": "n\#($0)"}}"#
            }
            _ = try await client.json("commit", #"{"writes": [\#(writes.joined(separator: ","))]}"#)
            _ = try await client.json("commit", #"{"writes": [{"set": "products/p1/reviews/r1", "fields": {"stars": 5, "x": null}}]}"#)
            let page = #"{"from": "products", "where": {"and": [["price", ">=", 20], ["tags", "contains", "t0"]]}, "order": [["price", "desc"]]"#
            #expect(try await client.paths(page + "}") == ["products/p9", "products/p6", "products/p3"])
            #expect(try await client.paths(page + #", "startAfter": [90], "limit": 1}"#) == ["products/p6"])
            #expect(try await client.paths(#"{"from": "products", "where": {"or": [["price", "==", 0], ["price", "in", [10, 90]]]}}"#).count == 3)
            #expect(try await client.paths(#"{"from": "reviews", "group": true, "where": ["x", "==", null]}"#) == ["products/p1/reviews/r1"])
            #expect(try await client.paths(#"{"from": "reviews", "under": "products/p1"}"#).count == 1)
            let named = #"{"from": "products", "where": ["__name__", "==", {"$ref": "products/p2"}], "select": ["name"], "explain": true}"#
            let found = try await client.json("query", named)
            #expect(found["documents"][0]["fields"]["name"].text == "n2" && found["documents"][0]["fields"]["price"].exists == false)
            #expect(found["explain"]["examined"].number == 10)
            let sums = try await client.json("aggregate", #"{"from": "products", "aggregates": {"s": {"sum": "price"}, "n": {"count": true}}}"#)
            #expect(sums["values"]["s"].number == 450 && sums["values"]["n"].number == 10)
            let below = try await client.send("collections", #"{"under": "products/p1"}"#)
            #expect(below.text == #"{"items":["reviews"]}"#)
            let top = try await client.json("collections", #"{"limit": 1}"#)
            #expect(top["items"].items.map(\.text) == ["products"] && top["next"].exists == false)
        }
    }

    @Test func `queries that Firestore refuses are query_invalid`() async throws {
        try await DocumentClient.use { client async throws in
            for body in [
                #""where": ["a", "in", []]"#, #""where": ["a", "in", 1]"#, #""where": {"and": [["a", "!=", 1], ["b", "not-in", [2]]]}"#,
                #""order": ["a", "a"]"#, #""startAt": [1, 2]"#, #""where": ["__name__", "==", "x"]"#,
            ] {
                let reply = try await client.send("query", #"{"from": "a", \#(body)}"#)
                #expect(try reply.status == 400 && JSON(reply)["code"].text == "query_invalid", "\(body): \(reply.text)")
            }
            for (comparison, operand) in [("contains", #"{"$ref": "a/b"}"#), ("contains-any", #"[{"$ref": "a/b"}]"#)] {
                let reply = try await client.send("query", #"{"from": "a", "where": ["__name__", "\#(comparison)", \#(operand)]}"#)
                #expect(try JSON(reply)["detail"].text == "The query applies \(comparison) to __name__, which is not a list.", "\(reply.text)")
            }
            for body in [
                #""where": ["a", "=", 1]"#, #""where": ["a", "=="]"#, #""where": {}"#, #""where": {"and": []}"#, #""order": [["a", "up"]]"#,
                #""limit": -1"#, #""startAt": [1], "startAfter": [1]"#, #""under": "b""#, #""x": 1"#, #""at": 1"#,
            ] {
                #expect(try await client.send("query", #"{"from": "a", \#(body)}"#).status == 422, "\(body)")
            }
        }
    }

    @Test func `an earlier state is read by its stamp`() async throws {
        try await DocumentClient.use { client async throws in
            let first = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {"n": 1}}]}"#)["stamp"].number
            _ = try await client.json("commit", #"{"writes": [{"set": "a/b", "fields": {"n": 2}}, {"set": "a/c", "fields": {}}]}"#)
            let found = try await client.json("query", #"{"from": "a", "at": \#(first)}"#)
            #expect(found["documents"].items.count == 1 && found["documents"][0]["fields"]["n"].number == 1)
            #expect(found["stamp"].number == first)
        }
    }
}
