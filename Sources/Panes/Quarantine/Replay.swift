// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Terminal

/// What was refused and is judged anew: what passes today's rules is taken in, the rest stays.
struct Replay {
    private let request: String
    private let parameters: [(String, String)]
    private let isPossible: Bool
    /// The daemon's own bound for one request.
    private static let most = 1_000

    /// Those that are kept, for one reason or for all.
    static func many(of reason: String?, _ counts: [QuarantineResponse.Count]) -> Replay {
        let kept = counts.filter { reason == nil || $0.code == reason }.reduce(0) { $0 + $1.kept }
        let howMany =
            kept > most
            ? "the newest \(Numbers.grouped(Double(most))) of \(Numbers.grouped(Double(kept)))" : "\(Numbers.grouped(Double(kept))) in all"
        let why = reason.map { " for \($0)" } ?? ""
        return Replay(
            request: "Put what was refused\(why) through today's rules again, \(howMany)? What passes is taken in, the rest stays here.",
            parameters: reason.map { [("reason", $0)] } ?? [], isPossible: kept > 0)
    }

    static func one(_ item: QuarantineResponse.Item) -> Replay {
        Replay(
            request: "Put this one through today's rules again? If it passes it is taken in, otherwise it stays here.",
            parameters: [("reason", item.code), ("limit", "1"), ("after", String(item.seq + 1))], isPossible: true)
    }

    func effect(_ view: PaneView) -> PaneEffect {
        if let role = view.role, role != .admin {
            return .unavailable(
                "A key of the role \(role.rawValue) may look at what was refused and not put it through. Log in with one of the role admin.")
        }
        guard isPossible else { return .unavailable("Nothing of it is kept: what was only counted cannot be put through.") }
        let isPage = !parameters.contains { $0.0 == "limit" }
        return .confirm(
            PendingAction(confirmation: request, path: GetRequest("/v1/quarantine/replay", parameters).target) { Self.outcome($0, isPage: isPage) })
    }

    private static func outcome(_ answer: JSONValue, isPage: Bool) -> String {
        let (accepted, duplicates, refused) = (count(answer, "accepted"), count(answer, "duplicates"), count(answer, "quarantined"))
        let parts = [
            "\(Numbers.grouped(Double(accepted))) taken in", duplicates > 0 ? "\(Numbers.grouped(Double(duplicates))) there already" : nil,
            "\(Numbers.grouped(Double(refused))) still refused",
        ]
        // What was tried and stays is in the way of what is older.
        let rest = isPage && answer["next"] != nil ? " Older ones were not tried." : ""
        return parts.compactMap(\.self).joined(separator: ", ") + "." + rest
    }

    private static func count(_ answer: JSONValue, _ name: String) -> Int { Int(answer.text(name)) ?? 0 }
}
