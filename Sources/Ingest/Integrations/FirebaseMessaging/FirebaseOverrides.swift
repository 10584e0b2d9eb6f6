// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform

/// The platform sections of an FCM message, as far as they apply to every platform.
struct FirebaseOverrides {
    private let options: FirebaseFields?
    private let android: FirebaseFields?
    private let apns: FirebaseFields?
    private let webpush: FirebaseFields?
    private let now: Timestamp

    init(_ message: FirebaseFields, now: Timestamp) throws(Refusal) {
        options = try message.object("fcm_options")
        android = try message.object("android")
        apns = try message.object("apns")
        webpush = try message.object("webpush")
        self.now = now
    }

    /// Android's TTL, else the expiration for Apple's service, else the web's TTL.
    func ttl() throws(Refusal) -> Timestamp.Span? {
        if let android, let text = try android.text("ttl") {
            return try span(FirebaseOverrides.seconds(ofDuration: text), field: android.within("ttl"))
        }
        if let apns, let text = try apns.header("apns-expiration") {
            guard let time = Int64(text), time >= 0 else {
                throw .field(apns.within("headers.apns-expiration"), "bad_time", "must be whole seconds since 1970")
            }
            let left = max(0, time == 0 ? 0 : min(time, .max / 1_000) - now.milliseconds / 1_000)
            return .seconds(min(left, MessageLimits.longestTTL.milliseconds / 1_000))
        }
        if let webpush, let text = try webpush.header("ttl") { return try span(Int(text), field: webpush.within("headers.TTL")) }
        return nil
    }

    private func span(_ seconds: Int?, field: String) throws(Refusal) -> Timestamp.Span {
        guard let seconds, let span = try? MessageLimits.ttl(seconds: seconds) else {
            throw .field(field, "bad_ttl", "must be 0 to \(MessageLimits.longestTTL.milliseconds / 1_000) seconds, such as 3600s")
        }
        return span
    }

    /// Reads a duration such as `3600.5s`, rounded up so that a short time does not become 0.
    private static func seconds(ofDuration text: String) -> Int? {
        let number = text.dropLast()
        guard text.hasSuffix("s"), number.utf8.count <= 20, number.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        return Double(number).flatMap { Int(exactly: $0.rounded(.up)) }
    }

    /// High if any platform asks for it.
    func priority() throws(Refusal) -> MessagePriority {
        if let android, let text = try android.text("priority")?.lowercased() {
            guard ["high", "normal"].contains(text) else { throw .field(android.within("priority"), "unknown", "must be NORMAL or HIGH") }
            if text == "high" { return .high }
        }
        if let apns, try apns.header("apns-priority") == "10" { return .high }
        if let webpush, try webpush.header("urgency")?.lowercased() == "high" { return .high }
        return .normal
    }

    func collapseKey() throws(Refusal) -> CollapseKey? {
        let found: (text: String, field: String)?
        if let android, let text = try android.text("collapse_key") {
            found = (text, android.within("collapse_key"))
        } else if let apns, let text = try apns.header("apns-collapse-id") {
            found = (text, apns.within("headers.apns-collapse-id"))
        } else if let webpush, let text = try webpush.header("topic") {
            found = (text, webpush.within("headers.Topic"))
        } else {
            found = nil
        }
        guard let found else { return nil }
        guard let key = try? CollapseKey(found.text) else {
            throw .field(found.field, "bad_collapse_key", "must be 1 to \(CollapseKey.mostBytes) bytes without control characters")
        }
        return key
    }

    /// Returns the common label, else that of the first platform that has one.
    func label() throws(Refusal) -> MessageLabel? {
        for options in [options, try android?.object("fcm_options"), try apns?.object("fcm_options"), try webpush?.object("fcm_options")] {
            guard let options, let text = try options.text("analytics_label") else { continue }
            guard let label = try? MessageLabel(text) else {
                throw .field(
                    options.within("analytics_label"), "bad_label", "must be 1 to \(MessageLabel.longest) of the characters a-z A-Z 0-9 - _ . ~ %")
            }
            return label
        }
        return nil
    }
}
