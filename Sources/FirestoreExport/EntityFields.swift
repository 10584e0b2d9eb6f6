// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The fields of an entity.
///
///     Property        1 meaning   3 name   4 multiple   5 value PropertyValue
///     PropertyValue   1 int64   2 bool   3 string   4 double   5 point group (6 x, 7 y)   12 reference group
///     meaning         7 time   14, 16 bytes   19 entity, the map of a field   24 empty list   31 element of a vector
///
/// An array is a property for each element, all of one name. A map is an entity in a string.
struct EntityFields {
    /// Levels of maps. Documents have 20 of maps and arrays; arrays within maps count there.
    private static let depth = 20

    private enum Kind {
        case single, array, vector
    }

    private var names: [ExactName] = []
    private var values: [(kind: Kind, values: [DocumentValue])] = []
    private var places: [ExactName: Int] = [:]
    private let database: EntityDatabase
    private let depth: Int

    init(_ message: ProtoCursor, of database: EntityDatabase, depth: Int) throws(EntityFault) {
        guard depth <= Self.depth else { throw .tooDeep }
        (self.database, self.depth) = (database, depth)
        var cursor = message
        while let field = try cursor.next() {
            guard field.number == 14 || field.number == 15, case .bytes(let range) = field.content else {
                try cursor.skip(field)
                continue
            }
            try add(ProtoCursor(cursor.bytes, range))
        }
    }

    /// Adds a property.
    private mutating func add(_ message: ProtoCursor) throws(EntityFault) {
        var cursor = message
        var (name, meaning, isMultiple) = (ExactName?.none, 0, false)
        var value = 0..<0
        while let field = try cursor.next() {
            switch (field.number, field.content) {
            case (1, .number(let number)): meaning = Int(clamping: number)
            case (3, _): name = ExactName(try cursor.text(field))
            case (4, .number(let number)): isMultiple = number != 0
            case (5, .bytes(let range)): value = range
            default: try cursor.skip(field)
            }
        }
        guard let name else { throw .malformed }
        if meaning == 24 { return try add(name, .single, .array([])) }
        let read = try self.value(ProtoCursor(cursor.bytes, value), meaning)
        try add(name, meaning == 31 ? .vector : isMultiple ? .array : .single, read)
    }

    private mutating func add(_ name: ExactName, _ kind: Kind, _ value: DocumentValue) throws(EntityFault) {
        if let place = places[name] {
            guard kind != .single, values[place].kind == kind else { throw .repeatedField }
            values[place].values.append(value)
        } else {
            places[name] = values.count
            names.append(name)
            values.append((kind, [value]))
        }
    }

    func documentFields() throws(EntityFault) -> DocumentFields {
        var fields: [DocumentFields.Field] = []
        for (name, (kind, values)) in zip(names, values) {
            switch kind {
            case .single: fields.append(.init(name, values[0]))
            case .array: fields.append(.init(name, .array(values)))
            case .vector:
                var numbers: [Double] = []
                for value in values {
                    guard case .double(let number) = value else { throw .vector }
                    numbers.append(number)
                }
                fields.append(.init(name, .vector(numbers)))
            }
        }
        guard let all = DocumentFields(fields) else { throw .repeatedField }
        return all
    }

    // MARK: Values

    private func value(_ message: ProtoCursor, _ meaning: Int) throws(EntityFault) -> DocumentValue {
        var (cursor, value) = (message, DocumentValue.null)
        while let field = try cursor.next() {
            switch (field.number, field.content) {
            case (1, .number(let number)): value = try integer(Int64(bitPattern: number), meaning)
            case (2, .number(let number)): value = .bool(number != 0)
            case (3, .bytes(let range)): value = try content(cursor, field, range, meaning)
            case (4, .eight(let bits)): value = .double(Double(bitPattern: bits))
            case (5, .group): value = try place(&cursor)
            case (8, .group): throw .user
            case (12, .group): value = try reference(&cursor)
            default: try cursor.skip(field)
            }
        }
        return value
    }

    private func integer(_ number: Int64, _ meaning: Int) throws(EntityFault) -> DocumentValue {
        guard meaning == 7 else { return .integer(number) }
        guard let time = DocumentTime(microseconds: number) else { throw .time }
        return .time(time)
    }

    private func content(_ cursor: ProtoCursor, _ field: ProtoField, _ range: Range<Int>, _ meaning: Int) throws(EntityFault) -> DocumentValue {
        switch meaning {
        case 14, 16: .bytes(Array(cursor.bytes[range]))
        case 19: .map(try EntityFields(ProtoCursor(cursor.bytes, range), of: database, depth: depth + 1).documentFields())
        default: .text(ExactName(try cursor.text(field)))
        }
    }

    private func place(_ cursor: inout ProtoCursor) throws(EntityFault) -> DocumentValue {
        var (latitude, longitude) = (0.0, 0.0)
        while let field = try cursor.next(inGroup: 5) {
            switch (field.number, field.content) {
            case (6, .eight(let bits)): latitude = Double(bitPattern: bits)
            case (7, .eight(let bits)): longitude = Double(bitPattern: bits)
            default: try cursor.skip(field)
            }
        }
        guard let point = GeoPoint(latitude: latitude, longitude: longitude) else { throw .place }
        return .place(point)
    }

    private func reference(_ cursor: inout ProtoCursor) throws(EntityFault) -> DocumentValue {
        var (other, path) = (EntityDatabase(), EntityPath())
        while let field = try cursor.next(inGroup: 12) {
            switch (field.number, field.content) {
            case (13, _): other.app = try cursor.text(field)
            case (14, .group): try path.read(&cursor, inGroup: 14, type: 15, id: 16, name: 17)
            case (20, _): if try !cursor.text(field).isEmpty { throw .namespace }
            case (23, _): other.id = try cursor.text(field)
            default: try cursor.skip(field)
            }
        }
        guard let found = try? path.documentPath(), let name = other == database ? "" : other.name else { throw .reference }
        return .reference(DocumentReference(found, database: name))
    }
}
