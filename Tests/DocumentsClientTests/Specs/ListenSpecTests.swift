// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import SignalboxDocuments

/// Google's conformance tests of snapshots: what a listener of the collection `C`, ordered by `a`, gets for the events of a stream.
///
/// Indices of changes are not compared: theirs are those after each change, ours those before and after all of them.
@Suite(.enabled(if: SpecFolder.isThere, SpecFolder.hint)) struct ListenSpecTests {
    private static let cases: [SpecCase] = SpecFolder.files { $0.contains("firestore/v1/listen-") && $0.hasSuffix(".json") }.flatMap { file in
        (file.json["tests"]?.elements ?? []).map { SpecCase(file: file.name, name: $0["description"]?.text ?? "", json: $0) }
    }

    /// A snapshot as the specification has it: the documents in order with their versions, and the kinds of changes by path.
    private struct Seen: Equatable {
        let documents: [String]
        let changes: [String: DocumentChange.Kind]

        init(_ snapshot: QuerySnapshot) {
            documents = snapshot.documents.map { "\($0.reference.path) \($0.version) \($0["a"]?.int ?? -1)" }
            changes = Dictionary(snapshot.changes.map { ($0.document.reference.path, $0.kind) }) { $1 }
        }

        init(_ node: JSONNode) throws {
            documents = try (node["docs"]?.elements ?? []).map { node in
                let document = try ListenSpecTests.document(node)
                guard case .integer(let a)? = document.fields["a"] else { throw FirestoreJSON.malformed(node) }
                return "\(document.path) \(document.version) \(a)"
            }
            var changes: [String: DocumentChange.Kind] = [:]
            for change in node["changes"]?.elements ?? [] {
                let kinds: [String: DocumentChange.Kind] = ["ADDED": .added, "MODIFIED": .modified, "REMOVED": .removed]
                changes[try FirestoreJSON.path(change["doc"]?["name"])] = change["kind"]?.text.flatMap { kinds[$0] }
            }
            self.changes = changes
        }
    }

    private static func document(_ node: JSONNode?) throws -> RemoteDocument {
        guard let path = DocumentPath(try FirestoreJSON.path(node?["name"])) else { throw FirestoreJSON.malformed(node) }
        return RemoteDocument(
            path: path, fields: try FirestoreJSON.fields(node?["fields"]), version: try FirestoreJSON.time(node?["updateTime"]),
            created: try FirestoreJSON.time(node?["createTime"]))
    }

    @Test func `the folder has cases`() { #expect(!ListenSpecTests.cases.isEmpty) }

    @Test(arguments: cases) func `a listener gets the snapshots of the specification`(spec: SpecCase) async throws {
        let responses = spec.json["listen"]?["responses"]?.elements ?? []
        if responses.contains(where: { $0["filter"] != nil }) {
            return print("skipped: \(spec.testDescription): \(SkippedSpecs.noFilters)")
        }
        if let reason = SkippedSpecs.reason(toFile: spec.file) { return print("skipped: \(spec.testDescription): \(reason)") }
        let server = ScriptedServer()
        var options = DocumentOptions(address: URL(fileURLWithPath: "/"), key: "")
        options.isPersistent = false
        let documents = try Documents(options, transport: { _, _ in server })
        let query = documents.collection("C").order("a")
        let (kind, watch) = (StreamTarget.Kind.query(try query.model.get()), SpecWatch(includesMetadata: false))
        let engine = try await documents.engine()
        try await engine.listen(kind, watch.feed)
        watch.begin()
        #expect(try await eventually { server.open == [kind] })
        let number = try #require(await engine.number(of: kind))
        var stream = ListenScript(number: number)
        for response in responses {
            guard let token = try stream.take(response, server) else { continue }
            #expect(try await eventually { try await engine.storedToken() == token })
            let shown = await engine.shown(kind)
            #expect(try await eventually { watch.last?.documents == shown?.documents })
        }
        if spec.json["listen"]?["isError"] == .bool(true) {
            #expect(try await eventually { watch.error != nil })
        } else {
            #expect(
                watch.all.map { Seen(QuerySnapshot(query, $0)) } == (try (spec.json["listen"]?["snapshots"]?.elements ?? []).map { try Seen($0) }))
        }
        watch.stop()
        await documents.close()
        print("ran: \(spec.testDescription)")
    }

    /// Translates responses of Firestore's stream. The result comes in one event with its state, as the daemon sends it.
    private struct ListenScript {
        let number: Int64
        var isCurrent = false
        var isReset = false
        var changes: [StreamEvent.Change] = []
        var tokens = 0

        /// Returns the token of the consistent state that a response completes.
        mutating func take(_ response: JSONNode, _ server: ScriptedServer) throws -> String? {
            if let change = response["documentChange"] {
                let document = try ListenSpecTests.document(change["document"])
                let isLeft = change["targetIds"] == nil && change["removedTargetIds"] != nil
                changes.append(.init(targets: [number], kind: isLeft ? .removed(document.path) : .put(document)))
            } else if let gone = response["documentDelete"] ?? response["documentRemove"] {
                guard let path = DocumentPath(try FirestoreJSON.path(gone["document"])) else { throw FirestoreJSON.malformed(gone) }
                changes.append(.init(targets: [number], kind: .removed(path)))
            } else if let target = response["targetChange"] {
                return try take(target: target, server)
            }
            return nil
        }

        private mutating func take(target: JSONNode, _ server: ScriptedServer) throws -> String? {
            switch target["targetChangeType"]?.text {
            case "CURRENT": isCurrent = true
            case "RESET": (isReset, isCurrent, changes) = (true, false, [])
            case "REMOVE": server.send(.removed(number, SpecJSON.error(target["cause"])))
            case nil where isCurrent && target["readTime"] != nil:
                tokens += 1
                if isReset { server.send(.reset(number)) }
                server.send(.changes(stamp: try FirestoreJSON.time(target["readTime"]), changes, token: nil))
                server.send(.current(number, token: "\(tokens)"))
                (isReset, changes) = (false, [])
                return "\(tokens)"
            default: break
            }
            return nil
        }
    }
}
