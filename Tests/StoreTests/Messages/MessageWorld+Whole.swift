// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import SQLite
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

extension MessageWorld {
    /// Expects that counters match the rows and that all that is due is scheduled.
    func expectWhole(_ comment: String = "", at location: SourceLocation = #_sourceLocation) async throws {
        let gauges = messages.gauges
        // On the writer's thread, so that nothing changes meanwhile.
        let (found, counts) = try await messages.change { context in
            let found = try MessageRecount.wrongs.mapValues { try context.file.statement($0).all { $0.integer(0) } }
            let counts = try DeliveryState.allCases.filter(\.isOpen).map { state in
                let rows = try context.file.statement("SELECT count(*) FROM deliveries WHERE state = ?").first(.integer(state.rawValue)) { $0.int(0) }
                return (state, there: rows ?? 0, shown: gauges.count(state))
            }
            return (found, counts)
        }
        for (what, rows) in found { #expect(rows.isEmpty, "\(what), \(comment)", sourceLocation: location) }
        for (state, there, shown) in counts { #expect(shown == there, "the gauge of \(state), \(comment)", sourceLocation: location) }
    }
}
