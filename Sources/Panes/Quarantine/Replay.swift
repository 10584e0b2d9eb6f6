// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Terminal

/// A replay of quarantined events: those that pass the current rules are accepted.
struct Replay {
    private let request: String
    private let parameters: [(String, String)]
    private let isPossible: Bool
    /// The daemon's limit for one request.
    private static let most = 1_000

    /// Replays the stored events of one reason or of all.
    static func many(of reason: String?, _ counts: [QuarantineResponse.Count]) -> Replay {
        let kept = counts.filter { reason == nil || $0.code == reason }.reduce(0) { $0 + $1.kept }
        let howMany =
            kept > most
            ? "newest \(Numbers.grouped(Double(most))) of \(Numbers.grouped(Double(kept)))" : "\(Numbers.grouped(Double(kept))) events"
        let why = reason.map { " for \($0)" } ?? ""
        return Replay(
            request: "Replay quarantined events\(why), \(howMany)? Events that pass the current rules are accepted, the rest stays quarantined.",
            parameters: reason.map { [("reason", $0)] } ?? [], isPossible: kept > 0)
    }

    static func one(_ item: QuarantinedResponse) -> Replay {
        Replay(
            request: "Replay this event? If it passes the current rules it is accepted, otherwise it stays quarantined.",
            parameters: [("reason", item.code), ("limit", "1"), ("after", String(item.seq + 1))], isPossible: true)
    }

    func effect(_ view: PaneView) -> PaneEffect {
        if let role = view.role, role != .admin {
            return .unavailable(
                "A key with the role \(role.rawValue) cannot replay events. Log in with an admin key.")
        }
        guard isPossible else { return .unavailable("No stored events: events that were only counted cannot be replayed.") }
        let isPage = !parameters.contains { $0.0 == "limit" }
        return .confirm(
            PendingAction(confirmation: request, path: ReadRequest("/v1/quarantine/replay", parameters).target) { (result: ReplayResponse) in
                result.summary(isPage: isPage)
            })
    }
}

extension ReplayResponse {
    /// The counts as a sentence. Events that stay quarantined block older ones in a replay of a page.
    fileprivate func summary(isPage: Bool) -> String {
        let parts = [
            "\(Numbers.grouped(Double(accepted))) accepted", duplicates > 0 ? "\(Numbers.grouped(Double(duplicates))) duplicates" : nil,
            "\(Numbers.grouped(Double(quarantined))) still quarantined",
        ]
        return parts.compactMap(\.self).joined(separator: ", ") + "." + (isPage && next != nil ? " Older events were not replayed." : "")
    }
}
