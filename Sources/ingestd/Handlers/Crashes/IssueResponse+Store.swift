// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import CrashStore
import EventStore
import Crashes
import Events
import Platform

extension IssueResponse {
    /// An issue as lists show it.
    init(_ issue: IssueSummary) {
        self.init(
            id: issue.id, title: issue.title, culprit: issue.culprit, kind: issue.kind, state: issue.state, signals: issue.signals,
            count: issue.count, users: issue.users, firstSeen: Moment(issue.firstSeen), lastSeen: Moment(issue.lastSeen),
            firstRelease: issue.firstRelease, lastRelease: issue.lastRelease, groupedBy: issue.reason, notesCount: issue.notes,
            assignee: issue.assignee)
        setStanding(issue.standing)
    }

    /// The condition that ends the issue's state.
    private mutating func setStanding(_ standing: IssueStanding) {
        switch standing.closing {
        case .inRelease(let release): (closedIn, closedBuild) = (release.name, release.build)
        case .afterRelease(let release): (closedAfter, closedBuild) = (release.name, release.build)
        case .everywhere, nil: break
        }
        guard state == .known(.muted) else { return }
        switch standing.muting {
        case .until(let time): mutedUntil = Moment(time)
        case .volume(let count, let span): (mutedCount, mutedWithin) = (count, Int(span.milliseconds / 1_000))
        case .forever, nil: break
        }
    }

    /// An issue with its series, shares, groups, notes and history.
    init(_ issue: IssueDetail) {
        self.init(issue.summary)
        series = issue.days.map { Day(t: Moment($0.start), value: $0.count) }
        releases = issue.releases.map(Share.init)
        osVersions = issue.systems.map(Share.init)
        devices = issue.devices.map(Share.init)
        variants = issue.groupings.filter { $0.count > 0 }.map(Variant.init)
        notes = issue.notes.map { Note(at: Moment($0.time), author: $0.author, text: $0.text) }
        formerIds = issue.formerIDs
        history = issue.history.map { Change(at: Moment($0.time), what: Change.Kind($0.kind), detail: $0.detail) }
    }
}

extension IssueResponse.Share {
    fileprivate init(_ share: IssueDetail.Share) {
        self.init(value: share.name, count: share.count)
    }
}

extension IssueResponse.Variant {
    fileprivate init(_ grouping: IssueDetail.Grouping) {
        self.init(
            id: String(grouping.id), title: grouping.title, culprit: grouping.culprit, groupedBy: grouping.reason, count: grouping.count,
            firstSeen: Moment(grouping.firstSeen), lastSeen: Moment(grouping.lastSeen))
    }
}

extension IssueResponse.Change.Kind {
    fileprivate init(_ kind: IssueTransitionKind) {
        switch kind {
        case .appeared: self = .appeared
        case .regressed: self = .regressed
        case .unmuted: self = .unmuted
        case .opened: self = .opened
        case .closed: self = .closed
        case .muted: self = .muted
        case .merged: self = .merged
        case .split: self = .split
        case .symbolicated: self = .symbolicated
        case .spreading: self = .spreading
        }
    }
}

extension CrashResponse {
    init(_ crash: StoredCrash, _ attachments: [StoredAttachment]? = nil, report: [UInt8]? = nil, before: [StoredEvent]? = nil) {
        self.init(
            id: crash.id, issue: crash.issue, kind: crash.kind, timestamp: Moment(crash.time), receivedAt: Moment(crash.received),
            release: crash.release, platform: crash.platform, osVersion: crash.system, deviceModel: crash.device,
            variant: String(crash.grouping), late: crash.flags.contains(.late), kept: crash.isWhole, symbols: Symbols(crash.symbols),
            attachments: attachments?.map(Attachment.init), report: report.map { .json($0) }, before: before?.map { .json($0.json) })
    }
}

extension CrashResponse.Attachment {
    init(_ attachment: StoredAttachment) {
        let loss: Loss? =
            switch attachment.state {
            case .stored: nil
            case .tooLarge: .tooLarge
            case .reportFull: .reportFull
            case .evicted: .evicted
            case .anonymized: .anonymized
            }
        self.init(
            id: String(attachment.row), name: attachment.name, type: attachment.kind, contentType: attachment.contentType, size: attachment.size,
            lost: loss)
    }
}

extension CrashResponse.Symbols {
    fileprivate init(_ symbols: StoredCrash.Symbols) {
        switch symbols {
        case .complete: self = .complete
        case .waiting: self = .waiting
        case .missing: self = .missing
        }
    }
}

extension RegroupedIssueResponse {
    init(_ change: IssueRegrouping) {
        let parts = change.parts.map { part in
            switch part.outcome {
            case .split(let id): Part(title: part.title, culprit: part.culprit, reports: part.reports, issue: id, isNew: true)
            case .moved(let id): Part(title: part.title, culprit: part.culprit, reports: part.reports, issue: id, isNew: false)
            }
        }
        self.init(id: change.issue, title: change.title, parts: parts)
    }
}
