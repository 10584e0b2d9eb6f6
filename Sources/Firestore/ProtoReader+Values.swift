// SPDX-License-Identifier: Apache-2.0

import JSON
package import SignalboxDocumentModel

/// Values and fields of documents.
extension ProtoReader {
    /// Reads a value.
    ///
    ///     {"integerValue": "7"}   {"arrayValue": {"values": [{"nullValue": null}]}}
    package func value(_ index: Int) throws(FirestoreFault) -> DocumentValue {
        guard tape[index].isObject else { throw .invalid("A Value is an object.") }
        guard tape[index].children == 1 else {
            throw .invalid(tape[index].children == 0 ? "Cannot convert firestore.v1.Value with type unset." : "A Value has one type.")
        }
        let key = tape[index + 1]
        let content = key.next
        let name = ProtoReader.camelCase(tape.text(key) ?? "")
        if tape[content].isNull, name != "nullValue" { throw .invalid("Cannot convert firestore.v1.Value with type unset.") }
        switch name {
        case "nullValue": return try null(content)
        case "booleanValue": return .bool(try flag(content))
        case "integerValue": return .integer(try integer(content))
        case "doubleValue": return .double(try double(content))
        case "timestampValue": return .time(try time(content))
        case "stringValue": return .text(ExactName(try text(content)))
        case "bytesValue": return .bytes(try bytes(content))
        case "referenceValue": return .reference(try database.reference(try text(content), isBound: readsBounds))
        case "geoPointValue": return try place(content)
        case "arrayValue": return .array(try array(content))
        case "mapValue": return try map(content)
        default: throw .invalid("Unknown name at 'Value': Cannot find field.")
        }
    }

    private func null(_ index: Int) throws(FirestoreFault) -> DocumentValue {
        if tape[index].isNull || tape[index].integer == 0 || tape[index].isString && tape.isText(tape[index], "NULL_VALUE") { return .null }
        throw .invalid("null is expected.")
    }

    private func place(_ index: Int) throws(FirestoreFault) -> DocumentValue {
        let members = try message(index, "LatLng", ["latitude", "longitude"])
        var degrees = [0.0, 0.0]
        if let latitude = members["latitude"] { degrees[0] = try double(latitude) }
        if let longitude = members["longitude"] { degrees[1] = try double(longitude) }
        guard let point = GeoPoint(latitude: degrees[0], longitude: degrees[1]) else {
            throw .invalid("Geo point is outside permitted range: latitude -90.0 to 90.0, longitude -180.0 to 180.0.")
        }
        return .place(point)
    }

    /// Reads `{"values": […]}`.
    func array(_ index: Int) throws(FirestoreFault) -> [DocumentValue] {
        var values: [DocumentValue] = []
        for place in try elements(message(index, "ArrayValue", ["values"])["values"]) {
            let value = try value(place)
            // A condition may ask for arrays: `a in [[1], [2]]`.
            if case .array = value, !readsBounds { throw .invalid("Cannot convert an array value in an array value.") }
            values.append(value)
        }
        return values
    }

    private func map(_ index: Int) throws(FirestoreFault) -> DocumentValue {
        let fields = try fields(message(index, "MapValue", ["fields"])["fields"])
        return ProtoReader.vector(fields) ?? .map(fields)
    }

    /// The vector that a map with a marker stands for.
    ///
    ///     {"__type__": "__vector__", "value": [1.0, 2.0]}
    private static func vector(_ fields: DocumentFields) -> DocumentValue? {
        guard fields.count == 2, case .text("__vector__")? = fields["__type__"], case .array(let values)? = fields["value"] else { return nil }
        var numbers: [Double] = []
        for value in values {
            guard case .double(let number) = value else { return nil }
            numbers.append(number)
        }
        return .vector(numbers)
    }

    /// Reads the fields of a document or map.
    package func fields(_ index: Int?) throws(FirestoreFault) -> DocumentFields {
        guard let index else { return DocumentFields() }
        guard tape[index].isObject else { throw .invalid("Fields are an object.") }
        var list: [DocumentFields.Field] = []
        list.reserveCapacity(tape[index].children)
        var place = index + 1
        while place < tape[index].next {
            guard let name = tape.text(tape[place]) else { throw .invalid("A field name is not valid Unicode.") }
            list.append(.init(ExactName(name), try value(tape[place].next)))
            place = tape[tape[place].next].next
        }
        guard let fields = DocumentFields(list) else { throw .invalid("A field is given twice.") }
        return fields
    }
}
