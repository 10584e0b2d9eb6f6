// SPDX-License-Identifier: Apache-2.0

/// Names that Firebase reserves.
enum ReservedNames {
    private static let prefixes = ["_", "firebase_", "ga_", "google_", "gtag."]

    static func hasReservedPrefix(_ name: Span<UInt8>) -> Bool {
        guard name.count > 0, name[0] == 0x5f || name[0] == 0x66 || name[0] == 0x67 else { return false }
        return prefixes.contains { name.starts(with: $0) }
    }

    /// Whether an event name is reserved for the sender. An SDK may send all but `error`, which Firebase logs for events it rejected.
    static func events(_ name: Span<UInt8>, from sender: RuleSet.Sender) -> Bool {
        if hasReservedPrefix(name) { return true }
        switch sender {
        case .sdk: return name.equals("error")
        case .server: return ofServers.contains { name.equals($0) }
        }
    }

    static func userProperties(_ name: Span<UInt8>) -> Bool {
        hasReservedPrefix(name) || properties.contains { name.equals($0) }
    }

    private static let properties = [
        "first_open_time", "first_visit_time", "last_deep_link_referrer", "user_id", "first_open_after_install",
    ]

    /// Events that only a device can observe. Servers may report `ad_impression`, `in_app_purchase` and `screen_view`.
    private static let ofServers = [
        "ad_activeview", "ad_click", "ad_exposure", "ad_query", "ad_reward", "adunit_exposure", "app_background", "app_clear_data",
        "app_exception", "app_install", "app_remove", "app_store_refund", "app_store_subscription_cancel", "app_store_subscription_convert",
        "app_store_subscription_renew", "app_update", "app_upgrade", "dynamic_link_app_open", "dynamic_link_app_update",
        "dynamic_link_first_open", "error", "first_open", "first_visit", "notification_dismiss", "notification_foreground",
        "notification_open", "notification_receive", "notification_send", "os_update", "session_start", "user_engagement",
    ]
}
