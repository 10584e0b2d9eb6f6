// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import CrashStore
import Crashes
import EventStore
import Events
import MessageStore
import Messaging
import Platform
import AcrossStores
import Synchronization

/// Tells on `$alerts.crashes` of what is new, what came back, what spreads fast and which symbols are missing: each once.
struct CrashAlerts {
    private static let atOnce = 100
    private let daemon: Daemon
    /// Of an app's missing symbols, those that most reports wait for are told of first.
    private let missingAtOnce: Int
    /// What is being told must not be taken back beside it: it would be told again.
    private let oneAtATime = OneAtATime()
    private let newIssues = NewIssuesByApp()

    init(_ daemon: Daemon, missingAtOnce: Int = 1_000) {
        self.daemon = daemon
        self.missingAtOnce = missingAtOnce
    }

    func run() async {
        await withTaskGroup { group in
            // Somebody waits for these.
            group.addTask { for await _ in daemon.store.crashes.turns { await attempt { try await oneAtATime.run { try await tellTurns() } } } }
            group.addTask {
                while (try? await Task.sleep(for: daemon.settings.alerts.interval)) != nil { await attempt { try await look() } }
            }
        }
    }

    private func attempt(_ body: () async throws -> Void) async {
        do { try await body() } catch { daemon.log.warning("alerts of crashes not told", ["reason": .text("\(error)")]) }
    }

    /// Looks once at what is seen from figures, and at turns that were left.
    ///
    /// Only what an earlier look or bell told of turns is taken back: who tells of the same turns meanwhile must find that they were told.
    func look() async throws {
        let standing = try await oneAtATime.run {
            let standing = try await daemon.store.messages.standingAlerts().filter { $0.topic == .crashes }
            try await tellTurns()
            for alert in standing where alert.isOfTurn { try await daemon.store.messages.clear(alert) }
            return standing
        }
        for app in daemon.store.events.directory.now.apps.values.sorted(by: { $0.id < $1.id }) {
            try await tellSpread(app, standing)
            try await tellMissing(app, standing)
        }
    }

    // MARK: Turns of issues

    /// What was told is marked behind it; the alert that stands meanwhile sees to it that a kill in between tells nothing twice.
    func tellTurns() async throws {
        while case let news = try await daemon.store.crashes.untold(limit: CrashAlerts.atOnce), let last = news.last {
            for one in news where one.issue.state != .muted {
                if let cause = newIssues.cause(of: one, at: daemon.clock.now()) { try await tell(cause, app: one.app) }
            }
            try await daemon.store.crashes.told(through: last.turn.id)
        }
    }

    private func tell(_ cause: AlertCause, app: AppID) async throws {
        guard daemon.store.events.directory.now.apps[app] != nil else { return }
        daemon.log.info("alert", ["app": .count(app.rawValue), "topic": .text(cause.topic.rawValue), "cause": .text(cause.cause)])
        try await daemon.store.messages.raise(StandingAlert(app: app, topic: cause.topic, cause: cause.cause), Publication(cause))
    }

    // MARK: What figures say

    private func tellSpread(_ app: App, _ standing: Set<StandingAlert>) async throws {
        let rule = Velocity(daemon.settings)
        let now = daemon.clock.now()
        let spread = try await daemon.store.crashes.spread(app: app.id, since: now - rule.window, people: max(rule.people / 2, 1))
        try await clear(standing.filter { $0.app == app.id && $0.isOfSpread }, except: spread.map(AlertCause.velocity))
        let untold = spread.filter {
            $0.people >= rule.people && !standing.contains(StandingAlert(app: app.id, topic: .crashes, cause: AlertCause.velocity($0)))
        }
        if untold.isEmpty { return }
        let releases = try await self.releases(of: app, since: now - rule.window, now)
        for one in untold {
            let all = releases.first { $0.release.map { Array($0.utf8) } == one.release.map { Array($0.utf8) } }?.total
            let figures = Velocity.Figures(
                crashes: one.crashes, people: one.people, sessionsHit: one.sessions, sessions: all?.sessions ?? 0, audience: all?.users ?? 0)
            guard rule.isExceeded(by: figures) else { continue }
            let issue = try await daemon.store.crashes.issue(one.issue, app: app.id, days: 1).summary
            if issue.state != .muted { try await tell(AlertCause(one, figures, issue), app: app.id) }
        }
    }

    /// Of the same stretch of time as what was hit: sessions that began before it would make every share smaller than it is.
    private func releases(of app: App, since: Timestamp, _ now: Timestamp) async throws -> [CrashFreeAnswer.Release] {
        // Clocks that are a little ahead are believed.
        let query = CrashFreeQuery(exactly: since..<now + TimeRules.tolerance, limit: 100, settings: app.settings, now: now)
        guard case .crashFree(let answer) = try await daemon.store.answer(.crashFree(query), app: app.id) else { return [] }
        return answer.body.releases
    }

