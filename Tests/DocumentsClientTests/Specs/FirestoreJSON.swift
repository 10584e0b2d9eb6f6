// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignalboxDocumentModel

@testable import SignalboxDocuments

/// Readers of the JSON of Google's conformance tests: data of apps with words in the place of changes, and requests in ProtoJSON.
enum FirestoreJSON {
    static func malformed(_ node: JSONNode?) -> SpecMismatch { SpecMismatch(description: "not understood: \(String(describing: node))") }

    /// The path below `projects/…/documents/`.
    static func path(_ node: JSONNode?) throws -> String {
        let parts = (node?.text ?? "").split(separator: "/").dropFirst(5)
        if parts.isEmpty { throw malformed(node) }
        return parts.joined(separator: "/")
    }

    // MARK: Data of apps

    /// The fields of a JSON text. `"ServerTimestamp"`, `"Delete"`, `["ArrayUnion", …]` and such are changes.
    static func data(_ node: JSONNode?) throws -> [String: FieldValue] {
        guard case .map(let fields) = try datum(node) else { throw malformed(node) }
        return fields
    }

    /// The value of a JSON text.
    static func datum(_ node: JSONNode?) throws -> FieldValue {
        guard let text = node?.text, let json = JSONNode(text.utf8) else { throw malformed(node) }
        return try value(json)
    }

    private static func value(_ node: JSONNode) throws -> FieldValue {
        switch node {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .double(let value): return .double(value)
        case .text("ServerTimestamp"): return .serverTime
        case .text("Delete"): return .delete
        case .text("NaN"): return .double(.nan)
        case .text(let text): return .text(text)
        case .array(let nodes):
            switch nodes.first {
            case .text("ArrayUnion"): return .arrayUnion(try nodes.dropFirst().map(value))
            case .text("ArrayRemove"): return .arrayRemove(try nodes.dropFirst().map(value))
            default: return .array(try nodes.map(value))
            }
        case .object(let members): return .map(try Dictionary(members.map { ($0.name, try value($0.value)) }) { $1 })
        }
    }

    /// The text of a path of fields by its names.
    static func field(_ node: JSONNode?) throws -> String {
        let names = (node?["field"]?.elements ?? []).compactMap(\.text)
        // A path that no field has is left as it is, for the client to refuse.
        return FieldPath(names.map { ExactName($0) })?.description ?? names.joined(separator: ".")
    }

    // MARK: Requests

    static func write(_ node: JSONNode) throws -> DocumentWrite {
        let update = node["update"]
        guard let path = DocumentPath(try self.path(update?["name"] ?? node["delete"])) else { throw malformed(node) }
        var change = DocumentWrite.Change.delete
        if let update {
            let mask = try node["updateMask"].map { try ($0["fieldPaths"]?.elements ?? []).map { try fieldPath($0) } }
            change = .set(try fields(update["fields"]), mask: mask)
        }
        let transforms = try (node["updateTransforms"]?.elements ?? []).map { try transform($0) }
        var precondition: DocumentWrite.Precondition?
        if let exists = node["currentDocument"]?["exists"] { precondition = .exists(exists == .bool(true)) }
        return DocumentWrite(path, change, transforms: transforms, if: precondition)
    }

    static func fieldPath(_ node: JSONNode?) throws -> FieldPath {
        if node?.text == "__name__" { return .name }
        guard let path = node?.text.flatMap({ FieldPath($0) }) else { throw malformed(node) }
        return path
    }

    private static func transform(_ node: JSONNode) throws -> DocumentWrite.Transformed {
        let field = try fieldPath(node["fieldPath"])
        if node["setToServerValue"] != nil { return .init(field, .now) }
        if let union = node["appendMissingElements"] { return .init(field, .union(try values(union["values"]))) }
        return .init(field, .remove(try values(node["removeAllFromArray"]?["values"])))
    }

    static func fields(_ node: JSONNode?) throws -> DocumentFields {
        let all = try (node?.members ?? []).map { DocumentFields.Field(ExactName($0.name), try stored($0.value)) }
        guard let fields = DocumentFields(all) else { throw malformed(node) }
        return fields
    }

    static func values(_ node: JSONNode?) throws -> [DocumentValue] { try (node?.elements ?? []).map { try stored($0) } }

    private static func stored(_ node: JSONNode) throws -> DocumentValue {
        guard let member = node.members?.first else { throw malformed(node) }
        switch (member.name, member.value) {
        case ("integerValue", .text(let text)): return .integer(Int64(text) ?? 0)
        case ("doubleValue", .double(let value)): return .double(value)
        case ("doubleValue", .integer(let value)): return .double(Double(value))
        case ("doubleValue", .text("NaN")): return .double(.nan)
        case ("stringValue", .text(let text)): return .text(ExactName(text))
        case ("booleanValue", .bool(let value)): return .bool(value)
        case ("nullValue", _): return .null
        case ("arrayValue", let list): return .array(try values(list["values"]))
        case ("mapValue", let map): return .map(try fields(map["fields"]))
        case ("referenceValue", let name):
            guard let path = DocumentPath(try path(name)) else { throw malformed(node) }
            return .reference(SignalboxDocumentModel.DocumentReference(path))
        default: throw malformed(node)
        }
    }

    static func time(_ node: JSONNode?) throws -> Int64 {
        guard let time = node?.text.flatMap({ DocumentTime(rfc3339: $0) }) else { throw malformed(node) }
        return time.microseconds
    }
}
