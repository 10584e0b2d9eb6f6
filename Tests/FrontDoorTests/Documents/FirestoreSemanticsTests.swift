// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// Results of Firestore's REST API that clients depend on, as Google's emulator gives them.
@Suite struct FirestoreSemanticsTests {
    @Test func `names of conditions and cursors may have NUL, those of documents not`() async throws {
        try await FirestoreClient.use { client in
            _ = try await client.commit(["c/a", "c/a/s/x", "c/b", "ca/x"].map { FirestoreClient.set($0, 1) }.joined(separator: ","))
            // Clients delete a collection with all below it by this range.
            let range =
                #""orderBy":[{"field":{"fieldPath":"__name__"}}],"startAt":{"values":[{"referenceValue":"~/c/__id-9223372036854775808__"}],"before":true}"#
                + #","endAt":{"values":[{"referenceValue":"~/c\u0000/__id-9223372036854775808__"}],"before":true}"#
            let found = try await client.json("POST", ":runQuery", #"{"structuredQuery":{"from":[{"allDescendants":true}],\#(range)}}"#)
            #expect(found.ids == ["a", "x", "b"])
            let condition = #"{"field":{"fieldPath":"__name__"},"op":"LESS_THAN","value":{"referenceValue":"~/c/a\u0000"}}"#
            let query = #"{"structuredQuery":{"from":[{"collectionId":"c"}],"where":{"fieldFilter":\#(condition)}}}"#
            #expect(try await client.json("POST", ":runQuery", query).ids == ["a"])
            let writes = [#"{"update":{"name":"~/c/a\u0000"}}"#, #"{"update":{"name":"~/c/z","fields":{"r":{"referenceValue":"~/c/a\u0000"}}}}"#]
            for write in writes { #expect(try await client.send("POST", ":commit", #"{"writes":[\#(write)]}"#).status == 400) }
            #expect(try await client.send("POST", ":batchGet", #"{"documents":["~/c/a\u0000"]}"#).status == 400)
        }
    }

    @Test func `aggregates count documents with their fields, in the order of them`() async throws {
        try await FirestoreClient.use { client in
            let numbers: [(String, Int, Int?)] = [("d0", 3, 5), ("d1", 1, 9), ("d2", 2, nil)]
            let documents = numbers.map { id, n, m in
                let more = m.map { #","m":{"integerValue":"\#($0)"}"# } ?? ""
                return #"{"update":{"name":"~/c/\#(id)","fields":{"n":{"integerValue":"\#(n)"}\#(more)}}}"#
            }
            _ = try await client.commit(documents.joined(separator: ","))
            func values(_ query: String, _ aggregations: String) async throws -> [String] {
                let body =
                    #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]\#(query)},"aggregations":[\#(aggregations)]}}"#
                let fields = try await client.json("POST", ":runAggregationQuery", body)[0]["result"]["aggregateFields"]
                return ["field_1", "field_2"].map { fields[$0]["integerValue"].text }
            }
            let (sumN, sumM) = (#"{"sum":{"field":{"fieldPath":"n"}}}"#, #"{"sum":{"field":{"fieldPath":"m"}}}"#)
            #expect(try await values("", #"{"count":{}},\#(sumM)"#) == ["2", "14"])
            #expect(try await values("", #"{"count":{}},\#(sumN)"#) == ["3", "6"])
            #expect(try await values(#","limit":2"#, #"{"count":{}},\#(sumN)"#) == ["2", "3"])
            #expect(try await values(#","limit":1"#, "\(sumN),\(sumM)") == ["3", "5"])
            #expect(try await values(#","limit":1,"offset":1"#, "\(sumN),\(sumM)") == ["1", "9"])
            let descending = #","limit":1,"orderBy":[{"field":{"fieldPath":"n"},"direction":"DESCENDING"}]"#
            #expect(try await values(descending, "\(sumN),\(sumM)") == ["3", "5"])
        }
    }

    @Test func `refusals have the words of Firestore`() async throws {
        try await FirestoreClient.use { client in
            _ = try await client.commit(FirestoreClient.set("c/a", 1))
            func refused(_ verb: String, _ body: String, _ words: String) async throws {
                let reply = try await client.send("POST", verb, body)
                #expect(reply.status == 400 && reply.text.contains("INVALID_ARGUMENT") && reply.text.contains(words), "\(body): \(reply.text)")
            }
            let future = #","currentDocument":{"updateTime":"2999-01-01T00:00:00Z"}}"#
            let update = String(FirestoreClient.set("c/a", 2).dropLast())
            for write in [update, #"{"delete":"~/c/a""#, #"{"verify":"~/c/a""#].map({ $0 + future }) {
                try await refused(":commit", #"{"writes":[\#(write)]}"#, "Invalid base version")
            }
            let create = String(FirestoreClient.set("c/b", 1).dropLast()) + #","currentDocument":{"exists":false}}"#
            try await refused(":commit", #"{"writes":[\#(FirestoreClient.set("c/b", 1)),\#(create)]}"#, "Cannot upsert then insert")
            let query = #""structuredQuery":{"from":[{"collectionId":"c"}]}"#
            for (aggregations, words) in [
                (#"{"alias":"x","count":{}},{"alias":"x","count":{}}"#, "Aggregation aliases contain duplicate alias: x."),
                (#"{"sum":{"field":{"fieldPath":"__name__"}}}"#, "not supported for the property"),
            ] {
                try await refused(":runAggregationQuery", #"{"structuredAggregationQuery":{\#(query),"aggregations":[\#(aggregations)]}}"#, words)
            }
            for (cursor, words) in [
                (#"{"integerValue":1},{"integerValue":2}"#, "too many values"), (#"{"integerValue":1}"#, "not a document reference"),
            ] {
                let body =
                    #"{"structuredQuery":{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"__name__"}}],"startAt":{"values":[\#(cursor)]}}}"#
                try await refused(":runQuery", body, words)
            }
        }
    }

    @Test func `a query is explained`() async throws {
        try await FirestoreClient.use { client in
            _ = try await client.commit((1...3).map { FirestoreClient.set("c/d\($0)", $0) }.joined(separator: ","))
            let query = #""structuredQuery":{"from":[{"collectionId":"c"}],"limit":2}"#
            let counts = #""structuredAggregationQuery":{\#(query),"aggregations":[{"count":{}}]}"#
            for (verb, body) in [(":runQuery", query), (":runAggregationQuery", counts)] {
                let plan = try await client.json("POST", verb, #"{\#(body),"explainOptions":{}}"#)
                #expect(plan.items.count == 1 && plan[0].names == ["explainMetrics"] && plan[0]["explainMetrics"].names == ["planSummary"])
                let index = plan[0]["explainMetrics"]["planSummary"]["indexesUsed"][0]
                #expect(index["properties"].text == "(__name__ ASC)" && index["query_scope"].text == "Collection")
                let analysis = try await client.json("POST", verb, #"{\#(body),"explainOptions":{"analyze":true}}"#)
                let statistics = try #require(analysis.items.last)["explainMetrics"]["executionStats"]
                #expect(statistics["resultsReturned"].text == (verb == ":runQuery" ? "2" : "1"))
                #expect(statistics["debugStats"]["documents_scanned"].text == "2" && statistics["executionDuration"].text.hasSuffix("s"))
                #expect(analysis.items.count == (verb == ":runQuery" ? 3 : 2))
                #expect(try await client.send("POST", verb, #"{\#(body),"explainOptions":{"x":1}}"#).status == 400)
            }
        }
    }

    @Test func `a document that is deleted with its time must be as old`() async throws {
        try await FirestoreClient.use { client in
            let first = try await client.commit(FirestoreClient.set("c/a", 1))["commitTime"].text
            let second = try await client.commit(FirestoreClient.set("c/a", 2))["commitTime"].text
            #expect(try await client.send("DELETE", "/c/a?currentDocument.updateTime=\(first)").text.contains("FAILED_PRECONDITION"))
            #expect(try await client.send("DELETE", "/c/a?currentDocument.updateTime=\(second)").status == 200)
            #expect(try await client.send("GET", "/c/a").status == 404)
        }
    }

    @Test func `a later write of a commit may expect the time that the first expects`() async throws {
        try await FirestoreClient.use { client in
            let time = try await client.commit(FirestoreClient.set("c/a", 1))["commitTime"].text
            let write = { (n: Int) in String(FirestoreClient.set("c/a", n).dropLast()) + #","currentDocument":{"updateTime":"\#(time)"}}"# }
            _ = try await client.commit(write(2) + "," + write(3))
            #expect(try await client.json("GET", "/c/a")["fields"]["n"]["integerValue"].text == "3")
            #expect(try await client.send("POST", ":commit", #"{"writes":[\#(write(4))]}"#).status == 400)
        }
    }
}

extension JSON {
    /// The IDs of the documents of a query's result.
    fileprivate var ids: [String] { items.map { String($0["document"]["name"].text.split(separator: "/").last ?? "") } }
}
