// SPDX-License-Identifier: Apache-2.0

import AppDirectory
package import Events
import Platform

extension EventStore {
    /// Returns the places of the events that the writer would not store now: duplicates, events of blocked users, and new names beyond the
    /// limit.
    ///
    /// A caller that derives something else from the events of a request leaves these out.
    package func refusals(of submission: EventSubmission) async throws -> Set<Int> {
        try await change(bytes: submission.bytesHeld) { [directory] context in
            let directory = directory.now
            let kept = submission.quarantining(directory.blocked)
            let taken = try context.dryRun(kept.records, app: kept.app, nameLimit: directory.nameLimit(of: kept.app))
            return Set(submission.records.map { Int($0.index) }).subtracting(taken)
        }
    }
}

extension DayCommit {
    /// Returns the places of the records that a transaction would store, without storing them.
    func dryRun(_ records: [EventRecord], app: AppID, nameLimit: Int, in file: DayFile) throws -> Set<Int> {
        var taken: Set<Int> = []
        var (names, ids, transactions): (Set<UInt64>, Set<UInt64>, Set<UInt64>) = ([], [], [])
        for record in records {
            if try !names.contains(record.nameKey) && !file.words.has(record.nameKey) {
                guard file.words.count(.name, app: app.rawValue) + names.count < nameLimit else { continue }
                names.insert(record.nameKey)
            }
            guard try !ids.contains(record.idKey) && !seen.ids.contains(record.idKey) else { continue }
            if let keys = record.transactionKeys {
                let isTrusted = record.isTrusted
                guard try !seen.contains(keys, isTrusted: isTrusted), keys.insert(into: &transactions, isTrusted: isTrusted) else { continue }
            }
            ids.insert(record.idKey)
            taken.insert(Int(record.index))
        }
        return taken
    }
}

extension Directory {
    /// The limit of different event names of an app in a day.
    func nameLimit(of app: AppID) -> Int { apps[app]?.settings.limits.eventNames ?? EventLimits.firebase.eventNames }
}
