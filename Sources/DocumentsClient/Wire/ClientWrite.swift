// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel

/// A write as a client sends and queues it.
///
///     {"set":"users/u1","fields":{"name":"Ann","visits":{"$increment":1}},"merge":true}
///     {"update":"users/u1","fields":{"address.city":"Bonn"}}      {"delete":"users/u1"}
struct ClientWrite: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case set(WrittenFields)
        case merge(WrittenFields)
        /// The names of the fields are paths.
        case update(WrittenFields)
        case delete
        /// Changes nothing, and fails if the precondition does.
        case verify
    }

    enum Precondition: Hashable, Sendable {
        case exists(Bool)
        case version(Int64)
    }

    let path: DocumentPath
    let kind: Kind
    var precondition: Precondition?

    init(_ path: DocumentPath, _ kind: Kind, if precondition: Precondition? = nil) {
        (self.path, self.kind, self.precondition) = (path, kind, precondition)
    }
}

extension JSONText {
    mutating func write(_ write: ClientWrite) {
        object { json in
            switch write.kind {
            case .set(let fields):
                json.field("set", write.path.description)
                json.key("fields")
                json.object(fields)
            case .merge(let fields):
                json.field("set", write.path.description)
                json.key("fields")
                json.object(fields)
                json.field("merge", true)
            case .update(let fields):
                json.field("update", write.path.description)
                json.key("fields")
                json.object(fields)
            case .delete: json.field("delete", write.path.description)
            case .verify: json.field("verify", write.path.description)
            }
            switch write.precondition {
            case .exists(let exists)?: json.object("if") { $0.field("exists", exists) }
            case .version(let version)?: json.object("if") { $0.field("version", version) }
            case nil: break
            }
        }
    }
}

extension ClientWrite {
    /// The write of a stored text; nil if it has another form.
    init?(_ node: JSONNode) {
        var precondition: Precondition?
        if case .bool(let exists)? = node["if"]?["exists"] { precondition = .exists(exists) }
        if let version = node["if"]?["version"]?.integer { precondition = .version(version) }
        let fields = node["fields"].flatMap { WrittenFields($0) }
        if let path = ClientWrite.path(node["set"]), let fields {
            self.init(path, node["merge"] == .bool(true) ? .merge(fields) : .set(fields), if: precondition)
        } else if let path = ClientWrite.path(node["update"]), let fields {
            self.init(path, .update(fields), if: precondition)
        } else if let path = ClientWrite.path(node["delete"]) {
            self.init(path, .delete, if: precondition)
        } else {
            return nil
        }
    }

    private static func path(_ node: JSONNode?) -> DocumentPath? { node?.text.flatMap { DocumentPath($0) } }
}

extension ClientWrite {
    /// The write of the model, by which the daemon and the local overlay change a document alike.
    func model() throws(DocumentError) -> DocumentWrite {
        var parts = WriteParts()
        let change: DocumentWrite.Change
        switch kind {
        case .set(let fields):
            change = .set(try parts.map(fields, [], .whole), mask: nil)
        case .merge(let fields):
            let all = try parts.map(fields, [], .merge)
            change = .set(all, mask: parts.mask)
        case .update(let fields):
            let all = try parts.paths(fields)
            change = .set(all, mask: parts.mask)
        case .delete: change = .delete
        case .verify: change = .verify
        }
        return DocumentWrite(path, change, transforms: parts.transforms, if: try modelPrecondition())
    }

    private func modelPrecondition() throws(DocumentError) -> DocumentWrite.Precondition? {
        switch precondition {
        case .exists(let exists)?: return .exists(exists)
        case .version(let version)?:
            guard let time = DocumentTime(microseconds: version) else { throw .invalid("A version is out of range.") }
            return .changed(time)
        case nil:
            if case .update = kind { return .exists(true) }
            return nil
        }
    }
}

/// The mask and the transforms of a write, as the daemon's reader of native JSON finds them.
private struct WriteParts {
    enum Form {
        case whole, merge, paths
    }

    var mask: [FieldPath] = []
    var transforms: [DocumentWrite.Transformed] = []

    mutating func paths(_ fields: WrittenFields) throws(DocumentError) -> DocumentFields {
        var all = DocumentFields()
        for field in fields.all {
            guard let path = FieldPath(field.name), !path.isName else { throw .invalid("A name is not the path of a field: \(field.name)") }
            if mask.contains(where: { $0.starts(with: path) || path.starts(with: $0) }) {
                throw .invalid("A path is there twice, or within another one: \(field.name)")
            }
            guard let value = try value(field.value, path.names, .paths) else { continue }
            mask.append(path)
            if case .some(let value) = value { all[path] = value }
        }
        return all
    }

    mutating func map(_ fields: WrittenFields, _ names: [ExactName], _ form: Form) throws(DocumentError) -> DocumentFields {
        var all: [DocumentFields.Field] = []
        if form == .merge, fields.all.isEmpty, !names.isEmpty { try addToMask(names) }
        for field in fields.all {
            let inner = names + [ExactName(field.name)]
            guard let value = try value(field.value, inner, form) else { continue }
            if form == .merge {
                if case .some(.map) = value {} else { try addToMask(inner) }
            }
            if case .some(let value) = value { all.append(DocumentFields.Field(ExactName(field.name), value)) }
        }
        guard let fields = DocumentFields(all) else { throw .invalid("A field is there twice.") }
        return fields
    }

    /// The value of a field, nil within if it is deleted; nil for a transform.
    private mutating func value(_ value: WrittenFields.Value, _ names: [ExactName], _ form: Form) throws(DocumentError) -> DocumentValue?? {
        switch value {
        case .value(let value): return .some(.some(value))
        case .map(let fields): return .some(.some(.map(try map(fields, names, form))))
        case .delete:
            if form == .whole { throw .invalid("A field can be deleted in updates and merges only.") }
            return .some(nil)
        case .transform(let transform):
            guard let path = FieldPath(names) else { throw .invalid("The name of a field is empty.") }
            transforms.append(DocumentWrite.Transformed(path, transform))
            return nil
        }
    }

    private mutating func addToMask(_ names: [ExactName]) throws(DocumentError) {
        guard let path = FieldPath(names) else { throw .invalid("The name of a field is empty or too long.") }
        mask.append(path)
    }
}
