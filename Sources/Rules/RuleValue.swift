// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// A value while rules are evaluated.
package indirect enum RuleValue: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case float(Double)
    case text(String)
    case bytes([UInt8])
    case list([RuleValue])
    /// Numbers that documents are searched by. Rules know its type only.
    case vector([Double])
    case map(RuleMap)
    case path([String])
    case timestamp(RuleSpan)
    case duration(RuleSpan)
    case place(GeoPoint)
    case set([RuleValue])
    case difference(RuleMap, RuleMap)
    /// A field of the documents that a query finds: only what a condition of the query says about it is known.
    case unknown([KnownCondition])

    package static func stored(_ value: DocumentValue) -> RuleValue {
        switch value {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .double(let value): .float(value)
        case .time(let time): .timestamp(RuleSpan(time))
        case .text(let text): .text(text.text)
        case .bytes(let bytes): .bytes(bytes)
        case .reference(let reference): .path(RuleValue.path(to: reference))
        case .place(let place): .place(place)
        case .array(let values): .list(values.map(RuleValue.stored))
        case .vector(let numbers): .vector(numbers)
        case .map(let fields): .map(.stored(fields))
        }
    }

    /// The segments before a document's path in rules.
    static let databasePath = ["databases", "(default)", "documents"]

    /// The path of a reference. Rules name no projects, so the path of a document in the database `(default)` of another project has its
    /// project: it is no document of the app.
    ///
    ///     users/u1                                              /databases/(default)/documents/users/u1
    ///     projects/p/databases/other, users/u1                  /databases/other/documents/users/u1
    ///     projects/other/databases/(default), users/u1          /projects/other/databases/(default)/documents/users/u1
    private static func path(to reference: DocumentReference) -> [String] {
        let ids = reference.path.segments.map(\.text.text)
        if reference.database.text.isEmpty { return databasePath + ids }
        let parts = reference.database.text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        return (parts.last == databasePath[1] ? parts : Array(parts.dropFirst(2))) + [databasePath[2]] + ids
    }
}

/// A map: fields of a document as they are stored, or values that rules made.
package enum RuleMap: Sendable {
    case stored(DocumentFields)
    case made([ExactName: RuleValue])
    /// The fields that the conditions of a query say something about, of a map that may have others.
    case known([ExactName: RuleValue])

    package subscript(name: ExactName) -> RuleValue? {
        switch self {
        case .stored(let fields): fields[name].map(RuleValue.stored)
        case .made(let values), .known(let values): values[name]
        }
    }

    init(_ names: [ExactName], _ value: (ExactName) -> RuleValue?) {
        var members: [ExactName: RuleValue] = [:]
        for name in names { members[name] = value(name) }
        self = .made(members)
    }

    var count: Int {
        switch self {
        case .stored(let fields): fields.count
        case .made(let values), .known(let values): values.count
        }
    }

    var keys: [ExactName] {
        switch self {
        case .stored(let fields): fields.all.map(\.name)
        case .made(let values), .known(let values): values.keys.sorted()
        }
    }
}

extension RuleValue {
    /// Whether `value is name` holds. Sets have no type name.
    func hasType(_ name: String) -> Bool {
        switch (self, name) {
        case (.bool, "bool"), (.integer, "int"), (.integer, "number"), (.float, "float"), (.float, "number"), (.text, "string"),
            (.bytes, "bytes"), (.list, "list"), (.vector, "vector"), (.map, "map"), (.path, "path"), (.timestamp, "timestamp"),
            (.duration, "duration"),
            (.place, "latlng"), (.difference, "map_diff"):
            true
        default: false
        }
    }

    /// How an integer and a float are compared.
    enum Equality {
        /// They may be equal: of values at the top, of elements of sets, and of the maps of a difference.
        case loose
        /// They are different: within lists and maps.
        case strict
    }

    /// Compares two values. Of different types none are equal, but for an integer and a float that are compared loosely.
    ///
    /// - Parameter inner: How elements of lists and maps are compared.
    func isEqual(_ other: RuleValue, _ equality: Equality = .loose, inner: Equality = .strict) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.float(let a), .float(let b)): a == b
        case (.integer(let a), .float(let b)), (.float(let b), .integer(let a)): equality == .loose && Double(a) == b
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.bytes(let a), .bytes(let b)): a == b
        case (.path(let a), .path(let b)): a.elementsEqual(b) { $0.utf8.elementsEqual($1.utf8) }
        case (.timestamp(let a), .timestamp(let b)): a == b
        case (.duration(let a), .duration(let b)): a == b
        case (.place(let a), .place(let b)): a == b
        case (.vector(let a), .vector(let b)): a == b
        case (.list(let a), .list(let b)): a.elementsEqual(b) { $0.isEqual($1, inner, inner: inner) }
        case (.set(let a), .set(let b)): a.count == b.count && a.allSatisfy(RuleElements(b, .loose).contains)
        case (.map(let a), .map(let b)): a.isEqual(b, inner)
        default: false
        }
    }
}

extension RuleMap {
    func isEqual(_ other: RuleMap, _ equality: RuleValue.Equality) -> Bool {
        guard count == other.count else { return false }
        return keys.allSatisfy { key in
            guard let a = self[key], let b = other[key] else { return false }
            return a.isEqual(b, equality, inner: equality)
        }
    }
}
