// SPDX-License-Identifier: Apache-2.0

import Platform
package import SignalboxDocumentModel

/// The indexes of an app as an admin declares them.
package struct IndexDeclaration: Sendable {
    /// An index of the declaration that is not made, because indexes here do not have one of its properties.
    package struct LeftOut: Hashable, Sendable {
        package let place: String
        package let collection: PathSegment
        package let property: String

        package init(place: String, collection: PathSegment, property: String) {
            (self.place, self.collection, self.property) = (place, collection, property)
        }
    }

    package var shapes: [IndexShape]
    package var exemptions: [IndexExemption] = []
    /// The fields by which documents expire from now on, and those by which they no longer do. Others stay.
    package var expiring: [ExpiryField] = []
    package var notExpiring: [ExpiryField] = []
    package var leftOut: [LeftOut] = []

    package init(_ shapes: [IndexShape] = []) {
        self.shapes = shapes
    }

    /// Returns the fields by which documents expire with the declaration. A collection ID has one.
    func expiry(after earlier: [ExpiryField]) throws(Refusal) -> [ExpiryField] {
        let stay = earlier.filter { field in
            !notExpiring.contains(field) && !expiring.contains { $0.collection == field.collection }
        }
        guard stay.count + expiring.count <= ExpiryField.most else {
            throw .field("fieldOverrides", "too_many", "have more than \(ExpiryField.most) fields with ttl, together with those that are set")
        }
        return stay + expiring
    }
}

/// A field by which queries teach no index.
///
///     notes.text     no index on text, or text.body, of collections with the ID notes
///     notes.*        no learned index of these collections
package struct IndexExemption: Hashable, Sendable {
    package let collection: PathSegment
    /// Nil for all fields.
    package let field: FieldPath?

    package init(_ collection: PathSegment, _ field: FieldPath?) {
        (self.collection, self.field) = (collection, field)
    }

    func covers(_ shape: IndexShape) -> Bool {
        guard shape.collection == collection else { return false }
        guard let field else { return true }
        return shape.fields.contains { $0.path.starts(with: field) }
    }

    // MARK: Stored form

    static func stored(_ exemptions: [IndexExemption]) -> DocumentFields {
        var stored = DocumentFields()
        stored["fields"] = .array(
            exemptions.map { one in
                var members = DocumentFields()
                members["collection"] = .text(one.collection.text)
                if let field = one.field { members["field"] = .text(ExactName(field.description)) }
                return .map(members)
            })
        return stored
    }

    static func exemptions(_ stored: DocumentFields) throws -> [IndexExemption] {
        try (stored["fields"]?.elements ?? []).map { value in
            guard case .map(let members) = value, let collection = members["collection"]?.name.flatMap({ PathSegment($0) }) else {
                throw DocumentError.damaged
            }
            guard let text = members["field"]?.name else { return IndexExemption(collection, nil) }
            guard let field = FieldPath(text) else { throw DocumentError.damaged }
            return IndexExemption(collection, field)
        }
    }
}
