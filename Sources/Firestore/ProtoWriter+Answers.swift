// SPDX-License-Identifier: Apache-2.0

import Crypto
import JSON
package import SignalboxDocumentModel

/// Answers of the methods.
extension ProtoWriter {
    /// Writes the answer of a commit.
    package mutating func commit(at time: DocumentTime, _ results: [(updated: DocumentTime?, results: [DocumentValue])]) {
        json.beginObject()
        if !results.isEmpty {
            json.key("writeResults")
            json.beginArray()
            for result in results { writeResult(updated: result.updated, result.results) }
            json.endArray()
        }
        json.field("commitTime", time.rfc3339)
        json.endObject()
    }

    /// Writes the answer of a batch, whose writes succeed or fail one by one.
    package mutating func batch(_ results: [Result<(updated: DocumentTime?, results: [DocumentValue]), FirestoreFault>]) {
        json.beginObject()
        defer { json.endObject() }
        if results.isEmpty { return }
        json.key("writeResults")
        json.beginArray()
        for result in results {
            let success = try? result.get()
            writeResult(updated: success?.updated, success?.results ?? [])
        }
        json.endArray()
        json.key("status")
        json.beginArray()
        for result in results {
            if case .failure(let fault) = result { FirestoreFault.writeStatus(fault, to: &json) } else { FirestoreFault.writeStatus(nil, to: &json) }
        }
        json.endArray()
    }

    /// Writes an element of the answer of `batchGet`: a document, which the function writes.
    package mutating func found(at time: DocumentTime, _ document: (inout ProtoWriter) throws -> Void) rethrows {
        json.beginObject()
        json.key("found")
        try document(&self)
        json.field("readTime", time.rfc3339)
        json.endObject()
    }

    /// Writes an element of the answer of `batchGet` for a document that is not there.
    package mutating func missing(_ path: DocumentPath, at time: DocumentTime) {
        json.beginObject()
        json.field("missing", database.name(of: path))
        json.field("readTime", time.rfc3339)
        json.endObject()
    }

    /// Writes the first element of a stream whose read began a transaction.
    package mutating func began(_ transaction: [UInt8]) {
        json.beginObject()
        json.field("transaction", Base64.encode(transaction))
        json.endObject()
    }

    /// Writes an element of a query's answer: a document, which the function writes.
    package mutating func queried(at time: DocumentTime, isLast: Bool, _ document: (inout ProtoWriter) throws -> Void) rethrows {
        json.beginObject()
        json.key("document")
        try document(&self)
        end(at: time, isLast: isLast)
    }

    /// Writes the element of a query's answer without documents, which says how far the read was.
    package mutating func queriedNothing(at time: DocumentTime) {
        json.beginObject()
        end(at: time, isLast: true)
    }

    private mutating func end(at time: DocumentTime, isLast: Bool) {
        json.field("readTime", time.rfc3339)
        if isLast { json.field("done", true) }
        json.endObject()
    }

    /// Writes a position in the order of a query.
    package mutating func cursor(_ values: [DocumentValue], isBefore: Bool) {
        json.beginObject()
        json.key("values")
        json.beginArray()
        for value in values { self.value(value) }
        json.endArray()
        if isBefore { json.field("before", true) }
        json.endObject()
    }

    /// Writes the name of a document without its fields.
    package mutating func missing(_ path: DocumentPath) {
        json.beginObject()
        json.field("name", database.name(of: path))
        json.endObject()
    }

    package mutating func aggregated(_ results: [(alias: String, value: DocumentValue)], at time: DocumentTime) {
        json.beginObject()
        json.key("result")
        json.beginObject()
        json.key("aggregateFields")
        json.beginObject()
        for result in results {
            json.key(result.alias)
            value(result.value)
        }
        json.endObject()
        json.endObject()
        json.field("readTime", time.rfc3339)
        json.endObject()
    }
}
