// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform
import AcrossStores
import TestSupport
import Testing

@Suite struct OnceTests {
    @Test func `an event ID counts once within a request, across requests and across restarts`() async throws {
        let folder = TemporaryFolder()
        let now = Timestamp(milliseconds: 1_790_000_000_000)
        try await withStore(in: folder, clock: ManualClock(now).clock) { store in
            var request = SubmissionBuilder(store: store, received: now)
            request.add("a", id: "0190b0c8-0000-7000-8000-000000000001")
            request.add("a", id: "0190B0C8-0000-7000-8000-000000000001")
            request.add("a", id: "mine")
            let first = try await store.events.submit(request.submission())
            #expect(first.accepted == 2)
            #expect(first.verdicts.map(\.index) == [1])
            #expect(first.verdicts.map(\.reason) == [.eventDuplicate])
            #expect(try await store.events.submit(request.submission()).duplicates == 3)
        }
        try await withStore(in: folder, clock: ManualClock(now).clock) { store in
            var request = SubmissionBuilder(store: store, received: now)
            request.add("a", id: "mine")
            let again = try await store.events.submit(request.submission())
            #expect(again.duplicates == 1)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a dry run predicts every rejection`(seed: UInt64) async throws {
        let now = Timestamp(milliseconds: 1_790_000_000_000)
        try await withStore(in: TemporaryFolder(), clock: ManualClock(now).clock) { store in
            var random = SeededGenerator(seed)
            // More names than the limit, and few IDs and transactions, so that every kind of rejection occurs.
            let app = try await store.events.createAppWithKeys(named: "shop").0.id
            _ = try await store.events.setApp(app, [("event_names", "12")])
            for _ in 0..<40 {
                var request = SubmissionBuilder(app: app, store: store, received: now)
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let isSale = Bool.random(using: &random)
                    let id = "\(Int.random(in: 0..<60, using: &random))"
                    if isSale {
                        let transaction = "\(Int.random(in: 0..<30, using: &random))"
                        request.add("purchase", id: id, typed: .sale(transaction: transaction, amount: 1, currency: "EUR"))
                    } else {
                        request.add("name_\(Int.random(in: 0..<16, using: &random))", id: id)
                    }
                }
                let submission = request.submission()
                let foretold = try await store.events.refusals(of: submission)
                #expect(try await Set(store.events.submit(submission).verdicts.map(\.index)) == foretold)
            }
        }
    }

    @Test func `an event ID counts once across midnight`() async throws {
        let folder = TemporaryFolder()
        let clock = ManualClock(Day(year: 2026, month: 11, day: 21).start - .seconds(1))
        try await withStore(in: folder, clock: clock.clock) { store in
            var before = SubmissionBuilder(store: store, received: clock.now)
            before.add("a", id: "one")
            #expect(try await store.events.submit(before.submission()).accepted == 1)
            clock.advance(by: .seconds(2))
            var after = SubmissionBuilder(store: store, received: clock.now)
            after.add("a", id: "one")
            after.add("a", id: "two")
            let outcome = try await store.events.submit(after.submission())
            #expect(outcome.accepted == 1)
            #expect(outcome.duplicates == 1)
        }
    }
}
