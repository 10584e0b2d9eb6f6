// SPDX-License-Identifier: Apache-2.0

/// The event names with a meaning beyond being counted.
package enum EventKind: UInt8, CaseIterable, Sendable {
    case custom, screenView, purchase, inAppPurchase, refund, appError, sessionStart, userEngagement, firstOpen
    case notificationReceive, notificationOpen, notificationDismiss

    /// Returns the kind for an event name; `custom` for every other name.
    package init(name: Span<UInt8>) {
        let candidate: EventKind =
            switch name.count {
            case 6: .refund
            case 8: .purchase
            case 9: .appError
            case 10: .firstOpen
            case 11: .screenView
            case 13: .sessionStart
            case 15: name[0] == UInt8(ascii: "i") ? .inAppPurchase : .userEngagement
            case 17: .notificationOpen
            case 20: name[13] == UInt8(ascii: "r") ? .notificationReceive : .notificationDismiss
            default: .custom
            }
        self = candidate != .custom && name.equals(candidate.name) ? candidate : .custom
    }

    /// The event name; empty for `custom`.
    package var name: String {
        switch self {
        case .custom: ""
        case .screenView: "screen_view"
        case .purchase: "purchase"
        case .inAppPurchase: "in_app_purchase"
        case .refund: "refund"
        case .appError: "app_error"
        case .sessionStart: "session_start"
        case .userEngagement: "user_engagement"
        case .firstOpen: "first_open"
        case .notificationReceive: "notification_receive"
        case .notificationOpen: "notification_open"
        case .notificationDismiss: "notification_dismiss"
        }
    }

    /// Whether `value`, `currency` and `transaction_id` describe a payment.
    package var isMoney: Bool { self == .purchase || self == .inAppPurchase || self == .refund }
    /// Whether a second event with the same transaction ID is a duplicate.
    package var countsTransactionOnce: Bool { self == .purchase || self == .inAppPurchase }
}
