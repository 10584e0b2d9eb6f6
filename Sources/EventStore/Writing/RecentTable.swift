// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Platform

/// The newest minute of each pair of an installation and a user, for the last half hour.
///
/// Minutes ahead of the clock wait until they have come.
struct RecentTable: Sendable {
    /// The number of pairs of all apps, and of sightings ahead of time.
    private static let mostPairs = 500_000
    private static let mostAhead = 50_000
    /// More than the minutes of a query.
    private static let keptMinutes: Int32 = 32

    /// The first minute of which all events are known.
    private var since: Int32
    private var now: Int32
    private var pairs = PairTable()
    private var ahead: [RecentPeople.Sighting] = []
    /// The number of pairs at which old ones are removed.
    private var cleansAt = 4_096

    init(since: Int32, now: Int32) {
        (self.since, self.now) = (since, now)
    }

    mutating func advance(to minute: Int32) {
        guard minute > now else { return }
        now = minute
        for sighting in ahead where sighting.minute <= now { pairs.note(sighting) }
        ahead.removeAll { $0.minute <= now }
    }

    mutating func note(_ sightings: [RecentPeople.Sighting]) {
        for sighting in sightings {
            if sighting.minute > now {
                ahead.append(sighting)
            } else if sighting.minute > now - RecentTable.keptMinutes {
                pairs.note(sighting)
                if pairs.all.count > cleansAt { clean() }
            }
        }
        if ahead.count > RecentTable.mostAhead { reset() }
    }

    /// Removes pairs that no query counts any more; all of them if too many are left.
    private mutating func clean() {
        pairs.keep { $0.minute > now - RecentTable.keptMinutes }
        if pairs.all.count > RecentTable.mostPairs { return reset() }
        cleansAt = min(max(4_096, 2 * pairs.all.count), RecentTable.mostPairs + RecentTable.mostPairs / 10)
    }

    /// Forgets everyone. From the next minute on all events are known again.
    mutating func reset() {
        since = (ahead.map(\.minute).max() ?? now) &+ 1
        (pairs, ahead, cleansAt) = (PairTable(), [], 4_096)
    }

    mutating func remove(_ removal: PersonRemoval) {
        let isErasure = if case .erasure = removal.kind { true } else { false }
        let concerns = { (sighting: RecentPeople.Sighting) in
            sighting.app == removal.app.rawValue && removal.keys.contains(user: sighting.user, installation: sighting.installation)
        }
        let gone = (pairs.all + ahead).filter(concerns)
        if gone.isEmpty { return }
        pairs.keep { !concerns($0) }
        ahead.removeAll(where: concerns)
        if isErasure { return }
        note(
            gone.map { sighting in
                var renamed = sighting
                renamed.installation = removal.keyAfterRemoval(sighting.installation)
                renamed.user = removal.keyAfterRemoval(sighting.user)
                return renamed
            })
    }

    func count(app: Int64, from: Int32, to: Int32) -> Int? {
        guard from >= since, to == now + 1, from > now - RecentTable.keptMinutes else { return nil }
        var (users, named, anonymous) = (KeySet(), KeySet(), KeySet())
        let sightings = pairs.all.filter { $0.app == app && $0.minute >= from }
        for sighting in sightings where sighting.user != 0 {
            _ = users.insert(sighting.user)
            if sighting.installation != 0 { _ = named.insert(sighting.installation) }
        }
        // An installation's events without a user belong to a user that it named.
        for sighting in sightings where sighting.user == 0 && !named.contains(sighting.installation) {
            _ = anonymous.insert(sighting.installation)
        }
        return users.count + anonymous.count
    }
}

/// A hash table of pairs with linear probing, which keeps the newest minute of each.
private struct PairTable: Sendable {
    private(set) var all: [RecentPeople.Sighting] = []
    /// Numbers of pairs, from 1, by hash; 0 is free.
    private var index = [UInt32](repeating: 0, count: 1_024)

    mutating func note(_ sighting: RecentPeople.Sighting) {
        let place = find(sighting)
        guard index[place] == 0 else {
            let i = Int(index[place]) - 1
            if all[i].minute < sighting.minute { all[i].minute = sighting.minute }
            return
        }
        all.append(sighting)
        index[place] = UInt32(truncatingIfNeeded: all.count)
        if all.count * 2 > index.count { rebuild(2 * index.count) }
    }

    mutating func keep(where isKept: (RecentPeople.Sighting) -> Bool) {
        all.removeAll { !isKept($0) }
        rebuild(index.count)
    }

    private func find(_ sighting: RecentPeople.Sighting) -> Int {
        let mask = index.count - 1
        var place = RecentPeople.Sighting.hash(sighting) & mask
        while index[place] != 0, !all[Int(index[place]) - 1].isOfSamePair(as: sighting) { place = (place + 1) & mask }
        return place
    }

    private mutating func rebuild(_ count: Int) {
        index = [UInt32](repeating: 0, count: count)
        for i in all.indices { index[find(all[i])] = UInt32(truncatingIfNeeded: i + 1) }
    }
}

extension RecentPeople.Sighting {
    fileprivate func isOfSamePair(as other: Self) -> Bool {
        installation == other.installation && user == other.user && app == other.app
    }

    /// The keys are hashes already.
    fileprivate static func hash(_ sighting: Self) -> Int {
        let person = sighting.installation &* 0x9e37_79b9_7f4a_7c15 ^ sighting.user
        let mixed = (person ^ UInt64(bitPattern: sighting.app)) &* 0xff51_afd7_ed55_8ccd
        return Int(truncatingIfNeeded: mixed >> 33)
    }
}
