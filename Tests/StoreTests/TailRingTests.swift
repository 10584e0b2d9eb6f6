// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct TailRingTests {
    private let ours = AppID(rawValue: 1)
    private let theirs = AppID(rawValue: 2)

    /// Returns a commit of quarantined events of about a kilobyte each.
    private func commit(after seq: Int64, _ apps: [AppID]) -> TailCommit {
        let verdict = Verdict(index: 0, id: nil, result: .quarantined, reason: .badName, field: "name", message: "")
        let rows = apps.map { app in
            QuarantineRows.Row(
                app: app.rawValue, received: 0, time: nil, verdict: verdict, source: .events, envelope: [], raw: [UInt8](repeating: 0, count: 1_000))
        }
        return TailCommit(firstSeq: seq + 1, submissions: [], ends: [], events: [], quarantined: rows)
    }

    private func next(_ ring: TailRing, _ app: AppID, _ place: inout TailRing.Place) -> String {
        switch ring.next(for: app, &place) {
        case .commit(let commit):
            place.seq = commit.lastSeq
            return "\(commit.firstSeq)-\(commit.lastSeq)"
        case .gap(let missed, let after): return "missed \(missed) after \(after)"
        case .stored(let through): return "stored through \(through)"
        case .nothing: return "nothing"
        }
    }

    @Test func `a fast listener gets each commit of its app once`() {
        var ring = TailRing(bytes: 1 << 20, after: 10)
        var place = TailRing.Place(seq: 10, seen: nil)
        #expect(next(ring, ours, &place) == "nothing")
        ring.append(commit(after: 10, [ours, theirs]))
        ring.append(commit(after: 12, [theirs]))
        ring.append(commit(after: 13, [ours]))
        #expect(next(ring, ours, &place) == "11-12")
        #expect(next(ring, ours, &place) == "14-14")
        #expect(next(ring, ours, &place) == "nothing")
    }

    @Test func `a slow listener skips to the end and gets its app's number of missed records`() {
        var ring = TailRing(bytes: 5_000, after: 0)
        var place = TailRing.Place(seq: 0, seen: nil)
        #expect(next(ring, ours, &place) == "nothing")
        for round in 0..<10 { ring.append(commit(after: Int64(round) * 3, [ours, ours, theirs])) }
        #expect(next(ring, ours, &place) == "missed 20 after 30")
        #expect(next(ring, ours, &place) == "nothing")
        ring.append(commit(after: 30, [ours]))
        #expect(next(ring, ours, &place) == "31-31")
    }

    @Test func `commits of another app cause no gap`() {
        var ring = TailRing(bytes: 5_000, after: 0)
        var place = TailRing.Place(seq: 0, seen: nil)
        ring.append(commit(after: 0, [ours]))
        #expect(next(ring, ours, &place) == "1-1")
        for seq in 1..<50 { ring.append(commit(after: Int64(seq), [theirs])) }
        #expect(next(ring, ours, &place) == "nothing")
        ring.append(commit(after: 50, [ours]))
        #expect(next(ring, ours, &place) == "51-51")
    }

    @Test func `a listener far behind reads stored events until the ring continues`() {
        var ring = TailRing(bytes: 5_000, after: 100)
        var place = TailRing.Place(seq: 40, seen: nil)
        #expect(next(ring, ours, &place) == "stored through 100")
        for seq in 100..<120 { ring.append(commit(after: Int64(seq), [ours])) }
        place.seq = 100
        #expect(next(ring, ours, &place) == "stored through 116")
        // Within the range that is still buffered.
        place.seq = 117
        #expect(next(ring, ours, &place) == "118-118")
        for seq in 120..<140 { ring.append(commit(after: Int64(seq), [ours])) }
        #expect(next(ring, ours, &place) == "missed 22 after 140")
    }

    @Test func `a commit larger than the ring is kept while it is the newest`() {
        var ring = TailRing(bytes: 100, after: 0)
        var place = TailRing.Place(seq: 0, seen: nil)
        ring.append(commit(after: 0, [ours, ours]))
        #expect(next(ring, ours, &place) == "1-2")
    }
}
