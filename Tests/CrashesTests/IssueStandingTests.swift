// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

struct IssueStandingTests {
    private let closedAt = minute(100)

    private static func minute(_ n: Int64) -> Timestamp { Timestamp(milliseconds: n * 60_000) }

    private func crash(_ release: String?, happened: Int64, received: Int64? = nil) -> IssueStanding.Sighting {
        .init(time: Self.minute(happened), received: Self.minute(received ?? happened), release: release.map { Release($0) })
    }

    private func closed(_ closing: IssueStanding.Closing) -> IssueStanding {
        var issue = IssueStanding(openSince: Self.minute(0))
        issue.close(closing, at: closedAt)
        return issue
    }

    @Test(
        arguments: [
            (IssueStanding.Closing.inRelease(Release("2.0")), "1.9", false), (.inRelease(Release("2.0")), "2.0-beta.1", false),
            (.inRelease(Release("2.0")), "2.0", true), (.inRelease(Release("2.0")), "2.0.1", true), (.afterRelease(Release("2.0")), "2.0", false),
            (.afterRelease(Release("2.0")), "2.0.1", true), (.everywhere, "1.0", true), (.inRelease(Release("2.0")), nil, true),
        ] as [(IssueStanding.Closing, String?, Bool)]) func `a crash reopens a fixed issue only in the fixed release or later`(
            closing: IssueStanding.Closing, release: String?, reopens: Bool
        )
    {
        var issue = closed(closing)
        #expect(issue.apply(crash(release, happened: 101)) == (reopens ? .regressed : nil))
        #expect(issue.state == (reopens ? .open : .closed))
        #expect(issue.regressed == (reopens ? Self.minute(101) : nil))
    }

    @Test(
        arguments: [(IssueStanding.Closing.everywhere, "1.0"), (.inRelease(Release("2.0")), nil), (.inRelease(Release("2.0")), "1.0")]
            as [(IssueStanding.Closing, String?)])
    func `a late crash from before the closing does not reopen`(closing: IssueStanding.Closing, release: String?) {
        var issue = closed(closing)
        #expect(issue.apply(crash(release, happened: 99, received: 200)) == nil)
        #expect(issue == closed(closing))
    }

    private static let releases: [Release?] = [
        nil, Release("1.9", build: "99"), Release("2.0"), Release("2.0", build: "56"), Release("2.0", build: "57"), Release("2.0", build: "58"),
        Release("2.0", build: "abc"), Release("2.1"), Release("2.1", build: "1"),
    ]

    /// Whether crashes of `releases` reopen an issue: + always, - never, t if they happened after it was closed.
    @Test(
        arguments: [
            (.everywhere, "t t t t t t t t t"),
            (.inRelease(Release("2.0")), "t - + + + + + + +"),
            (.inRelease(Release("2.0", build: "57")), "t - + - + + + + +"),
            (.afterRelease(Release("2.0")), "t - - - - - - + +"),
            (.afterRelease(Release("2.0", build: "57")), "t - - - - + - + +"),
            (.afterRelease(Release("2.0", build: "abc")), "t - - - - - - + +"),
        ] as [(IssueStanding.Closing, String)]) func `release and build decide, and the time only without them`(
            closing: IssueStanding.Closing, expected: String
        )
    {
        for time in [99, 100, 101] as [Int64] {
            let reopened = Self.releases.map { release in
                var issue = closed(closing)
                return issue.apply(.init(time: Self.minute(time), received: Self.minute(200), release: release)) == .regressed
            }
            #expect(reopened == expected.split(separator: " ").map { $0 == "+" || $0 == "t" && time > 100 }, "\(closing) at \(time)")
        }
    }

    @Test func `builds of a release that is no version decide as well`() {
        let closing = IssueStanding.Closing.afterRelease(Release("nightly", build: "57", firstSeen: Self.minute(1)))
        for (build, reopens) in [("56", false), ("57", false), ("58", true)] {
            var issue = closed(closing)
            let release = Release("nightly", build: build, firstSeen: Self.minute(1))
            #expect((issue.apply(.init(time: Self.minute(101), received: Self.minute(101), release: release)) != nil) == reopens, "\(build)")
        }
    }

    @Test func `a late crash in the fixed release reopens`() {
        var issue = closed(.inRelease(Release("2.0")))
        #expect(issue.apply(crash("2.0", happened: 99, received: 200)) == .regressed)
        #expect(issue.since == Self.minute(200))
    }

    @Test func `a regression is reported once and cleared when closed again`() {
        var issue = closed(.everywhere)
        #expect(issue.apply(crash("1.0", happened: 101)) == .regressed)
        #expect(issue.apply(crash("1.0", happened: 102)) == nil)
        #expect(issue.regressed == Self.minute(101))
        issue.close(.everywhere, at: Self.minute(103))
        #expect(issue.regressed == nil && issue.state == .closed)
    }

    @Test func `a muted issue stays muted until its date`() {
        var issue = IssueStanding(openSince: Self.minute(0))
        issue.mute(.until(Self.minute(50)), at: Self.minute(1))
        #expect(issue.apply(crash("1.0", happened: 49)) == nil)
        #expect(issue.state(at: Self.minute(49)) == .muted && issue.state(at: Self.minute(50)) == .open)
        #expect(issue.apply(crash("1.0", happened: 10, received: 50)) == .unmuted)
        #expect(issue.state == .open && issue.muting == nil && issue.regressed == nil)
    }

    @Test func `a volume counts only crashes within its window`() {
        var issue = IssueStanding(openSince: Self.minute(0))
        issue.mute(.volume(count: 3, within: .minutes(10)), at: Self.minute(1))
        let transitions = [2, 11, 12, 20, 21].map { issue.apply(crash("1.0", happened: $0)) }
        #expect(transitions == [nil, nil, nil, nil, .unmuted])
        #expect(issue.state == .open && issue.windowCount == 0)
    }

    @Test func `an issue muted forever is only unmuted by a user`() {
        var issue = IssueStanding(openSince: Self.minute(0))
        issue.mute(.forever, at: Self.minute(1))
        #expect((2..<1_000).allSatisfy { issue.apply(crash("9.0", happened: $0)) == nil })
        issue.open(at: Self.minute(2_000))
        #expect(issue.state == .open && issue.since == Self.minute(2_000))
    }

    @Test func `closed and muted exclude each other`() {
        var issue = closed(.everywhere)
        issue.mute(.forever, at: Self.minute(101))
        #expect(issue.state == .muted && issue.closing == nil)
        issue.close(.everywhere, at: Self.minute(102))
        #expect(issue.state == .closed && issue.muting == nil)
    }
}
