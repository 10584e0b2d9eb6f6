// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import JSON
package import Platform
package import SignalboxDocumentModel

extension DocumentReading {
    private static let fieldsOfIndex = 100

    /// Reads `firestore.indexes.json`, each index once.
    package func indexShapes() throws(Refusal) -> [IndexShape] {
        try allow("indexes", "fieldOverrides")
        var shapes: [IndexShape] = []
        for (index, place) in (try elements("indexes", atMost: DocumentBounds.indexes) ?? []).enumerated() {
            let reading = try DocumentReading(tape, at: place, named: self.place("indexes[\(index)]"))
            try reading.allow("collectionGroup", "queryScope", "fields", "density", "apiScope", "multikey")
            shapes.append(IndexShape(try reading.scope(), try reading.group(), try reading.indexFields()))
        }
        for (index, place) in (try elements("fieldOverrides", atMost: DocumentBounds.indexes) ?? []).enumerated() {
            shapes += try DocumentReading(tape, at: place, named: self.place("fieldOverrides[\(index)]")).override()
        }
        var seen: Set<IndexShape> = []
        let different = shapes.filter { seen.insert($0).inserted }
        if different.count > DocumentBounds.indexes { throw refuse("indexes", "has more than \(DocumentBounds.indexes) indexes with the overrides") }
        return different
    }

    /// Reads the indexes of one field.
    private func override() throws(Refusal) -> [IndexShape] {
        try allow("collectionGroup", "fieldPath", "indexes", "ttl")
        let (group, field) = (try group(), try field())
        return try (elements("indexes", atMost: 10) ?? []).enumerated().map { entry throws(Refusal) in
            let reading = try DocumentReading(tape, at: entry.element, named: place("indexes[\(entry.offset)]"))
            try reading.allow("order", "arrayConfig", "queryScope")
            return IndexShape(try reading.scope(), group, [IndexShape.Field(field, try reading.kind())])
        }
    }

    private func group() throws(Refusal) -> PathSegment {
        guard let text = try text("collectionGroup"), let group = PathSegment(text) else {
            throw refuse("collectionGroup", "must be the ID of a collection")
        }
        return group
    }

    private func scope() throws(Refusal) -> IndexShape.Scope {
        switch try text("queryScope") {
        case nil, "COLLECTION": .collection
        case "COLLECTION_GROUP": .group
        default: throw refuse("queryScope", "must be COLLECTION or COLLECTION_GROUP")
        }
    }

    private func field() throws(Refusal) -> FieldPath {
        guard let text = try text("fieldPath"), let path = FieldPath(text) else {
            throw refuse("fieldPath", "must be the path of a field, such as address.city")
        }
        return path
    }

    private func kind() throws(Refusal) -> IndexShape.Kind {
        switch (try text("order"), try text("arrayConfig")) {
        case ("ASCENDING", nil): .ascending
        case ("DESCENDING", nil): .descending
        case (nil, "CONTAINS"): .contains
        default: throw refuse("order", "must be ASCENDING or DESCENDING, or arrayConfig CONTAINS")
        }
    }

    /// Reads the fields of an index. The name at the end is implied.
    private func indexFields() throws(Refusal) -> [IndexShape.Field] {
        var fields: [IndexShape.Field] = []
        for (index, place) in (try elements("fields", atMost: Self.fieldsOfIndex) ?? []).enumerated() {
            let reading = try DocumentReading(tape, at: place, named: self.place("fields[\(index)]"))
            try reading.allow("fieldPath", "order", "arrayConfig", "vectorConfig")
            let field = try reading.field()
            if !field.isName { fields.append(IndexShape.Field(field, try reading.kind())) }
        }
        if fields.isEmpty { throw refuse("fields", "must have a field") }
        if fields.count(where: { $0.kind == .contains }) > 1 { throw refuse("fields", "may have one field with arrayConfig") }
        return fields
    }
}
