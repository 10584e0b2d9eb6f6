// SPDX-License-Identifier: Apache-2.0

/// How often everything is asked.
struct Pace: Hashable, Sendable {
    /// Seconds between two answers to what changes fastest.
    let seconds: Int64

    static let usual = Pace(seconds: 2)
    private static let all: [Int64] = [1, 2, 5, 10, 30, 60]

    var faster: Pace { Pace(seconds: Pace.all.last { $0 < seconds } ?? seconds) }
    var slower: Pace { Pace(seconds: Pace.all.first { $0 > seconds } ?? seconds) }

    /// How long to wait where it would be `span` at the usual pace.
    func wait(_ milliseconds: Int64) -> Int64 { milliseconds * seconds / Pace.usual.seconds }
}
