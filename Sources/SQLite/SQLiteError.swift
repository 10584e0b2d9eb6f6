// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// What a call into SQLite answered when it was not success.
package struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// A result code; a primary code matches all its extended ones.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        package static let error = Code(rawValue: SQLITE_ERROR)
        package static let corrupt = Code(rawValue: SQLITE_CORRUPT)
        package static let notADatabase = Code(rawValue: SQLITE_NOTADB)
        package static let tooBig = Code(rawValue: SQLITE_TOOBIG)
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
    /// The statement that failed, never its values.
    package let sql: String?
    package let path: String

    /// Whether the file is not what SQLite wrote: no next try will go better.
    package var isDamage: Bool { code.primary == .corrupt || code.primary == .notADatabase }

    package var description: String {
        "SQLite \(code.rawValue): \(message)" + (sql.map { " in «\($0.prefix(200))»" } ?? "") + (isDamage ? " in \(path)" : "")
    }
}
