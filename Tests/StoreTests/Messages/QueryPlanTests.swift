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

/// Frequent statements must not become slower as the store grows.
@Suite struct QueryPlanTests {
    /// Tables with few rows, or one row per app or alert.
    private static let small: Set = ["meta", "alerts", "deleted_apps", "sqlite_sequence", "sqlite_schema"]
    /// Partial indexes of pending work, read from their start.
    private static let ofWork: Set = [
        "deliveries_due", "registrations_disabled", "registrations_to_challenge", "messages_scheduled", "messages_to_spread", "messages_to_cancel",
    ]

    /// Statements that initialize the gauges.
    private static let once: Set = ["SELECT count(*) FROM registrations", "SELECT state, sum(count) FROM message_counts GROUP BY state"]

    @Test func `no statement scans a large table`() async throws {
        let statements = try await MessageWorld.run { world in
            try await Self.doEverything(world)
            let written = try await world.messages.change { $0.file.connection.preparedTexts }
            return written + (try await world.messages.read { $0.connection.preparedTexts })
        }
        #expect(statements.count > 100)
        let frequent = Set(statements).subtracting(Self.once)
        #expect(try Self.plans().scans(frequent, small: Self.small, ofWork: Self.ofWork) == [])
    }

    @Test func `claims and fan-outs read rows in index order without sorting`() async throws {
        let statements = try await MessageWorld.run { world in
            try await Self.doEverything(world)
            return try await world.messages.change { $0.file.connection.preparedTexts }
        }
        let plans = try Self.plans()
        let ordered = statements.filter { $0.contains("ORDER BY") && !$0.contains("INDEXED BY") }
        #expect(ordered.count > 10)
        for sql in ordered {
            let plan = try plans.steps(sql)
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(sql)")
        }
        let claim = try #require(statements.first { $0.contains("coalesce(r.secret, a.secret)") && $0.contains("d.due") })
        let plan = try plans.steps(claim)
        #expect(plan.first == "SEARCH d USING INDEX deliveries_due (origin=? AND due<?)")
    }

    @Test func `an app's deliveries are found through its messages`() async throws {
        let statements = try await MessageWorld.run { world in
            try await Self.doEverything(world)
            return try await world.messages.read { $0.connection.preparedTexts }
        }
        let plans = try Self.plans()
        let lists = Set(statements).filter { $0.contains("FROM messages m CROSS JOIN deliveries d") && $0.contains("m.id < ?") }
        #expect(lists.count == 2)
        for sql in lists {
            let plan = try plans.steps(sql)
            #expect(plan.contains("SEARCH m USING INDEX messages_of_app (app=? AND id<?)"))
            let index = sql.contains("d.state = 6") ? "dead_letters" : "deliveries_of_message"
            #expect(plan.contains("SEARCH d USING INDEX \(index) (message=?)"), "\(plan)")
        }
    }

    @Test func `a device's deliveries are found by an index for open or closed ones`() async throws {
        let statements = try await MessageWorld.run { world in
            try await Self.doEverything(world)
            let written = try await world.messages.change { $0.file.connection.preparedTexts }
            return written + (try await world.messages.read { $0.connection.preparedTexts })
        }
        let plans = try Self.plans()
        let ofDevices = Set(statements).filter { $0.contains("registration = ? AND state") || $0.contains("d.registration = ? AND d.state") }
        #expect(ofDevices.count >= 6)
        for sql in ofDevices {
            let plan = try plans.steps(sql)
            let index = sql.contains("state < 5") ? "deliveries_open" : "deliveries_over"
            #expect(plan.contains { $0.contains("INDEX \(index) (registration=?") }, "\(sql): \(plan)")
        }
    }

    private static func plans() throws -> StatementPlans { try StatementPlans { try MessageDB.schema.apply(to: $0) } }

