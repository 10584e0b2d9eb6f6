// SPDX-License-Identifier: Apache-2.0

@testable import Accounts
import Platform
import Testing

struct ThrottleTests {
    private static let start = Timestamp(milliseconds: 1_796_000_000_000)
    private static func address(_ number: Int) -> IPAddress { IPAddress(v4: UInt32(number)) }

    /// Returns the number of calls that pass when one is made each second.
    private func passed(seconds: Int, _ take: (inout Throttle, Timestamp) -> Throttle.Verdict) -> Int {
        var throttle = Throttle(at: Self.start)
        return (0..<seconds).count { take(&throttle, Self.start + .seconds(Int64($0))) == .allowed }
    }

    @Test func `budgets are those of their hour or minute`() {
        // The budget at once, and what the time returns of it.
        let codes = passed(seconds: 3_600) { $0.take(.code, from: Self.address(1), at: $1) }
        let accounts = passed(seconds: 3_600) { $0.take(.newAccount, from: Self.address(1), at: $1) }
        let signIns = passed(seconds: 60) { $0.take(.signIn, from: Self.address(1), at: $1) }
        let refreshes = passed(seconds: 60) { $0.take(refreshOf: 1, at: $1) }
        let factors = passed(seconds: 900) { $0.guess(factorOf: 1, at: $1) }
        #expect([codes, accounts, signIns, refreshes, factors] == [59, 199, 39, 59, 19])
    }

    @Test func `mails to one address come once a minute and five an hour`() {
        let mails = [59, 61, 300, 600, 3_600].map { seconds in passed(seconds: seconds) { $0.take(mailTo: 1, at: $1) } }
        #expect(mails == [1, 2, 5, 5, 9])
        var throttle = Throttle(at: Self.start)
        let verdicts = [1, 1, 2].map { throttle.take(mailTo: $0, at: Self.start) }
        #expect(verdicts == [.allowed, .limited(retryAfterSeconds: 60), .allowed])
    }

    @Test func `ten thousand guesses of strangers reach the hasher as often as allowed, and the owner's device gets in`() {
        var throttle = Throttle(at: Self.start)
        var hashed = 0
        for number in 0..<10_000 {
            let now = Self.start + .seconds(Int64(number) / 10)
            guard throttle.take(.signIn, from: Self.address(number % 100), at: now) == .allowed else { continue }
            if throttle.guess(7, device: nil, at: now) == .allowed { hashed += 1 }
        }
        // Five at once, then after 1, 2, 4 … 256 seconds.
        #expect(hashed == 14)
        let owner = throttle.guess(7, device: 99, at: Self.start + .seconds(500))
        let another = throttle.guess(8, device: nil, at: Self.start + .seconds(500))
        #expect(owner == .allowed && another == .allowed)
    }

    @Test func `waits grow to fifteen minutes and end with a right password or a day`() {
        var (throttle, now) = (Throttle(at: Self.start), Self.start)
        func guess(_ count: Int = 1) -> [Throttle.Verdict] { (0..<count).map { _ in throttle.guess(1, device: nil, at: now) } }
        var longest = 0
        for _ in 0..<40 {
            guard case .limited(let seconds) = guess()[0] else { continue }
            longest = max(longest, seconds)
            now = now + .seconds(Int64(seconds))
        }
        _ = guess()
        #expect(longest == 900 && guess() == [.limited(retryAfterSeconds: 900)])
        // A clock that was set back does not extend the wait.
        let future = now
        now = now - .hours(10)
        #expect(guess() == [.allowed])
        now = future
        throttle.succeeded(1, device: nil)
        let five = [Throttle.Verdict](repeating: .allowed, count: 5)
        #expect(guess(6) == five + [.limited(retryAfterSeconds: 1)])
        now = now + .hours(25)
        #expect(guess(6) == five + [.limited(retryAfterSeconds: 1)])
    }

    @Test func `memory is bounded, and a key in use is not forgotten for new ones`() {
        var throttle = Throttle(at: Self.start, capacity: 100)
        for _ in 0..<5 { _ = throttle.guess(7, device: nil, at: Self.start) }
        var forgotten = 0
        for number in 0..<10_000 {
            _ = throttle.guess(UInt64(1_000 + number), device: nil, at: Self.start)
            _ = throttle.take(.signIn, from: Self.address(number), at: Self.start)
            _ = throttle.take(mailTo: UInt64(number), at: Self.start)
            _ = throttle.take(refreshOf: UInt64(number), at: Self.start)
            _ = throttle.guess(factorOf: UInt64(number), at: Self.start)
            if throttle.guess(7, device: nil, at: Self.start) == .allowed { forgotten += 1 }
        }
        #expect(forgotten == 0)
        #expect(throttle.count <= 500)
    }
}
