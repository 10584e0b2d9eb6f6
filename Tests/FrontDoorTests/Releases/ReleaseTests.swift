// SPDX-License-Identifier: Apache-2.0

import Foundation
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
@testable import ingestd

/// The folder of every release gives the responses that were recorded with it.
struct ReleaseTests {
    @Test(arguments: try ReleaseFolder.names)
    func `a folder of an earlier release gives the same responses, also when it is opened again`(name: String) async throws {
        let release = try ReleaseFolder(named: name)
        let folder = TemporaryFolder()
        try await ReleaseFolder.unpack(name, into: folder)
        for _ in 0..<2 {
            try await withDaemon(in: folder, clock: ManualClock(ReleaseContents.end).clock, sends: false) { live in
                let responses = try await release.ask(live)
                #expect(responses.map(\.target) == release.responses.map(\.target))
                let changed = zip(responses, release.responses).filter { !$0.agrees(with: $1) }.map(\.1.target)
                #expect(changed == [])
            }
        }
    }

    /// Creates the folder of the next release: `SIGNALBOX_RELEASE_FOLDER=0.2 ./scripts/test --filter ReleaseTests`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["SIGNALBOX_RELEASE_FOLDER"] != nil))
    func `the folder of a release is created`() async throws {
        let name = try #require(ProcessInfo.processInfo.environment["SIGNALBOX_RELEASE_FOLDER"])
        let folder = TemporaryFolder()
        let clock = ManualClock(ReleaseContents.start)
        var release = try await withDaemon(in: folder, clock: clock.clock, sends: false) { live in
            var contents = ReleaseContents(live: live, clock: clock)
            return ReleaseFolder(readKeys: try await contents.fill().map(\.read))
        }
        release.responses = try await withDaemon(in: folder, clock: clock.clock, sends: false) { [release] live in
            try await live.daemon.store.events.finishDays()
            return try await release.ask(live)
        }
        try await release.save(as: name, folder)
    }
}
