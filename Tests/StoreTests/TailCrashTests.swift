// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct TailCrashTests {
    private struct OtherUpdate: Error {}

    @Test func `a slow listener gets the newest crashes and the number of missed ones`() async throws {
        try await CrashWorld.run { world in
            let listener = try world.store.events.tail.join(app: CrashWorld.app, key: nil)
            for number in 0..<250 { try await world.take("\(number)", "a") }
            try await world.take("249", "a")
            try await world.take("theirs", "a", app: AppID(rawValue: 2))
            var reader = TailReader(world.store.events, listener, after: nil, TailFilter())
            guard case .crashes(let crashes, let missed) = try await reader.next() else { throw OtherUpdate() }
            #expect(crashes.map(\.id) == (150..<250).map(String.init) && missed == 150)
            #expect(crashes.allSatisfy { $0.title == "a" })
        }
    }

    @Test func `an erased person's crashes are removed from pending notifications`() async throws {
        try await CrashWorld.run { world in
            let listener = try world.store.events.tail.join(app: CrashWorld.app, key: nil)
            try await world.take("1", "a", user: "leaving")
            _ = try await world.store.erase(PersonID(.user, "leaving"), of: CrashWorld.app)
            #expect(listener.takeCrashes().crashes.isEmpty)
        }
    }
}
