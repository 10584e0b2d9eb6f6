// SPDX-License-Identifier: Apache-2.0

import EventStore
import Events
import Platform
import AcrossStores
import TestSupport
import Testing

@testable import AppDirectory

/// Differential tests: each query result is compared with a model that computes it from the plain list of events.
///
/// `SIGNALBOX_QUERY_LOGS=5000` tests more logs, and `SIGNALBOX_QUERY_SEED=42` the log of that seed. A secret of the folder decides between
/// users named in the same millisecond, so a difference that depends on it may need several runs to reproduce.
@Suite struct DifferentialTests {
    /// Each era has a store with sessions in memory and one without.
    private static let fewStores = UInt64(2 * Era.all.count)
    private static let stores = RandomRuns.only.map { [$0 / Log.apps] } ?? Array(0..<(RandomRuns.logs.map { $0 / Log.apps } ?? fewStores))
    /// The number of stores open at once.
    private static let lanes = min(stores.count, 2)

    @Test(arguments: 0..<lanes)
    func `every query result matches the model`(lane: Int) async throws {
        for place in stride(from: lane, to: Self.stores.count, by: Self.lanes) { try await Self.compare(store: Self.stores[place]) }
    }

    /// In a short run a store has five logs, and the first of them is compared.
    private static let logsPerStore = RandomRuns.only == nil && RandomRuns.logs == nil ? 5 : Log.apps

    private static func isAsked(_ log: Log) -> Bool {
        if let only = RandomRuns.only { return log.seed == only }
        return RandomRuns.logs != nil || log.seed.isMultiple(of: Log.apps)
    }

    private static func compare(store number: UInt64) async throws {
        let era = Era.all[Int(number) % Era.all.count]
        let logs = (number * Log.apps..<number * Log.apps + logsPerStore).map { LogMaker.log($0, era) }
        let clock = ManualClock(era.day.start + .hours(12))
        var options = options
        // Sessions come from memory in every other store.
        if !number.isMultiple(of: 2) { options.sessionBytes = 0 }
        try await withStore(options: options, clock: clock.clock) { store async throws in
            let asked = logs.filter(isAsked)
            // Cached results must be recomputed when new data arrives.
            try await feed(logs, to: store, clock) { day in
                for log in asked { try await compare(log.until(day: day), store, [.activeUsers, .sessions, .crashFree]) }
            }
            for log in asked { try await compare(log, store, QueryName.allCases) }
        }
    }

    private static func compare(_ log: Log, _ store: Stores, _ names: [QueryName]) async throws {
        let model = Model(log) { $0.id.key(in: log.app, store.events.hash) }
        for question in Question.some(about: log) where names.contains(question.name) {
            let query = try question.query(now: log.now)
            let answer = try await Answer(of: store, to: query, app: log.app)
            let expected = try Answer(of: model, to: query, like: answer.about.source)
            // The store knows the people of single minutes only as far as its memory goes back.
            let mayBeCoarse = question.name == .realtime
            if mayBeCoarse, answer == (try Answer(of: model, to: query, like: answer.about.source, byQuarters: true)) { continue }
            if let difference = answer.difference(from: expected) {
                Issue.record("SIGNALBOX_QUERY_SEED=\(log.seed), \(log.era.zone), now \(log.now.rfc3339): \(question): \(difference)")
            }
        }
    }
}
