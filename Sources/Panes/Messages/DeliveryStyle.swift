// SPDX-License-Identifier: Apache-2.0

import Events
import Messaging
import Terminal

/// How states of deliveries look, wherever they are shown.
extension DeliveryState {
    /// In a bar, from what is done to what never will be.
    static let inOrder: [DeliveryState] = [.delivered, .sent, .sending, .pending, .retrying, .dead, .expired, .cancelled, .removed]

    /// What of a bar stands for it.
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

extension MessageResponse {
    /// How far it has come, of all that it is for.
    var progress: StackedBar {
        StackedBar(DeliveryState.inOrder.map { StackedBar.Part(count($0), $0.glyph, $0.style) }, of: audience)
    }

    /// Whether it was called back before its time came.
    package var neverSent: Bool { sentAt == nil && ["cancelling", "cancelled"].contains(stage) }

    /// When it went out, or will, or would have.
    var moment: Moment { sentAt ?? sendAt ?? createdAt }

    /// Whether the daemon itself has sent it.
    package var isAlert: Bool { target.topic?.hasPrefix(TopicNames.own) ?? false }

    var receivers: String {
        if let topic = target.topic { return topic }
        if let condition = target.condition { return condition }
        let count = target.tokens ?? 0
        return "\(Numbers.short(count)) \(count == 1 ? "token" : "tokens")"
    }
}

/// Names of topics.
enum TopicNames {
    /// How the daemon's own topics begin.
    static let own = "$"
}

/// Names of things that open something, or are long: as much as tells them apart.
enum ShortName {
    /// A token opens its messages to whoever reads it over somebody's shoulder, so it is masked for every role.
    static func token(_ token: String) -> String {
        (try? RegistrationToken(token))?.masked ?? token
    }

    /// Host and port, and the scheme where it is not https: the path of a webhook is often its secret.
    static func origin(_ url: String) -> String {
        let origin = url.split(separator: "/").prefix(2).joined(separator: "//")
        let usual = "https://"
        guard origin.hasPrefix(usual) else { return origin }
        return String(origin.dropFirst(usual.count).dropLast(origin.hasSuffix(":443") ? 4 : 0))
    }

    static func message(_ id: String) -> String { "…\(id.suffix(4))" }
}

extension DeliveryResponse.Attempt {
    /// The first line that says something.
    var answer: String {
        response?.split(whereSeparator: \.isNewline).lazy.map { $0.prefix(200) }.first { !$0.allSatisfy(\.isWhitespace) }.map(String.init) ?? ""
    }

    var isTaken: Bool { error == nil && (200..<300).contains(status ?? 0) }
}
