// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Platform

/// Erases or anonymises the data of deleted accounts, beside the requests. What is left after a kill is done at the next round.
struct AccountDepartures: Sendable {
    let store: Stores
    let log: Log
    private let queue = OneAtATime()

    /// Starts a round. Rounds run one after another.
    func begin() {
        Task { await run() }
    }

    func run() async {
        do {
            try await queue.run {
                try await store.completeDepartures()
                try await store.forgetDeletedIDs()
            }
        } catch {
            log.warning("could not erase the data of deleted accounts; retrying in a minute", ["reason": .text("\(error)")])
        }
    }
}
