// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Testing

@Suite struct NameTests {
    private func withBytes<R>(_ text: String, _ body: (Span<UInt8>) -> R) -> R {
        let bytes = Array(text.utf8)
        return body(bytes.span)
    }

    @Test(arguments: EventKind.allCases)
    func `only the exact name selects a kind`(kind: EventKind) {
        #expect(withBytes(kind.name) { EventKind(name: $0) } == kind)
        guard kind != .custom else { return }
        for near in [kind.name + "x", String(kind.name.dropLast()), String(kind.name.dropLast()) + "X", kind.name.uppercased()] {
            #expect(withBytes(near) { EventKind(name: $0) } == .custom)
        }
    }

    static let native: [(String, Reason?)] = [
        ("a", nil), ("Level_2_up", nil), ("session_start", nil), ("first_open", nil), ("app_update", nil), ("notification_open", nil),
        ("screen_view", nil), ("gabc", nil), ("g", nil), ("firebas", nil), ("errors", nil), (String(repeating: "a", count: 40), nil),
        ("", .badName), (String(repeating: "a", count: 41), .badName), ("1a", .badName), ("a-b", .badName), ("a b", .badName), ("é", .badName),
        ("_a", .badName), ("a.b", .badName), ("gtag.x", .badName), ("ga_x", .reservedName), ("firebase_x", .reservedName),
        ("google_x", .reservedName), ("error", .reservedName),
    ]

    @Test(arguments: native)
    func `event names follow Firebase's rules`(name: String, fault: Reason?) {
        let rules = RuleSet.firebase(.sdk, AppSettings())
        #expect(withBytes(name) { rules.fault(eventName: $0) } == fault)
    }

    @Test(arguments: ["session_start", "first_open", "app_exception", "notification_open", "os_update", "error", "ga_x"])
    func `a server cannot report events that only a device observes`(name: String) {
        let rules = RuleSet.firebase(.server, AppSettings())
        #expect(withBytes(name) { rules.fault(eventName: $0) } == .reservedName)
    }

    @Test(arguments: ["screen_view", "in_app_purchase", "ad_impression", "purchase"])
    func `a server may report other reserved events`(name: String) {
        let rules = RuleSet.firebase(.server, AppSettings())
        #expect(withBytes(name) { rules.fault(eventName: $0) } == nil)
    }

    static let open: [(String, Reason?)] = [
        ("Order Completed 🎉", nil), ("$pageview", nil), (String(repeating: "é", count: 200), nil), ("_x", nil), ("error", nil),
        ("\u{a0}", nil), (String(repeating: "é", count: 201), .badName), ("", .badName), ("a\nb", .badName), ("a\u{7f}", .badName),
        ("a\u{85}", .badName), ("\0", .badName),
    ]

    @Test(arguments: open)
    func `open names may be any printable text`(name: String, fault: Reason?) {
        let rules = RuleSet.open(AppSettings())
        #expect(withBytes(name) { rules.fault(eventName: $0) } == fault)
    }

    @Test func `parameter names have the same form and their own reasons`() {
        let rules = RuleSet.firebase(.sdk, AppSettings())
        #expect(withBytes("item_id") { rules.fault(paramName: $0) } == nil)
        #expect(withBytes("error") { rules.fault(paramName: $0) } == nil)
        #expect(withBytes("item-id") { rules.fault(paramName: $0) } == .badParamName)
        #expect(withBytes("ga_session_id") { rules.fault(paramName: $0) } == .reservedParamName)
        #expect(withBytes(String(repeating: "p", count: 41)) { rules.fault(paramName: $0) } == .badParamName)
    }

    @Test func `user property names are shorter, and some are reserved`() {
        let rules = RuleSet.firebase(.sdk, AppSettings())
        #expect(withBytes(String(repeating: "p", count: 24)) { rules.fault(userProperty: $0) } == nil)
        #expect(withBytes(String(repeating: "p", count: 25)) { rules.fault(userProperty: $0) } == .badUserProperty)
        #expect(withBytes("first_open_time") { rules.fault(userProperty: $0) } == .reservedUserProperty)
        #expect(withBytes("user_id") { rules.fault(userProperty: $0) } == .reservedUserProperty)
        #expect(withBytes("google_x") { rules.fault(userProperty: $0) } == .reservedUserProperty)
    }

    static let values: [(String, Int)] = [
        ("x", 100), ("page_title", 300), ("page_referrer", 420), ("page_location", 1_000), ("reason", 8_192), ("error_context", 8_192),
        ("error_description", 8_192), ("page_titlE", 100),
    ]

    @Test(arguments: values)
    func `some parameters may be longer`(name: String, limit: Int) {
        #expect(withBytes(name) { RuleSet.firebase(.sdk, AppSettings()).valueLimit(param: $0) } == limit)
        #expect(withBytes(name) { RuleSet.open(AppSettings()).valueLimit(param: $0) } == 8_192)
    }

    @Test func `an app's own limits apply`() {
        var settings = AppSettings()
        settings.limits.nameLength = 3
        settings.limits.valueLength = 500
        let rules = RuleSet.firebase(.sdk, settings)
        #expect(withBytes("abc") { rules.fault(eventName: $0) } == nil)
        #expect(withBytes("abcd") { rules.fault(eventName: $0) } == .badName)
        #expect(withBytes("page_title") { rules.valueLimit(param: $0) } == 500)
    }

    @Test func `reasons carry Firebase's numbers`() {
        let numbers = Dictionary(uniqueKeysWithValues: Reason.allCases.compactMap { reason in reason.number.map { ($0, reason) } })
        #expect(numbers[2] == .badName && numbers[3] == .badParamName && numbers[4] == .valueTooLong && numbers[5] == .tooManyParams)
        #expect(numbers[13] == .reservedName && numbers[14] == .reservedParamName && numbers[15] == .reservedUserProperty)
    }
}
