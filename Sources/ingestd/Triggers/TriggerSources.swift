// SPDX-License-Identifier: Apache-2.0

import API
import AccountStore
import AcrossStores
import AppDirectory
import CrashStore
import DocumentStore
import EventStore
import Events
import FileStore
import Files
import FunctionStore
import Functions
import JSON
import Platform
import SignalboxDocumentModel

/// Some changes of a source: the runs that follow from them, and the place behind the last one.
struct SourcePage: Sendable {
    var runs: [TriggeredRun] = []
    var place: String
    var hasMore = false
    /// The times of the first and the last change of the page.
    var oldest: Timestamp?
    var newest: Timestamp?
    /// Whether the source was read. It is not, if it is known to have nothing.
    var wasRead = true
    /// The time up to which the source had removed changes by age or size before they were read; nil if it had not.
    var removedThrough: Timestamp?
}

/// The sources of triggers, read from a place on.
struct TriggerSources: Sendable {
    private static let changesOfPage = 500
    /// The numbers of events that one read passes, so that none takes long.
    private static let eventsOfPage: Int64 = 100_000

    let store: Stores

    /// Returns the place behind all changes so far.
    func end(of kind: FunctionTrigger.Kind, _ app: AppID) async throws -> String {
        switch kind {
        case .event: String(store.events.lastSeq)
        case .issue: String(try await store.crashes.lastTransition())
        case .user: String(try await store.accounts.lastEvent())
        case .document: try await store.documents.lastChange().description
        case .file: String(try await store.files.lastChange())
        case .schedule: ""
        }
    }

    func read(_ source: TriggerSource, _ app: App, after place: String) async throws -> SourcePage {
        let functions = source.functions
        return switch source.kind {
        case .event: try await events(app, after: Int64(place) ?? 0, source.matches)
        case .issue: try await issues(app, after: Int64(place) ?? 0, functions)
        case .user: try await users(app, after: Int64(place) ?? 0, functions)
        case .document: try await documents(app, after: place, functions)
        case .file: try await files(app, after: Int64(place) ?? 0, functions)
        case .schedule: SourcePage(place: place)
        }
    }

    /// The runs that a change causes: one for each function with a trigger that accepts it.
    private func runs(
        of functions: [StoredFunction], at time: Timestamp, _ make: (StoredFunction, FunctionTrigger) -> NewRun?
    ) -> [TriggeredRun] {
        functions.compactMap { function in
            // The cursor may be behind the function's beginning, because of other functions of the app.
            guard time >= function.created else { return nil }
            for trigger in function.definition.triggers {
                guard var run = make(function, trigger)?.ordered(by: function.definition.order) else { continue }
                run.at = time
                return TriggeredRun(run, of: function.id)
            }
            return nil
        }
    }

    // MARK: Events

    private func events(_ app: App, after seq: Int64, _ matches: [EventMatch]) async throws -> SourcePage {
        let (stored, wanted) = store.events.newest(of: app.id)
        guard wanted > seq else { return SourcePage(place: String(max(seq, stored)), wasRead: false) }
        let names = Array(Set(matches.map(\.name)))
        let (events, through) = try await store.events.events(
            app: app.id, named: names, after: seq, through: min(wanted, seq + TriggerSources.eventsOfPage), limit: TriggerSources.changesOfPage)
        // No event after `wanted` has a name that a trigger wants, so the place moves on to the last stored event.
        let hasMore = through < wanted
        var page = SourcePage(place: String(hasMore ? through : stored), hasMore: hasMore)
        (page.oldest, page.newest) = (events.first?.received, events.last?.received)
        for event in events {
            var seen: Set<Int64> = []
            for match in matches where match.accepts(event) && event.received >= match.function.created {
                guard seen.insert(match.function.id).inserted else { continue }
                var run = NewRun(type: "event", body: event.json)
                (run.subject, run.user, run.installation) = (event.name, event.user, event.installation)
                run.depth = event.flags.depth + 1
                (run.identity, run.at) = ("event \(event.seq)", event.received)
                page.runs.append(TriggeredRun(run.ordered(by: match.function.definition.order), of: match.function.id))
            }
        }
        return page
    }

    // MARK: Issues and users

    private func issues(_ app: App, after id: Int64, _ functions: [StoredFunction]) async throws -> SourcePage {
        let (found, through) = try await store.crashes.transitions(app: app.id, after: id, limit: TriggerSources.changesOfPage)
        var page = SourcePage(place: String(through), oldest: found.first?.transition.time, newest: found.last?.transition.time)
        for (transition, issue) in found {
            let moment: FunctionTrigger.IssueMoment? =
                switch transition.kind {
                case .appeared: .new
                case .regressed: .regressed
                case .spreading: .spreading
                case .unmuted, .opened, .closed, .muted, .merged, .split, .symbolicated: nil
                }
            guard let moment else { continue }
            var json = JSONWriter()
            try json.encode(IssueResponse(issue))
            page.runs += runs(of: functions, at: transition.time) { _, trigger in
                guard trigger == .issue(moment) else { return nil }
                var run = NewRun(type: "issue.\(moment.rawValue)", body: json.bytes)
                (run.subject, run.identity) = (issue.id, "issue \(transition.id)")
                return run
            }
        }
        page.hasMore = through > id && found.count == TriggerSources.changesOfPage
        return page
    }

