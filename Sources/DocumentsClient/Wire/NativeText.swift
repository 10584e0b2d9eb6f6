// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

/// Native JSON of values, as the daemon writes and reads it.
///
///     integer 1   1       double 1   1.0      time   {"$time":"2026-11-23T10:00:00.000001Z"}      change   {"$increment":1}
///     NaN   {"$double":"NaN"}                 bytes  {"$bytes":"AAEC"}                            field $a   "$$a"
extension JSONText {
    mutating func object(_ fields: DocumentFields) {
        object { json in
            for field in fields.all {
                json.key(NativeText.name(of: field.name.text))
                json.value(field.value)
            }
        }
    }

    mutating func value(_ value: DocumentValue) {
        switch value {
        case .null: raw("null")
        case .bool(let value): raw(value ? "true" : "false")
        case .integer(let value): raw(String(value))
        case .double(let value): double(value)
        case .text(let text): string(text.text)
        case .array(let values): list(values) { $0.value($1) }
        case .map(let fields): object(fields)
        case .time(let time): tag("$time") { $0.string(time.rfc3339) }
        case .bytes(let bytes): tag("$bytes") { $0.string(Data(bytes).base64EncodedString()) }
        case .reference(let reference): tag("$ref") { $0.string(NativeText.text(of: reference)) }
        case .place(let place): tag("$geo") { $0.list([place.latitude, place.longitude]) { $0.double($1) } }
        case .vector(let numbers): tag("$vector") { $0.list(numbers) { $0.double($1) } }
        }
    }

    private mutating func double(_ value: Double) {
        if value.isFinite { return raw("\(value)") }
        tag("$double") { $0.string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity") }
    }

    private mutating func tag(_ name: StaticString, _ content: (inout JSONText) -> Void) {
        object { json in
            json.key(name)
            content(&json)
        }
    }

    /// Writes fields of a write, with changes in the place of values.
    mutating func object(_ fields: WrittenFields) {
        object { json in
            for field in fields.all {
                json.key(NativeText.name(of: field.name))
                json.written(field.value)
            }
        }
    }

    private mutating func written(_ value: WrittenFields.Value) {
        switch value {
        case .value(let value): self.value(value)
        case .map(let fields): object(fields)
        case .delete: tag("$delete") { $0.raw("true") }
        case .transform(.now): tag("$now") { $0.raw("true") }
        case .transform(.increment(let number)): tag("$increment") { $0.value(number) }
        case .transform(.maximum(let number)): tag("$max") { $0.value(number) }
        case .transform(.minimum(let number)): tag("$min") { $0.value(number) }
        case .transform(.union(let values)): tag("$union") { $0.value(.array(values)) }
        case .transform(.remove(let values)): tag("$remove") { $0.value(.array(values)) }
        }
    }
}

/// A reader of native JSON.
enum NativeText {
    static func name(of field: String) -> String { field.utf8.first == UInt8(ascii: "$") ? "$" + field : field }

    /// The path, or the whole name of a document in another database.
    static func text(of reference: SignalboxDocumentModel.DocumentReference) -> String {
        reference.database.text.isEmpty ? reference.path.description : "/\(reference.database)/documents/\(reference.path)"
    }

    /// Returns nil for an object that is not the fields of a document.
    static func fields(_ node: JSONNode) -> DocumentFields? {
        guard let members = node.members else { return nil }
        var fields: [DocumentFields.Field] = []
        fields.reserveCapacity(members.count)
        for member in members {
            guard let name = name(member.name), let value = value(member.value) else { return nil }
            fields.append(DocumentFields.Field(ExactName(name), value))
        }
        return DocumentFields(fields)
    }

    /// The name of a field; nil for that of a tag.
    private static func name(_ text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "$") else { return text }
        return text.utf8.dropFirst().first == UInt8(ascii: "$") ? String(text.dropFirst()) : nil
    }

    static func value(_ node: JSONNode) -> DocumentValue? {
        switch node {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .double(let value): return .double(value)
        case .text(let text): return .text(ExactName(text))
        case .array(let nodes):
            let values = nodes.compactMap(value)
            return values.count == nodes.count ? .array(values) : nil
        case .object(let members):
            if members.count == 1, let tag = members.first, name(tag.name) == nil { return tagged(tag) }
            return fields(node).map(DocumentValue.map)
        }
    }

    private static func tagged(_ tag: JSONNode.Member) -> DocumentValue? {
        switch tag.name {
        case "$time": return tag.value.text.flatMap(DocumentTime.init(rfc3339:)).map(DocumentValue.time)
        case "$bytes": return tag.value.text.flatMap { Data(base64Encoded: $0) }.map { .bytes(Array($0)) }
        case "$ref": return tag.value.text.flatMap(reference).map(DocumentValue.reference)
        case "$double": return tag.value.text.flatMap(double).map(DocumentValue.double)
        case "$vector": return numbers(tag.value).map(DocumentValue.vector)
        case "$geo":
            guard let degrees = numbers(tag.value), degrees.count == 2 else { return nil }
            return SignalboxDocumentModel.GeoPoint(latitude: degrees[0], longitude: degrees[1]).map(DocumentValue.place)
        default: return nil
        }
    }

    private static func double(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        default: Double(text)
        }
    }

    private static func numbers(_ node: JSONNode) -> [Double]? {
        guard let nodes = node.elements else { return nil }
        let numbers = nodes.compactMap { node -> Double? in
            switch value(node) {
            case .double(let value)?: value
            case .integer(let value)?: Double(value)
            default: nil
            }
        }
        return numbers.count == nodes.count ? numbers : nil
    }

    private static func reference(_ text: String) -> SignalboxDocumentModel.DocumentReference? {
        guard text.utf8.first == UInt8(ascii: "/") else {
            return DocumentPath(text).flatMap { $0.isDocument ? SignalboxDocumentModel.DocumentReference($0) : nil }
        }
        let parts = text.dropFirst().split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "projects", parts[2] == "databases", parts[4] == "documents", let path = DocumentPath(String(parts[5])),
            path.isDocument
        else { return nil }
        return SignalboxDocumentModel.DocumentReference(path, database: ExactName(parts[..<4].joined(separator: "/")))
    }
}
