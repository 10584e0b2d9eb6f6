// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import ingestd

/// Responses of Firestore's REST API.
extension ResponseTests {
    /// A field of each type.
    private static let fields = [
        #""z":{"nullValue":null},"b":{"booleanValue":true},"n":{"integerValue":"7"},"d":{"doubleValue":1.5},"i":{"doubleValue":"NaN"}"#,
        #""t":{"timestampValue":"2026-11-23T10:00:00Z"},"s":{"stringValue":"a"},"y":{"bytesValue":"AQI="},"g":{"geoPointValue":{"latitude":1}}"#,
        #""r":{"referenceValue":"projects/1/databases/(default)/documents/c/d"},"m":{"mapValue":{"fields":{"x":{"stringValue":"y"}}}}"#,
        #""a":{"arrayValue":{"values":[{"integerValue":1}]}}"#,
    ].joined(separator: ",")

    @Test func `responses of Firestore's API match their schemas exactly`() async throws {
        let schema = try JSONSchema()
        try await RunningDaemon.use { daemon in
            let daemon = Checked(daemon, schema)
            let (pattern, root) = ("/v1/projects/{app}/databases/{database}/documents", "/v1/projects/1/databases/(default)/documents")
            let values = "{\"fields\":{\(Self.fields)}}"
            let (document, name) = (pattern + "/{path}", "projects/1/databases/(default)/documents")
            try await daemon.check("POST", document, at: root + "/c?documentId=d", as: .admin, values)
            try await daemon.check("POST", document, at: root + "/c?documentId=d", as: .admin, values, status: 409)
            try await daemon.check("PATCH", document, at: root + "/c/e/s/f", as: .admin, values)
            try await daemon.check("PATCH", document, at: root + "/c/x?currentDocument.exists=true", as: .admin, "{}", status: 404)
            try await daemon.check("GET", document, at: root + "/c/d", as: .admin)
            try await daemon.check("GET", document, at: root + "/c?showMissing=true&pageSize=1", as: .admin)
            try await daemon.check("GET", document, at: root + "/c/none", as: .admin, status: 404)
            let begun = try await daemon.check("POST", pattern + ":beginTransaction", at: root + ":beginTransaction", as: .admin, "")
            let id = begun["transaction"]?.text ?? ""
            let get = #"{"documents":["\#(name)/c/d","\#(name)/c/none"],"transaction":"\#(id)"}"#
            try await daemon.check("POST", pattern + ":batchGet", at: root + ":batchGet", as: .admin, get)
            try await daemon.check("POST", pattern + ":batchGet", at: root + ":batchGet", as: .admin, #"{"documents":["x"]}"#, status: 400)
            try await daemon.check("POST", pattern + ":rollback", at: root + ":rollback", as: .admin, #"{"transaction":"\#(id)"}"#)
            let transform = #"{"fieldPath":"n","increment":{"integerValue":1}}"#
            let increment = #"{"update":{"name":"\#(name)/c/d"},"updateMask":{},"updateTransforms":[\#(transform)]}"#
            let writes = #"{"writes":[\#(increment),{"delete":"\#(name)/c/none","currentDocument":{"exists":true}}]}"#
            try await daemon.check("POST", pattern + ":batchWrite", at: root + ":batchWrite", as: .admin, writes)
            try await daemon.check("POST", pattern + ":commit", at: root + ":commit", as: .admin, #"{"writes":[\#(increment)]}"#)
            try await daemon.check("POST", pattern + ":commit", at: root + ":commit", as: .admin, writes, status: 404)
            try await Self.checkQueries(daemon, pattern, root)
            try await daemon.check("DELETE", document, at: root + "/c/d", as: .admin, "")
        }
    }

    private static func checkQueries(_ daemon: Checked, _ pattern: String, _ root: String) async throws {
        let query = #""structuredQuery":{"from":[{"collectionId":"c","allDescendants":true}]}"#
        let counts = #"{"structuredAggregationQuery":{\#(query),"aggregations":[{"count":{}}]}}"#
        let bodies = [
            "runQuery": "{\(query)}", "runAggregationQuery": counts, "listCollectionIds": "{}",
            "partitionQuery": #"{\#(query),"partitionCount":2}"#,
        ]
        for (verb, body) in bodies {
            try await daemon.check("POST", "\(pattern):\(verb)", at: "\(root):\(verb)", as: .admin, body)
            for options in verb.hasPrefix("run") ? ["{}", #"{"analyze":true}"#] : [] {
                let explained = body.dropLast() + ",\"explainOptions\":\(options)}"
                try await daemon.check("POST", "\(pattern):\(verb)", at: "\(root):\(verb)", as: .admin, String(explained))
            }
            let below = body.replacing(",\"allDescendants\":true", with: "")
            guard verb != "partitionQuery" else { continue }
            try await daemon.check("POST", "\(pattern)/{path}:\(verb)", at: "\(root)/c/e:\(verb)", as: .admin, below)
            try await daemon.check("POST", "\(pattern)/{path}:\(verb)", at: "\(root)/c:\(verb)", as: .admin, body, status: 400)
        }
    }
}