    private func users(_ app: App, after seq: Int64, _ functions: [StoredFunction]) async throws -> SourcePage {
        let found = try await store.accounts.events(of: app.id, after: seq, limit: TriggerSources.changesOfPage)
        let events = found.events
        var page = SourcePage(place: String(found.next), hasMore: !found.isCurrent, oldest: events.first?.time, newest: events.last?.time)
        page.removedThrough = found.removedThrough
        for event in events {
            guard let moment = event.kind.moment else { continue }
            page.runs += runs(of: functions, at: event.time) { _, trigger in
                guard trigger == .user(moment) else { return nil }
                var json = JSONWriter()
                json.beginObject()
                json.field("uid", event.uid)
                json.field("method", event.origin.method)
                json.field("at", event.time.rfc3339)
                json.endObject()
                var run = NewRun(type: "user.\(moment.rawValue)", body: json.bytes)
                (run.subject, run.identity, run.depth) = (event.uid, "user \(event.seq)", event.origin.depth + 1)
                // The erasure that follows a deletion must leave the run that tells about it.
                run.user = moment == .created ? event.uid : nil
                return run
            }
        }
        return page
    }

    // MARK: Documents

    private func documents(_ app: App, after text: String, _ functions: [StoredFunction]) async throws -> SourcePage {
        // An erasure, or the age or size of the log, may have removed what comes next. The rest is read.
        let place = ChangePlace(text) ?? ChangePlace.start
        let found = try await store.documents.changes(near: place, app: app.id, limit: TriggerSources.changesOfPage)
        let patterns = found.changes.isEmpty ? [] : try await store.documents.personPatterns(of: app.id)
        var page = SourcePage(place: found.next.description, hasMore: !found.isCurrent)
        page.removedThrough = found.removedThrough.map { Timestamp(milliseconds: $0 / 1_000) }
        for change in found.changes {
            let time = Timestamp(milliseconds: change.place.stamp / 1_000)
            (page.oldest, page.newest) = (page.oldest ?? time, time)
            page.runs += runs(of: functions, at: time) { _, trigger in
                guard case .document(let pattern, let moment) = trigger, moment.covers(change.kind),
                    let values = pattern.values(in: change.path.description)
                else { return nil }
                var run = NewRun(type: "document.\(moment == .written ? "written" : change.kind.word)", body: change.data(values))
                (run.subject, run.identity, run.depth) = (change.path.description, "document \(change.place)", change.depth + 1)
                run.user = change.person(by: patterns) ?? values.first { $0.name == "uid" }?.text
                return run
            }
        }
        return page
    }

    // MARK: Files

    private func files(_ app: App, after seq: Int64, _ functions: [StoredFunction]) async throws -> SourcePage {
        let found = try await store.files.changePage(of: app.id, after: seq, limit: TriggerSources.changesOfPage)
        let folders = found.changes.isEmpty ? [] : try await store.files.personPaths(of: app.id)
        var page = SourcePage(place: String(found.next), hasMore: !found.isCurrent)
        page.removedThrough = found.removedThrough.map { Timestamp(milliseconds: $0 / 1_000) }
        for change in found.changes {
            let time = Timestamp(milliseconds: change.seq / 1_000)
            (page.oldest, page.newest) = (page.oldest ?? time, time)
            let moment: FunctionTrigger.FileMoment
            switch change.kind {
            case .finalized: moment = .finalized
            case .deleted: moment = .deleted
            case .updated: continue
            }
            let wanted = functions.filter { function in
                function.definition.triggers.contains {
                    if case .file(let pattern, moment) = $0 { pattern.values(in: change.path.text) != nil } else { false }
                }
            }
            if wanted.isEmpty { continue }
            // A file that was replaced or deleted since then has another state, so only its path is known.
            let stored = moment == .finalized ? try await store.files.file(change.path, app: app.id) : nil
            let file = stored.flatMap { $0.generation == change.seq ? $0 : nil }
            page.runs += runs(of: wanted, at: time) { function, trigger in
                guard case .file(let pattern, moment) = trigger, let values = pattern.values(in: change.path.text) else { return nil }
                let data = FileEventData(change: change, file: file, app: app, values: values)
                guard let body = try? data.body(for: function.definition) else { return nil }
                var run = NewRun(type: "file.\(moment.rawValue)", body: body)
                (run.subject, run.identity, run.depth) = (change.path.text, "file \(change.seq)", change.depth + 1)
                run.user = change.owner ?? folders.person(of: change.path) ?? values.first { $0.name == "uid" }?.text
                return run
            }
        }
        return page
    }
}

/// A trigger for events, with its filters read.
struct EventMatch: Sendable {
    let function: StoredFunction
    let name: String
    private let filter: TailFilter

    static func all(_ functions: [StoredFunction]) -> [EventMatch] {
        functions.flatMap { function in
            function.definition.triggers.compactMap { trigger in
                guard case .event(let name, let filters) = trigger else { return nil }
                return EventMatch(function, name, filters)
            }
        }
    }

    private init?(_ function: StoredFunction, _ name: String, _ filters: [String]) {
        guard let filter = try? TailFilter(event: name, filters) else { return nil }
        (self.function, self.name, self.filter) = (function, name, filter)
    }

    func accepts(_ event: StoredEvent) -> Bool { filter.shows(event) }
}
