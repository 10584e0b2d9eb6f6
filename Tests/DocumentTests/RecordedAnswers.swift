// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignalboxDocumentModel
import Testing

/// Answers of Google's Firestore emulator to random programs, in the form of its REST interface.
struct RecordedAnswers {
    typealias Object = [String: Any]

    static let root = "projects/p/databases/(default)/documents/"

    /// The folder of recordings that were made for this run.
    static let recordings = ProcessInfo.processInfo.environment["SIGNALBOX_DOCUMENT_RECORDINGS"]

    /// The lines of the fixture, or of the file in the folder that `scripts/documents-differential` recorded.
    static func lines(_ name: String) throws -> [Object] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let folder = recordings ?? tests + "/Fixtures/documents"
        let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        return try text.split(separator: "\n").map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? Object) }
    }

    static func object(_ any: Any?) -> Object { any as? Object ?? [:] }
    static func list(_ any: Any?) -> [Object] { any as? [Object] ?? [] }
    static func text(_ any: Any?) -> String { any as? String ?? "" }
    static func integer(_ any: Any?) -> Int? { (any as? NSNumber)?.intValue }
    static func flag(_ any: Any?) -> Bool { (any as? NSNumber)?.boolValue ?? false }

    static func path(_ name: Any?) throws -> DocumentPath { try #require(DocumentPath(String(text(name).dropFirst(root.count)))) }
    static func field(_ any: Any?) throws -> FieldPath { try #require(FieldPath(text(object(any)["fieldPath"]))) }

    static func fields(_ any: Any?) throws -> DocumentFields {
        try #require(DocumentFields(try object(any).map { .init(ExactName($0.key), try value($0.value)) }))
    }

    static func values(_ any: Any?) throws -> [DocumentValue] { try list(object(any)["values"]).map(value) }

    static func value(_ any: Any?) throws -> DocumentValue {
        let (type, content) = try #require(object(any).first)
        switch type {
        case "nullValue": return .null
        case "booleanValue": return .bool(flag(content))
        case "integerValue": return .integer(try #require(Int64(text(content))))
        case "doubleValue": return .double(try double(content))
        case "stringValue": return .text(ExactName(text(content)))
        case "bytesValue": return .bytes([UInt8](try #require(Data(base64Encoded: text(content)))))
        case "timestampValue": return .time(try time(text(content)))
        case "geoPointValue":
            let (latitude, longitude) = (try double(object(content)["latitude"] ?? 0), try double(object(content)["longitude"] ?? 0))
            return .place(try #require(GeoPoint(latitude: latitude, longitude: longitude)))
        case "referenceValue": return .reference(try reference(text(content)))
        case "arrayValue": return .array(try values(content))
        default: return try map(object(object(content)["fields"]))
        }
    }

    /// Reads the name of a document, also of another database.
    private static func reference(_ name: String) throws -> DocumentReference {
        if name.hasPrefix(root) { return DocumentReference(try path(name)) }
        let parts = try #require(name.firstRange(of: "/documents/"))
        return DocumentReference(
            try #require(DocumentPath(String(name[parts.upperBound...]))), database: ExactName(String(name[..<parts.lowerBound])))
    }

    private static func map(_ content: Object) throws -> DocumentValue {
        guard text(object(content["__type__"])["stringValue"]) == "__vector__" else { return .map(try fields(content)) }
        return .vector(try values(object(content["value"])["arrayValue"]).compactMap { if case .double(let number) = $0 { number } else { nil } })
    }

    private static func double(_ any: Any?) throws -> Double {
        switch text(any) {
        case "NaN": .nan
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        case let text where !text.isEmpty: try #require(Double(text))
        default: try #require(any as? NSNumber).doubleValue
        }
    }

    /// Reads `2020-01-01T00:00:00.000001Z`.
    static func time(_ text: String) throws -> DocumentTime {
        let numbers = text.dropLast().split(whereSeparator: { "-T:.".contains($0) })
        let (year, month, day) = (try #require(Int64(numbers[0])), try #require(Int64(numbers[1])), try #require(Int64(numbers[2])))
        let clock = try numbers[3..<6].reduce(Int64(0)) { $0 * 60 + (try #require(Int64($1))) }
        let fraction = numbers.count > 6 ? try #require(Int64((numbers[6] + "000000").prefix(6))) : 0
        let seconds = days(year, month, day) * 86_400 + clock
        return try #require(DocumentTime(microseconds: seconds * 1_000_000 + fraction))
    }

    /// Days since 1970 of the Gregorian calendar, whose years begin in March here.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let years = month <= 2 ? year - 1 : year
        let century = years / 100
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return years * 365 + years / 4 - century + century / 4 + ofYear - 719_468
    }
}

/// A document of a recorded collection.
struct RecordedDocument: QueriedDocument {
    let path: DocumentPath
    let fields: DocumentFields

    func value(at field: FieldPath) -> DocumentValue? { field.isName ? .reference(DocumentReference(path)) : fields[field] }
}
