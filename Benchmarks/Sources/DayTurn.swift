// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform
import AcrossStores
import Synchronization
import TestSupport

/// The effect of sealing a large day on concurrent commits, measured first without it, then with it.
enum DayTurn {
    static func run(_ options: Options) async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Day(year: 2026, month: 11, day: 1).start + .hours(12))
        try await withStore(in: folder, clock: clock.clock) { store in
            var feed = Feed(options: options)
            while feed.events < options.events { _ = try await submit(feed.next(store, clock.now), options, to: store) }
            clock.advance(by: .days(1))
            // The next job of the writer switches the day.
            try await store.rest()
            let before = try await store.status().partitions[0].bytes
            for _ in 0..<3 { print("alone: \(try await submit(feed.next(store, clock.now), options, to: store))") }
            let finished = Mutex<Duration?>(nil)
            let work = Task {
                let start = ContinuousClock.now
                try await store.events.finishDays()
                finished.withLock { $0 = ContinuousClock.now - start }
            }
            while finished.withLock({ $0 == nil }) { print("beside: \(try await submit(feed.next(store, clock.now), options, to: store))") }
            try await work.value
            let after = try await store.status().partitions[0].bytes
            let seconds = finished.withLock { $0 ?? .zero } / .seconds(1)
            print("finished \(options.events) events in \(seconds) s, \(before) bytes before, \(after) after")
        }
    }

    private static func submit(_ submissions: [EventSubmission], _ options: Options, to store: Stores) async throws -> String {
        let start = ContinuousClock.now
        var times: [Double] = []
        try await withThrowingTaskGroup(of: [Double].self) { group in
            for client in 0..<options.clients {
                group.addTask {
                    var times: [Double] = []
                    for i in stride(from: client, to: submissions.count, by: options.clients) {
                        let start = ContinuousClock.now
                        _ = try await store.events.submit(submissions[i])
                        times.append((ContinuousClock.now - start) / .milliseconds(1))
                    }
                    return times
                }
            }
            for try await part in group { times += part }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        times.sort()
        return
            "\(Int(Double(submissions.count * options.batch) / seconds)) events/s, p50 \(times[times.count / 2]) ms, p99 \(times[times.count * 99 / 100]) ms, longest \(times[times.count - 1]) ms"
    }
}
