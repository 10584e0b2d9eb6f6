// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import JSON
import Platform

/// Integration bodies. Every translation decodes as a native body, and no entry is lost.
enum IntegrationBodies {
    private static let google = GoogleMeasurements(parser: Given.parser)
    private static let segmentCalls = SegmentCalls(parser: Given.parser)
    private static let postHogEvents = PostHogEvents(parser: Given.parser)

    static func measurements(_ bytes: [UInt8]) {
        guard let measurement = try? google.decode(bytes, query: [("firebase_app_id", "1:1:ios:a")]) else { return }
        check(measurement.batch, .server)
        guard let events = events(measurement.batch, .server), let users = users(measurement.batch, .server)?.first else { return }
        let rejected = measurement.rejected(events)
        check(measurement.batch.rejecting(rejected), .server)
        for message in measurement.messages(events, users) { require(!message.path.isEmpty, "a finding has no path") }
    }

    /// The first byte selects the path.
    static func segment(_ bytes: [UInt8]) {
        let calls: [SegmentCalls.Call?] = [nil] + SegmentCalls.Call.allCases
        guard let first = bytes.first else { return }
        guard let batch = try? segmentCalls.decode(Array(bytes.dropFirst()), calls[Int(first) % calls.count]) else { return }
        check(batch, .open)
    }

    static func postHog(_ bytes: [UInt8]) {
        guard let captured = try? postHogEvents.decode(bytes, received: Given.received) else { return }
        require(check(captured.batch, .open) == Set(0..<captured.count), "an event was lost")
    }

    /// Decodes the translation. Returns the positions of all decoded entries in the request.
    @discardableResult private static func check(_ batch: IntegrationBatch, _ source: EventSubmission.Source) -> Set<Int> {
        accepted()
        var places = Set(batch.rejected.map(\.verdict.index))
        if let events = events(batch, source) {
            let found = events.records.map { Int($0.index) } + events.quarantined.map(\.verdict.index)
            require(found.sorted() == Array(batch.events.origins.indices), "an event is missing from the translation")
            places.formUnion(batch.events.origins)
        }
        if let bodies = users(batch, source) {
            require(
                bodies.reduce(0) { $0 + $1.updates.count + $1.quarantined.count } == batch.users.origins.count,
                "a user entry is missing from the translation")
            places.formUnion(batch.users.origins)
        }
        for (body, origins) in batch.crashes.bodies(sentAt: batch.sentAt, entries: 100) {
            let crashes = try? NativeCrashes(parser: Given.parser).decode(body, app: Given.app, received: Given.received, hash: Given.hash)
            require(crashes.map { $0.crashes.count + $0.quarantined.count } == origins.count, "a crash is missing from the translation")
            places.formUnion(origins)
        }
        return places
    }

    private static func events(_ batch: IntegrationBatch, _ source: EventSubmission.Source) -> EventSubmission? {
        let tape = batch.events.tape()
        require(isAsRead(tape), "a tape differs from the parse of its text")
        let decoder = NativeEvents(parser: Given.parser)
        let events = try? decoder.decode(
            tape, sentAt: batch.sentAt, app: Given.app, source: source, received: Given.received, hash: Given.hash)
        require(events != nil || batch.events.origins.count > FixedLimits.eventsPerRequest, "the native decoder rejects the translation")
        return events
    }

    private static func isAsRead(_ tape: JSONTape) -> Bool {
        let read = Given.parser.withReader { json in try? json.parse(tape.bytes) }
        return read.map { read in read.count == tape.count && (0..<read.count).allSatisfy { read[$0] == tape[$0] } } ?? false
    }

    private static func users(_ batch: IntegrationBatch, _ source: EventSubmission.Source) -> [UserSubmission]? {
        batch.users.bodies(sentAt: batch.sentAt, entries: FixedLimits.usersPerRequest).map { body, _ in
            let users = try? NativeUsers(parser: Given.parser).decode(
                body, app: Given.app, rules: source.rules(Given.app.settings), received: Given.received, hash: Given.hash)
            guard let users else { fatalError("the native decoder rejects a user update") }
            return users
        }
    }
}
