// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The fields of a write, in which changes stand in the place of values.
struct WrittenFields: Hashable, Sendable {
    indirect enum Value: Hashable, Sendable {
        case value(DocumentValue)
        case map(WrittenFields)
        case transform(FieldTransform)
        case delete
    }

    struct Field: Hashable, Sendable {
        let name: String
        let value: Value
    }

    /// Sorted by name, so that a write is stored and sent in one form.
    let all: [Field]

    init(_ fields: [Field]) {
        all = fields.sorted { ExactName($0.name) < ExactName($1.name) }
    }

    init(_ fields: [String: FieldValue]) throws(DocumentError) {
        var all: [Field] = []
        for (name, value) in fields { all.append(Field(name: name, value: try Value(value))) }
        self.init(all)
    }

    /// The fields of a stored write; nil if they have another form.
    init?(_ node: JSONNode) {
        guard let members = node.members else { return nil }
        var all: [Field] = []
        for member in members {
            guard let value = Value(member.value) else { return nil }
            let isEscaped = member.name.utf8.first == UInt8(ascii: "$")
            all.append(Field(name: isEscaped ? String(member.name.dropFirst()) : member.name, value: value))
        }
        self.init(all)
    }
}

extension WrittenFields.Value {
    init(_ value: FieldValue) throws(DocumentError) {
        switch value {
        case .map(let fields): self = .map(try WrittenFields(fields))
        case .change(.delete): self = .delete
        case .change(let change): self = .transform(try change.transform())
        default: self = .value(try value.stored())
        }
    }

    /// Whether a field of a map is deleted.
    var hasDeletionWithin: Bool {
        guard case .map(let fields) = self else { return false }
        return fields.all.contains { $0.value == .delete || $0.value.hasDeletionWithin }
    }

    init?(_ node: JSONNode) {
        guard case .object(let members) = node else {
            guard let value = NativeText.value(node) else { return nil }
            self = .value(value)
            return
        }
        guard members.count == 1, let tag = members.first, tag.name.utf8.first == UInt8(ascii: "$") else {
            guard let fields = WrittenFields(node) else { return nil }
            self = .map(fields)
            return
        }
        let operand = NativeText.value(tag.value)
        switch (tag.name, operand) {
        case ("$delete", _): self = .delete
        case ("$now", _): self = .transform(.now)
        case ("$increment", let number?): self = .transform(.increment(number))
        case ("$max", let number?): self = .transform(.maximum(number))
        case ("$min", let number?): self = .transform(.minimum(number))
        case ("$union", .array(let values)?): self = .transform(.union(values))
        case ("$remove", .array(let values)?): self = .transform(.remove(values))
        default:
            if tag.name.hasPrefix("$$") {
                guard let fields = WrittenFields(node) else { return nil }
                self = .map(fields)
            } else {
                guard let value = NativeText.value(node) else { return nil }
                self = .value(value)
            }
        }
    }
}

extension FieldChange {
    func transform() throws(DocumentError) -> FieldTransform {
        switch self {
        case .serverTime: return .now
        case .increment(let number): return .increment(try FieldChange.number(number))
        case .maximum(let number): return .maximum(try FieldChange.number(number))
        case .minimum(let number): return .minimum(try FieldChange.number(number))
        case .union(let values): return .union(try FieldValue.stored(values))
        case .remove(let values): return .remove(try FieldValue.stored(values))
        case .delete: throw .invalid("A field can be deleted in updates and merges only.")
        }
    }

    private static func number(_ value: FieldValue) throws(DocumentError) -> DocumentValue {
        let stored = try value.stored()
        switch stored {
        case .integer, .double: return stored
        default: throw .invalid("A change of a number has another operand.")
        }
    }
}
