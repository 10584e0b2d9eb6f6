// SPDX-License-Identifier: Apache-2.0

/// Different people of a presence table, counted without resolving identities.
///
/// In a period in which an installation named a user, that user is present anyway, so the installation adds nobody. The number of people is
/// therefore the number of users plus that of installations that named no user in the period. This holds for all windows at once, without
/// an `Identity` for each.
struct Census: Sendable {
    /// The lines of users, by number.
    private var users: Lines
    /// The lines of installations without a user, and with one.
    private var anonymous: Lines
    private var named: Lines

    init(_ table: PresenceTable) {
        users = Lines(buckets: table.buckets, count: table.people.users.count)
        anonymous = Lines(buckets: table.buckets, count: table.people.installations.count)
        named = anonymous
        let lines = table.lines
        for (place, pair) in table.people.pairs.enumerated() where table.isPresent(at: place) {
            if pair.user == 0 {
                anonymous.add(at: Int(pair.installation), lines, at: place)
            } else {
                users.add(at: Int(pair.user), lines, at: place)
                if pair.installation != 0 { named.add(at: Int(pair.installation), lines, at: place) }
            }
        }
    }

    /// Returns the number of different people of each bucket's window, which is the bucket and the `window - 1` before it.
    ///
    /// The time does not depend on the window. Windows in which an installation also named a user are subtracted, because the user counts
    /// for it.
    func counts(window: Int) -> [Int] {
        var counts = LineCounts(buckets: users.buckets)
        if users.width == 1 {
            for word in users.words where word != 0 { counts.add(LineWords.smeared(word, window)) }
            for (installation, word) in anonymous.words.enumerated() where word != 0 {
                counts.add(LineWords.smeared(word, window) & ~LineWords.smeared(named.words[installation], window))
            }
            return counts.counts
        }
        var (line, other) = (LineWords(width: users.width), LineWords(width: users.width))
        for user in 0..<users.count where !users.isEmpty(at: user) {
            line.load(users, at: user)
            line.smear(window)
            counts.add(line)
        }
        for installation in 0..<anonymous.count where !anonymous.isEmpty(at: installation) {
            line.load(anonymous, at: installation)
            line.smear(window)
            other.load(named, at: installation)
            other.smear(window)
            line.subtract(other)
            counts.add(line)
        }
        return counts.counts
    }
}

/// Different people of a few periods, with a bit for each period: as `Census`, in a byte for each key.
struct PeriodBits: Sendable {
    static let limit = 8
    private let periods: Int
    private var users: [UInt8]
    private var anonymous: [UInt8]
    private var named: [UInt8]

    init(_ table: PresenceTable, _ periods: [Range<Int>]) {
        self.periods = periods.count
        users = [UInt8](repeating: 0, count: table.people.users.count)
        anonymous = [UInt8](repeating: 0, count: table.people.installations.count)
        named = anonymous
        let (lines, width) = (table.lines.words, table.lines.width)
        let tests = periods.enumerated().flatMap { number, period in
            table.lines.masks(of: period).map { (word: $0.word, bits: $0.bits, period: UInt8(1) << UInt8(number)) }
        }
        for (place, pair) in table.people.pairs.enumerated() {
            var there: UInt8 = 0
            for test in tests where lines[place * width + test.word] & test.bits != 0 { there |= test.period }
            if there == 0 { continue }
            if pair.user == 0 {
                anonymous[Int(pair.installation)] |= there
            } else {
                users[Int(pair.user)] |= there
                if pair.installation != 0 { named[Int(pair.installation)] |= there }
            }
        }
    }

    var counts: [Int] {
        (0..<periods).map { number in
            let bit = UInt8(1) << UInt8(number)
            return users.count { $0 & bit != 0 } + anonymous.indices.count { anonymous[$0] & ~named[$0] & bit != 0 }
        }
    }
}
