// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import Events
import Platform
import SQLite

/// The presence indexes of the apps that queries are run for.
///
/// An index is made of files by the first query. Later ones add the news of the open day's file from memory:
///
///     first query of 30 days      reads 30 files                   index: 30 files
///     the next                    takes the news of the feed       index: 30 files, some rows more
///     a query of 60 days          reads the other 30 files         index: 60 files
///     an erasure, a lost feed     the index is dropped; the next query reads the files again
///     a file removed by age       its rows are dropped
///
/// An app whose index alone would exceed the limit of all indexes is counted from the files.
final class PresenceCache: Sendable {
    /// The index of one app, and what it was made of.
    private struct State: Sendable {
        var index: PresenceIndex?
        /// The recording of the feed that the index takes news from.
        var recording = 0
        /// The number of erasures before the index was read.
        var erasures = 0
        /// The newest file when the index was made. Rows of later files come from the feed alone.
        var newest = Day(number: 0)
        /// The UTC days of files that are not in the index.
        var known: [Day: Set<Int32>] = [:]
        /// The end of a time in which the app is counted from the files.
        var tooLargeUntil: ContinuousClock.Instant?
    }

    private let feed: PresenceFeed
    private let removals: ErasureCount
    private let apps: AppIndexes<State>

    init(_ feed: PresenceFeed, _ removals: ErasureCount, limit: Int) {
        (self.feed, self.removals) = (feed, removals)
        apps = AppIndexes(limit: limit, empty: State()) { feed.forget($0) }
    }

    /// The bytes of all indexes.
    var bytes: Int { apps.bytes }

    /// Returns the people of a range; nil if they do not fit into memory.
    func people(_ context: QueryContext, _ masks: QuarterMasks, _ buckets: TimeBuckets, needsFirstSeen: Bool) throws -> PeopleOfRange? {
        try read(context, masks, needsFirstSeen) { index in
            PeopleOfRange(table: index.table(masks, buckets), firstSeen: needsFirstSeen ? index.firstSeen : nil)
        }
    }

    /// Returns the sums of a figure over the people of a range; nil if they have to be counted from the presence.
    func sums(_ context: QueryContext, of figure: PersonFigure, _ buckets: TimeBuckets) throws -> PeopleSums? {
        if buckets.count > SealedPeople.bucketsLimit { return nil }
        let masks = QuarterMasks(buckets)
        return try read(context, masks, true) { index in
            try index.sums(of: figure, masks, buckets) { try context.owners(in: $0, isExact: false) }
        }
    }

    /// Calls a closure with the index of an app that is up to date for a range; nil if it would be too large.
    private func read<T: Sendable>(
        _ context: QueryContext, _ masks: QuarterMasks, _ needsFirstSeen: Bool, _ body: (inout PresenceIndex) throws -> T?
    ) throws -> T? {
        if apps.limit == 0 { return nil }
        return try apps.use(context.app) { state -> (T?, bytes: Int) in
            guard try fill(&state, context, masks, needsFirstSeen), var index = state.index.take() else { return (nil, 0) }
            defer { state.index = index }
            let found = try body(&index)
            _ = index.fits(apps.limit)
            return (found, index.bytes)
        }
    }

    /// Drops the indexes of apps that were not used for some time.
    func forgetUnused(for time: Duration) { apps.forgetUnused(for: time) }

    // MARK: Filling

    /// Brings an index up to date for a range. Returns false if it would be too large.
    private func fill(_ state: inout State, _ context: QueryContext, _ masks: QuarterMasks, _ needsFirstSeen: Bool) throws -> Bool {
        if let end = state.tooLargeUntil, .now < end { return false }
        var index = try upToDate(&state, context)
        let days = try context.session.days()
        index.settle(Set(days), open: days.last ?? state.newest)
        try read(&index, &state, days, context, masks)
        if needsFirstSeen, index.fits(apps.limit) { try addFirstSeen(&index, context) }
        guard index.fits(apps.limit) else {
            feed.forget(context.app)
            state = State(tooLargeUntil: .now + .seconds(60))
            return false
        }
        state.index = index
        return true
    }

    /// Takes the index out of the state, with the news added; a new one if there is none, or if it is no longer true.
    private func upToDate(_ state: inout State, _ context: QueryContext) throws -> PresenceIndex {
        let erasures = removals.now
        if var index = state.index.take(), state.erasures == erasures, let news = feed.take(context.app, of: state.recording) {
            let people = (index.people.users.count, index.people.installations.count)
            index.add(news.sightings)
            try addFirstSeen(of: news, to: &index, since: people, context)
            return index
        }
        let recording = feed.open(context.app)
        // Listed after the feed was opened, so that rows of a file begun meanwhile come from the feed.
        state = State(
            recording: recording, erasures: erasures, newest: try context.session.days().last ?? Day(number: 0))
        return PresenceIndex()
    }

    /// Reads the files with presence in the range, and the open one.
    private func read(
        _ index: inout PresenceIndex, _ state: inout State, _ days: [Day], _ context: QueryContext, _ masks: QuarterMasks
    ) throws {
        let (app, newest) = (context.app, state.newest)
        let absent = days.filter { $0 <= newest && !index.holds($0) }
        let unknown = absent.filter { state.known[$0] == nil }
        let found = try context.session.each(of: unknown) { file, day in (day, try file.presentDays(of: app)) }
        for (day, present) in found { state.known[day] = present }
        let wanted = absent.filter { file in
            file == newest || state.known[file].map { $0.contains { !masks.of($0).isEmpty } } == true
        }
        if wanted.isEmpty { return }
        index.setFirstSeen(nil)
        let start = index
        index = PresenceIndex()
        index = try context.session.fold(of: wanted, into: start) { file, day in
            (day, try file.storedPresence(of: app))
        } joining: {
            $0.add($1.1, of: $1.0, isOpen: $1.0 == newest)
        }
    }

    // MARK: First sightings

    /// Reads the first sightings if they are missing.
    private func addFirstSeen(_ index: inout PresenceIndex, _ context: QueryContext) throws {
        if index.firstSeen != nil { return }
        var first = try context.firstSeen(index.people)
        _ = first.takeLowered()
        index.setFirstSeen(first)
    }

    /// The number of new people from which the main file is read whole instead of once for each.
    private static let scanFrom = 20_000

    /// Adds the news to the first sightings. People who are new to the index may have been seen before its files.
    private func addFirstSeen(
        of news: PresenceFeed.News, to index: inout PresenceIndex, since: (users: Int, installations: Int), _ context: QueryContext
    ) throws {
        let keys = index.people.users.keys[since.users...] + index.people.installations.keys[since.installations...]
        if keys.count > PresenceCache.scanFrom { return index.setFirstSeen(nil) }
        try index.changeFirstSeen { first, people in
            first.grow(people)
            for sighting in news.sightings {
                let time = Int64(sighting.quarter) * QuarterHour.milliseconds
                for key in [sighting.user, sighting.installation] where key != 0 { first.note(key, at: time, people) }
            }
            for sighting in news.firsts { first.note(sighting.key, at: sighting.time, people) }
            try context.session.withMain { main in
                let find = try main.statement("SELECT first_seen FROM people WHERE app = ? AND key = ?")
                for key in keys {
                    if let time = try find.first(.integer(context.app.rawValue), .key(key), row: { $0.integer(0) }) {
                        first.note(key, at: time, people)
                    }
                }
            }
        }
    }
}
