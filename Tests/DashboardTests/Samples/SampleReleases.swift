// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import Panes
@testable import dashboard_cli

/// Hand-written responses about releases in the last hour at `SampleResponses.now`, some with hostile names.
enum SampleReleases {
    static var all: [String: String] {
        SampleCrashes.all().merging([
            "releases": result(60, releases), "releases_over": result(59, releases), "releases_before": result(59, earlier),
            "release_issues": SampleCrashes.all()["issues"] ?? "",
        ]) { $1 }
    }

    static var empty: [String: String] {
        let nothing = result(60, [])
        let issues = #"{"items": []}"#
        return all.merging(["releases": nothing, "releases_over": nothing, "releases_before": nothing, "release_issues": issues]) { $1 }
    }

    private struct Release: Sendable {
        var name: String?
        /// Sessions and crashed sessions of a minute.
        var sessions: @Sendable (Int) -> Int
        var crashed: @Sendable (Int) -> Int = { _ in 0 }
        var newIssues: Int
    }

    private static let releases = [
        Release(name: "2.1.0", sessions: { 4 + $0 / 4 }, crashed: { $0 % 9 == 8 ? 1 : 0 }, newIssues: 3),
        Release(name: "2.0.9", sessions: { 20 - $0 / 4 }, crashed: { $0 % 30 == 5 ? 1 : 0 }, newIssues: 0),
        Release(name: "2.0.0-beta.1+5711 of a \\u001b[2Jvery long name", sessions: { $0 % 3 }, crashed: { $0 == 41 ? 1 : 0 }, newIssues: 12),
        Release(name: nil, sessions: { $0 % 2 }, newIssues: 0), Release(name: "1.0", sessions: { $0 == 12 ? 1 : 0 }, newIssues: 0),
    ]

    private static let earlier = [
        Release(name: "2.0.9", sessions: { _ in 21 }, crashed: { $0 % 30 == 5 ? 1 : 0 }, newIssues: 1),
        Release(name: "2.1.0", sessions: { _ in 1 }, crashed: { $0 % 9 == 8 ? 1 : 0 }, newIssues: 0),
    ]

    private static func figures(_ sessions: Int, _ crashed: Int) -> String {
        let share = sessions == 0 ? "null" : "\((Double(sessions - crashed) / Double(sessions) * 1_000_000).rounded(.down) / 1_000_000)"
        return """
            "sessions": \(sessions), "crashed_sessions": \(crashed), "crash_free_sessions": \(share), "users": \(sessions), "crashed_users": \(crashed),
            "crash_free_users": \(share)
            """
    }

    private static func points(_ minutes: Int, _ sessions: (Int) -> Int, _ crashed: (Int) -> Int) -> String {
        (0..<minutes).map { minute in
            let time = Timestamp(milliseconds: SampleResponses.now.milliseconds / 60_000 * 60_000 - Int64(59 - minute) * 60_000)
            return #"{"t": "\#(time.rfc3339)", \#(figures(sessions(minute), crashed(minute)))}"#
        }.joined(separator: ",")
    }

    private static func result(_ minutes: Int, _ releases: [Release]) -> String {
        let sessions = { (minute: Int) in releases.reduce(0) { $0 + $1.sessions(minute) } }
        let crashed = { (minute: Int) in releases.reduce(0) { $0 + $1.crashed(minute) } }
        let sum = { (count: (Int) -> Int) in (0..<minutes).reduce(0) { $0 + count($1) } }
        let parts = releases.map { release in
            let share = Double(sum(release.sessions)) / Double(max(1, sum(sessions)))
            let adoption = (share * 1_000_000).rounded() / 1_000_000
            return """
                {\(release.name.map { #""release": "\#($0)", "# } ?? "")"adoption": \(adoption), "user_adoption": \(adoption),
                 "total": {\(figures(sum(release.sessions), sum(release.crashed)))}, "points": [\(points(minutes, release.sessions, release.crashed))],
                 "new_issues": \(release.newIssues)}
                """
        }
        return """
            {"from": "2026-11-21T10:29:00Z", "to": "2026-11-21T11:29:00Z", "tz": "Europe/Berlin", "complete": false, "source": "raw",
             "points": [\(points(minutes, sessions, crashed))], "total": {\(figures(sum(sessions), sum(crashed)))},
             "releases": [\(parts.joined(separator: ","))]}
            """
    }
}
