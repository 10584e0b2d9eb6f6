// SPDX-License-Identifier: Apache-2.0

package import API
import Events
package import Messaging
import Platform
import Terminal

/// Styles of delivery states.
extension DeliveryState {
    /// The order of states in a bar.
    static let inOrder: [DeliveryState] = [.delivered, .sent, .sending, .pending, .retrying, .dead, .expired, .cancelled, .removed]

    /// The character of the state in a bar.
    var glyph: Character {
        switch self {
        case .delivered: "█"
        case .sent: "▓"
        case .sending: "▒"
        case .pending: "░"
        case .retrying: "~"
        case .dead: "x"
        case .expired, .cancelled, .removed: "-"
        }
    }

    var style: Style {
        switch self {
        case .delivered: Theme.good
        case .sent, .sending: Theme.bars
        case .pending, .expired, .cancelled, .removed: Theme.faint
        case .retrying: Theme.warning
        case .dead: Theme.bad
        }
    }
}

extension Named<DeliveryState> {
    var style: Style { word?.style ?? .plain }
}

extension MessageResponse {
    package func count(_ state: DeliveryState) -> Int { counts[state.name] ?? 0 }

    /// The progress of the deliveries.
    var progress: StackedBar {
        StackedBar(DeliveryState.inOrder.map { StackedBar.Part(count($0), $0.glyph, $0.style) }, of: audience)
    }

    /// Whether the message was cancelled before it was sent.
    package var neverSent: Bool { sentAt == nil && (stage == .known(.cancelling) || stage == .known(.cancelled)) }

    /// When the message was sent, is scheduled, or was created.
    var moment: Moment { sentAt ?? sendAt ?? createdAt }

    /// Whether the message is an alert of the daemon.
    package var isAlert: Bool { target.topic?.hasPrefix("$alerts.") ?? false }

    var receivers: String {
        if let topic = target.topic { return topic }
        if let condition = target.condition { return condition }
        if let user = target.user { return "user \(user)" }
        let count = target.tokens ?? 0
        return "\(Numbers.short(count)) \(count == 1 ? "token" : "tokens")"
    }
}

/// Topic names with a meaning.
enum TopicNames {
    /// The prefix of the daemon's own topics.
    static let own = "$"
}

/// Short forms of secrets and long IDs.
enum ShortName {
    /// A token gives access to its messages, so it is masked for every role.
    static func token(_ token: String) -> String {
        (try? RegistrationToken(token))?.masked ?? token
    }

    /// Host and port, and the scheme unless it is https. The path of a webhook often is its secret.
    static func origin(_ url: String) -> String {
        let origin = url.split(separator: "/").prefix(2).joined(separator: "//")
        let usual = "https://"
        guard origin.hasPrefix(usual) else { return origin }
        return String(origin.dropFirst(usual.count).dropLast(origin.hasSuffix(":443") ? 4 : 0))
    }

    static func message(_ id: String) -> String { "…\(id.suffix(4))" }
}

extension AttemptResponse {
    /// The first line of the response that is not blank.
    var firstLine: String {
        response?.split(whereSeparator: \.isNewline).lazy.map { $0.prefix(200) }.first { !$0.allSatisfy(\.isWhitespace) }.map(String.init) ?? ""
    }

    var isTaken: Bool { error == nil && (200..<300).contains(status ?? 0) }
}
