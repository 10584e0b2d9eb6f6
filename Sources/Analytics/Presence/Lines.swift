// SPDX-License-Identifier: Apache-2.0

/// Lines of bits in one array, a bit for each bucket. The number of a line is its index.
struct Lines: Sendable {
    let buckets: Int
    /// The number of words of a line.
    let width: Int
    private(set) var words: [UInt64]

    init(buckets: Int, count: Int = 0) {
        self.buckets = buckets
        width = max(1, (buckets + 63) / 64)
        words = [UInt64](repeating: 0, count: width * count)
    }

    var count: Int { words.count / width }
    var bytes: Int { words.count * 8 }

    /// Adds empty lines up to a count.
    mutating func grow(to count: Int) {
        while words.count < count * width { words.append(0) }
    }

    mutating func mark(at line: Int, _ bucket: Int) {
        words[line * width + bucket >> 6] |= 1 &<< UInt64(bucket & 63)
    }

    /// Adds the buckets of a line of another table with the same buckets.
    mutating func add(at line: Int, _ other: Lines, at otherLine: Int) {
        for i in 0..<width { words[line * width + i] |= other.words[otherLine * width + i] }
    }

    func contains(at line: Int, _ bucket: Int) -> Bool {
        words[line * width + bucket >> 6] &>> UInt64(bucket & 63) & 1 == 1
    }

    func isEmpty(at line: Int) -> Bool {
        if width == 1 { return words[line] == 0 }
        return words[line * width..<(line + 1) * width].allSatisfy { $0 == 0 }
    }

    /// Returns the bits of a range of buckets in each word that has any.
    func masks(of range: Range<Int>) -> [(word: Int, bits: UInt64)] {
        (0..<width).compactMap { word in
            let part = range.clamped(to: word * 64..<word * 64 + 64)
            return part.isEmpty ? nil : (word, (UInt64.max >> UInt64(64 - part.count)) << UInt64(part.lowerBound - word * 64))
        }
    }

    /// Calls a closure with each bucket of a line, in ascending order.
    func each(at line: Int, _ body: (Int) -> Void) {
        for i in 0..<width {
            var rest = words[line * width + i]
            while rest != 0 {
                body(i * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}

/// A line of bits in a few words, to compute with. The least bit of the first word is bucket 0.
struct LineWords: Sendable {
    private(set) var words: [UInt64]

    init(width: Int) {
        words = [UInt64](repeating: 0, count: width)
    }

    mutating func load(_ lines: Lines, at line: Int) {
        for i in words.indices { words[i] = lines.words[line * words.count + i] }
    }

    /// Removes the buckets of another line.
    mutating func subtract(_ other: LineWords) {
        for i in words.indices { words[i] &= ~other.words[i] }
    }

    /// Adds to each bucket the `window - 1` buckets after it, so that a bucket is set if its window contains a set one.
    ///
    /// A bucket's window is the bucket and the `window - 1` before it. With a window of 3, `1000100` becomes `1110111`.
    mutating func smear(_ window: Int) {
        var reach = 1
        while reach < min(window, words.count * 64) {
            let step = min(reach, window - reach)
            addShifted(by: step)
            reach += step
        }
    }

    private mutating func addShifted(by distance: Int) {
        let (whole, bits) = (distance / 64, UInt64(distance % 64))
        // From the end, so that each word is read before it changes.
        for i in stride(from: words.count - 1, through: whole, by: -1) {
            var shifted = words[i - whole] << bits
            if bits != 0, i > whole { shifted |= words[i - whole - 1] >> (64 - bits) }
            words[i] |= shifted
        }
    }

    /// The same for a line of one word.
    static func smeared(_ word: UInt64, _ window: Int) -> UInt64 {
        var (line, reach) = (word, 1)
        while reach < min(window, 64) {
            let step = min(reach, window - reach)
            line |= line &<< UInt64(step)
            reach += step
        }
        return line
    }
}

/// The number of lines that contain each bucket, counted by the edges of their runs.
struct LineCounts: Sendable {
    private let buckets: Int
    /// The difference to the count of the bucket before.
    private var changes: [Int]

    init(buckets: Int) {
        self.buckets = buckets
        changes = [Int](repeating: 0, count: (buckets + 63) / 64 * 64 + 1)
    }

    /// Adds a line of one word.
    mutating func add(_ line: UInt64) {
        add(starts: line & ~(line << 1), ends: ~line & line << 1, at: 0)
        if line >> 63 == 1 { changes[64] -= 1 }
    }

    mutating func add(_ line: LineWords) {
        var before: UInt64 = 0
        for (i, word) in line.words.enumerated() {
            let shifted = word << 1 | before
            add(starts: word & ~shifted, ends: ~word & shifted, at: i * 64)
            before = word >> 63
        }
        if before == 1 { changes[line.words.count * 64] -= 1 }
    }

    private mutating func add(starts: UInt64, ends: UInt64, at first: Int) {
        var (starts, ends) = (starts, ends)
        while starts != 0 {
            changes[first + starts.trailingZeroBitCount] += 1
            starts &= starts - 1
        }
        while ends != 0 {
            changes[first + ends.trailingZeroBitCount] -= 1
            ends &= ends - 1
        }
    }

    /// The counts by bucket.
    var counts: [Int] {
        var (counts, sum) = ([Int](), 0)
        for change in changes.prefix(buckets) {
            sum += change
            counts.append(sum)
        }
        return counts
    }
}
