// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

@Suite struct FairGroupTests {
    /// Returns the places taken of submissions of one byte per unit, in groups of 100.
    private static func places(_ submissions: [(app: Int64, units: Int)]) -> [Int] {
        FairGroup(JobWeight(items: 100, bytes: 100)).places(in: submissions.map { (AppID(rawValue: $0.app), JobWeight(items: $0.units, bytes: 1)) })
    }

    @Test func `a small app is served before the rest of a large one`() {
        let noisy = [(app: Int64, units: Int)](repeating: (1, 30), count: 10)
        #expect(Self.places(noisy + [(2, 5), (2, 5)]) == [0, 1, 2, 10, 11])
        #expect(Self.places(noisy) == [0, 1, 2])
    }

    @Test func `apps with more work get equal shares, each in order`() {
        let turns = (0..<12).map { (app: Int64($0 % 3), units: 11) }
        // 33 units per app: three submissions of 11.
        #expect(Self.places(turns) == Array(0..<9))
        let blocks = (0..<3).flatMap { app in (0..<5).map { _ in (app: Int64(app), units: 11) } }
        #expect(Self.places(blocks) == [0, 1, 2, 5, 6, 7, 10, 11, 12])
    }

    @Test func `unused shares go to the other apps`() {
        let submissions: [(app: Int64, units: Int)] = [(1, 40), (1, 40), (1, 40), (2, 10), (3, 20), (3, 20)]
        // App 2 takes ten, and the others 45 each.
        #expect(Self.places(submissions) == [0, 3, 4, 5])
    }

    @Test func `a submission above its app's share is taken, and the app's next ones wait`() {
        #expect(Self.places([(1, 500), (1, 1), (2, 10)]) == [0])
        #expect(Self.places([(2, 10), (1, 80), (1, 1), (3, 5), (3, 5)]) == [0, 1, 3, 4])
        // A submission never overtakes an earlier one of its app.
        #expect(Self.places([(1, 50), (2, 60), (2, 1), (3, 1)]) == [0, 3])
    }

    @Test func `bytes count if they are the larger fraction of their limit`() {
        let group = FairGroup(JobWeight(items: 10, bytes: 1_000))
        let heavy = JobWeight(items: 1, bytes: 600), light = JobWeight(items: 1, bytes: 10)
        let (one, two) = (AppID(rawValue: 1), AppID(rawValue: 2))
        #expect(group.places(in: [(one, heavy), (one, heavy), (two, light), (two, light)]) == [0, 2, 3])
    }
}
