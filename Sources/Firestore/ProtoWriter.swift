// SPDX-License-Identifier: Apache-2.0

import Crypto
package import JSON
package import SignalboxDocumentModel

/// A document in an answer.
package struct FirestoreDocument: Hashable, Sendable {
    package let path: DocumentPath
    package let fields: DocumentFields
    package let created: DocumentTime
    package let updated: DocumentTime

    package init(_ path: DocumentPath, _ fields: DocumentFields, created: DocumentTime, updated: DocumentTime) {
        (self.path, self.fields, self.created, self.updated) = (path, fields, created, updated)
    }

    /// The document with the fields of a mask; nil keeps all.
    package func masked(_ mask: FieldSelection?) -> FirestoreDocument {
        guard let mask else { return self }
        return FirestoreDocument(path, mask.fields(of: fields), created: created, updated: updated)
    }
}

/// Writes messages of Firestore as ProtoJSON. Members that are empty are left out, as Google does.
package struct ProtoWriter {
    package var json: JSONWriter
    package let database: FirestoreDatabase

    package init(_ database: FirestoreDatabase, reserving bytes: Int = 256) {
        (self.database, json) = (database, JSONWriter(reserving: bytes))
    }

    package mutating func value(_ value: DocumentValue) {
        json.beginObject()
        members(of: value)
        json.endObject()
    }

    /// Writes the one member of a value.
    package mutating func members(of value: DocumentValue) {
        switch value {
        case .null: nullValue()
        case .bool(let value): json.field("booleanValue", value)
        case .integer(let number): json.field("integerValue", String(number))
        case .double(let number): double("doubleValue", number)
        case .time(let time): json.field("timestampValue", time.rfc3339)
        case .text(let text): json.field("stringValue", text.text)
        case .bytes(let bytes): json.field("bytesValue", Base64.encode(bytes))
        case .reference(let reference): json.field("referenceValue", database.name(of: reference))
        case .place(let place): location(place)
        case .array(let values): array(values)
        case .vector(let numbers): vector(numbers)
        case .map(let map):
            json.key("mapValue")
            json.beginObject()
            fields(map)
            json.endObject()
        }
    }

    private mutating func nullValue() {
        json.key("nullValue")
        json.null()
    }

    private mutating func double(_ name: String, _ number: Double) {
        json.key(name)
        if number.isNaN { return json.string("NaN") }
        if number.isInfinite { return json.string(number < 0 ? "-Infinity" : "Infinity") }
        json.raw(Array(number.description.utf8)[...])
    }

    private mutating func location(_ place: GeoPoint) {
        json.key("geoPointValue")
        json.beginObject()
        if place.latitude != 0 { double("latitude", place.latitude) }
        if place.longitude != 0 { double("longitude", place.longitude) }
        json.endObject()
    }

    private mutating func array(_ values: [DocumentValue]) {
        json.key("arrayValue")
        json.beginObject()
        if !values.isEmpty {
            json.key("values")
            json.beginArray()
            for element in values { value(element) }
            json.endArray()
        }
        json.endObject()
    }

    private mutating func vector(_ numbers: [Double]) {
        let map: [DocumentFields.Field] = [
            .init("__type__", .text("__vector__")), .init("value", .array(numbers.map(DocumentValue.double))),
        ]
        json.key("mapValue")
        json.beginObject()
        fields(DocumentFields(map) ?? DocumentFields())
        json.endObject()
    }

    private mutating func fields(_ fields: DocumentFields) {
        if fields.isEmpty { return }
        json.key("fields")
        json.beginObject()
        for field in fields.all {
            json.key(field.name.text)
            value(field.value)
        }
        json.endObject()
    }

    package mutating func document(_ document: FirestoreDocument) {
        json.beginObject()
        json.field("name", database.name(of: document.path))
        fields(document.fields)
        json.field("createTime", document.created.rfc3339)
        json.field("updateTime", document.updated.rfc3339)
        json.endObject()
    }

    /// Writes the result of a write; nothing of one that failed.
    package mutating func writeResult(updated: DocumentTime?, _ results: [DocumentValue]) {
        json.beginObject()
        if let updated { json.field("updateTime", updated.rfc3339) }
        if !results.isEmpty {
            json.key("transformResults")
            json.beginArray()
            for result in results { value(result) }
            json.endArray()
        }
        json.endObject()
    }
}
