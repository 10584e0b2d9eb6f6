// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import AppDirectory
import Crypto
import DocumentStore
import EventStore
import Events
import FileStore
import Files
import FunctionStore
import Functions
import JSON
import Platform
import SignalboxDocumentModel

extension AccountEvent.Kind {
    /// The moment of a trigger; nil for other events of accounts.
    var moment: FunctionTrigger.UserMoment? {
        switch self {
        case .created: .created
        case .deleted: .deleted
        default: nil
        }
    }
}

extension FunctionTrigger.DocumentMoment {
    func covers(_ kind: ChangeKind) -> Bool {
        switch self {
        case .written: true
        case .created: kind == .created
        case .updated: kind == .changed
        case .deleted: kind == .deleted
        }
    }
}

extension ChangeKind {
    var word: String {
        switch self {
        case .created: "created"
        case .changed: "updated"
        case .deleted: "deleted"
        }
    }
}

extension LoggedChange {
    /// The data of a run: the document before and after, or its path alone if they are too large.
    func data(_ values: [PathPattern.Value]) -> [UInt8] {
        let whole = data(values, [("before", before), ("after", after)])
        return whole.count <= FunctionBounds.bodyBytes ? whole : data(values, [])
    }

    private func data(_ values: [PathPattern.Value], _ states: [(String, StoredDocument?)]) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.field("path", path.description)
        json.field("kind", kind.word)
        json.params(values)
        for (name, document) in states {
            guard let document else { continue }
            json.key(name)
            json.beginObject()
            json.key("fields")
            json.fields(document.fields)
            json.endObject()
        }
        if states.isEmpty { json.field("truncated", true) }
        json.endObject()
        return json.bytes
    }

    func person(by patterns: [PersonPattern]) -> String? {
        guard let document = after ?? before else { return nil }
        return patterns.lazy.compactMap { $0.person(of: document) }.first
    }
}

/// The data of a run about a file.
struct FileEventData {
    var change: FileChange
    /// Nil if the file has been deleted or replaced.
    var file: StoredFile?
    var app: App
    var values: [PathPattern.Value]

    func body(for definition: FunctionDefinition) throws -> [UInt8] {
        if case .address(_, .firebase) = definition.target { return object }
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.field("path", change.path.text)
        json.field("generation", change.generation)
        json.params(values)
        if let file {
            json.key("file")
            json.value(file)
        }
        json.endObject()
        return json.bytes
    }

    /// An object of Cloud Storage, as its events have it: numbers and times are texts.
    private var object: [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.field("kind", "storage#object")
        json.field("id", "\(app.name)/\(change.path.text)/\(change.generation)")
        json.field("name", change.path.text)
        json.field("bucket", app.name)
        json.field("generation", String(change.generation))
        json.field("metageneration", String(change.metageneration))
        json.field("storageClass", "STANDARD")
        json.field("size", String(change.size))
        if let file {
            json.field("contentType", file.details.type)
            json.field("timeCreated", file.created.rfc3339)
            json.field("updated", file.updated.rfc3339)
            if let md5 = file.sums.md5 { json.field("md5Hash", Base64.encode(md5)) }
            json.field("crc32c", Base64.encode(file.sums.crc32cBytes))
            json.field("etag", file.etag)
            json.key("metadata")
            json.beginObject()
            for entry in file.details.metadata { json.field(entry.name, entry.value) }
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    /// Writes the values of a pattern's placeholders.
    fileprivate mutating func params(_ values: [PathPattern.Value]) {
        key("params")
        beginObject()
        for value in values { field(value.name, value.text) }
        endObject()
    }
}

extension TailFilter {
    /// A filter for events of one name that meet conditions. Those on properties of persons are not supported.
    ///
    /// - Parameter field: The field of the filters in a refusal.
    init(event name: String, _ filters: [String], field: String = "filter") throws(Refusal) {
        self.init()
        kind = .events
        names = [name]
        conditions = try Filter.all(filters, parameter: field)
        guard !conditions.contains(where: { $0.isOfPersons }) else {
            throw .field(field, "not_supported", "must not be about persons", hint: "Use fields of the event: params, context or name.")
        }
    }
}
