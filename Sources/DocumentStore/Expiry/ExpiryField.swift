// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A field with the time at which documents expire, of all collections with an ID.
///
///     sessions, field expires    sessions/s1 {expires: 10:00} is deleted within a minute after 10:00
///                                sessions/s2 {expires: "10:00"}, sessions/s3 {} stay
package struct ExpiryField: Hashable, Sendable {
    /// The most fields of an app.
    package static let most = 50

    package let collection: PathSegment
    package let field: FieldPath

    /// Returns nil for the document's name.
    package init?(_ collection: PathSegment, _ field: FieldPath) {
        if field.isName { return nil }
        (self.collection, self.field) = (collection, field)
    }

    /// The index by which the writer finds expired documents.
    package var shape: IndexShape { IndexShape(.group, collection, [.init(field, .ascending)]) }

    /// The documents that are expired at a time.
    func query(at time: DocumentTime) -> DocumentQuery {
        var query = DocumentQuery(collection: collection, everyDepth: true)
        query.filter = .compare(field, .atMost, .time(time))
        return query
    }

    // MARK: Stored form

    static func stored(_ fields: [ExpiryField]) -> DocumentFields {
        var stored = DocumentFields()
        stored["fields"] = .array(
            fields.map { one in
                var members = DocumentFields()
                members["collection"] = .text(one.collection.text)
                members["field"] = .text(ExactName(one.field.description))
                return .map(members)
            })
        return stored
    }

    static func fields(_ stored: DocumentFields) throws -> [ExpiryField] {
        try (stored["fields"]?.elements ?? []).map { value in
            guard case .map(let members) = value, let collection = members["collection"]?.name.flatMap({ PathSegment($0) }),
                let path = members["field"]?.name.flatMap({ FieldPath($0) }), let field = ExpiryField(collection, path)
            else { throw DocumentError.damaged }
            return field
        }
    }
}
