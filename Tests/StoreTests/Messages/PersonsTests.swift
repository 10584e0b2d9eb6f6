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

@Suite struct PersonsTests {
    private static let app = MessageWorld.app

    private static func register(_ world: MessageWorld, _ token: String, installation: String?, user: String?) async throws {
        let draft = try MessageWorld.draft(token, try MessageWorld.webhook("https://a.example/\(token)"), installation: installation, user: user)
        _ = try await world.messages.register(app: app, draft, isTrusted: true)
        try await world.join("news", token)
    }

    /// Registers two devices of a user, a shared one and another person's, and publishes a message to some of them.
    private static func populate(_ world: MessageWorld) async throws -> String {
        // The installation `own` was seen only with the user `leaving`.
        var builder = SubmissionBuilder(store: world.store, received: world.clock.now)
        builder.add("a", id: "1", user: "leaving", installation: "own")
        _ = try await world.store.events.submit(builder.submission())
        try await register(world, "users-token", installation: "phone", user: "leaving")
        try await register(world, "anonymous-token", installation: "own", user: nil)
        try await register(world, "others-token", installation: "own", user: "staying")
        let id = try await world.publish(topic: "news").id
        try await world.finish()
        let claimed = try await world.claim().deliveries
        for delivery in claimed where delivery.token != "anonymous-token" { try await world.settle(delivery, .delivered) }
        return id
    }

    private static func tokens(_ world: MessageWorld) async throws -> [String] {
        try await world.messages.registrations(app: app, after: 0, limit: 10).map(\.token)
    }

    @Test func `erasing a person removes registrations and deliveries and adjusts counts`() async throws {
        let folder = TemporaryFolder()
        try await MessageWorld.run(in: folder) { world in
            let id = try await Self.populate(world)
            let person = PersonID(.user, "leaving")
            let would = try await world.store.erase(person, of: Self.app, dryRun: true)
            #expect(would[.registrations] == 2 && would[.deliveries] == 2)
            #expect(try await Self.tokens(world).count == 3)
            let report = try await world.store.erase(person, of: Self.app, block: true)
            #expect(report[.registrations] == 2 && report[.deliveries] == 2 && report[.events] == 1)
            #expect(try await Self.tokens(world) == ["others-token"])
            #expect(try await world.counts(id) == [.delivered: 1])
            #expect(try await world.query("SELECT count(*) FROM attempts") { $0.int(0) } == [1])
            try await world.expectWhole()
            // The file and its write-ahead log contain nothing of the person.
            for path in [world.store.paths.messages, world.store.paths.messages + "-wal"] {
                let bytes = try File(path, .read).read(at: 0, count: Int(Folder.size(of: path)))
                for text in ["users-token", "anonymous-token", "leaving"] { #expect(!bytes.contains(text), "\(text) in \(path)") }
            }
            // New registrations of the person are rejected.
            for (user, installation) in [("leaving", nil), (nil, "own")] as [(String?, String?)] {
                let draft = try MessageWorld.draft("again-token", .stream, installation: installation, user: user)
                let refusal = await #expect(throws: Refusal.self) { try await world.messages.register(app: Self.app, draft, isTrusted: true) }
                #expect(refusal?.fields.first?.code == "blocked")
            }
            let draft = try MessageWorld.draft(nil, nil, user: "leaving")
            await #expect(throws: Refusal.self) { try await world.messages.update(app: Self.app, token: "others-token", draft, isTrusted: true) }
            #expect(try await world.store.events.unblock(person, of: Self.app))
            try await Self.register(world, "again-token", installation: nil, user: "leaving")
        }
    }

    @Test func `erasing an installation removes its registrations of any user`() async throws {
        try await MessageWorld.run { world in
            _ = try await Self.populate(world)
            let report = try await world.store.erase(PersonID(.installation, "own"), of: Self.app)
            #expect(report[.registrations] == 2 && report[.deliveries] == 2)
            #expect(try await Self.tokens(world) == ["users-token"])
            try await world.expectWhole()
        }
    }

    @Test func `a repeated erasure removes what an interrupted one left`() async throws {
        try await MessageWorld.run { world in
            _ = try await Self.populate(world)
            let person = PersonID(.user, "leaving")
            let removal = try await world.store.removal(of: person, from: Self.app, .erasure)
            // The state after a kill that follows the first step.
            let ids = try await world.messages.change { try $0.closeRegistrations(of: removal) }
            #expect(ids.count == 2)
            try await world.expectWhole()
            let report = try await world.store.erase(person, of: Self.app)
            #expect(report[.registrations] == 2 && report[.deliveries] == 2)
            #expect(try await Self.tokens(world) == ["others-token"])
        }
    }

    @Test func `an anonymised person's registrations still receive messages`() async throws {
        try await MessageWorld.run { world in
            _ = try await Self.populate(world)
            let report = try await world.store.anonymise(PersonID(.user, "leaving"), of: Self.app)
            #expect(report[.registrations] == 2 && report[.deliveries] == 0)
            let all = try await world.messages.registrations(app: Self.app, after: 0, limit: 10)
            #expect(all.map(\.user) == [nil, nil, "staying"] && all.map(\.installation) == [nil, nil, "own"])
            #expect(try await world.publish(topic: "news").audience == 3)
            try await world.expectWhole()
        }
    }

    @Test func `a deleted app's rows are removed in chunks, and other apps' rows stay`() async throws {
        var bounds = MessageBounds()
        bounds.chunk = 2
        try await MessageWorld.run(bounds) { world in
            let (store, messages) = (world.store, world.messages)
            let apps = [
                try await store.events.createAppWithKeys(named: "going").0.id, try await store.events.createAppWithKeys(named: "staying").0.id,
            ]
            for app in apps {
                for number in 0..<5 {
                    try await world.register("token-\(number)-abc", at: "https://a.example/hook", app: app)
                    _ = try await messages.changeTopic(try TopicName("news"), app: app, tokens: ["token-\(number)-abc"], joins: true)
                }
                try await world.publish(topic: "news", app: app, key: IdempotencyKey(key: "k", hash: [1]))
                try await world.publish(topic: "news", app: app) { $0.sendAt = world.clock.now + .days(1) }
                _ = try await messages.rotateAppSecret(app, .symmetric)
                try await messages.raise(
                    StandingAlert(app: app, topic: .system, cause: "disk"), try MessageWorld.draft(to: .topic(TopicName(.system))))
            }
            try await world.finish()
            try await store.deleteApp(apps[0])
            try await world.settleDown()
            for (table, count) in [
                ("registrations", 5), ("subscriptions", 5), ("topics", 1), ("messages", 3), ("deliveries", 5), ("app_secrets", 1), ("idempotency", 1),
                ("alerts", 1), ("deleted_apps", 0),
            ] {
                #expect(try await world.query("SELECT count(*) FROM \(table)") { $0.int(0) } == [count], "\(table)")
            }
            #expect(try await messages.list(app: apps[1], before: .max, limit: 10).count == 3)
            try await world.expectWhole()
        }
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool {
        holds(Array(text.utf8))
    }
}
