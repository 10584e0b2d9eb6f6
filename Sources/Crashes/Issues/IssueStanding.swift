// SPDX-License-Identifier: Apache-2.0

package import Platform

/// How an issue stands, and what the crashes that go on coming do to it. Closed and muted exclude each other.
package struct IssueStanding: Sendable, Equatable {
    package enum Closing: Sendable, Equatable {
        /// Mended everywhere: whatever happens from then on is a regression.
        case everywhere
        /// Mended in this release: older ones may go on crashing.
        case inRelease(Release)
        /// Mended in what comes after this release.
        case afterRelease(Release)
    }

    package enum Muting: Sendable, Equatable {
        case forever
        case until(Timestamp)
        /// Until so many crashes come within so long a time.
        case volume(count: Int, within: Timestamp.Span)
    }

    /// A crash of the issue, as far as its standing is concerned.
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

    /// What a crash changed.
    package enum Turn: Sendable, Equatable {
        case regressed
        case unmuted
    }

    package var state: IssueState
    /// When a person or a crash last changed the state.
    package var since: Timestamp
    package var closing: Closing?
    package var muting: Muting?
    /// When it came back after it was closed; until it is closed again.
    package var regressed: Timestamp?
    /// What has come of the volume it is muted until: since when, and how many.
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
        enter(.muted, at: now)
        self.muting = muting
    }

    /// How it stands now: a date that it was muted until may have passed without a crash.
    package func state(at now: Timestamp) -> IssueState {
        if state == .muted, case .until(let end) = muting, now >= end { .open } else { state }
    }

    /// Takes a crash in; answers whether it changed how the issue stands.
    package mutating func meet(_ crash: Sighting) -> Turn? {
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

    /// Where a release says it was mended, a crash in it contradicts that whenever it happened; where none does, only what happened afterwards.
    private func contradictsClosing(_ crash: Sighting) -> Bool {
        switch (closing, crash.release) {
        case (.inRelease(let mended), let release?): !ReleaseOrder.isOlder(release, than: mended)
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
