// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AppDirectory
import Database
import EventStore
import FunctionStore
import Functions
import Platform

extension Stores {
    /// Replaces signing keys that are due. Old ones are forgotten only while the clock is trusted.
    package func rotateSigningKeys() async throws {
        try await accounts.rotateKeysIfDue(mayForget: clockWatch.isBelieved)
    }

    /// Erases or anonymises the data of users whose accounts were deleted, as the apps' settings say.
    ///
    ///     DELETE /v1/auth/user    accounts.db: the account removed, a departure added; response
    ///     afterwards              the data of the user ID in all stores removed; the departure removed
    ///
    /// Data of the user's installations without the user ID stays: a client with an ingest key can claim any installation.
    package func completeDepartures() async throws {
        while true {
            let departures = try await accounts.departures()
            if departures.isEmpty { return }
            for departure in departures { try await complete(departure) }
        }
    }

    /// Forgets user IDs of deletions that triggers of functions have read or no longer want.
    package func forgetDeletedIDs() async throws {
        for app in try await accounts.appsWithDeletedIDs() {
            let place = try await functions.place(of: .user, app: app).flatMap { Int64($0) } ?? 0
            let last = functions.catalog.hasTriggerOnDeletedUsers(app) ? place : .max
            try await SpareSpace.forRemoval { try await accounts.forgetDeletedIDs(of: app, through: last) }
        }
    }

    private func complete(_ departure: AccountStore.Departure) async throws {
        let person = PersonID(.user, departure.uid)
        if events.directory.now.apps[departure.app] != nil {
            switch departure.rule {
            case .erase: _ = try await eraseOwnData(person, of: departure.app)
            case .anonymise: _ = try await anonymiseOwnData(person, of: departure.app)
            case .keep: break
            }
        }
        try await SpareSpace.forRemoval { try await accounts.complete(departure) }
    }
}
