// SPDX-License-Identifier: Apache-2.0

package import Database
package import Platform
import SQLite
import Synchronization

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
    ///
    /// At most two parts are in memory beside the whole.
    package func fold<Part: Sendable, Whole: Sendable>(
        of days: [Day], into start: Whole, _ body: @escaping @Sendable (DayDB, Day) throws -> Part,
        joining join: @escaping @Sendable (inout Whole, Part) throws -> Void
    ) throws -> Whole {
        let folded = Folded(start)
        _ = try each(of: days) { file, day in
            let part = try body(file, day)
            try folded.whole.withLock { try join(&$0, part) }
        }
        return folded.whole.withLock { $0 }
    }
}

/// The whole that parts are folded into, by either thread.
private final class Folded<Whole: Sendable>: Sendable {
    let whole: Mutex<Whole>

    init(_ start: Whole) {
        whole = Mutex(start)
    }
}
