// SPDX-License-Identifier: Apache-2.0

/// What a measurement is told on its command line.
struct Options: Sendable {
    var events = 1_000_000
    var batch = 100
    var clients = 64
    /// Events a second; 0 for as many as are answered.
    var rate = 0
    var randomIDs = true
    /// Crash reports of about so many bytes instead of events; 0 for events.
    var report = 0
    var port = 8_787
    var loops = 2
    var key = ""
    var path = "/v1/events"
    /// What is sent instead of events; empty for events.
    var body = ""
    /// Whose words the events are in: native, google, segment or posthog.
    var shape = EventShape.native
    var name = "load"
    var folder = "."
    var csv = "/dev/null"
    var requests = 200_000
    var inFlight = 64
    var shards = 2
    var registrations = 100_000
    var origins = 1
    /// So many of the origins never answer.
    var silent = 0
    var signed = false
    /// Milliseconds.
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
            case "--body": body = value
            case "--folder": folder = value
            case "--csv": csv = value
            case "--requests": requests = try Options.number(value)
            case "--in-flight": inFlight = try Options.number(value)
            case "--shards": shards = try Options.number(value)
            case "--registrations": registrations = try Options.number(value)
            case "--origins": origins = try Options.number(value)
            case "--silent": silent = value == "0" ? 0 : try Options.number(value)
            case "--signed": signed = value == "1"
            case "--delay": delay = value == "0" ? 0 : try Options.number(value)
            case "--name": self.name = value
            case "--shape":
                guard let shape = EventShape(rawValue: value) else { throw BenchmarkError("«\(value)» is no shape of events") }
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
