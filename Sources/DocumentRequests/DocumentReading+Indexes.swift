// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import JSON
package import Platform
import SignalboxDocumentModel

extension DocumentReading {
    private static let fieldsOfIndex = 100

    private static let otherProgramInterfaces: Set = ["DATASTORE_MODE_API", "MONGODB_COMPATIBLE_API"]

    /// Reads `firestore.indexes.json`, each index once.
    package func indexDeclaration() throws(Refusal) -> IndexDeclaration {
        try allow("indexes", "fieldOverrides")
        var declaration = IndexDeclaration()
        for (index, place) in (try elements("indexes", atMost: DocumentBounds.indexes) ?? []).enumerated() {
            let reading = try DocumentReading(tape, at: place, named: self.place("indexes[\(index)]"))
            try reading.allow("collectionGroup", "queryScope", "fields", "density", "apiScope", "multikey", "unique")
            try reading.index(of: try reading.group(), &declaration) { () throws(Refusal) in try reading.indexFields() }
        }
        for (index, place) in (try elements("fieldOverrides", atMost: DocumentBounds.indexes) ?? []).enumerated() {
            try DocumentReading(tape, at: place, named: self.place("fieldOverrides[\(index)]")).override(&declaration)
        }
        var seen: Set<IndexShape> = []
        declaration.shapes = declaration.shapes.filter { seen.insert($0).inserted }
        if declaration.shapes.count > DocumentBounds.indexes {
            throw refuse("indexes", "has more than \(DocumentBounds.indexes) indexes with the overrides")
        }
        return declaration
    }

    /// Adds an index, or notes why it is left out.
    private func index(
        of group: PathSegment, _ declaration: inout IndexDeclaration, _ fields: () throws(Refusal) -> [IndexShape.Field]
    ) throws(Refusal) {
        if let property = try unknownProperty() {
            declaration.leftOut.append(.init(place: name, collection: group, property: property))
        } else {
            declaration.shapes.append(IndexShape(try scope(), group, try fields()))
        }
    }

    /// The property of an index that indexes here do not have; nil if they have all.
    private func unknownProperty() throws(Refusal) -> String? {
        if try text("queryScope") == "COLLECTION_RECURSIVE" { return "queryScope" }
        if let program = try text("apiScope"), Self.otherProgramInterfaces.contains(program) { return "apiScope" }
        if try flag("unique") ?? false { return "unique" }
        var parts = [self]
        for (index, place) in (try elements("fields", atMost: Self.fieldsOfIndex) ?? []).enumerated() {
            parts.append(try DocumentReading(tape, at: place, named: self.place("fields[\(index)]")))
        }
        return ["vectorConfig", "searchConfig"].first { member in parts.contains { $0[member] != nil } }
    }

    /// Reads the indexes of one field. Without any the field is exempt from learned ones.
    private func override(_ declaration: inout IndexDeclaration) throws(Refusal) {
        try allow("collectionGroup", "fieldPath", "indexes", "ttl")
        let group = try self.group()
        let field = try text("fieldPath") == "*" ? nil : self.field()
        let places = try elements("indexes", atMost: 10)
        if places?.isEmpty == true { declaration.exemptions.append(IndexExemption(group, field)) }
        for (index, place) in (places ?? []).enumerated() {
            let reading = try DocumentReading(tape, at: place, named: self.place("indexes[\(index)]"))
            try reading.allow("order", "arrayConfig", "queryScope", "apiScope", "vectorConfig", "searchConfig")
            guard let field else {
                declaration.leftOut.append(.init(place: reading.name, collection: group, property: "fieldPath"))
                continue
            }
            try reading.index(of: group, &declaration) { () throws(Refusal) in [IndexShape.Field(field, try reading.kind())] }
        }
        guard let expires = try flag("ttl") else { return }
        guard let expiry = field.flatMap({ ExpiryField(group, $0) }) else { throw refuse("fieldPath", "cannot have the times of expiry") }
        if expires, declaration.expiring.contains(where: { $0.collection == group }) {
            throw refuse("ttl", "is true for another field of the collections, too")
        }
        if expires { declaration.expiring.append(expiry) } else { declaration.notExpiring.append(expiry) }
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

    /// Reads the fields of an index. The name at the end is implied. A list's field may be there for its elements and for the order.
    private func indexFields() throws(Refusal) -> [IndexShape.Field] {
        var fields: [IndexShape.Field] = []
        for (index, place) in (try elements("fields", atMost: Self.fieldsOfIndex) ?? []).enumerated() {
            let reading = try DocumentReading(tape, at: place, named: self.place("fields[\(index)]"))
            try reading.allow("fieldPath", "order", "arrayConfig")
            let field = try reading.field()
            if field.isName { continue }
            let kind = try reading.kind()
            if fields.contains(where: { $0.path == field && ($0.kind == .contains) == (kind == .contains) }) {
                throw reading.refuse("fieldPath", "occurs twice in the index", code: "repeated")
            }
            fields.append(IndexShape.Field(field, kind))
        }
        if fields.isEmpty { throw refuse("fields", "must have a field") }
        if fields.count(where: { $0.kind == .contains }) > 1 { throw refuse("fields", "may have one field with arrayConfig") }
        return fields
    }
}
