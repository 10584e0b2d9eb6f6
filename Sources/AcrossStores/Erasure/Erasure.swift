// SPDX-License-Identifier: Apache-2.0

package import AppDirectory
import CrashStore
import Database
import EventStore
import FunctionStore
import MessageStore
package import Platform

/// Erasure and anonymisation of a person across all stores.
///
/// An erasure may take minutes and changes several files without a common transaction, while intake goes on. Three rules make it complete
/// nevertheless. The main file stores the person's keys first (`departures`), so a repetition finds the same rows although the profile is
/// gone. Removal covers events up to the last sequence number at that time. Rows are removed in pieces of at most 5,000, so intake and
/// queries are served in between:
///
///     erase(user ana, block: true)
///       main.db        keys ana, i → departures, blocked; profile, properties, aliases removed
///       messages.db    registrations and their deliveries
///       crashes.db     reports
///       functions.db   runs of others at paths of the person
///       today's file   events 1 … last, by the writer of events
///       sealed days    each file, including today's if midnight passed meanwhile
///       companions     logs truncated
///       main.db        counts of people dropped, departures removed, logs of events truncated
///
///     process killed after crashes.db; the same request again
///       main.db        keys ana, i read from departures; the steps above, from the start
///
/// Each step finds nothing to do if it was done before. Deleted rows are overwritten (`secure_delete`), so the data is not left in free
/// pages. The write-ahead logs are truncated in every attempt, as a killed one may have left rows in them, and it ends only when they are:
///
///     a query reads documents.db          its log cannot be truncated; the erasure waits
///     the query ends in 5 seconds         the erasure goes on
///     the query is longer                 refused; the same request again finds only the log
extension Stores {
    /// Removes all data of a person. Data that arrives after the start may remain unless the person is blocked.
    ///
    /// - Parameters:
    ///   - dryRun: Counts what would be removed, and removes nothing.
    ///   - block: Drops further data of the person.
    package func erase(_ person: PersonID, of app: AppID, dryRun: Bool = false, block: Bool = false) async throws -> RemovalReport {
        try await remove(person, of: app, .erasure, dryRun: dryRun, block: block)
    }

    /// Gives a person's events new keys that cannot be traced back, and removes everything that names the person.
    package func anonymise(_ person: PersonID, of app: AppID, dryRun: Bool = false) async throws -> RemovalReport {
        try await remove(person, of: app, anonymity(in: app), dryRun: dryRun, block: false)
    }

    /// Erases what names the user ID itself, without the data of the user's installations.
    func eraseOwnData(_ person: PersonID, of app: AppID) async throws -> RemovalReport {
        try await remove(person, of: app, .erasure, dryRun: false, block: false, withInstallations: false)
    }

    /// Anonymises what names the user ID itself, without the data of the user's installations.
    func anonymiseOwnData(_ person: PersonID, of app: AppID) async throws -> RemovalReport {
        try await remove(person, of: app, anonymity(in: app), dryRun: false, block: false, withInstallations: false)
    }

    private func anonymity(in app: AppID) -> PersonRemoval.Kind {
        let params = Set(events.directory.now.apps[app]?.settings.privateParams ?? [])
        return .anonymity(salt: .random(in: 1...UInt64.max), privateParams: params)
    }

    private func remove(
        _ person: PersonID, of app: AppID, _ kind: PersonRemoval.Kind, dryRun: Bool, block: Bool, withInstallations: Bool = true
    ) async throws -> RemovalReport {
        try removalGate.enter()
        defer { removalGate.leave() }
        try await events.turn()
        let removal = try await removal(of: person, from: app, kind, withInstallations: withInstallations)
        if dryRun { return try await survey(removal) }
        return try await SpareSpace.forRemoval { try await remove(removal, block: block) }
    }

    private func remove(_ removal: PersonRemoval, block: Bool) async throws -> RemovalReport {
        let (extent, profile) = try await events.begin(removal, block: block)
        var ofCompanions: [RemovalCounts] = []
        for store in companions {
            ofCompanions.append(try await store.remove(removal))
            await takeSpareSpaceBack(from: store)
        }
        ofCompanions.append(try await functions.remove(try await pathRuns(of: removal.users, app: removal.app)))
        await takeSpareSpaceBack(from: functions)
        var ofEvents = profile
        ofEvents.add(try await events.removeRows(of: removal, within: extent))
        for store in companions { try await store.emptyLog() }
        try await events.end(removal)
        return RemovalReport(stores: [ofEvents] + ofCompanions)
    }

    private func survey(_ removal: PersonRemoval) async throws -> RemovalReport {
        var stores = [try await events.survey(removal)]
        for store in companions { stores.append(try await store.survey(removal)) }
        stores.append(try await functions.survey(try await pathRuns(of: removal.users, app: removal.app)))
        return RemovalReport(stores: stores)
    }
}
