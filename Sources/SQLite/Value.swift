// SPDX-License-Identifier: Apache-2.0

/// A value to bind or read. Hot paths use `BatchTable` instead.
package enum Value: Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// Words as a blob in native byte order.
    case words([UInt64])
    /// UTF-8 bytes as a text.
    case utf8([UInt8])

    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .text(value) }
    package init(nilLiteral: ()) { self = .null }

    package static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
    package static func key(_ value: UInt64) -> Value { .integer(Int64(bitPattern: value)) }
    package static func text(_ value: String?) -> Value { value.map { .text($0) } ?? .null }
    package static func integer(_ value: Int64?) -> Value { value.map { .integer($0) } ?? .null }
}
