// SPDX-License-Identifier: Apache-2.0

import Panes

/// How often everything is asked.
struct PollInterval: Hashable, Sendable {
    /// Seconds between two answers to what changes fastest.
    let seconds: Int64

    static let usual = PollInterval(seconds: 2)
    private static let all: [Int64] = [1, 2, 5, 10, 30, 60]

    var faster: PollInterval { PollInterval(seconds: PollInterval.all.last { $0 < seconds } ?? seconds) }
    var slower: PollInterval { PollInterval(seconds: PollInterval.all.first { $0 > seconds } ?? seconds) }

    /// How long to wait where it would be `span` at the usual pace.
    func scaled(_ milliseconds: Int64) -> Int64 { milliseconds * seconds / PollInterval.usual.seconds }
}
