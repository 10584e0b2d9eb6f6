// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A failed call of SQLite.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// A result code. A primary code matches its extended codes.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        package static let error = Code(rawValue: SQLITE_ERROR)
        package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        static let tooBig = Code(rawValue: SQLITE_TOOBIG)
        package static let full = Code(rawValue: SQLITE_FULL)
        package static let ioErrorSync = Code(rawValue: SQLITE_IOERR | 4 << 8)
        package static let cannotOpen = Code(rawValue: SQLITE_CANTOPEN)
        package static let interrupted = Code(rawValue: SQLITE_INTERRUPT)

        package var primary: Code { Code(rawValue: rawValue & 0xff) }

        package static func ~= (pattern: Code, value: Code) -> Bool {
            pattern == value || pattern == value.primary
        }
    }

    package let code: Code
    package let message: String
    /// The failed statement, without values.
    package let sql: String?
    package let path: String

    /// Whether the file is corrupt, so that retrying is pointless.
    package var isDamage: Bool { code.primary == .corrupt || code.primary == .notADatabase }

    package var description: String {
        "SQLite \(code.rawValue): \(message)" + (sql.map { " in «\($0.prefix(200))»" } ?? "") + (isDamage ? " in \(path)" : "")
    }
}
