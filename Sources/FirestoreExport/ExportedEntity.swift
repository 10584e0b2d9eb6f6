// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A document of an export of Firestore: the message EntityProto in a record of its files.
///
///     EntityProto     13 key Reference   14, 15 property Property
///     Reference       13 app   14 path Path   20 namespace   23 database
///     Path            1 element group (2 type, 3 id | 4 name)
package struct ExportedEntity: Sendable {
    package let path: DocumentPath
    package let fields: DocumentFields

    /// Reads a record.
    package init(_ record: [UInt8]) throws(EntityFault) {
        let message = ProtoCursor(record, 0..<record.count)
        guard let key = try EntityKey(entity: message), let path = try key.path.documentPath() else { throw .path }
        self.path = path
        fields = try EntityFields(message, of: key.database, depth: 0).documentFields()
    }

    /// The path of a record that is refused, if its key can be read.
    package static func path(of record: [UInt8]) -> DocumentPath? {
        (try? EntityKey(entity: ProtoCursor(record, 0..<record.count)))?.flatMap { try? $0.path.documentPath() }
    }
}

/// The database of a key or reference: `dev~shop` or `s~shop`, and the ID of a database if it is not `(default)`.
struct EntityDatabase: Equatable {
    var app = ""
    var id = ""

    /// The name of another database in references; nil if it cannot be one.
    var name: ExactName? {
        let project = app.utf8.lastIndex(of: UInt8(ascii: "~")).map { String(Substring(app.utf8[app.utf8.index(after: $0)...])) } ?? app
        if project.isEmpty || (project + id).utf8.contains(UInt8(ascii: "/")) { return nil }
        return ExactName("projects/\(project)/databases/\(id.isEmpty ? "(default)" : id)")
    }
}

/// The segments of a name: types of entities alternate with their IDs.
struct EntityPath {
    private var segments: [PathSegment] = []
    private var isWrong = false

    mutating func add(type: String, id: Int64?, name: String?) {
        let ids = [type, name ?? id.map { "__id\($0)__" } ?? ""]
        for id in ids where segments.count <= 2 * DocumentPath.maximumDepth {
            guard let segment = PathSegment(id) else {
                isWrong = true
                continue
            }
            segments.append(segment)
        }
    }

    /// Nil if it has no segments.
    func documentPath() throws(EntityFault) -> DocumentPath? {
        if isWrong { throw .path }
        if segments.isEmpty { return nil }
        guard let path = DocumentPath(segments), path.isDocument, path.description.utf8.count <= DocumentPath.maximumBytes else { throw .path }
        return path
    }
}

/// The key of an entity.
struct EntityKey {
    private(set) var database = EntityDatabase()
    private(set) var path = EntityPath()

    /// Reads the key of an entity; nil if it has none.
    init?(entity message: ProtoCursor) throws(EntityFault) {
        var cursor = message
        while let field = try cursor.next() {
            guard field.number == 13, case .bytes(let range) = field.content else {
                try cursor.skip(field)
                continue
            }
            try read(ProtoCursor(cursor.bytes, range))
            return
        }
        return nil
    }

    private mutating func read(_ reference: ProtoCursor) throws(EntityFault) {
        var cursor = reference
        while let field = try cursor.next() {
            switch field.number {
            case 13: database.app = try cursor.text(field)
            case 14:
                guard case .bytes(let range) = field.content else { throw .malformed }
                try readPath(ProtoCursor(cursor.bytes, range))
            case 20: if try !cursor.text(field).isEmpty { throw .namespace }
            case 23: database.id = try cursor.text(field)
            default: try cursor.skip(field)
            }
        }
    }

    private mutating func readPath(_ message: ProtoCursor) throws(EntityFault) {
        var cursor = message
        while let field = try cursor.next() {
            guard field.number == 1, case .group = field.content else {
                try cursor.skip(field)
                continue
            }
            try path.read(&cursor, inGroup: 1, type: 2, id: 3, name: 4)
        }
    }
}

extension EntityPath {
    /// Reads an element: a group of a type, and an ID or a name.
    mutating func read(_ cursor: inout ProtoCursor, inGroup group: Int, type: Int, id: Int, name: Int) throws(EntityFault) {
        var (kind, number, text) = ("", Int64?.none, String?.none)
        while let field = try cursor.next(inGroup: group) {
            switch (field.number, field.content) {
            case (type, _): kind = try cursor.text(field)
            case (id, .number(let value)): number = Int64(bitPattern: value)
            case (name, _): text = try cursor.text(field)
            default: try cursor.skip(field)
            }
        }
        add(type: kind, id: number, name: text)
    }
}
