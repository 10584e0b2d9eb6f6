// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignalboxDocumentModel

/// Conversions between the values that apps see and those of the model.
extension FieldValue {
    /// The value as the model has it. Throws for a change, and for a value that no document may have.
    func stored() throws(DocumentError) -> DocumentValue {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .double(let value): return .double(value.isNaN ? .nan : value)
        case .text(let text): return .text(ExactName(text))
        case .bytes(let data): return .bytes(Array(data))
        case .vector(let numbers): return .vector(numbers)
        case .time(let date):
            guard let time = DocumentTime(date) else { throw .invalid("A time is outside of the years 1 to 9999.") }
            return .time(time)
        case .reference(let text):
            guard let path = DocumentPath(text), path.isDocument else { throw .invalid("A reference is not the path of a document: \(text)") }
            return .reference(SignalboxDocumentModel.DocumentReference(path))
        case .place(let place):
            guard let point = SignalboxDocumentModel.GeoPoint(latitude: place.latitude, longitude: place.longitude) else {
                throw .invalid("A place is out of range.")
            }
            return .place(point)
        case .array(let values): return .array(try FieldValue.stored(values))
        case .map(let fields): return .map(try FieldValue.stored(fields))
        case .change: throw .invalid("A change of a field stands where only a value may be.")
        }
    }

    static func stored(_ values: [FieldValue]) throws(DocumentError) -> [DocumentValue] {
        var all: [DocumentValue] = []
        for value in values { all.append(try value.stored()) }
        return all
    }

    static func stored(_ fields: [String: FieldValue]) throws(DocumentError) -> DocumentFields {
        var all: [DocumentFields.Field] = []
        for (name, value) in fields { all.append(DocumentFields.Field(ExactName(name), try value.stored())) }
        guard let fields = DocumentFields(all) else { throw .invalid("A field is there twice.") }
        return fields
    }

    init(_ value: DocumentValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .text(let text): self = .text(text.text)
        case .bytes(let bytes): self = .bytes(Data(bytes))
        case .vector(let numbers): self = .vector(numbers)
        case .time(let time): self = .time(time.date)
        case .reference(let reference): self = .reference(reference.path.description)
        case .place(let place): self = .place(GeoPoint(latitude: place.latitude, longitude: place.longitude))
        case .array(let values): self = .array(values.map(FieldValue.init))
        case .map(let fields): self = .map(FieldValue.fields(fields))
        }
    }

    static func fields(_ fields: DocumentFields) -> [String: FieldValue] {
        Dictionary(fields.all.map { ($0.name.text, FieldValue($0.value)) }) { $1 }
    }
}

extension DocumentTime {
    private static let perSecond: Double = 1_000_000

    /// The nearest microsecond; nil outside of the years 1 to 9999.
    init?(_ date: Date) {
        let since = date.timeIntervalSinceReferenceDate
        guard since.isFinite, since.magnitude < 1e12 else { return nil }
        let whole = since.rounded(.down)
        let seconds = Int64(whole) + Int64(Date.timeIntervalBetween1970AndReferenceDate)
        self.init(microseconds: seconds * 1_000_000 + Int64(((since - whole) * DocumentTime.perSecond).rounded()))
    }

    var date: Date {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let since = Double(seconds - Int64(Date.timeIntervalBetween1970AndReferenceDate))
        return Date(timeIntervalSinceReferenceDate: since + Double(rest) / DocumentTime.perSecond)
    }
}
