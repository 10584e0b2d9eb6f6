// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import JSON
package import Platform
import SignalboxDocumentModel

extension DocumentReading {
    private static let patterns = 50
    private static let privateFields = 50

    package func personPatterns() throws(Refusal) -> [PersonPattern] {
        try allow("patterns")
        guard let places = try elements("patterns", atMost: Self.patterns) else { throw missing("patterns") }
        return try places.enumerated().map { entry throws(Refusal) in
            try DocumentReading(tape, at: entry.element, named: place("patterns[\(entry.offset)]")).personPattern()
        }
    }

    private func personPattern() throws(Refusal) -> PersonPattern {
        if let text = try text("path") {
            try allow("path")
            guard let path = PersonPath(text) else {
                throw refuse("path", "must be the path of documents with {uid} once as an ID, such as users/{uid}/** or rooms/{room}/members/{uid}")
            }
            if path.hasWildcardAsID { throw refuse("path", "may have {name} as the ID of a document and ** at its end, and no other wildcards") }
            return .path(path)
        }
        try allow("collection", "group", "field", "private")
        guard let collection = try path("collection", isDocument: false) else { throw missing("path", "or collection is required") }
        let isGroup = try flag("group") ?? false
        if isGroup, collection.segments.count > 1 { throw refuse("collection", "must be the ID of the collections of a group") }
        guard let text = try text("field"), let field = FieldPath(text), !field.isName else { throw refuse("field", "must be the path of a field") }
        guard let pattern = PersonField(collection, isGroup: isGroup, field, privateFields: try privateFields(beside: field)) else {
            throw refuse("collection", "must be a collection")
        }
        return .field(pattern)
    }

    private func privateFields(beside person: FieldPath) throws(Refusal) -> [FieldPath]? {
        guard let places = try elements("private", atMost: Self.privateFields) else { return nil }
        return try places.enumerated().map { entry throws(Refusal) in
            guard tape[entry.element].isString, let text = tape.text(tape[entry.element]), let field = FieldPath(text), !field.isName else {
                throw refuse("private[\(entry.offset)]", "must be the path of a field")
            }
            if field == person { throw refuse("private[\(entry.offset)]", "is the field of the user ID, which gets a random ID instead") }
            return field
        }
    }
}
