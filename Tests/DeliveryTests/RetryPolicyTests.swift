// SPDX-License-Identifier: Apache-2.0

import Delivery
import Messaging
import Platform
import Testing

struct RetryPolicyTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)
    private let policy = RetryPolicy.standard

    private func verdict(
        _ status: Int, _ retryAfter: String? = nil, attempt: Int = 1, expires: Timestamp.Span = .days(28), chance: Double = 0.5
    ) -> DeliveryVerdict {
        policy.verdict(.responded(status: status, retryAfter: retryAfter), attempt: attempt, at: now, expires: now + expires, chance: chance)
    }

    @Test func `the status decides`() {
        for status in 100...599 {
            switch status {
            case 200...299: #expect(verdict(status) == .delivered)
            case 410: #expect(verdict(status) == .gone)
            default: #expect(verdict(status) == .retry(at: now + .seconds(5)))
            }
        }
        #expect(policy.verdict(.broken, attempt: 1, at: now, expires: now + .days(1), chance: 0.5) == .retry(at: now + .seconds(5)))
    }

    @Test func `a delivery is dead after eight attempts`() {
        let waits: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
        for (index, wait) in waits.enumerated() { #expect(verdict(500, attempt: index + 1) == .retry(at: now + .seconds(wait))) }
        for attempt in [8, 9, .max] { #expect(verdict(500, attempt: attempt) == .dead) }
        #expect(verdict(200, attempt: 8) == .delivered && verdict(410, attempt: 8) == .gone)
    }

    @Test func `invalid attempt numbers do not trap`() {
        #expect(verdict(500, attempt: 0) == .dead && verdict(500, attempt: -1) == .dead)
        let none = RetryPolicy(waits: [])
        #expect(none.verdict(.broken, attempt: 1, at: now, expires: now + .days(1), chance: 0) == .dead)
    }

    @Test func `jitter is at most a fifth`() {
        #expect(verdict(500, attempt: 2, chance: 0) == .retry(at: now + .seconds(240)))
        #expect(verdict(500, attempt: 2, chance: 0.25) == .retry(at: now + .seconds(270)))
        #expect(verdict(500, attempt: 2, chance: 1) == .retry(at: now + .seconds(360)))
        for chance in [-1, .nan, .infinity, 7] {
            guard case .retry(let next) = verdict(500, attempt: 2, chance: chance) else { return #expect(Bool(false), "\(chance)") }
            #expect((now + .seconds(240)...now + .seconds(360)).contains(next))
        }
    }

    @Test func `a retry after the expiry is expired`() {
        #expect(verdict(500, expires: .seconds(5)) == .expired)
        #expect(verdict(500, expires: .init(milliseconds: 5_001)) == .retry(at: now + .seconds(5)))
        #expect(verdict(500, expires: .seconds(0)) == .expired && verdict(500, expires: .days(-1)) == .expired)
        #expect(verdict(503, "60", expires: .seconds(60)) == .expired && verdict(503, "60", expires: .seconds(61)) == .retry(at: now + .seconds(60)))
        #expect(verdict(200, expires: .seconds(-1)) == .delivered && verdict(500, attempt: 8, expires: .seconds(0)) == .dead)
    }

    @Test func `Retry-After is honored between the usual wait and a day`() {
        for status in [429, 502, 503, 504] {
            #expect(verdict(status, "90") == .retry(at: now + .seconds(90)))
            #expect(verdict(status, "0") == .retry(at: now + .seconds(5)))
            #expect(verdict(status, "90", attempt: 2) == .retry(at: now + .seconds(300)))
            #expect(verdict(status, "86400") == .retry(at: now + .hours(24)))
            #expect(verdict(status, "99999999999999999999") == .retry(at: now + .hours(24)))
            #expect(verdict(status, "soon") == .retry(at: now + .seconds(5)))
        }
        for status in [301, 400, 404, 500] { #expect(verdict(status, "90") == .retry(at: now + .seconds(5))) }
    }

    @Test func `a configured wait above a day is kept`() {
        let slow = RetryPolicy(waits: [.hours(48)])
        let result = ExchangeResult.responded(status: 429, retryAfter: "90000")
        #expect(slow.verdict(result, attempt: 1, at: now, expires: now + .days(28), chance: 0.5) == .retry(at: now + .hours(48)))
    }
}

struct RetryAfterTests {
    private let now = Timestamp(milliseconds: 784_111_777_000)  // 1994-11-06T08:49:37Z

    @Test(arguments: [
        ("0", 0), ("120", 120), ("007", 7), ("Sun, 06 Nov 1994 08:49:38 GMT", 1), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("Sat, 05 Nov 1994 08:49:37 GMT", 0), ("Wed, 01 Feb 1995 08:49:37 GMT", 87 * 86_400), ("Thu, 29 Feb 1996 08:49:37 GMT", 480 * 86_400),
    ])
    func `seconds and dates are read`(text: String, seconds: Int64) {
        #expect(RetryAfter.wait(text, at: now) == .seconds(seconds))
    }

    @Test(arguments: [
        "", " ", "1.5", "-1", "+1", "1s", "١٢", "Sun, 06 Nov 1994 08:49:38", "Sun, 06 Nov 1994 08:49:38 UTC", "Sun, 06 nov 1994 08:49:38 GMT",
        "Sun, 31 Feb 1995 08:49:38 GMT", "Sun, 06 Nov 1994 24:49:38 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun,  6 Nov 1994 08:49:38 GMT", "Sun, 6 Nov 1994 008:49:38 GMT", "                         GMT!", "éé, 06 Nov 1994 08:49:3 GMT",
    ])
    func `other texts are ignored`(text: String) {
        #expect(RetryAfter.wait(text, at: now) == nil)
    }

    @Test func `a huge number is limited to a year`() {
        for text in ["31622400", "9223372036854775807", "9223372036854775808", String(repeating: "9", count: 100)] {
            #expect(RetryAfter.wait(text, at: now) == .days(366))
        }
    }
}

struct OriginReportTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    private func report(_ status: Int, _ retryAfter: String? = nil, took: Timestamp.Span = .seconds(1)) -> OriginReport {
        OriginReport(.responded(status: status, retryAfter: retryAfter), took: took, at: now)
    }

    @Test func `only failures of the origin count against it`() {
        for status in 100...599 {
            switch status {
            case 429, 502, 504: #expect(report(status) == .slowDown(until: now + .seconds(10)))
            case 500...: #expect(report(status) == .failed)
            default: #expect(report(status) == .responded)
            }
        }
        #expect(OriginReport(.broken, took: .seconds(15), at: now) == .unreachable)
        let late = Timestamp.Span(milliseconds: 1_001)
        #expect(report(200, took: late) == .late(late) && report(404, took: late) == .late(late) && report(500, took: late) == .failed)
    }

    @Test func `a requested pause is limited to 1 s to 10 min`() {
        for status in [429, 502, 503, 504] {
            #expect(report(status, "30") == .slowDown(until: now + .seconds(30)))
            #expect(report(status, "0") == .slowDown(until: now + .seconds(1)))
            #expect(report(status, "86400") == .slowDown(until: now + .minutes(10)))
        }
        #expect(report(503, "soon") == .failed && report(500, "30") == .failed && report(404, "30") == .responded && report(200, "30") == .responded)
    }
}
