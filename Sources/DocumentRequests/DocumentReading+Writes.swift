// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import JSON
package import Platform
package import SignalboxDocumentModel

/// Reads commits.
///
///     {"writes": [
///         {"set": "users/u1", "fields": {"name": "Ann"}},
///         {"set": "users/u2", "fields": {"visits": {"$increment": 1}}, "merge": true},
///         {"update": "users/u3", "fields": {"address.city": "Bonn", "old": {"$delete": true}}, "if": {"version": 1795428000000001}},
///         {"delete": "users/u4", "if": {"exists": true}},
///         {"verify": "users/u5", "if": {"exists": true}}
///     ], "reads": [{"path": "users/u6", "version": 0}], "queries": [{"query": {…}, "stamp": 1795428000000001}], "client": "phone", "batch": 7,
///     "hold": "…"}
extension DocumentReading {
    private static let clientBytes = 128

    package func commit() throws(Refusal) -> DocumentCommit {
        try allow("writes", "reads", "queries", "client", "batch", "hold")
        let places = try elements("writes", atMost: DocumentBounds.writes) ?? []
        var writes: [DocumentWrite] = []
        writes.reserveCapacity(places.count)
        var transforms = 0
        for (index, place) in places.enumerated() {
            writes.append(try DocumentReading(tape, at: place, named: "writes[\(index)]").write())
            transforms += writes[index].transforms.count
            if transforms > DocumentBounds.writes { throw refuse("writes", "have more than \(DocumentBounds.writes) transforms") }
        }
        var commit = DocumentCommit(writes)
        for (index, place) in (try elements("reads", atMost: DocumentBounds.conditions) ?? []).enumerated() {
            commit.reads.append(try DocumentReading(tape, at: place, named: "reads[\(index)]").read())
        }
        for (index, place) in (try elements("queries", atMost: 100) ?? []).enumerated() {
            commit.conditions.append(try DocumentReading(tape, at: place, named: "queries[\(index)]").condition())
        }
        commit.batch = try batch()
        return commit
    }

    private func batch() throws(Refusal) -> DocumentCommit.Batch? {
        let (client, number) = (try text("client"), try number("batch", 0...Int64.max))
        switch (client, number) {
        case (let client?, let number?):
            guard (1...DocumentReading.clientBytes).contains(client.utf8.count) else {
                throw refuse("client", "must have 1 to \(DocumentReading.clientBytes) bytes")
            }
            return DocumentCommit.Batch(client: client, number: number)
        case (nil, nil): return nil
        case (nil, _): throw missing("client", "is required with batch")
        case (_, nil): throw missing("batch", "is required with client")
        }
    }

    private func read() throws(Refusal) -> DocumentCommit.Read {
        try allow("path", "version")
        guard let path = try path("path", isDocument: true) else { throw missing("path") }
        guard let version = try number("version", 0...DocumentTime.range.upperBound) else {
            throw missing("version", "is required; it is 0 for a document that was not there")
        }
        return DocumentCommit.Read(path, version: version == 0 ? nil : DocumentTime(microseconds: version))
    }

    private func condition() throws(Refusal) -> DocumentCommit.Condition {
        try allow("query", "stamp")
        guard let place = self["query"] else { throw missing("query") }
        guard let stamp = try stamp("stamp") else { throw missing("stamp", "is required; it is that of the query's result") }
        let reading = try DocumentReading(tape, at: place, named: self.place("query"))
        try reading.allowQuery()
        return DocumentCommit.Condition(try reading.query(), at: stamp)
    }

    package func write() throws(Refusal) -> DocumentWrite {
        let kinds = ["set", "update", "delete", "verify"].filter { self[$0] != nil }
        guard kinds.count == 1, let path = try path(kinds[0], isDocument: true) else {
            throw DocumentReading.wrong(name, "must have one of set, update, delete and verify")
        }
        switch kinds[0] {
        case "set":
            try allow("set", "fields", "merge", "if")
            return try set(path, try flag("merge") ?? false ? .merge : .whole)
        case "update":
            try allow("update", "fields", "if")
            return try set(path, .paths)
        case "delete":
            try allow("delete", "if")
            return DocumentWrite(path, .delete, if: try precondition())
        default:
            try allow("verify", "if")
            guard let condition = try precondition() else { throw missing("if") }
            return DocumentWrite(path, .verify, if: condition)
        }
    }

    package func set(
        _ path: DocumentPath, _ form: NativeWrite.Form, if condition: DocumentWrite.Precondition? = nil
    ) throws(Refusal) -> DocumentWrite {
        guard let place = self["fields"] else { throw missing("fields") }
        let read = try native("fields") { () throws(NativeJSONError) in try NativeWrite(tape, at: place, form) }
        var condition = condition
        if condition == nil { condition = try precondition() }
        if condition == nil, form == .paths { condition = .exists(true) }
        return DocumentWrite(path, .set(read.fields, mask: form == .whole ? nil : read.mask), transforms: read.transforms, if: condition)
    }

    private func precondition() throws(Refusal) -> DocumentWrite.Precondition? {
        guard let place = self["if"] else { return nil }
        let condition = try DocumentReading(tape, at: place, named: self.place("if"))
        try condition.allow("exists", "version")
        switch (try condition.flag("exists"), try condition.stamp("version")) {
        case (let exists?, nil): return .exists(exists)
        case (nil, let version?): return .changed(version)
        default: throw refuse("if", "must have either exists or version")
        }
    }
}
