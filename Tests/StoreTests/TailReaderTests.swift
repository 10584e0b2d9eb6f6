// SPDX-License-Identifier: Apache-2.0

import Events
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

@Suite struct TailReaderTests {
    @Test func `a listener gets only its own app's events of a shared commit`() async throws {
        let folder = TemporaryFolder()
        let store = try Stores(folder.path) { fatalError($0) }
        let apps = [AppID(rawValue: 1), AppID(rawValue: 2)]
        let listener = try store.events.tail.join(app: apps[0], key: nil)
        // The writer does not run yet, so that all submissions are in one commit.
        for round in 0..<3 {
            for app in apps {
                var builder = SubmissionBuilder(app: app, store: store, received: Timestamp(milliseconds: 1_790_000_000_000))
                for event in 0..<2 { builder.add("of_\(app.rawValue)", id: "\(round)-\(event)", user: "u") }
                // A duplicate, which is not stored.
                builder.add("of_\(app.rawValue)", id: "\(round)-0")
                store.events.submit(builder.submission()) { _, _ in }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await store.run() }
            var reader = TailReader(store.events, listener, after: nil, TailFilter())
            guard case .records(let records) = try await reader.next() else { throw TestFailure() }
            let events = records.map { if case .event(let event) = $0 { "\(event.seq) \(event.name) \(event.id)" } else { "" } }
            #expect(events == ["1 of_1 0-0", "2 of_1 0-1", "5 of_1 1-0", "6 of_1 1-1", "9 of_1 2-0", "10 of_1 2-1"])
            store.close()
            try await group.waitForAll()
        }
    }

    @Test func `a small commit after a large one uses little memory`() async throws {
        let folder = TemporaryFolder()
        let store = try Stores(folder.path) { fatalError($0) }
        let app = AppID(rawValue: 1)
        let listener = try store.events.tail.join(app: app, key: nil)
        func submission(_ events: Range<Int>) -> EventSubmission {
            var builder = SubmissionBuilder(app: app, store: store, received: Timestamp(milliseconds: 1_790_000_000_000))
            for event in events { builder.add("e", id: "\(event)", user: "u") }
            return builder.submission()
        }
        store.events.submit(submission(0..<1_000)) { _, _ in }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await store.run() }
            var place = TailRing.Place(seq: listener.last, seen: nil)
            for size in [1_000, 1] {
                for await _ in listener.wakeUps { break }
                guard case .commit(let commit) = listener.next(&place) else { throw TestFailure() }
                #expect(
                    commit.events.count == size && commit.events.capacity < size + 20 && commit.ends.capacity < 20 && commit.submissions.capacity < 20
                )
                place.seq = commit.lastSeq
                if size > 1 { store.events.submit(submission(2_000..<2_001)) { _, _ in } }
            }
            store.close()
            try await group.waitForAll()
        }
    }

    private struct TestFailure: Error {}
}
