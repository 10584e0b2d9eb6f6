// SPDX-License-Identifier: Apache-2.0

import Events
import Terminal

typealias CrashFreeRequest = DaemonQuery<RangedResult<CrashFreeResult>>

/// The queries for the health of releases.
struct ReleaseQueries: Sendable {
    /// The number of releases with figures of their own, those with the most sessions.
    static let most = 20

    let now: CrashFreeRequest
    /// The complete buckets: the running one would look like a fall.
    let over: CrashFreeRequest
    let before: CrashFreeRequest

    init(_ range: ViewRange) {
        let query = { (name: String, times: (from: String, to: String), seconds: Int64) in
            let parameters = [("from", times.from), ("to", times.to), ("interval", range.interval), ("limit", "\(ReleaseQueries.most)")]
            // Crash-free figures scan events, so they are queried less often.
            return CrashFreeRequest(name, "/v1/query/crash-free", parameters, every: seconds)
        }
        now = query("releases", (range.from, "now"), 15)
        over = query("releases_over", range.over.now, 30)
        before = query("releases_before", range.over.before, 60)
    }

    func polled(_ options: ViewOptions) -> [PolledQuery] { [now.polled] + (options.compares ? [over.polled, before.polled] : []) }

    /// The change of a share between complete buckets, of a release or in total.
    func change(_ share: KeyPath<CrashFreeResult.Figures, Double?>, of release: String??, _ view: PaneView) -> Change? {
        guard view.options.compares, let now = figures(over, release, view)?[keyPath: share],
            let old = figures(before, release, view)?[keyPath: share]
        else { return nil }
        return Change(share: now, before: old)
    }

    private func figures(_ query: CrashFreeRequest, _ release: String??, _ view: PaneView) -> CrashFreeResult.Figures? {
        guard let result = view.results.value(query)?.body else { return nil }
        guard let release else { return result.total }
        return result.releases.first { $0.release == release }?.total
    }
}

/// Texts of crash-free figures.
enum CrashFreeText {
    /// A dash if only servers sent sessions, whose users are unknown.
    static func people(_ number: Int, _ figures: CrashFreeResult.Figures) -> String { figures.knowsUsers ? Numbers.short(number) : "–" }

    /// The share of people on a release.
    static func adoption(_ release: CrashFreeResult.Release) -> String {
        release.total.knowsUsers ? Numbers.percent(release.userAdoption) : "–"
    }

    /// Never rounds up to 100 %.
    static func share(_ share: Double?) -> String {
        guard let share else { return "–" }
        return share >= 1 ? "100 %" : "\(Numbers.decimals((share * 10_000).rounded(.down) / 100, 2)) %"
    }
}

extension CrashFreeResult.Release {
    /// The name as lists show it.
    var name: String { release ?? BreakdownName.none }

    /// Values for CSV.
    var cells: [String] {
        let shares = [total.crashFreeSessions, total.crashFreeUsers].map { $0.map { "\($0)" } ?? "" }
        return [
            release ?? "", "\(adoption)", "\(userAdoption)", "\(total.sessions)", "\(total.crashedSessions)", shares[0], "\(total.users)",
            "\(total.crashedUsers)", shares[1], newIssues.map { "\($0)" } ?? "", "\(total.countedSessions ?? 0)",
        ]
    }

    static let headings = [
        "release", "adoption", "user_adoption", "sessions", "crashed_sessions", "crash_free_sessions", "users", "crashed_users", "crash_free_users",
        "new_issues", "counted_sessions",
    ]
}
