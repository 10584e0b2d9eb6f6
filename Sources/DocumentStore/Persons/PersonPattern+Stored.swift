// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Patterns as they are stored: fields of a setting.
///
///     {"patterns": [{"path": "users/{uid}/**"}, {"collection": "orders", "group": false, "field": "owner", "private": ["address"]}]}
extension PersonPattern {
    static func stored(_ patterns: [PersonPattern]) -> DocumentFields {
        var fields = DocumentFields()
        fields["patterns"] = .array(patterns.map { .map($0.stored) })
        return fields
    }

    static func patterns(_ fields: DocumentFields) throws -> [PersonPattern] {
        try (fields["patterns"]?.elements ?? []).map { value in
            guard case .map(let members) = value, let pattern = PersonPattern(stored: members) else { throw DocumentError.damaged }
            return pattern
        }
    }

    private var stored: DocumentFields {
        var fields = DocumentFields()
        switch self {
        case .path(let path): fields["path"] = .text(ExactName(path.description))
        case .field(let field):
            fields["collection"] = .text(ExactName(field.collection.description))
            fields["group"] = .bool(field.isGroup)
            fields["field"] = .text(ExactName(field.field.description))
            if let names = field.privateFields { fields["private"] = .array(names.map { .text(ExactName($0.description)) }) }
        }
        return fields
    }

    private init?(stored fields: DocumentFields) {
        if let text = fields["path"]?.name {
            guard let path = PersonPath(text) else { return nil }
            self = .path(path)
            return
        }
        guard let collection = fields["collection"]?.name.flatMap({ DocumentPath($0) }), let path = fields["field"]?.name.flatMap({ FieldPath($0) })
        else { return nil }
        let names = fields["private"]?.elements.compactMap { $0.name.flatMap { FieldPath($0) } }
        guard let field = PersonField(collection, isGroup: fields["group"] == .bool(true), path, privateFields: names) else { return nil }
        self = .field(field)
    }
}

extension DocumentValue {
    var name: String? { if case .text(let name) = self { name.text } else { nil } }
}
