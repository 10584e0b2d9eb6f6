// SPDX-License-Identifier: Apache-2.0

import EventStore
import Platform
import AcrossStores
import TestSupport
import Testing

@Suite struct LogSizeTests {
    @Test func `the WAL is checkpointed at the configured size`() async throws {
        let folder = TemporaryFolder()
        var options = StoreOptions()
        options.events.checkpointPages = 20
        try await withStore(in: folder, options: options) { store in
            for round in 0..<200 {
                var request = SubmissionBuilder(store: store, received: WallClock.system.now())
                for i in 0..<50 { request.add("a", id: "\(round)-\(i)") }
                _ = try await store.events.submit(request.submission())
            }
            let status = try await store.status()
            let day = try #require(status.partitions.first)
            #expect(Folder.size(of: store.paths.file(of: day.day) + "-wal") < 100 * 8_192)
        }
    }
}
