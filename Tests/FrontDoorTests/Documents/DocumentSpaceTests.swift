// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import ingestd

/// Documents of an app that has used up its storage, and on a disk that is nearly full.
@Suite struct DocumentSpaceTests {
    enum Lack: CaseIterable {
        case storageOfApp, disk

        /// The status of a write that needs space, native and in Google's form.
        var statuses: (native: Int, google: Int) { self == .disk ? (503, 429) : (429, 429) }

        func begin(_ live: LiveDaemon) async throws {
            switch self {
            case .storageOfApp:
                try await live.daemon.store.measureStorage()
                #expect(try await live.api.asOperator("PATCH", "/v1/apps/1", #"{"max_storage_bytes": 1}"#).status == 200)
            case .disk:
                var configuration = live.daemon.configuration.now
                configuration.storage.minFreeDisk = 1 << 60
                live.daemon.configuration.replace(configuration)
            }
        }
    }

    @Test(arguments: Lack.allCases) func `without space, commits are made that only remove data`(lack: Lack) async throws {
        try await DocumentClient.use { client async throws in
            let stored = (1...6).map { #"{"set": "a/\#($0)", "fields": {"n": 1, "old": "x"}}"# }
            _ = try await client.json("commit", #"{"writes": [\#(stored.joined(separator: ","))]}"#)
            try await lack.begin(client.live)
            for writes in [
                #"{"delete": "a/1"}"#, #"{"verify": "a/2", "if": {"exists": true}}, {"delete": "a/1"}"#,
                #"{"update": "a/2", "fields": {"old": {"$delete": true}}}"#,
            ] {
                let made = try await client.send("commit", #"{"writes": [\#(writes)]}"#)
                #expect(made.status == 200, "\(writes): \(made.text)")
            }
            for (number, write) in [#"{"delete": "a/5"}"#, #"{"update": "a/6", "fields": {"old": {"$delete": true}}}"#].enumerated() {
                let batch = #"{"writes": [\#(write)], "client": "phone", "batch": \#(number)}"#
                let made = try await client.json("commit", batch)
                // The answer is kept, so that the batch is applied once.
                let again = try await client.json("commit", batch)
                #expect(made["stamp"].exists && made["stamp"].number == again["stamp"].number)
            }
            let patch = try await client.path("PATCH", "a/3", #"{"fields": {"old": {"$delete": true}}}"#)
            #expect(patch.status == 200, "\(patch.text)")
            #expect(try await client.path("DELETE", "a/4").status == 204)
            #expect(try await client.paths(#"{"from": "a"}"#) == ["a/2", "a/3", "a/6"])
            for path in ["a/2", "a/3", "a/6"] { #expect(try await client.fields(path) == #"{"n":1}"#) }
        }
    }

    @Test(arguments: Lack.allCases) func `without space, commits are refused that may add data`(lack: Lack) async throws {
        try await DocumentClient.use { client async throws in
            _ = try await client.json("commit", #"{"writes": [{"set": "a/1", "fields": {"n": 1}}]}"#)
            try await lack.begin(client.live)
            for writes in [
                #"{"set": "a/2", "fields": {}}"#, #"{"delete": "a/1"}, {"set": "a/2", "fields": {}}"#,
                #"{"update": "a/1", "fields": {"n": {"$increment": 1}}}"#, #"{"update": "a/1", "fields": {"n": {"$delete": true}, "m": 1}}"#,
                // It would make a document that is not there.
                #"{"set": "a/3", "fields": {"n": {"$delete": true}}, "merge": true}"#,
            ] {
                let refused = try await client.send("commit", #"{"writes": [\#(writes)]}"#)
                #expect(refused.status == lack.statuses.native, "\(writes): \(refused.text)")
            }
            // The answer to a batch is stored, also to one without a deletion.
            for writes in ["", #"{"verify": "a/1", "if": {"exists": true}}"#, #"{"delete": "a/1"}, {"set": "a/2", "fields": {}}"#] {
                let refused = try await client.send("commit", #"{"writes": [\#(writes)], "client": "phone", "batch": 1}"#)
                #expect(refused.status == lack.statuses.native, "\(writes): \(refused.text)")
            }
            for (method, path) in [("PUT", "a/2"), ("PATCH", "a/1"), ("POST", "a")] {
                #expect(try await client.path(method, path, #"{"fields": {"m": 1}}"#).status == lack.statuses.native, "\(method)")
            }
            #expect(try await client.paths(#"{"from": "a"}"#) == ["a/1"])
            #expect(try await client.fields("a/1") == #"{"n":1}"#)
        }
    }

    @Test(arguments: Lack.allCases) func `without space, clients of Firestore delete`(lack: Lack) async throws {
        try await FirestoreClient.use { client async throws in
            _ = try await client.commit((1...6).map { FirestoreClient.set("a/\($0)", 1) }.joined(separator: ","))
            try await lack.begin(client.documents.live)
            _ = try await client.commit(#"{"delete":"~/a/1"}"#)
            _ = try await client.json("POST", ":batchWrite", #"{"writes":[{"delete":"~/a/2"}]}"#)
            let mixed = [#"{"delete":"~/a/5"}"#, FirestoreClient.set("a/7", 1), #"{"delete":"~/a/6"}"#].joined(separator: ",")
            let batch = try await client.json("POST", ":batchWrite", #"{"writes":[\#(mixed)]}"#)
            #expect(batch["status"].items.map { $0["code"].exists ? $0["code"].number : 0 } == [0, 8, 0], "\(batch.source)")
            _ = try await client.json("DELETE", "/a/3")
            _ = try await client.json("PATCH", "/a/4?updateMask.fieldPaths=n&currentDocument.exists=true", #"{"fields":{}}"#)
            #expect(try await client.documents.paths(#"{"from": "a"}"#) == ["a/4"])
            #expect(try await client.documents.fields("a/4") == "{}")
            for (method, path, body) in [
                ("POST", ":commit", #"{"writes":[\#(FirestoreClient.set("a/5", 1))]}"#),
                ("POST", ":batchWrite", #"{"writes":[\#(FirestoreClient.set("a/5", 1))]}"#), ("POST", "/a?documentId=5", "{}"),
                ("PATCH", "/a/5", "{}"),
            ] {
                let refused = try await client.send(method, path, body)
                #expect(refused.status == lack.statuses.google, "\(path): \(refused.text)")
            }
        }
    }
}

extension DocumentClient {
    fileprivate func path(_ method: String, _ path: String, _ body: String = "") async throws -> Reply {
        try await live.api.request(
            method, "/v1/documents/\(path)", key: key, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
}
