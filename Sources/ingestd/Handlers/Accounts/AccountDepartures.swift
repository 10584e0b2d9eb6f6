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
        await run(orWarn: "could not erase the data of deleted accounts; retrying in a minute") { try await store.completeDepartures() }
        // A departure that fails does not keep user IDs.
        await run(orWarn: "could not forget the user IDs of deletions; retrying in a minute") { try await store.forgetDeletedIDs() }
    }

    private func run(orWarn warning: StaticString, _ body: @escaping @Sendable () async throws -> Void) async {
        do { try await queue.run(body) } catch {
            log.warning(warning, ["reason": .text("\(error)")])
        }
    }
}
