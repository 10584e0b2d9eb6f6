// SPDX-License-Identifier: Apache-2.0

/// The patterns of documents that belong to persons.
package struct DocumentPersonsResponse: Codable, Sendable {
    /// Either a path, or a collection and a field.
    package struct Pattern: Codable, Sendable {
        package var path: String?
        package var collection: String?
        package var group: Bool?
        package var field: String?
        /// The fields that an anonymisation removes; without them it deletes the document.
        package var `private`: [String]?

        package init(path: String? = nil, collection: String? = nil, group: Bool? = nil, field: String? = nil, private fields: [String]? = nil) {
            self.path = path
            self.collection = collection
            self.group = group
            self.field = field
            self.private = fields
        }
    }

    package var patterns: [Pattern]

    package init(patterns: [Pattern]) { self.patterns = patterns }
}

/// A document of a person in their export.
package struct ExportedDocument: Codable, Sendable {
    package var path: String
    package var fields: Members<AnyText>
    package var version: Int64
    package var created: Int64
}

/// The fields with the times at which documents expire.
package struct DocumentExpiryResponse: Codable, Sendable {
    package enum State: String, PublicName, CaseIterable {
        /// Documents do not expire before the index of the field is built.
        case building
        case active
    }

    package struct Field: Codable, Sendable {
        /// The ID of the collections.
        package var collection: String
        package var field: String
        package var state: Named<State>
        package var progress: Double

        package init(collection: String, field: String, state: Named<State>, progress: Double) {
            self.collection = collection
            self.field = field
            self.state = state
            self.progress = progress
        }
    }

    package var fields: [Field]

    package init(fields: [Field]) { self.fields = fields }
}

/// The result of an import of documents.
package struct DocumentImportResponse: Codable, Sendable {
    package var documents = 0
    package var failed = 0
    /// The first failures.
    package var errors: [ImportFailure] = []

    package init() {}
}
