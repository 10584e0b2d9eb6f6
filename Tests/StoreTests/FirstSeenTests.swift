// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform
import SQLite
import AcrossStores
import TestSupport
import Testing

@Suite struct FirstSeenTests {
    @Test(arguments: [[0, 900_000, 1_800_000], [1_800_000, 0, 900_000], [900_000, 1_800_000, 0]])
    func `first_seen is the earliest reported time in any order`(times: [Int64]) async throws {
        let app = AppID(rawValue: 1)
        try await withStore { store async throws in
            let key = store.events.hash(.user, app: app, Array("ann".utf8).span)
            for time in times {
                let update = UserUpdate(
                    index: 0, installation: nil, installationKey: 0, user: "ann", userKey: key, properties: [],
                    time: Timestamp(milliseconds: time), alias: false)
                let told = UserSubmission(app: app, received: WallClock.system.now(), body: [], updates: [update], quarantined: [], corrections: [])
                try await store.events.submit(told)
            }
            let main = try Connection(store.paths.main, .read)
            #expect(try main.statement("SELECT first_seen FROM people").all { $0.integer(0) } == [0])
        }
    }
}
