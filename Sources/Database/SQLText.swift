// SPDX-License-Identifier: Apache-2.0

extension UInt64 {
    /// A key as it stands in a statement.
    package var literal: String { String(Int64(bitPattern: self)) }
}

extension Set<UInt64> {
    /// Keys as they stand behind IN.
    package var list: String { "(\(sorted().map(\.literal).joined(separator: ", ")))" }
}
