// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The documents that one commit reads. Each is read and decoded once, and its stored bytes are kept for the change log.
final class CommitReads {
    private struct Found {
        let document: StoredDocument
        let body: [UInt8]
    }

    private var known: [DocumentPath: Found?] = [:]
    private let bodies: BodyReader
    private let encoded: (DocumentPath) throws -> EncodedDocument?

    init(_ bodies: BodyReader, _ encoded: @escaping (DocumentPath) throws -> EncodedDocument?) {
        (self.bodies, self.encoded) = (bodies, encoded)
    }

    func document(_ path: DocumentPath) throws -> StoredDocument? { try found(path)?.document }

    /// The JSON of a document's fields as it is stored; empty if there is none.
    func body(_ path: DocumentPath) throws -> [UInt8] { try found(path)?.body ?? [] }

    private func found(_ path: DocumentPath) throws -> Found? {
        if let known = known[path] { return known }
        let found = try encoded(path).map { Found(document: try $0.decoded(bodies), body: $0.body) }
        known[path] = .some(found)
        return found
    }
}
