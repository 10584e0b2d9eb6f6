// SPDX-License-Identifier: Apache-2.0

import JSON
package import SignalboxDocumentModel

/// A reader of stored bodies.
package final class BodyReader: Sendable {
    private let parser = JSONParser()

    package init() {}

    func fields(_ body: [UInt8]) throws -> DocumentFields {
        try parser.withReader { reader in
            let tape = try reader.parse(body, limits: NativeJSON.storedLimits)
            defer { reader.reuse(tape) }
            return try NativeJSON(tape).fields()
        }
    }

    /// Reads one value of a stored body.
    package func value(_ json: Span<UInt8>) throws -> DocumentValue {
        if let simple = DocumentValue(simple: json) { return simple }
        return try parser.withReader { reader in
            let tape = try reader.parse([UInt8](copying: json), limits: NativeJSON.storedLimits)
            defer { reader.reuse(tape) }
            return try NativeJSON(tape).value(at: 0)
        }
    }

    static func body(_ fields: DocumentFields) -> [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.fields(fields)
        return writer.bytes
    }
}

extension DocumentValue {
    /// Reads an integer of at most 18 digits, or a text without escapes; nil for anything else.
    fileprivate init?(simple json: Span<UInt8>) {
        guard json.count > 0 else { return nil }
        if json[0] == UInt8(ascii: "\"") {
            self.init(simpleText: json)
        } else {
            self.init(simpleInteger: json)
        }
    }

    private init?(simpleText json: Span<UInt8>) {
        guard json.count >= 2 else { return nil }
        for at in json.indices where json[at] == UInt8(ascii: "\\") { return nil }
        guard let text = try? UTF8Span(validating: json.extracting(1..<json.count - 1)) else { return nil }
        self = .text(ExactName(String(copying: text)))
    }

    private init?(simpleInteger json: Span<UInt8>) {
        let isNegative = json[0] == UInt8(ascii: "-")
        let digits = (isNegative ? 1 : 0)..<json.count
        guard (1...18).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for at in digits {
            let digit = json[at] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int64(digit)
        }
        self = .integer(isNegative ? -number : number)
    }
}

extension [UInt8] {
    fileprivate init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count) { room in for at in bytes.indices { room.append(bytes[at]) } }
    }
}
