// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Events
import Platform
import SQLite

/// The sessions of the subjects of removed events, cut again from the events that stay.
///
/// A part cannot be reduced by an event, so all parts of these subjects are replaced:
///
///     events of i     1: 10:00 user a     2: 10:05 user b     3: 10:20 user a         erasure of a
///     before          10:00–10:20, a since 10:00
///     after           10:05, b since 10:05
package struct SessionRecut: Sendable {
    private(set) var subjects: Set<UInt64> = []
    private(set) var fold = SessionFold()
    private let app: AppID
    private let timeout: Int64

    init(_ events: [RowsToRemove.Event], _ app: AppID, timeout: Int64) {
        (self.app, self.timeout) = (app, timeout)
        subjects = Set(events.map { SessionSubject.key(user: $0.user, installation: $0.installation) }).subtracting([0])
    }

    init(_ app: AppID) {
        (self.app, timeout) = (app, 0)
    }

    /// Adds an event that stays, if it is of one of the subjects or under a new key.
    mutating func add(_ part: SessionPart?, isNew: Bool = false, _ reader: SessionReader) {
        guard let part, isNew || subjects.contains(part.subject) else { return }
        fold.add(part, app: app.rawValue, timeout: timeout, version: reader.version)
    }
}

extension DayDB {
    /// Replaces the parts of the subjects. In a file that is not cut yet they are joined with those of the same events later.
    func replaceParts(_ recut: SessionRecut, app: AppID) throws {
        if recut.subjects.isEmpty { return }
        try removeParts(of: recut.subjects, app: app)
        try add(recut.fold.entries)
    }
}
