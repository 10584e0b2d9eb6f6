// SPDX-License-Identifier: Apache-2.0

import Platform

/// A cause of runs of a function, besides tasks.
package enum FunctionTrigger: Sendable, Equatable {
    /// A stored event with this name that all filters accept, each in the form of a query: `params.total>=100`.
    case event(name: String, filters: [String])
    case issue(IssueMoment)
    case user(UserMoment)
    case document(PathPattern, DocumentMoment)
    case file(PathPattern, FileMoment)
    case schedule(ScheduleTrigger)

    package static let maximumFilters = 20
    package static let maximumNameBytes = 100

    /// The source that a trigger reads; the first field of its JSON.
    package enum Kind: String, Sendable, CaseIterable {
        case event, issue, user, document, file, schedule
    }

    package enum IssueMoment: String, Sendable, CaseIterable {
        case new, regressed, spreading
    }

    package enum UserMoment: String, Sendable, CaseIterable {
        case created, deleted
    }

    /// The change of a document. `written` is any of the others.
    package enum DocumentMoment: String, Sendable, CaseIterable {
        case created, updated, deleted, written
    }

    package enum FileMoment: String, Sendable, CaseIterable {
        case finalized, deleted
    }

    package var kind: Kind {
        switch self {
        case .event: .event
        case .issue: .issue
        case .user: .user
        case .document: .document
        case .file: .file
        case .schedule: .schedule
        }
    }
}

/// The times at which a function runs.
package struct ScheduleTrigger: Sendable, Equatable {
    /// The treatment of times that passed while the daemon was stopped: one run for all of them, or none.
    package enum Missed: String, Sendable, CaseIterable {
        case once, skip
    }

    package let schedule: CronSchedule
    package let missed: Missed
    /// Whether a run may begin while an earlier one is under way.
    package let mayOverlap: Bool

    package init(_ schedule: CronSchedule, missed: Missed = .once, mayOverlap: Bool = false) {
        (self.schedule, self.missed, self.mayOverlap) = (schedule, missed, mayOverlap)
    }
}

extension CronSchedule: Equatable {
    package static func == (a: Self, b: Self) -> Bool { a.text == b.text && a.zone.name == b.zone.name }
}
