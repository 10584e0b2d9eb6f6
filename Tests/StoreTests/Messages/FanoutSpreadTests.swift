// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import SQLite
import Synchronization
import TestSupport
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct FanoutSpreadTests {
    private static let small = {
        var bounds = MessageBounds()
        bounds.chunk = 7
        return bounds
    }()

    /// Runs a closure with a writer without an engine, which ends as if it were killed.
    private static func withWriter(
        _ folder: TemporaryFolder, _ clock: ManualClock, log: Log = Log(), _ body: (MessageWriter) throws -> Void
    ) throws {
        let file = try MessageDB.open(writing: StorePaths(root: folder.path).messages)
        try body(
            try MessageWriter(file, small, .ofTest(folder.path, clock.clock, log), MessageGauges(Metrics())))
    }

    @Test func `an interrupted fan-out resumes without gaps or duplicates`() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(MessageWorld.start))
        try await MessageWorld.run(in: folder, clock: clock, Self.small) { world in
            for number in 0..<60 {
                try await world.register("token-\(number)-abc", at: "https://a.example/hook")
                try await world.join("news", "token-\(number)-abc")
            }
        }
        try Self.withWriter(folder, clock) { writer in
            let publication = try MessageWorld.draft(to: .topic(try TopicName("news")))
            _ = writer.process([
                Change<MessageContext> { context in
                    _ = try context.publish(app: MessageWorld.app, publication)
                } done: {
                    #expect($0 == nil)
                }
            ])
        }
        for part in 1...3 {
            try Self.withWriter(folder, clock) { writer in
                for _ in 0..<2 { _ = writer.work() }
            }
            let file = try Connection(StorePaths(root: folder.path).messages, .read)
            #expect(try file.statement("SELECT count(*) FROM deliveries").first { $0.int(0) } == 14 * part)
        }
        try await MessageWorld.run(in: folder, clock: clock, Self.small) { world in
            try await world.finish()
            #expect(try await world.query("SELECT count(DISTINCT registration), count(*) FROM deliveries") { [$0.int(0), $0.int(1)] } == [[60, 60]])
            #expect(try await world.claim().deliveries.count == 60)
            try await world.expectWhole()
        }
    }

    @Test func `closed deliveries are removed after their retention, in chunks`() async throws {
        try await MessageWorld.run(Self.small) { world in
            for number in 0..<20 { try await world.register("token-\(number)-abc", at: "https://a.example/hook") }
            for number in 0..<20 { try await world.join("news", "token-\(number)-abc") }
            let old = try await world.publish(topic: "news") { $0.ttl = .hours(1) }
            try await world.finish()
            for delivery in try await world.claim(10).deliveries { try await world.settle(delivery, .dead, status: 500) }
            world.clock.advance(by: .hours(1))
            try await world.settleDown()
            #expect(try await world.messages.status(of: old.id, app: MessageWorld.app).stage == .over)
            #expect(try await world.counts(old.id) == [.dead: 10, .expired: 10])
            world.clock.advance(by: .days(20))
            let new = try await world.publish(topic: "news")
            world.clock.advance(by: .days(10))
            try await world.settleDown()
            await #expect(throws: Refusal.self) { try await world.messages.status(of: old.id, app: MessageWorld.app) }
            #expect(try await world.counts(new.id) == [.pending: 20])
            #expect(try await world.query("SELECT count(*) FROM deliveries") { $0.int(0) } == [20])
            #expect(try await world.query("SELECT count(*) FROM attempts") { $0.int(0) } == [0])
            #expect(try await world.query("SELECT DISTINCT message FROM message_counts") { $0.integer(0) }.count == 1)
            try await world.expectWhole()
        }
    }

    @Test func `a deleted app's messages are neither fanned out nor claimed, and are removed`() async throws {
        try await MessageWorld.run(Self.small) { world in
            // The directory does not contain this app.
            for number in 0..<60 {
                try await world.register("token-\(number)-abc", at: "https://a.example/hook")
                try await world.join("news", "token-\(number)-abc")
            }
            try await world.messages.change { context in
                for time in [nil, context.now + .seconds(1)] {
                    _ = try context.publish(app: MessageWorld.app, try MessageWorld.draft(to: .topic(try TopicName("news"))) { $0.sendAt = time })
                }
                #expect(try context.spread())
                // In the same change, because the writer continues the fan-out after it.
                try context.noteDeletedApps(besides: [])
                #expect(try !context.spread())
                #expect(try context.file.statement("SELECT count(*) FROM deliveries").first { $0.int(0) } == 7)
            }
            #expect(try await world.claim().deliveries.isEmpty)
            world.clock.advance(by: .seconds(2))
            try await world.settleDown()
            for table in ["messages", "deliveries", "registrations", "subscriptions", "origins", "deleted_apps"] {
                #expect(try await world.query("SELECT count(*) FROM \(table)") { $0.int(0) } == [0], "\(table)")
            }
        }
    }

    @Test func `failed commits are logged once per period`() throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(MessageWorld.start))
        let lines = Mutex<[String]>([])
        let log = Log(clock: clock.clock) { line in lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
        try Self.withWriter(folder, clock, log: log) { writer in
            for _ in 1...3 {
                _ = writer.process([
                    Change<MessageContext> { context in
                        try context.file.execute("ROLLBACK")
                    } done: {
                        #expect($0 != nil)
                    }
                ])
            }
        }
        #expect(lines.withLock { $0.count == 1 && $0[0].contains("could not commit messages") })
    }
}
