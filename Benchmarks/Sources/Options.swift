// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The command line options of all measurements.
struct Options: Sendable {
    var events = 1_000_000
    var batch = 100
    var clients = 64
    /// Events a second; 0 is unlimited.
    var rate = 0
    var randomIDs = true
    /// The approximate bytes of a crash report; 0 sends events instead.
    var report = 0
    var port = 8_787
    var loops = 2
    var key = ""
    /// A path, which a method may precede: `GET /v1/documents/items/a{below 1000}`.
    var path = "/v1/events"
    /// A body to send instead of events, with slots (`RequestSlot`); empty sends events. `@` and a name reads a file.
    var body = ""
    /// The format of the events: native, google, segment or posthog.
    var shape = EventShape.native
    /// Whether a rejected request is sent again unchanged, as clients do; otherwise the next one is sent.
    var repeatsRejected = true
    /// Every nth event is a purchase; 0 sends none.
    var purchases = 0
    var name = "load"
    var folder = "."
    var csv = ""
    /// The number of people in a filled month, and its days up to now.
    var people = 100_000
    var days = 30
    /// The number of accounts that begin with a session.
    var sessions = 0
    /// About the mean number of a session's events.
    var length = 10
    var requests = 200_000
    /// The targets of each stream of documents, and the entries of each document in indexes.
    var targets = 1
    /// The documents that a measured table has at the beginning.
    var initial = 0
    var (pageBytes, cacheKiB, checkpointPages) = (8_192, 4_096, 1_000)
    var inFlight = 64
    var shards = 2
    var registrations = 100_000
    var origins = 1
    /// The number of origins that never respond.
    var silent = 0
    var signed = false
    /// Bytes of each upload, or of each range of a download; 0 downloads the whole file.
    var (uploadBytes, rangeBytes) = (0, 0)
    /// The size of the file that is downloaded.
    var fileBytes = 0
    /// The sink's response delay in milliseconds.
    var delay = 0

    init(_ arguments: [String]) throws {
        var rest = arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw BenchmarkError("\(name) needs a value") }
            switch name {
            case "--events": events = try Options.number(value)
            case "--batch": batch = try Options.number(value)
            case "--rate": rate = try Options.number(value)
            case "--clients": clients = try Options.number(value)
            case "--ids": randomIDs = value == "random"
            case "--report": report = try Options.number(value)
            case "--port": port = try Options.number(value)
            case "--loops": loops = try Options.number(value)
            case "--key": key = value
            case "--path": path = value
            case "--body": body = value.hasPrefix("@") ? try String(contentsOfFile: String(value.dropFirst()), encoding: .utf8) : value
            case "--rejected": repeatsRejected = value != "next"
            case "--folder": folder = value
            case "--csv": csv = value
            case "--length": length = try Options.number(value)
            case "--days": days = try Options.number(value)
            case "--people": people = try Options.number(value)
            case "--sessions": sessions = try Options.number(value)
            case "--targets": targets = value == "0" ? 0 : try Options.number(value)
            case "--initial": initial = try Options.number(value)
            case "--page-bytes": pageBytes = try Options.number(value)
            case "--cache-kib": cacheKiB = try Options.number(value)
            case "--checkpoint-pages": checkpointPages = try Options.number(value)
            case "--requests": requests = try Options.number(value)
            case "--in-flight": inFlight = try Options.number(value)
            case "--shards": shards = try Options.number(value)
            case "--registrations": registrations = try Options.number(value)
            case "--origins": origins = try Options.number(value)
            case "--silent": silent = value == "0" ? 0 : try Options.number(value)
            case "--signed": signed = value == "1"
            case "--upload-bytes": uploadBytes = try Options.number(value)
            case "--range-bytes": rangeBytes = try Options.number(value)
            case "--file-bytes": fileBytes = try Options.number(value)
            case "--delay": delay = value == "0" ? 0 : try Options.number(value)
            case "--purchases": purchases = try Options.number(value)
            case "--name": self.name = value
            case "--shape":
                guard let shape = EventShape(rawValue: value) else { throw BenchmarkError("«\(value)» is not a format of events") }
                self.shape = shape
            default: throw BenchmarkError("unknown option \(name)")
            }
        }
    }

    private static func number(_ text: String) throws -> Int {
        guard let number = Int(text), number > 0 else { throw BenchmarkError("«\(text)» is not a number") }
        return number
    }
}
