// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Testing

@Suite struct TimeTests {
    static let received = Timestamp(milliseconds: 1_760_000_000_000)
    static let minute: Int64 = 60_000
    static let hour: Int64 = 3_600_000

    static let epochs: [(Int64, Int64?)] = [
        (0, 0), (1_700_000_000, 1_700_000_000_000), (99_999_999_999, 99_999_999_999_000), (100_000_000_000, 100_000_000_000),
        (99_999_999_999_999, 99_999_999_999_999), (100_000_000_000_000, 100_000_000_000), (99_999_999_999_999_999, 99_999_999_999_999),
        (100_000_000_000_000_000, nil), (.max, nil), (.min, nil), (-1, -1_000), (-100_000_000_000, -100_000_000_000),
        (-100_000_000_000_001, -100_000_000_001),
    ]

    @Test(arguments: epochs)
    func `the magnitude of an epoch number decides its unit`(number: Int64, milliseconds: Int64?) {
        #expect(Timestamp(epoch: number)?.milliseconds == milliseconds)
    }

    static let fractions: [(Double, Int64?)] = [
        (1_700_000_000.123, 1_700_000_000_123), (1e11, 100_000_000_000), (1.7e15, 1_700_000_000_000), (1e17, nil), (-.infinity, nil),
        (.nan, nil), (0.0004, 0),
    ]

    @Test(arguments: fractions)
    func `a fraction is rounded to the millisecond`(number: Double, milliseconds: Int64?) {
        #expect(Timestamp(epoch: number)?.milliseconds == milliseconds)
    }

    static let texts: [(String, Int64?)] = [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00", 0), ("2024-02-29T12:30:45.678Z", 1_709_209_845_678),
        ("2024-02-29T12:30:45.6789999+01:30", 1_709_204_445_678), ("2024-02-29t12:30:45z", 1_709_209_845_000),
        ("2024-02-29 12:30:45-00:30", 1_709_211_645_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000), ("1969-12-31T23:59:59.5Z", -500),
        ("0000-03-01T00:00:00Z", -62_162_035_200_000), ("9999-12-31T23:59:59Z", 253_402_300_799_000), ("2000-02-29T00:00:00Z", 951_782_400_000),
        ("1700000000", 1_700_000_000_000), ("1700000000123", 1_700_000_000_123), ("1700000000123456", 1_700_000_000_123),
        ("", nil), ("2023-02-29T00:00:00Z", nil), ("1900-02-29T00:00:00Z", nil), ("2024-13-01T00:00:00Z", nil), ("2024-00-01T00:00:00Z", nil),
        ("2024-01-32T00:00:00Z", nil), ("2024-01-00T00:00:00Z", nil), ("2024-04-31T00:00:00Z", nil), ("2024-01-01T24:00:00Z", nil),
        ("2024-01-01T00:60:00Z", nil), ("2024-01-01T00:00:61Z", nil), ("2024-01-01T00:00:00.Z", nil), ("2024-01-01T00:00:00+1:00", nil),
        ("2024-01-01T00:00:00+24:00", nil), ("2024-01-01T00:00:00Zx", nil), ("2024-01-01", nil), ("2024-01-01T00:00", nil), ("now", nil),
        ("2024/01/01T00:00:00Z", nil), ("-1700000000", nil), ("1.5", nil), ("999999999999999999", nil), ("2024-01-01X00:00:00Z", nil),
    ]

    @Test(arguments: texts)
    func `a time is RFC 3339 or digits`(text: String, milliseconds: Int64?) {
        let bytes = Array(text.utf8)
        #expect(Timestamp(text: bytes.span)?.milliseconds == milliseconds)
    }

    @Test func `truncated texts are read or rejected`() {
        for (text, _) in Self.texts {
            for length in 0...text.utf8.count {
                let bytes = Array(text.utf8.prefix(length))
                _ = Timestamp(text: bytes.span)
            }
        }
    }

    /// Minutes from the time of receipt: sent, claimed, and the resulting event time.
    static let skews: [(sent: Int64?, claimed: Int64, placed: Int64)] = [
        (nil, -5 * minute, -5 * minute), (0, -5 * minute, -5 * minute), (150_000, 0, 0), (-150_000, 0, 0), (150_001, 0, -1), (-150_001, 0, 1),
        (10 * minute, 9 * minute, 90_000), (-10 * minute, -11 * minute, -210_000), (24 * 365 * hour, 24 * 365 * hour, 150_000),
    ]

    @Test(arguments: skews)
    func `a clock error beyond 150 seconds is corrected`(sent: Int64?, claimed: Int64, placed: Int64) {
        let rules = TimeRules(received: Self.received, sentAt: sent.map { Self.received + .init(milliseconds: $0) }, settings: AppSettings())
        #expect(rules.place(Self.received + .init(milliseconds: claimed)) == .at(Self.received + .init(milliseconds: placed), []))
    }

    static let ages: [(ahead: Int64, flags: EventFlags?, moved: Bool)] = [
        (0, [], false), (23 * hour, [], false), (23 * hour + 1, .clock, true), (-72 * hour, [], false), (-72 * hour - 1, .late, false),
        (-90 * 24 * hour, .late, false), (-90 * 24 * hour - 1, nil, false),
    ]

    @Test(arguments: ages)
    func `the limits of future, lateness and retention are exact`(ahead: Int64, flags: EventFlags?, moved: Bool) {
        let rules = TimeRules(received: Self.received, sentAt: nil, settings: AppSettings())
        let claimed = Self.received + .init(milliseconds: ahead)
        let expected: TimeRules.Placement = flags.map { .at(moved ? Self.received : claimed, $0) } ?? .tooOld
        #expect(rules.place(claimed) == expected)
    }

    @Test func `an event without a time gets the time of receipt`() {
        let rules = TimeRules(received: Self.received, sentAt: Self.received + .hours(5), settings: AppSettings())
        #expect(rules.place(nil) == .at(Self.received, []))
    }

    @Test(arguments: [(1, EventFlags.late), (72, EventFlags()), (200, EventFlags())])
    func `an app may lower the lateness limit, not raise it`(hours: Int, flags: EventFlags) {
        var settings = AppSettings()
        settings.latenessHours = hours
        let rules = TimeRules(received: Self.received, sentAt: nil, settings: settings)
        let twoHours = Self.received - .hours(2)
        #expect(rules.place(twoHours) == .at(twoHours, flags))
        let fourDays = Self.received - .hours(96)
        #expect(rules.place(fourDays) == .at(fourDays, .late))
    }

    @Test(arguments: [Int.min, -1, 0, 1])
    func `data retention is at least a day`(days: Int) {
        var settings = AppSettings()
        settings.retentionDays = days
        let rules = TimeRules(received: Self.received, sentAt: nil, settings: settings)
        #expect(rules.place(Self.received - .hours(24)) == .at(Self.received - .hours(24), []))
        #expect(rules.place(Self.received - .hours(25)) == .tooOld)
    }
}
