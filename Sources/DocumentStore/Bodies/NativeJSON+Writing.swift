// SPDX-License-Identifier: Apache-2.0

import Crypto
package import JSON
package import SignalboxDocumentModel

/// The native JSON of values, in one form for equal values: names sorted, numbers in their shortest form.
///
///     integer 1   1            time    {"$time":"2026-11-23T10:00:00.000001Z"}      reference  {"$ref":"users/u1"}
///     double 1    1.0          bytes   {"$bytes":"AAEC"}                             place      {"$geo":[48.1,11.5]}
///     NaN         {"$double":"NaN"}                                                  vector     {"$vector":[1.0,2.5]}
///
/// A field whose name begins with `$` gets another one, `{"$$time":1}`, so it is no tag.
extension JSONWriter {
    package mutating func fields(_ fields: DocumentFields) {
        beginObject()
        for field in fields.all {
            key(NativeJSON.name(of: field.name))
            value(field.value)
        }
        endObject()
    }

    package mutating func value(_ value: DocumentValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .integer(let value): integer(value)
        case .double(let value): double(value)
        case .text(let text): string(text.text)
        case .array(let values): array(values)
        case .map(let fields): self.fields(fields)
        case .time(let time): tag("$time") { $0.string(time.rfc3339) }
        case .bytes(let bytes): tag("$bytes") { $0.string(Base64.encode(bytes)) }
        case .reference(let reference): tag("$ref") { $0.string(reference.nativeText) }
        case .place(let place): tag("$geo") { $0.array([.double(place.latitude), .double(place.longitude)]) }
        case .vector(let numbers): tag("$vector") { $0.array(numbers.map(DocumentValue.double)) }
        }
    }

    private mutating func array(_ values: [DocumentValue]) {
        beginArray()
        for value in values { self.value(value) }
        endArray()
    }

    private mutating func double(_ value: Double) {
        if value.isFinite { return raw(Array("\(value)".utf8)[...]) }
        tag("$double") { $0.string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity") }
    }

    private mutating func tag(_ name: String, _ content: (inout JSONWriter) -> Void) {
        beginObject()
        key(name)
        content(&self)
        endObject()
    }
}

extension DocumentReference {
    /// The path, or the whole name of a document in another database: `/projects/p/databases/d/documents/users/u1`.
    var nativeText: String { database.text.isEmpty ? path.description : "/\(database)/documents/\(path)" }

    init?(nativeText text: String) {
        guard text.utf8.first == UInt8(ascii: "/") else {
            guard let path = DocumentPath(text), path.isDocument else { return nil }
            self.init(path)
            return
        }
        let parts = text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), maxSplits: 5, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard parts.count == 6, parts[0] == "projects", parts[2] == "databases", parts[4] == "documents", !parts[1].isEmpty, !parts[3].isEmpty,
            let path = DocumentPath(parts[5]), path.isDocument
        else { return nil }
        self.init(path, database: ExactName(parts[..<4].joined(separator: "/")))
    }
}
