// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Foundation
import Platform
import AcrossStores
import TestSupport

/// The event store alone, fed with decoded submissions: the writer's rate without HTTP and JSON.
enum WriteSide {
    static func run(_ options: Options) async throws {
        let folder = TemporaryFolder()
        let now = WallClock.system.now()
        try await withStore(in: folder) { store in
            var feed = Feed(options: options)
            let submissions = feed.next(store, now, events: options.events)
            let start = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<options.clients {
                    group.addTask {
                        for i in stride(from: client, to: submissions.count, by: options.clients) {
                            _ = try await store.events.submit(submissions[i])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let gauges = store.events.gauges
            print("write side: \(Int(Double(options.events) / seconds)) events/s in \(gauges.commits.value) commits of \(gauges.commitTime.mean) s")
        }
    }
}

/// Decoded requests of a hundred thousand users, each with an installation and a session.
struct Feed {
    let options: Options
    /// The number of submissions so far.
    private(set) var events = 0
    private var ids = UUIDv7Generator()

    init(options: Options) {
        self.options = options
    }

    mutating func next(_ store: Stores, _ now: Timestamp, events count: Int = 200_000) -> [EventSubmission] {
        let params = #"{"screen_name":"Home2","plan":"pro","n":1,"ratio":0.1,"value":1.5,"currency":"EUR","text":"abcdef"}"#
        return (0..<count / options.batch).map { _ in
            var builder = SubmissionBuilder(store: store, received: now)
            for n in events..<events + options.batch {
                let id = options.randomIDs ? UUID().uuidString : String(decoding: ids.next(at: now + .seconds(Int64(n / 1000))).text, as: UTF8.self)
                let user = "user-\(n &* 2_654_435_761 % 100_000)"
                builder.add("event_\(n % 50)", id: id, user: user, installation: "installation-\(user)", session: "s-\(user)", params: params)
            }
            events += options.batch
            return builder.submission()
        }
    }
}
