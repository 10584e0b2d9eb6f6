// SPDX-License-Identifier: Apache-2.0

import Panes

/// The polling interval.
struct PollInterval: Hashable, Sendable {
    /// The interval of the fastest queries.
    let seconds: Int64

    static let usual = PollInterval(seconds: 2)
    private static let all: [Int64] = [1, 2, 5, 10, 30, 60]

    var faster: PollInterval { PollInterval(seconds: PollInterval.all.last { $0 < seconds } ?? seconds) }
    var slower: PollInterval { PollInterval(seconds: PollInterval.all.first { $0 > seconds } ?? seconds) }

    /// Scales the interval of a query.
    func scaled(_ milliseconds: Int64) -> Int64 { milliseconds * seconds / PollInterval.usual.seconds }
}
