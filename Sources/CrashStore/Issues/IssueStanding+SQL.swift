// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import SQLite

extension IssueStanding {
    /// Reads the state of an issue from the columns `state` to `muted_span`.
    ///
    /// `IssueStanding` is the state machine; a row is its value. `closing` and `muting` are the numbers of the cases, and the columns after
    /// each hold the associated values. Columns of the other cases are null:
    ///
    ///     open                                state 1
    ///     fixed in 2.1                        state 2, closing 2, closing_release '2.1'
    ///     fixed in the release after 2.1      state 2, closing 3, closing_release '2.1'
    ///     muted until a date                  state 3, muting 2, muted_until
    ///     muted until 100 crashes an hour     state 3, muting 3, muted_count 100, muted_span 3600000, window_start, window_count
    ///
    /// A row with an unknown number has no fix or end of muting.
    init(_ row: Row, from column: Int32) {
        func time(_ place: Int32) -> Timestamp? { row.optionalInteger(column + place).map { Timestamp(milliseconds: $0) } }
        self.init(openSince: Timestamp(milliseconds: row.integer(column + 1)))
        state = IssueState(rawValue: row.int(column)) ?? .open
        regressed = time(2)
        windowStart = time(3)
        windowCount = row.int(column + 4)
        let release = row.optionalText(column + 6).map { Release($0, build: row.optionalText(column + 7), firstSeen: time(8)) }
        closing =
            switch (row.int(column + 5), release) {
            case (1, _): .everywhere
            case (2, let release?): .inRelease(release)
            case (3, let release?): .afterRelease(release)
            default: nil
            }
        muting =
            switch row.int(column + 9) {
            case 1: .forever
            case 2: time(10).map { .until($0) }
            case 3: .volume(count: row.int(column + 11), within: Timestamp.Span(milliseconds: row.integer(column + 12)))
            default: nil
            }
    }

    /// The values of the columns `state` to `muted_span`, in the order of `CrashDB.save`.
    var values: [Value] {
        func time(_ time: Timestamp?) -> Value { .integer(time?.milliseconds) }
        return [.integer(state.rawValue), time(since), time(regressed), time(windowStart), .integer(windowCount)] + closingValues + mutingValues
    }

    private var closingValues: [Value] {
        func values(_ kind: Int, _ release: Release?) -> [Value] {
            [.integer(kind), .text(release?.name), .text(release?.build), .integer(release?.firstSeen?.milliseconds)]
        }
        return switch closing {
        case nil: [.null, .null, .null, .null]
        case .everywhere: values(1, nil)
        case .inRelease(let release): values(2, release)
        case .afterRelease(let release): values(3, release)
        }
    }

    private var mutingValues: [Value] {
        switch muting {
        case nil: [.null, .null, .null, .null]
        case .forever: [1, .null, .null, .null]
        case .until(let end): [2, .integer(end.milliseconds), .null, .null]
        case .volume(let count, let span): [3, .null, .integer(count), .integer(span.milliseconds)]
        }
    }
}
