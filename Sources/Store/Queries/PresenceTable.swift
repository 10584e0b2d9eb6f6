import Events
import Platform

/// Who was there in which of some buckets: a line of bits for each pair of an installation and a user, 0 where there is none.
///
/// A person is a user, or an installation while it names no user. Within a period an installation's presence without a user belongs
/// to the user it named earliest there.
struct PresenceTable: Sendable {
    struct Pair: Hashable, Sendable {
        var installation: UInt64
        var user: UInt64
    }

    let buckets: Int
    private let width: Int
    private(set) var pairs: [Pair] = []
    private var bits: [UInt64] = []
    /// The earliest quarter-hour of each pair, in milliseconds.
    private(set) var firsts: [Int64] = []
    private var places = KeyTable(capacityBits: 10)

    init(buckets: Int) {
        self.buckets = buckets
        width = (buckets + 63) / 64
    }

    mutating func mark(_ pair: Pair, bucket: Int, at time: Int64) {
        let place = place(of: pair)
        bits[place * width + bucket >> 6] |= 1 << UInt64(bucket & 63)
        firsts[place] = min(firsts[place], time)
    }

    mutating func add(_ other: PresenceTable) {
        for (i, pair) in other.pairs.enumerated() {
            let place = place(of: pair)
            for word in 0..<width { bits[place * width + word] |= other.bits[i * width + word] }
            firsts[place] = min(firsts[place], other.firsts[i])
        }
    }

    private mutating func place(of pair: Pair) -> Int {
        let key = pair.key
        if let known = places[key] { return Int(known) }
        let place = pairs.count
        places.set(key, UInt32(truncatingIfNeeded: place))
        pairs.append(pair)
        firsts.append(.max)
        bits.append(contentsOf: repeatElement(0, count: width))
        return place
    }

    func line(_ place: Int) -> BucketBits {
        BucketBits(words: Array(bits[place * width..<place * width + width]))
    }

    // MARK: People

    /// Everybody's buckets where each bucket is a period of its own, and `windows` of several buckets that end with it.
    func counts(window: Int) -> [Int] {
        var changes = [Int](repeating: 0, count: buckets + 1)
        let people = people()
        for line in people.users.values {
            line.eachWindow(window, of: buckets) {
                changes[$0.lowerBound] += 1; changes[$0.upperBound] -= 1
            }
        }
        for (installation, line) in people.anonymous {
            guard let named = people.named[installation] else {
                line.eachWindow(window, of: buckets) {
                    changes[$0.lowerBound] += 1; changes[$0.upperBound] -= 1
                }
                continue
            }
            // Where it also named a user, that user stands for it.
            let others = named.windows(window, of: buckets)
            line.eachWindow(window, of: buckets) { range in
                for bucket in range where !others.contains(bucket) { changes[bucket] += 1; changes[bucket + 1] -= 1 }
            }
        }
        var (counts, sum) = ([Int](), 0)
        for change in changes.dropLast() {
            sum += change
            counts.append(sum)
        }
        return counts
    }

    /// Different people where all of it is one period.
    var total: Int {
        let people = people()
        return people.users.count + people.anonymous.keys.count { people.named[$0] == nil }
    }

    private func people() -> (users: [UInt64: BucketBits], anonymous: [UInt64: BucketBits], named: [UInt64: BucketBits]) {
        var (users, anonymous, named) = ([UInt64: BucketBits](), [UInt64: BucketBits](), [UInt64: BucketBits]())
        for (place, pair) in pairs.enumerated() {
            let line = line(place)
            if pair.user == 0 {
                anonymous[pair.installation, default: BucketBits(like: line)].add(line)
            } else {
                users[pair.user, default: BucketBits(like: line)].add(line)
                if pair.installation != 0 { named[pair.installation, default: BucketBits(like: line)].add(line) }
            }
        }
        return (users, anonymous, named)
    }

    /// Everybody's buckets where all of it is one period and installations belong to users as `identity` says.
    func people(_ identity: Identity) -> [UInt64: BucketBits] {
        var people: [UInt64: BucketBits] = [:]
        for (place, pair) in pairs.enumerated() {
            let line = line(place)
            people[identity.person(user: pair.user, installation: pair.installation), default: BucketBits(like: line)].add(line)
        }
        return people
    }
}

extension PresenceTable.Pair {
    /// The two are hashes already; mixed so that a pair is not its mirror image.
    fileprivate var key: UInt64 {
        let mixed = (installation ^ user &* 0x9e37_79b9_7f4a_7c15) &* 0xff51_afd7_ed55_8ccd
        return mixed == 0 ? 1 : mixed ^ mixed >> 32 | (mixed ^ mixed >> 32 == 0 ? 1 : 0)
    }
}

/// Some of a range's buckets, a bit for each.
struct BucketBits: Sendable, Equatable {
    private(set) var words: [UInt64]

    init(words: [UInt64]) {
        self.words = words
    }

    init(like other: BucketBits) {
        words = [UInt64](repeating: 0, count: other.words.count)
    }

    init(buckets: Int) {
        words = [UInt64](repeating: 0, count: (buckets + 63) / 64)
    }

    mutating func add(_ other: BucketBits) {
        for i in words.indices { words[i] |= other.words[i] }
    }

    mutating func insert(_ bucket: Int) {
        words[bucket >> 6] |= 1 << UInt64(bucket & 63)
    }

    func contains(_ bucket: Int) -> Bool {
        words[bucket >> 6] >> UInt64(bucket & 63) & 1 == 1
    }

    func each(_ body: (Int) -> Void) {
        for (i, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                body(i * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }

    /// The buckets whose window of so many buckets, itself the last, holds one of these; as ranges that do not overlap.
    func eachWindow(_ size: Int, of buckets: Int, _ body: (Range<Int>) -> Void) {
        var end = 0
        each { bucket in
            let range = max(bucket, end)..<min(bucket + size, buckets)
            if !range.isEmpty { body(range) }
            end = max(end, min(bucket + size, buckets))
        }
    }

    func windows(_ size: Int, of buckets: Int) -> BucketBits {
        var all = BucketBits(buckets: buckets)
        eachWindow(size, of: buckets) { for bucket in $0 { all.insert(bucket) } }
        return all
    }
}
