// SPDX-License-Identifier: Apache-2.0

/// The result of a SQL query.
package struct SQLResponse: Codable, Sendable {
    /// Blobs are hexadecimal text; numbers that JSON cannot express are null.
    package enum Value: Codable, Sendable, Equatable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)

        package init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let integer = try? value.decode(Int64.self) {
                self = .integer(integer)
            } else if let real = try? value.decode(Double.self) {
                self = .real(real)
            } else {
                self = .text(try value.decode(String.self))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            // A whole number in a column of reals stays one: 2.0, not 2.
            if case .real(let real) = self { return try Embedded<Double>.json(Array("\(real)".utf8)).encode(to: encoder) }
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .integer(let integer): try container.encode(integer)
            case .real(let real): try container.encode(real)
            case .text(let text): try container.encode(text)
            }
        }
    }

    package var columns: [String]
    package var rows: [[Value]]
    /// Whether the limit cut rows off.
    package var truncated: Bool

    package init(columns: [String], rows: [[Value]], truncated: Bool) {
        self.columns = columns
        self.rows = rows
        self.truncated = truncated
    }
}
