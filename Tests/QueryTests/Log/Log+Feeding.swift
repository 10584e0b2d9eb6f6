// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import EventStore
import Events
import Platform
import AcrossStores
import TestSupport

/// Feeds logs to a store day by day. Each log is an app of its own, and an app must not see another's events.
func feed(_ logs: [Log], to store: Stores, _ clock: ManualClock, afterDay: (Int) async throws -> Void = { _ in }) async throws {
    for number in 1...Log.apps { _ = try await store.events.createAppWithKeys(named: "log \(number)") }
    for day in 0..<Log.days {
        try await withThrowingTaskGroup { group in
            for log in logs { group.addTask { try await log.feed(day: day, to: store, at: clock.now) } }
            try await group.waitForAll()
        }
        try await afterDay(day)
        clock.advance(by: .days(1))
    }
}

extension Log {
    /// The number of logs that share a store.
    static let apps: UInt64 = 20

    var app: AppID { AppID(rawValue: Int64(seed % Log.apps) + 1) }

    /// Returns the part of the log up to and including a day.
    func until(day: Int) -> Log {
        var log = self
        for later in events.indices.dropFirst(day + 1) { (log.events[later], log.updates[later], log.crashes[later]) = ([], [], []) }
        return log
    }

    /// Feeds the data of one day.
    fileprivate func feed(day: Int, to store: Stores, at now: Timestamp) async throws {
        if !updates[day].isEmpty {
            let records = updates[day].map { $0.record(store, app) }
            try await store.events.submit(UserSubmission(app: app, received: now, body: [], updates: records, quarantined: [], corrections: []))
        }
        if !crashes[day].isEmpty { _ = try await store.crashes.take(crashes[day].map(\.submission), app: app) }
        // Two requests, so that duplicates are tested within a commit and against stored rows.
        let half = events[day].count / 2
        for part in [events[day][..<half], events[day][half...]] {
            var request = SubmissionBuilder(app: app, store: store, received: now)
            for event in part {
                request.add(
                    event.name, id: event.id, time: event.time, user: event.user, installation: event.installation, session: event.session,
                    context: event.context, params: event.json, typed: event.typed
                ) { if event.isTrusted { $0.flags.insert(.trusted) } }
            }
            _ = try await store.events.submit(request.submission())
        }
    }
}

extension LoggedUpdate {
    fileprivate func record(_ store: Stores, _ app: AppID) -> UserUpdate {
        func key(_ domain: KeyedHash.Domain, _ text: String?) -> UInt64 { text.map { store.events.hash(domain, app: app, Array($0.utf8).span) } ?? 0 }
        return UserUpdate(
            index: 0, installation: installation, installationKey: key(.installation, installation), user: user, userKey: key(.user, user),
            properties: [UserProperty(name: name, value: value.map { Array($0.json.utf8) })], time: time, alias: isAlias)
    }
}

extension LoggedEvent {
    fileprivate var submission: CrashSubmission {
        var report = CrashReport(id: id, kind: .fatal, level: .fatal, time: time, type: "Crash")
        (report.user, report.installation, report.session) = (user, installation, session)
        report.context = zip(CrashContext.fields, context).compactMap { name, value in value.map { CustomKey(name, $0) } }
        let group = GroupKey(version: 1, hash: [1], stackHash: [1], reason: "", title: "Crash", culprit: nil)
        return CrashSubmission(index: 0, report: report, group: group, payload: Array("{}".utf8))
    }
}

/// Presence is folded and sessions are stored from time to time, so that both forms of each are read.
let options = {
    var options = StoreOptions()
    options.events.foldRows = 150
    options.events.sessions.parts = 100
    return options
}()
