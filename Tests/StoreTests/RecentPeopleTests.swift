// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Platform
import TestSupport
import Testing

@testable import EventStore

@Suite struct RecentPeopleTests {
    private static func time(_ minute: Int) -> Timestamp { Timestamp(milliseconds: Int64(minute) * 60_000 + 30_000) }

    private static func count(_ people: RecentPeople, _ app: Int64, now: Int) -> Int? {
        people.count(
            app: AppID(rawValue: app), from: Timestamp(milliseconds: Int64(now - 29) * 60_000), to: Timestamp(milliseconds: Int64(now + 1) * 60_000))
    }

    /// The number of people among sightings, by plain loops.
    private static func model(_ sightings: [RecentPeople.Sighting], _ app: Int64, now: Int) -> Int {
        let present = sightings.filter { $0.app == app && (now - 29...now).contains(Int($0.minute)) }
        let named = Set(present.filter { $0.user != 0 }.map(\.installation))
        let users = Set(present.map(\.user)).subtracting([0])
        return users.count + Set(present.filter { $0.user == 0 }.map(\.installation)).subtracting(named).count
    }

    private static func random(_ now: Int, _ random: inout SeededGenerator) -> RecentPeople.Sighting {
        let installation = UInt64.random(in: 0..<20, using: &random)
        return .init(
            app: .random(in: 1...2, using: &random), installation: installation,
            user: installation == 0
                ? .random(in: 100..<110, using: &random) : Bool.random(using: &random) ? 0 : .random(in: 100..<110, using: &random),
            minute: Int32(now + .random(in: -50...5, using: &random)))
    }

    @Test func `people of random minutes are those of a plain model`() {
        var random = SeededGenerator(7)
        let people = RecentPeople(knowsAll: true, now: Self.time(1_000))
        var all: [RecentPeople.Sighting] = []
        var now = 1_000
        for _ in 0..<400 {
            let sightings = (0..<Int.random(in: 0..<6, using: &random)).map { _ in Self.random(now, &random) }
            people.committed(sightings, at: Self.time(now))
            all += sightings
            if Int.random(in: 0..<40, using: &random) == 0 { Self.remove(from: &all, people, now, &random) }
            for app in [Int64(1), 2] where Bool.random(using: &random) {
                #expect(Self.count(people, app, now: now) == Self.model(all, app, now: now))
            }
            now += Int.random(in: 0..<3, using: &random)
        }
    }

    /// Erases or anonymises a person.
    private static func remove(
        from all: inout [RecentPeople.Sighting], _ people: RecentPeople, _ now: Int, _ random: inout SeededGenerator
    ) {
        let (user, installation) = (UInt64.random(in: 100..<110, using: &random), UInt64.random(in: 1..<20, using: &random))
        let keys = PersonKeys(app: AppID(rawValue: 1), user: user, installations: [installation])
        let kind: PersonRemoval.Kind = Bool.random(using: &random) ? .erasure : .anonymity(salt: UInt64(now), privateParams: [])
        let removal = PersonRemoval(app: keys.app, person: user, kind: kind, keys: keys, members: [])
        people.remove(removal, at: time(now))
        all = all.compactMap { sighting in
            guard sighting.app == 1, keys.contains(user: sighting.user, installation: sighting.installation) else { return sighting }
            guard case .anonymity = kind else { return nil }
            var renamed = sighting
            (renamed.installation, renamed.user) = (removal.keyAfterRemoval(sighting.installation), removal.keyAfterRemoval(sighting.user))
            return renamed
        }
    }

    @Test func `after a start people are known once the memory covers thirty minutes`() {
        let people = RecentPeople(knowsAll: false, now: Self.time(100))
        people.committed([.init(app: 1, installation: 1, user: 0, minute: 101)], at: Self.time(101))
        #expect(Self.count(people, 1, now: 129) == nil)
        #expect(Self.count(people, 1, now: 130) == 1)
        // A clock that was set back.
        #expect(Self.count(people, 1, now: 129) == nil)
    }

    @Test func `too many people are forgotten, and counted again half an hour later`() {
        let people = RecentPeople(knowsAll: true, now: Self.time(100))
        for start in stride(from: UInt64(1), to: 600_001, by: 50_000) {
            people.committed((start..<start + 50_000).map { .init(app: 1, installation: $0, user: 0, minute: 100) }, at: Self.time(100))
        }
        #expect(Self.count(people, 1, now: 100) == nil)
        #expect(Self.count(people, 1, now: 129) == nil)
        people.committed([.init(app: 1, installation: 1, user: 0, minute: 130)], at: Self.time(130))
        #expect(Self.count(people, 1, now: 130) == 1)
    }

    @Test func `sightings far ahead are bounded`() {
        let people = RecentPeople(knowsAll: true, now: Self.time(100))
        people.committed((1...60_000).map { .init(app: 1, installation: $0, user: 0, minute: 104) }, at: Self.time(100))
        #expect(Self.count(people, 1, now: 104) == nil)
        #expect(Self.count(people, 1, now: 133) == nil)
        #expect(Self.count(people, 1, now: 134) == 0)
    }
}
