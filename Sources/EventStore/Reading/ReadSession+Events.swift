// SPDX-License-Identifier: Apache-2.0

package import Database
package import Platform
import SQLite

extension ReadSession {
    /// Opens the main file on a connection of its own.
    package func main() throws -> MainDB { try open(paths.main) }

    package func withMain<T>(_ body: (MainDB) throws -> T) throws -> T { try with(paths.main, body) }

    /// The days with a file, oldest first.
    package func days() throws -> [Day] { try paths.days() }

    /// Opens a day's file.
    ///
    /// Returns nil if data retention has just removed it.
    package func day(_ day: Day) throws -> DayDB? {
        do {
            return try open(paths.file(of: day))
        } catch let error as SQLiteError where error.code.primary == .cannotOpen {
            return nil
        }
    }

    /// Reads the files of days in parallel and returns the parts in the order of the days.
    package func each<T: Sendable>(of days: [Day], _ body: @escaping @Sendable (DayDB, Day) throws -> T) throws -> [T] {
        try each(of: days.map(paths.file)) { file, place in try body(file, days[place]) }
    }

    /// Reads the files of days in parallel and folds each part into a whole as it arrives, in no order.
    package func fold<Part: Sendable, Whole: Sendable>(
        of days: [Day], into start: Whole, _ body: @escaping @Sendable (DayDB, Day) throws -> Part,
        joining join: @escaping @Sendable (inout Whole, Part) throws -> Void
    ) throws -> Whole {
        try fold(days.count, into: start) { place in
            try self.with(days[place]) { try body($0, days[place]) }
        } joining: { whole, part in
            if let part { try join(&whole, part) }
        }
    }

    /// Calls a closure with a pooled connection to a day's file. Returns nil if data retention has just removed it.
    @discardableResult
    package func with<T>(_ day: Day, _ body: (DayDB) throws -> T) throws -> T? {
        do {
            return try with(paths.file(of: day), body)
        } catch let error as SQLiteError where error.code.primary == .cannotOpen {
            return nil
        }
    }
}
