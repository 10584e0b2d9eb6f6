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
            switch (StoredClosing(rawValue: row.int(column + 5)), release) {
            case (.everywhere, _): .everywhere
            case (.inRelease, let release?): .inRelease(release)
            case (.afterRelease, let release?): .afterRelease(release)
            default: nil
            }
        muting =
            switch StoredMuting(rawValue: row.int(column + 9)) {
            case .forever: .forever
            case .until: time(10).map { .until($0) }
            case .volume: .volume(count: row.int(column + 11), within: Timestamp.Span(milliseconds: row.integer(column + 12)))
            case nil: nil
            }
    }

    /// The values of the columns `state` to `muted_span`, in the order of `CrashDB.save`.
    var values: [Value] {
        func time(_ time: Timestamp?) -> Value { .integer(time?.milliseconds) }
        return [.integer(state.rawValue), time(since), time(regressed), time(windowStart), .integer(windowCount)] + closingValues + mutingValues
    }

    private var closingValues: [Value] {
        func values(_ closing: StoredClosing, _ release: Release?) -> [Value] {
            [.integer(closing.rawValue), .text(release?.name), .text(release?.build), .integer(release?.firstSeen?.milliseconds)]
        }
        return switch closing {
        case nil: [.null, .null, .null, .null]
        case .everywhere: values(.everywhere, nil)
        case .inRelease(let release): values(.inRelease, release)
        case .afterRelease(let release): values(.afterRelease, release)
        }
    }

    private var mutingValues: [Value] {
        switch muting {
        case nil: [.null, .null, .null, .null]
        case .forever: [.integer(StoredMuting.forever.rawValue), .null, .null, .null]
        case .until(let end): [.integer(StoredMuting.until.rawValue), .integer(end.milliseconds), .null, .null]
        case .volume(let count, let span): [.integer(StoredMuting.volume.rawValue), .null, .integer(count), .integer(span.milliseconds)]
        }
    }
}

/// The number of a fix in the column `closing`.
private enum StoredClosing: Int {
    case everywhere = 1
    case inRelease
    case afterRelease
}

/// The number of an end of muting in the column `muting`.
enum StoredMuting: Int {
    case forever = 1
    case until
    case volume
}
