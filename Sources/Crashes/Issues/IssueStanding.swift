// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The state of an issue, and how new crashes change it. An issue is open, closed or muted.
///
///     close(.inRelease("2.1"))
///     apply(crash in 2.0)   → nil            older releases may still crash
///     apply(crash in 2.1)   → .regressed     the issue is open again
///     close(.afterRelease("2.1+57"))
///     apply(crash in 2.1+56) → nil           also in 2.1 of an unknown build
///     apply(crash in 2.1+58) → .regressed    so does 2.2
///     mute(.volume(count: 100, within: .hours(1)))
///     apply(the 100th crash within an hour)  → .unmuted
package struct IssueStanding: Sendable, Equatable {
    package enum Closing: Sendable, Equatable {
        /// Fixed everywhere. Any later crash is a regression.
        case everywhere
        /// Fixed in this release. Crashes in older releases do not reopen the issue.
        case inRelease(Release)
        /// Fixed in the next release after this one, or in the next build if its build is known.
        case afterRelease(Release)
    }

    package enum Muting: Sendable, Equatable {
        case forever
        case until(Timestamp)
        /// Muted until `count` crashes arrive within the span.
        case volume(count: Int, within: Timestamp.Span)
    }

    /// The properties of a crash that can change the state.
    package struct Sighting: Sendable {
        package var time: Timestamp
        package var received: Timestamp
        package var release: Release?

        package init(time: Timestamp, received: Timestamp, release: Release?) {
            self.time = time
            self.received = received
            self.release = release
        }
    }

    /// A change of state caused by a crash.
    package enum Transition: Sendable, Equatable {
        case regressed
        case unmuted
    }

    package var state: IssueState
    /// The time of the last change of state, by a user or a crash.
    package var since: Timestamp
    package var closing: Closing?
    package var muting: Muting?
    /// The time of the regression. Nil until one happens and after the issue is closed again.
    package var regressed: Timestamp?
    /// The start of the current window of `Muting.volume`; `windowCount` is the number of crashes in it.
    package var windowStart: Timestamp?
    package var windowCount = 0

    package init(openSince since: Timestamp) {
        state = .open
        self.since = since
    }

    package mutating func open(at now: Timestamp) {
        guard state != .open else { return }
        enter(.open, at: now)
    }

    package mutating func close(_ closing: Closing, at now: Timestamp) {
        enter(.closed, at: now)
        self.closing = closing
        regressed = nil
    }

    package mutating func mute(_ muting: Muting, at now: Timestamp) {
        if case .volume(let limit, let span) = muting { assert(limit > 0 && span > .seconds(0), "a muting by volume needs a number and a period") }
        enter(.muted, at: now)
        self.muting = muting
    }

    /// Returns the state at `now`. A muting that ended by date counts as open before a crash records it.
    package func state(at now: Timestamp) -> IssueState {
        if state == .muted, case .until(let end) = muting, now >= end { .open } else { state }
    }

    /// Applies a new crash. Returns the change of state, if any.
    package mutating func apply(_ crash: Sighting) -> Transition? {
        assert(closing == nil || state == .closed, "only a closed issue has a fix")
        assert(muting == nil || state == .muted, "only a muted issue has an end of muting")
        switch state {
        case .open: return nil
        case .closed:
            guard contradictsClosing(crash) else { return nil }
            enter(.open, at: crash.received)
            regressed = crash.received
            return .regressed
        case .muted:
            guard endsMuting(crash) else { return nil }
            enter(.open, at: crash.received)
            return .unmuted
        }
    }

    private mutating func enter(_ state: IssueState, at now: Timestamp) {
        self.state = state
        since = now
        closing = nil
        muting = nil
        windowStart = nil
        windowCount = 0
    }

    /// Whether the crash contradicts the fix. With known releases their order decides, whenever the crash happened. Otherwise only crashes
    /// after the closing count.
    private func contradictsClosing(_ crash: Sighting) -> Bool {
        switch (closing, crash.release) {
        case (.inRelease(let fix), let release?): !ReleaseOrder.isOlder(release, than: fix)
        case (.afterRelease(let last), let release?): ReleaseOrder.isOlder(last, than: release)
        default: crash.time > since
        }
    }

    private mutating func endsMuting(_ crash: Sighting) -> Bool {
        switch muting {
        case .forever, nil: return false
        case .until(let end): return crash.received >= end
        case .volume(let limit, let span):
            if windowStart.map({ crash.received - $0 >= span }) ?? true {
                windowStart = crash.received
                windowCount = 0
            }
            windowCount += 1
            return windowCount >= limit
        }
    }
}
