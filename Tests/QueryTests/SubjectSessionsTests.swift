// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Testing

@testable import Analytics
@testable import EventStore

/// The values that keep sessions in memory.
@Suite struct SubjectSessionsTests {
    /// Returns a part between two minutes.
    private static func part(session: UInt64 = 0, _ first: Int64, _ last: Int64, _ flags: SessionPart.Flags = .activity) -> StoredPiece {
        var part = SessionPart(subject: 1, session: session, time: first * 60_000)
        (part.last, part.flags) = (last * 60_000, flags)
        return StoredPiece(part: part)
    }

    private static func joined(_ pieces: [StoredPiece]) -> SubjectSessions {
        var sessions = SubjectSessions()
        for piece in pieces + pieces.reversed() { sessions.add(piece) }
        sessions.join(timeout: 30 * 60_000, ValueTable())
        return sessions
    }

    @Test func `parts are joined within a session and a day`() {
        // Minutes of a day of 1,440.
        let sessions = Self.joined([
            Self.part(600, 610), Self.part(840, 840), Self.part(620, 620), Self.part(1_430, 1_439), Self.part(1_445, 1_445),
            Self.part(session: 9, 10, 20), Self.part(session: 9, 900, 901),
        ])
        #expect(
            sessions.pieces.map { [$0.first / 60_000, $0.last / 60_000] } == [[600, 620], [840, 840], [1_430, 1_439], [1_445, 1_445], [10, 901]])
        #expect(sessions.starts == [0, 1, 2, 4] && !sessions.isCutPerQuery)
    }

    @Test func `long sessions and crashes without a session are cut per query`() {
        #expect(Self.joined([Self.part(session: 9, 0, 1), Self.part(session: 9, 1_440, 1_440)]).isCutPerQuery)
        #expect(!Self.joined([Self.part(session: 9, 1, 1), Self.part(session: 9, 1_440, 1_440)]).isCutPerQuery)
        let crashes = Self.joined([Self.part(5, 5, .crash), Self.part(5, 5), Self.part(7, 7, .crash)])
        #expect(crashes.isCutPerQuery && crashes.pieces.count == 3)
    }

    @Test func `the feed forgets the app with the most parts`() {
        var (feed, fold) = (SessionFeed(limit: 5), SessionFold())
        let (small, large) = (AppID(rawValue: 1), AppID(rawValue: 2))
        let (first, second) = (feed.open(small), feed.open(large))
        func commit(_ app: AppID, _ subjects: ClosedRange<UInt64>) {
            for subject in subjects {
                let part = SessionPart(subject: subject, session: 1, time: 0)
                feed.touch(fold.add(part, app: app.rawValue, timeout: 1) { _ in nil })
            }
            feed.collect(from: fold, of: Day(number: 0))
        }
        commit(small, 1...2)
        commit(large, 1...3)
        #expect(feed.take(large, of: second)?.parts[Day(number: 0)]?.map(\.subject) == [1, 2, 3])
        commit(large, 3...6)
        #expect(feed.take(large, of: second) == nil)
        #expect(feed.take(small, of: first)?.parts[Day(number: 0)]?.map(\.subject) == [1, 2])
        #expect(feed.take(small, of: first)?.parts.isEmpty == true)
        #expect(feed.open(small) != first && feed.take(small, of: first) == nil)
    }

    @Test func `pairs of values and buckets have numbers in the order of their first use`() {
        var numbers = CellNumbers(buckets: 400_000)
        let pairs: [(UInt32, Int)] = [(3, 0), (0, 399_999), (3, 0), (1, 7), (700, 7), (0, 399_999), (700, 8), (701, 7), (700, 7)]
        #expect(pairs.map { numbers.number($0.0, $0.1) } == [0, 1, 0, 2, 3, 1, 4, 5, 3])
        #expect(numbers.cells.map(\.bucket) == [0, 399_999, 7, 7, 8, 7] && numbers.cells.map(\.value) == [3, 0, 1, 700, 700, 701])
    }
}
