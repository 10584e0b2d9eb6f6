// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import CrashStore
import Database
package import DocumentStore
import EventStore
package import Platform
import Synchronization

/// The bytes that each app takes on the disk, as last measured.
///
/// The file of a day belongs to all apps; its size is divided by their numbers of rows. Crash reports, attachments, minidumps, symbol
/// files and documents have their own sizes. Messages have limits of their own and do not count.
///
///     day of 100 MiB, 9 of 10 rows of app 1; crash reports of 5 MiB   →   app 1: 95 MiB
package final class StorageUse: Sendable {
    private struct DayRows {
        var bytes: Int64
        var rows: [AppID: Int64]
    }

    private struct State {
        var bytes: [AppID: Int64] = [:]
        var documents: [AppID: DocumentSize] = [:]
        /// Earlier days with the size they had when their rows were counted.
        var days: [Day: DayRows] = [:]
    }

    private let state = Mutex(State())

    init() {}

    /// Returns the bytes of an app; 0 before the first measurement.
    package func bytes(of app: AppID) -> Int64 { state.withLock { $0.bytes[app] ?? 0 } }

    package var all: [AppID: Int64] { state.withLock { $0.bytes } }

    /// The number of documents of each app and their bytes, as last measured.
    package var documents: [AppID: DocumentSize] { state.withLock { $0.documents } }

    fileprivate func known(_ day: Day, bytes: Int64, _ apps: [AppID]) -> [AppID: Int64]? {
        guard let known = state.withLock({ $0.days[day] }), known.bytes == bytes, apps.allSatisfy({ known.rows[$0] != nil }) else { return nil }
        return known.rows
    }

    fileprivate func replace(
        _ bytes: [AppID: Int64], _ documents: [AppID: DocumentSize], days: [(day: Day, bytes: Int64, rows: [AppID: Int64])]
    ) {
        state.withLock { state in
            (state.bytes, state.documents) = (bytes, documents)
            state.days = Dictionary(days.map { ($0.day, DayRows(bytes: $0.bytes, rows: $0.rows)) }) { $1 }
        }
    }
}

extension Stores {
    /// Measures the bytes of all apps. Files of earlier days that have not changed are not read again.
    package func measureStorage() async throws {
        let apps = events.directory.now.apps.keys.sorted()
        let (paths, use) = (paths, storageUse)
        let measured = try await readers.read(.large, seconds: 60) { session in
            let days = try session.days().compactMap { day -> (day: Day, bytes: Int64, rows: [AppID: Int64])? in
                let bytes = Folder.size(of: paths.file(of: day)) + Folder.size(of: paths.file(of: day) + "-wal")
                if let rows = use.known(day, bytes: bytes, apps) { return (day, bytes, rows) }
                guard let file = try session.day(day) else { return nil }
                return (day, bytes, Dictionary(try apps.map { ($0, try file.rows(of: $0)) }) { $1 })
            }
            let crashes = try session.withCrashes { file in try apps.map { ($0, try file.storedBytes(of: $0)) } }
            let documents = try session.withDocuments { file in try apps.map { ($0, try file.size(of: $0), try file.entryBytes(of: $0)) } }
            return (days: days, crashes: Dictionary(crashes) { $1 }, documents: documents)
        }
        var bytes = measured.crashes
        for (app, size, entries) in measured.documents { bytes[app, default: 0] += size.bytes + entries }
        for day in measured.days {
            let all = day.rows.values.reduce(0, +)
            for (app, rows) in day.rows where rows > 0 {
                bytes[app, default: 0] += Int64(Double(day.bytes) * Double(rows) / Double(all))
            }
        }
        use.replace(bytes, Dictionary(measured.documents.map { ($0.0, $0.1) }) { $1 }, days: measured.days)
    }
}
