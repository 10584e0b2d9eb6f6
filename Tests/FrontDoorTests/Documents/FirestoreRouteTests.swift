// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Firestore's REST API, as server SDKs use it.
@Suite struct FirestoreRouteTests {
    @Test func `documents are created, read, changed and deleted by their names`() async throws {
        try await FirestoreClient.use { client in
            let made = try await client.json("POST", "/users?documentId=u1", #"{"fields":{"n":{"integerValue":"1"},"s":{"stringValue":"a"}}}"#)
            #expect(made["name"].text == client.root + "/users/u1" && made["createTime"].text == made["updateTime"].text)
            let again = try await client.send("POST", "/users?documentId=u1", "{}")
            #expect(again.status == 409 && again.text.contains("Document already exists: \(client.root)/users/u1"))
            let patch = #"{"fields":{"n":{"integerValue":"2"},"x":{"integerValue":"3"}}}"#
            let changed = try await client.json("PATCH", "/users/u1?updateMask.fieldPaths=n&updateMask.fieldPaths=s", patch)
            #expect(changed["fields"]["n"]["integerValue"].text == "2" && !changed.source.contains("stringValue"))
            #expect(try await client.json("GET", "/users/u1?mask.fieldPaths=y&alt=json").source.contains("fields") == false)
            let missing = try await client.send("PATCH", "/users/u2?currentDocument.exists=true", "{}")
            #expect(missing.status == 404 && missing.text.contains("No document to update: \(client.root)/users/u2"))
            #expect(try await client.send("DELETE", "/users/u1").text == "{}")
            let gone = try await client.send("GET", "/users/u1")
            #expect(gone.status == 404 && gone.text.contains(#""status":"NOT_FOUND""#))
        }
    }

    @Test func `methods that are not there are refused in the form of Google's errors`() async throws {
        try await FirestoreClient.use { client in
            for path in [":listen", ":write", ":executePipeline", ":unknown"] {
                let reply = try await client.send("POST", path, "{}")
                let error = try JSON(reply)["error"]
                #expect(reply.status == 501 && error["code"].number == 501 && error["status"].text == "UNIMPLEMENTED", "\(path): \(reply.text)")
                #expect(error["message"].text.hasPrefix("The method is not implemented"))
            }
            for (path, status) in [("d/documents/c/a%2Fb/c/d", 400), ("d/e/documents/c/a", 501)] {
                let reply = try await client.documents.live.api.get("/v1/projects/\(client.documents.keys.app)/databases/\(path)")
                #expect(reply.status == status, "\(path): \(reply.text)")
            }
            let other = try await client.documents.live.api.get("/v1/nothing")
            #expect(try other.status == 404 && JSON(other)["code"].text == "not_found")
        }
    }

    @Test func `a misspelled parameter is refused, and nothing is written`() async throws {
        try await FirestoreClient.use { client in
            _ = try await client.commit(FirestoreClient.set("c/a", 1))
            for (method, path, body) in [
                ("DELETE", "/c/a?currentDocument.updatetime=2020-01-01T00:00:00Z", ""), ("PATCH", "/c/a?currentDocument.exist=false", "{}"),
                ("PATCH", "/c/a?updateMask.fieldPath=n", "{}"), ("POST", ":commit?currentDocument.exists=true", "{}"),
                ("GET", "/c/a?foo=bar", ""), ("POST", "/c?currentDocument.exists=true", "{}"), ("GET", "/c/a?alt=proto", ""),
            ] {
                let reply = try await client.send(method, path, body)
                #expect(reply.status == 400 && reply.text.contains("INVALID_ARGUMENT"), "\(method) \(path): \(reply.text)")
            }
            let taken = "prettyPrint=false&$prettyPrint=0&key=\(client.documents.keys.ingest)&$alt=json%3Benum-encoding%3Dint&quotaUser=q&$.xgafv=2"
            let kept = try await client.json("GET", "/c/a?mask.field_paths=n&\(taken)")
            #expect(kept["fields"]["n"]["integerValue"].text == "1")
        }
    }

    @Test func `a commit is made whole, and a batch one by one`() async throws {
        try await FirestoreClient.use { client in
            let done = try await client.commit(FirestoreClient.set("c/a", 1) + "," + FirestoreClient.set("c/b", 2))
            #expect(done["writeResults"].items.count == 2 && done["writeResults"][0]["updateTime"].text == done["commitTime"].text)
            let exists = String(FirestoreClient.set("c/a", 9).dropLast()) + #","currentDocument":{"exists":false}}"#
            let refused = try await client.send("POST", ":commit", #"{"writes":["# + FirestoreClient.set("c/d", 1) + "," + exists + "]}")
            #expect(refused.status == 409)
            #expect(try await client.send("GET", "/c/d").status == 404)
            let batch = try await client.json("POST", ":batchWrite", #"{"writes":["# + FirestoreClient.set("c/d", 1) + "," + exists + "]}")
            #expect(batch["status"][1]["code"].number == 6)
            #expect(try await client.send("GET", "/c/d").status == 200)
        }
    }

    @Test func `a write that expects the time of a document which is not there fails its precondition`() async throws {
        try await FirestoreClient.use { client in
            let delete = #"{"delete":"~/c/none","currentDocument":{"updateTime":"2020-01-01T00:00:00Z"}}"#
            let refused = try await client.send("POST", ":commit", #"{"writes":[\#(delete)]}"#)
            #expect(refused.status == 400 && refused.text.contains("FAILED_PRECONDITION"))
            #expect(try await client.json("POST", ":batchWrite", #"{"writes":[\#(delete)]}"#)["status"][0]["code"].number == 9)
            let made = try await client.commit(FirestoreClient.set("c/new", 1) + #",{"delete":"~/c/new"}"#)
            #expect(made["writeResults"].items.map(\.source) == ["{}", "{}"])
            let overlap = #"{"update":{"name":"~/c/other"},"updateTransforms":[\#(Self.union("a")),\#(Self.union("a.b"))]}"#
            for verb in [":commit", ":batchWrite"] {
                let reply = try await client.send("POST", verb, #"{"writes":[\#(delete),\#(overlap)]}"#)
                #expect(reply.status == 400 && reply.text.contains("INVALID_ARGUMENT"), "\(reply.text)")
            }
        }
    }

    private static func union(_ field: String) -> String { #"{"fieldPath":"\#(field)","appendMissingElements":{"values":[]}}"# }

    @Test func `queries, aggregations, lists and collections`() async throws {
        try await FirestoreClient.use { client in
            _ = try await client.commit(
                (1...5).map { FirestoreClient.set("c/d\($0)", $0) }.joined(separator: ",") + "," + FirestoreClient.set("c/d1/sub/x", 7))
            let condition = #""where":{"fieldFilter":{"field":{"fieldPath":"n"},"op":3,"value":{"integerValue":2}}}"#
            let query =
                #"{"structuredQuery":{"from":[{"collectionId":"c"}],"# + condition
                + #","orderBy":[{"field":{"fieldPath":"n"},"direction":2}],"limit":2}}"#
            let found = try await client.json("POST", ":runQuery", query).items
            #expect(found.map { $0["document"]["fields"]["n"]["integerValue"].text } == ["5", "4"])
            #expect(try await client.json("POST", "/c/d1:runQuery", #"{"structuredQuery":{"from":[{"collectionId":"sub"}]}}"#).items.count == 1)
            let none = try await client.json("POST", ":runQuery", #"{"structuredQuery":{"from":[{"collectionId":"none"}]}}"#).items
            #expect(none.count == 1 && !none[0]["readTime"].text.isEmpty)
            let sum =
                #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":[{"count":{}},{"alias":"s","sum":{"field":{"fieldPath":"n"}}}]}}"#
            let fields = try await client.json("POST", ":runAggregationQuery", sum)[0]["result"]["aggregateFields"]
            #expect(fields["field_1"]["integerValue"].text == "5" && fields["s"]["integerValue"].text == "15")
            #expect(try await client.json("POST", ":listCollectionIds", "").source.contains("collectionIds"))
            #expect(try await client.json("POST", "/c/d1:listCollectionIds", "{}")["collectionIds"][0].text == "sub")
            var (names, token) = ([String](), "")
            repeat {
                let page = try await client.json("GET", "/c?pageSize=2&orderBy=n%20desc&pageToken=\(token)")
                names += page["documents"].items.map { String($0["name"].text.suffix(2)) }
                token = page["nextPageToken"].text
            } while !token.isEmpty && names.count < 10
            #expect(names == ["d5", "d4", "d3", "d2", "d1"])
            // Below a document, a group is searched by names only.
            let group = #""from":[{"collectionId":"sub","allDescendants":true}]"#
            #expect(try await client.json("POST", "/c/d1:runQuery", #"{"structuredQuery":{\#(group)}}"#).items.count == 1)
            #expect(try await client.send("POST", "/c/d1:runQuery", #"{"structuredQuery":{\#(group),\#(condition)}}"#).status == 400)
            let masked = sum.replacing(#""from":"#, with: #""select":{"fields":[{"fieldPath":"n"}]},"from":"#)
            #expect(try await client.send("POST", ":runAggregationQuery", masked).status == 400)
            let refused = try await client.send("POST", ":runQuery", #"{"structuredQuery":{"limit":-1}}"#)
            #expect(refused.status == 400 && refused.text.hasPrefix(#"[{"error":{"code":400,"message":"limit is negative""#))
        }
    }

    @Test func `as many fields are selected as a request may name`() async throws {
        try await FirestoreClient.use { client in
            _ = try await client.commit(
                #"{"update":{"name":"~/c/d","fields":{"n":{"integerValue":"1"},"m":{"mapValue":{"fields":{"a999":{"integerValue":"2"},"x":{"nullValue":null}}}}}}}"#
            )
            for (count, status) in [(1_000, 200), (1_001, 400)] {
                let paths = (0..<count).map { "m.a\($0)" }
                let select = #"{"fields":["# + paths.map { #"{"fieldPath":"\#($0)"}"# }.joined(separator: ",") + "]}"
                let query = #"{"structuredQuery":{"from":[{"collectionId":"c"}],"select":\#(select)}}"#
                let mask = #"{"fieldPaths":["# + paths.map { "\"\($0)\"" }.joined(separator: ",") + "]}"
                let get = #"{"documents":["~/c/d"],"mask":\#(mask)}"#
                for (verb, body, member) in [(":runQuery", query, "document"), (":batchGet", get, "found")] {
                    let reply = try await client.send("POST", verb, body)
                    #expect(reply.status == status && (status == 200 || reply.text.contains("more than 1000 fields")), "\(reply.text)")
                    guard status == 200 else { continue }
                    let fields = try JSON(reply)[0][member]["fields"].source
                    #expect(fields == #"{"m":{"mapValue":{"fields":{"a999":{"integerValue":"2"}}}}}"#)
                }
            }
        }
    }

    @Test func `a transaction fails if what it read was changed`() async throws {
        try await FirestoreClient.use { client in
            _ = try await client.commit(FirestoreClient.set("c/a", 1))
            for isDisturbed in [false, true] {
                let begun = try await client.json("POST", ":beginTransaction", "{}")["transaction"].text
                let get = try await client.json("POST", ":batchGet", #"{"documents":["~/c/a","~/c/none"],"transaction":"\#(begun)"}"#)
                #expect(get[0]["found"]["name"].text.hasSuffix("c/a") && get[1]["missing"].text.hasSuffix("c/none"))
                if isDisturbed { _ = try await client.commit(FirestoreClient.set("c/a", 5)) }
                let reply = try await client.send("POST", ":commit", #"{"transaction":"\#(begun)","writes":["# + FirestoreClient.set("c/b", 2) + "]}")
                #expect(reply.status == (isDisturbed ? 409 : 200) && reply.text.contains("ABORTED") == isDisturbed)
                // Clients roll back what failed.
                #expect(try await client.send("POST", ":rollback", #"{"transaction":"\#(begun)"}"#).text == "{}")
            }
            let reading = try await client.json("POST", ":batchGet", #"{"documents":["~/c/a"],"newTransaction":{"readOnly":{}}}"#)
            let write = try await client.send(
                "POST", ":commit", #"{"transaction":"\#(reading[0]["transaction"].text)","writes":["# + FirestoreClient.set("c/b", 2) + "]}")
            #expect(write.status == 400 && write.text.contains("read-only"))
        }
    }

    @Test func `hostile paths, parameters and bodies are refused in Google's form`() async throws {
        try await FirestoreClient.use { client in
            let names = ["a%00b", "..", "__x__", "a%2Fb", String(repeating: "a", count: 1_501), ""]
            for name in names {
                let reply = try await client.send("PATCH", "/c/\(name)", "{}")
                #expect([400, 404].contains(reply.status), "\(name.prefix(10)): \(reply.text)")
                #expect(try await client.send("POST", "/c?documentId=\(name)", "{}").status == (name.isEmpty ? 200 : 400), "\(name.prefix(10))")
            }
            let orders = (0...100).map { "a\($0)" }.joined(separator: ",")
            for query in ["pageSize=x", "pageSize=99999999999", "pageSize=-1", "pageToken=AA", "pageToken=e30", "orderBy=a,", "orderBy=\(orders)"] {
                #expect(try await client.send("GET", "/c?\(query)").status == 400, "\(query.prefix(30))")
            }
            let masks = (0...1_000).map { "mask.fieldPaths=a\($0)" }.joined(separator: "&")
            for query in [masks, "mask.fieldPaths=a..b", "readTime=x", "transaction=*", "transaction=AAAA"] {
                let status = try await client.send("GET", "/c/a?\(query)").status
                #expect([400, 414].contains(status), "\(query.prefix(30))")
            }
            let conditions = ["exists=maybe", "updateTime=x", "exists=true&currentDocument.updateTime=2020-01-01T00:00:00Z"]
            for condition in conditions { #expect(try await client.send("DELETE", "/c/a?currentDocument.\(condition)").status == 400) }
            let many = (0...10_000).map { _ in #""~/c/a""# }.joined(separator: ",")
            #expect(try await client.send("POST", ":batchGet", #"{"documents":[\#(many)]}"#).status == 400)
            let deletes = (0...5_000).map { #"{"delete":"~/c/d\#($0)"}"# }.joined(separator: ",")
            for verb in [":commit", ":batchWrite"] { #expect(try await client.send("POST", verb, #"{"writes":[\#(deletes)]}"#).status == 400) }
            let deep = String(repeating: "[", count: 200)
            #expect(try await client.send("POST", ":commit", #"{"writes":\#(deep)"#).status == 400)
        }
    }

    @Test func `other databases, projects and keys are refused in Google's form`() async throws {
        try await FirestoreClient.use { client in
            let other = try await client.documents.live.api.makeApp("other")
            #expect(try await client.send("GET", "/c/a", key: other.admin).status == 403)
            for key in [client.documents.keys.ingest, client.documents.keys.read, client.documents.keys.send] {
                #expect(try await client.send("GET", "/c/a", key: key).status == 403)
            }
            let database = "/v1/" + client.root.replacing("(default)", with: "other") + "/c/a"
            let reply = try await client.documents.live.api.get(database, key: client.documents.key)
            #expect(reply.status == 404 && reply.text.contains("NOT_FOUND"))
            #expect(try await client.send("POST", ":commit", "{").text.contains("INVALID_ARGUMENT"))
            let foreign = #"{"writes":[{"delete":"projects/other/databases/(default)/documents/c/a"}]}"#
            #expect(try await client.send("POST", ":commit", foreign).status == 400)
        }
    }
}