    /// Runs each query and change at least once, so that all statements are prepared.
    private static func doEverything(_ world: MessageWorld) async throws {
        let (messages, app) = (world.messages, MessageWorld.app)
        for token in ["token-1-abc", "token-2-abc", "token-3-abc"] { try await world.register(token, at: "https://a.example/hook") }
        try await world.register("stream-token")
        try await world.register("waiting-token", at: "https://b.example/hook", isTrusted: false)
        _ = try await messages.register(app: app, try MessageWorld.draft(nil, .stream, installation: "i", user: "u"), isTrusted: true)
        var owned = try MessageWorld.draft("owned-token", .stream, installation: "i", user: "ana")
        owned.proof = .session([1])
        _ = try await messages.register(app: app, owned, isTrusted: false)
        owned.token = nil
        _ = try await messages.register(app: app, owned, isTrusted: false)
        _ = try await messages.publish(app: app, try MessageWorld.draft(to: .user("ana")))
        let notice = AccountMessage(
            seq: 1, time: world.clock.now, app: app, publication: try MessageWorld.draft(to: .topic(TopicName(DaemonTopic.accounts))))
        try await messages.follow([notice], releasing: [[1]])
        try await world.join("news", "token-1-abc", "token-2-abc", "token-3-abc", "stream-token", "waiting-token")
        try await world.join("news", "token-3-abc", leaves: true)
        let condition = MessageDraft.Target.condition(try Condition("'news' in topics && !('x' in topics)"))
        var ids: [String] = []
        for _ in 0..<2 {
            ids.append(try await world.publish(topic: "news", key: IdempotencyKey(key: "k", hash: [1])) { $0.collapseKey = try CollapseKey("k") }.id)
            ids.append(try await world.publish(to: "token-1-abc", "stream-token").id)
            ids.append(try await messages.publish(app: app, try MessageWorld.draft(to: condition) { $0.collapseKey = try CollapseKey("k") }).id)
            ids.append(try await world.publish(topic: "news") { $0.sendAt = world.clock.now + .seconds(1) }.id)
            world.clock.advance(by: .seconds(1))
            try await world.finish()
        }
        for verdict in [DeliveryVerdict.delivered, .dead, .retry(at: world.clock.now), .returned(due: world.clock.now), .gone] {
            if let delivery = try await world.claim(1).deliveries.first { try await world.settle(delivery, verdict) }
        }
        let challenge = try #require(try await messages.claimChallenges(ChallengeRequest(limit: 1)).challenges.first)
        try await messages.completed(challenge, .proven)
        let stream = try await messages.registration(app: app, token: "stream-token").id
        let page = try await messages.page(ofStream: stream, after: 0)
        try await messages.wroteToStream(page.items.map(\.delivery))
        try await messages.acknowledge(stream: stream, through: page.items[0].delivery)
        _ = try await messages.reader(app: app, token: "stream-token")
        _ = try await messages.rotateAppSecret(app, .symmetric)
        _ = try await messages.rotateSecret(app: app, token: "waiting-token")
        _ = try await messages.redrive(ids[0], app: app)
        try await messages.cancel(ids[1], app: app)
        _ = try await messages.disabledOrigins()
        _ = try await messages.standingAlerts()
        _ = try await messages.list(app: app, before: .max, limit: 10)
        for (message, state) in [(nil, nil), (ids[0], nil), (nil, DeliveryState.dead), (ids[0], .dead), (ids[0], .pending)] {
            _ = try await messages.deliveries(DeliveryFilter(app: app, message: message, state: state, before: .max, limit: 10))
        }
        var profile = PersonProfile()
        profile.partners = [.init(id: "i", firstSeen: nil, lastSeen: nil, isAlias: true)]
        for person in [PersonID(.user, "u"), PersonID(.installation, "i")] {
            let devices = try await messages.devices(of: person, profile, app: app)
            _ = try await messages.deliveries(to: devices, before: .max, limit: 10, .list)
        }
        _ = try await messages.topics(app: app, after: "", limit: 10)
        _ = try await messages.topics(ofRegistration: stream)
        _ = try await messages.subscribers(of: try TopicName("news"), app: app, after: 0, limit: 10)
        for (user, installation) in [(nil, nil), ("u", nil), (nil, "i")] {
            _ = try await messages.registrations(app: app, user: user, installation: installation, after: 0, limit: 10)
        }
        try await messages.remove(app: app, token: "waiting-token")
        world.clock.advance(by: .days(29))
        try await world.settleDown()
        try await messages.forgetDeletedApps()
        world.clock.advance(by: .days(300))
        try await world.settleDown()
    }
}