    private func tellMissing(_ app: App, _ standing: Set<StandingAlert>) async throws {
        let missing = try await daemon.store.crashes.missingSymbols(app: app.id, limit: missingAtOnce).filter { $0.crashes > 0 }
        for cause in missing.map(AlertCause.init) where !standing.contains(StandingAlert(app: app.id, topic: .crashes, cause: cause.cause)) {
            try await tell(cause, app: app.id)
        }
        // Where there are more, some of the told fall out of that list and are waited for all the same.
        let told = standing.filter { $0.app == app.id && $0.isOfSymbols }
        let awaited = try await daemon.store.crashes.awaited(told.map(\.debugID), app: app.id)
        try await clear(told, except: awaited.map(AlertCause.missingSymbols))
    }

    /// What spreads is over when half as many meet it, so that it is not told again with each one more.
    private func clear(_ standing: Set<StandingAlert>, except causes: [String]) async throws {
        let causes = Set(causes)
        for alert in standing where !causes.contains(alert.cause) { try await daemon.store.messages.clear(alert) }
    }
}

/// How many new issues have been told of lately.
private final class NewIssuesByApp: Sendable {
    private let apps = Mutex<[AppID: NewIssues]>([:])

    /// What to tell of a turn; nil for nothing.
    func cause(of news: IssueNews, at now: Timestamp) -> AlertCause? {
        guard news.turn.kind == .appeared else { return AlertCause(news) }
        return switch apps.withLock({ $0[news.app, default: NewIssues()].next(at: now) }) {
        case .itself: AlertCause(news)
        case .thatThereAreMore: AlertCause(moreThan: news)
        case .nothing: nil
        }
    }
}

extension StandingAlert {
    /// Those of turns stand only until the turn is marked as told.
    fileprivate var isOfTurn: Bool { !isOfSpread && !isOfSymbols }
    fileprivate var isOfSpread: Bool { cause.hasPrefix("velocity:") }
    fileprivate var isOfSymbols: Bool { cause.hasPrefix(AlertCause.missingSymbols("")) }
    /// Of one of symbols.
    fileprivate var debugID: String { String(cause.dropFirst(AlertCause.missingSymbols("").count)) }
}

extension Velocity {
    fileprivate init(_ configuration: Configuration) {
        self.init()
        window = Timestamp.Span(configuration.crashes.velocityWindow)
        people = configuration.crashes.velocityUsers
        percent = Double(configuration.crashes.velocityPermille) / 10
    }
}

extension AlertCause {
    /// The turn's number makes each of them one of its own.
    fileprivate init(_ news: IssueNews) {
        let issue = news.issue
        let word = news.turn.kind == .appeared ? "new_\(issue.kind.name)" : news.turn.kind.name
        let release = news.turn.detail.map { " in \($0)" } ?? ""
        let what =
            switch news.turn.kind {
            case .appeared: "New \(issue.kind.name) issue"
            case .regressed: "An issue that was closed is back"
            default: "An issue is not muted any more"
            }
        self.init(.crashes, "\(word):\(news.turn.id)", "\(what)\(release): \(issue.sentence)", data: issue.data(release: news.turn.detail))
    }

    fileprivate init(moreThan news: IssueNews) {
        self.init(
            .crashes, "many_new:\(news.turn.id)", "There are more new issues than are told of one by one within ten minutes: see the list of issues.")
    }

    static func velocity(_ spread: IssueSpread) -> String { "velocity:\(spread.issue):\(spread.release ?? "")" }

    fileprivate init(_ spread: IssueSpread, _ figures: Velocity.Figures, _ issue: IssueSummary) {
        let share = (figures.percent * 10).rounded() / 10
        let release = spread.release.map { " of \($0)" } ?? ""
        self.init(
            .crashes, AlertCause.velocity(spread), "\(figures.people) people met this in \(share) % of the sessions\(release): \(issue.sentence)",
            data: issue.data(release: spread.release) + [
                ("crashes", String(figures.crashes)), ("users", String(figures.people)), ("share", String(share)),
            ])
    }

    static func missingSymbols(_ debugID: String) -> String { "missing_symbols:\(debugID)" }

    fileprivate init(_ missing: MissingSymbols) {
        let name = missing.name?.unicodeScalars.split(separator: "/").last.map { String($0) } ?? "a binary"
        self.init(
            .crashes, AlertCause.missingSymbols(missing.debugID),
            "Crashes wait for the symbols of \(name), build \(missing.debugID): \(missing.crashes) so far.",
            data: [("debug_id", missing.debugID), ("name", name), ("crashes", String(missing.crashes))])
    }
}

extension IssueSummary {
    fileprivate var sentence: String {
        let text = culprit.map { "\(title) at \($0)" } ?? title
        return text.first(scalars: 300)
    }

    fileprivate func data(release: String?) -> [(name: String, value: String)] {
        [("issue", id), ("title", title.first(scalars: 200)), ("kind", kind.name)] + (release.map { [("release", $0)] } ?? [])
    }
}

extension String {
    /// A Character may hold any number of marks, so it is no measure.
    fileprivate func first(scalars: Int) -> String { String(unicodeScalars.prefix(scalars)) }
}
