// SPDX-License-Identifier: Apache-2.0

package import AcrossStores
import AppDirectory
import CrashStore
package import Crashes
import EventStore
import Events
import MessageStore
import Messaging
package import Platform
import Synchronization

/// Publishes on `$alerts.crashes`: new and regressed issues, issues that spread fast, and missing symbols, each once.
package struct CrashAlerts: Sendable {
    private static let transitionsPerPage = 100
    /// The issues that a summary names.
    private static let worstShown = 3
    private let store: Stores
    private let options: @Sendable () -> AlertOptions
    private let velocity: @Sendable () -> Velocity
    private let clock: WallClock
    private let log: Log
    /// The number of an app's missing symbols examined in a round; those that most reports wait for come first.
    private let missingPerRound: Int
    /// Publishing and clearing exclude each other; otherwise an alert cleared meanwhile would be published again.
    private let oneAtATime = OneAtATime()
    private let budgets = NewIssueBudgets()

    package init(
        store: Stores, options: @escaping @Sendable () -> AlertOptions, velocity: @escaping @Sendable () -> Velocity, clock: WallClock, log: Log,
        missingPerRound: Int = 1_000
    ) {
        (self.store, self.options, self.velocity, self.clock, self.log) = (store, options, velocity, clock, log)
        self.missingPerRound = missingPerRound
    }

    package func run() async {
        await withTaskGroup { group in
            // New transitions are published at once.
            group.addTask {
                for await _ in store.crashes.transitions { await attempt { try await oneAtATime.run { try await publishTransitions() } } }
            }
            group.addTask {
                while (try? await Task.sleep(for: options().interval)) != nil { await attempt { try await publishChanges() } }
            }
        }
    }

    private func attempt(_ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            log.warning("failed to publish crash alerts; retrying at the next interval", ["reason": .text("\(error)")])
        }
    }

    /// Evaluates figures, and transitions that a failure left unpublished.
    ///
    /// Clears only transitions that were published before this round: a concurrent publisher of the same transitions must find their alerts.
    package func publishChanges() async throws {
        let standing = try await oneAtATime.run {
            let standing = try await store.messages.standingAlerts().filter { $0.topic == .crashes }
            try await publishTransitions()
            try await publishSummaries()
            for alert in standing where !alert.isOfFigures { try await store.messages.clear(alert) }
            return standing
        }
        for app in store.events.directory.now.apps.values.sorted(by: { $0.id < $1.id }) {
            try await publishSpread(app, standing)
            try await publishMissing(app, standing)
        }
    }

    // MARK: Transitions of issues

    /// Publishes transitions, then marks them. The stored alert prevents a repetition if the daemon is killed in between.
    ///
    /// Only new non-fatal issues have a budget. What it leaves out waits for a summary. A failed round is not charged to it, so that the
    /// repetition leaves out none that was published.
    func publishTransitions() async throws {
        while case let unpublished = try await store.crashes.unpublishedTransitions(limit: CrashAlerts.transitionsPerPage),
            let last = unpublished.last
        {
            var (apps, leftOut): ([AppID: NewIssueBudget], [Int64]) = (budgets.byApp, [])
            for one in unpublished where one.issue.state != .muted {
                if one.hasBudget, !apps[one.app, default: NewIssueBudget()].spend(at: clock.now()) {
                    leftOut.append(one.transition.id)
                } else {
                    try await publish(AlertCause(one), app: one.app)
                }
            }
            try await store.crashes.markPublished(through: last.transition.id, leftOut: leftOut)
            budgets.byApp = apps
        }
    }

    /// Publishes one alert for the new issues of an app that the budget left out.
    private func publishSummaries() async throws {
        for issues in try await store.crashes.leftOutIssues(window: NewIssueBudget.window, worst: CrashAlerts.worstShown) {
            if issues.count > 0 { try await publish(AlertCause(issues), app: issues.app) }
            try await store.crashes.markSummarized(issues)
        }
    }

    private func publish(_ cause: AlertCause, app: AppID) async throws {
        guard store.events.directory.now.apps[app] != nil else { return }
        log.info("alert", ["app": .count(app.rawValue), "topic": .text(cause.topic.rawValue), "cause": .text(cause.cause)])
        try await store.messages.raise(StandingAlert(app: app, topic: cause.topic, cause: cause.cause), Publication(cause))
    }

    // MARK: Figures

    private func publishSpread(_ app: App, _ standing: Set<StandingAlert>) async throws {
        let rule = velocity()
        let now = clock.now()
        let spread = try await store.crashes.spread(app: app.id, since: now - rule.window, people: max(rule.people / 2, 1))
        try await clear(standing.filter { $0.app == app.id && $0.kind == .velocity }, except: spread.map { AlertKind.velocity.cause($0.object) })
        let unpublished = spread.filter {
            $0.people >= rule.people && !standing.contains(StandingAlert(app: app.id, topic: .crashes, cause: AlertKind.velocity.cause($0.object)))
        }
        if unpublished.isEmpty { return }
        let releases = try await self.releases(of: app, since: now - rule.window, now)
        for one in unpublished {
            let all = releases.first { $0.release.map { Array($0.utf8) } == one.release.map { Array($0.utf8) } }?.total
            let figures = Velocity.Figures(
                crashes: one.crashes, people: one.people, sessionsHit: one.sessions, sessions: all?.sessions ?? 0, audience: all?.users ?? 0)
            guard rule.isExceeded(by: figures) else { continue }
            let issue = try await store.crashes.issue(one.issue, app: app.id, days: 1).summary
            if issue.state == .muted { continue }
            // A kill in between leads to another entry, so that readers of the history miss none.
            try await store.crashes.noteSpreading(of: one.issue, app: app.id, release: one.release)
            try await publish(AlertCause(one, figures, issue), app: app.id)
        }
    }

    /// Returns releases over exactly the window of the crashes; sessions from before it would make every share too small.
    private func releases(of app: App, since: Timestamp, _ now: Timestamp) async throws -> [CrashFreeResult.Release] {
        // The tolerance admits clocks that are a little ahead.
        let query = CrashFreeQuery(exactly: since..<now + TimeRules.tolerance, limit: 100, settings: app.settings, now: now)
        guard case .crashFree(let result) = try await store.result(of: .crashFree(query), app: app.id) else { return [] }
        return result.body.releases
    }

    private func publishMissing(_ app: App, _ standing: Set<StandingAlert>) async throws {
        let missing = try await store.crashes.missingSymbols(app: app.id, limit: missingPerRound).filter { $0.crashes > 0 }
        for cause in missing.map(AlertCause.init) where !standing.contains(StandingAlert(app: app.id, topic: .crashes, cause: cause.cause)) {
            try await publish(cause, app: app.id)
        }
        // With more missing symbols than a round examines, a published one may be outside of it and still be awaited.
        let published = standing.filter { $0.app == app.id && $0.kind == .missingSymbols }
        let awaited = try await store.crashes.awaited(published.map(\.object), app: app.id)
        try await clear(published, except: awaited.map { AlertKind.missingSymbols.cause($0) })
    }

    /// Clears alerts without a cause any more. A velocity alert ends at half of its threshold, so that it does not flap.
    private func clear(_ standing: Set<StandingAlert>, except causes: [String]) async throws {
        let causes = Set(causes)
        for alert in standing where !causes.contains(alert.cause) { try await store.messages.clear(alert) }
    }
}

/// The budgets of alerts, per app.
private final class NewIssueBudgets: Sendable {
    private let apps = Mutex<[AppID: NewIssueBudget]>([:])

    var byApp: [AppID: NewIssueBudget] {
        get { apps.withLock { $0 } }
        set { apps.withLock { $0 = newValue } }
    }
}

extension UnpublishedTransition {
    fileprivate var hasBudget: Bool { transition.kind == .appeared && issue.kind == .nonfatal }
}

extension StandingAlert {
    /// Alerts of transitions stand only until the transition is marked as published; these until their figures are over.
    fileprivate var isOfFigures: Bool { kind == .velocity || kind == .missingSymbols }
}
