// SPDX-License-Identifier: Apache-2.0

import API
import JSON
import Panes
import Platform

/// `demo`: sends events, crashes and devices of a sample shop.
enum DemoCommand {
    private static let people = Option("--people", .number("N", 1...100_000), "Number of people; default: 400.")
    private static let days = Option("--days", .number("N", 1...30), "Days of history; default: 7.")
    private static let live = Option("--live", .none, "Keeps sending sample activity until interrupted.")

    static let command = Command(
        "demo", "Fills an app with events, crashes and devices of a sample shop.", options: [people, days, live] + Option.connection,
        details: """
            It needs an ingest key, as in SIGNALBOX_KEY. Sample data counts like any other data, so use a separate app.
            """
    ) { arguments in
        let client = DaemonClient(try Profiles.chosen(arguments))
        let number: (Option) -> Int64? = { arguments.one($0.name).flatMap { Int64($0) } }
        let now = WallClock.system.now()
        var world = DemoWorld(people: Int(number(people) ?? 400), seed: UInt64(bitPattern: now.milliseconds))
        try await send(world.people, client)
        let history = world.history(days: number(days) ?? 7, until: now)
        try await send(history, client)
        for person in world.people.prefix(registered) { try await register(person, client) }
        let counts = "\(history.events.count) events and \(history.crashes.count) crashes"
        Console.complain("Sent \(counts) of \(world.people.count) people over \(number(days) ?? 7) days.", of: "dashboard-cli")
        if arguments.has(live) { try await UntilInterrupted.run { try await goOn(&world, client) } }
    }

    private static let batch = 1_000
    private static let crashBatch = 100
    /// The number of people with a device for messages.
    private static let registered = 50

    /// Sends activity continuously, and waits for an unreachable daemon.
    private static func goOn(_ world: inout DemoWorld, _ client: DaemonClient) async throws {
        var backoff = Backoff()
        while true {
            do {
                try await send(world.moment(at: WallClock.system.now()), client)
                backoff.reset()
                try await Task.sleep(for: .milliseconds(700))
            } catch let error as RequestError where error.kind == .unreachable || error.kind == .busy {
                guard backoff.failures < 10 else { throw error }
                try await Task.sleep(for: .seconds(backoff.next()))
            }
        }
    }

    private static func send(_ reports: DemoWorld.Reports, _ client: DaemonClient) async throws {
        let progress = Progress()
        defer { progress.end() }
        for (path, elements, batch) in [("/v1/events", reports.events, batch), ("/v1/crashes", reports.crashes, crashBatch)] {
            for start in stride(from: 0, to: elements.count, by: batch) {
                progress.show("Sending to \(path)", start, of: elements.count)
                let list = elements[start..<min(start + batch, elements.count)].map(\.json).joined(separator: [UInt8(ascii: ",")])
                _ = try await client.post(path, json: [UInt8(ascii: "[")] + list + [UInt8(ascii: "]")])
            }
        }
    }

    /// Registers a stream device and subscribes it to topics.
    private static func register(_ person: DemoPerson, _ client: DaemonClient) async throws {
        var json = JSONWriter()
        json.beginObject()
        person.writeIdentity(to: &json)
        json.field("platform", person.platform.name)
        json.field("app_version", person.version)
        json.key("endpoint")
        json.beginObject()
        json.field("type", "stream")
        json.endObject()
        json.endObject()
        let device = try RegistrationResponse(response: try await client.post("/v1/devices", json: json.bytes))
        let topics = ["news"] + (person.number.isMultiple(of: 2) ? ["offers"] : []) + (person.isSignedIn ? ["orders"] : [])
        json = JSONWriter()
        json.beginObject()
        json.key("subscribe")
        json.beginArray()
        for topic in topics { json.string(topic) }
        json.endArray()
        json.endObject()
        _ = try await client.post("/v1/devices/\(device.token.percentEncoded)/topics", json: json.bytes)
    }

    /// Sends the properties of signed-in people.
    private static func send(_ people: [DemoPerson], _ client: DaemonClient) async throws {
        let known = people.filter(\.isSignedIn)
        for start in stride(from: 0, to: known.count, by: batch) {
            var json = JSONWriter()
            json.beginObject()
            json.key("users")
            json.beginArray()
            for person in known[start..<min(start + batch, known.count)] {
                json.beginObject()
                person.writeIdentity(to: &json)
                json.key("properties")
                json.beginObject()
                json.field("tier", person.number.isMultiple(of: 5) ? "gold" : "free")
                json.endObject()
                json.endObject()
            }
            json.endArray()
            json.endObject()
            _ = try await client.post("/v1/users", json: json.bytes)
        }
    }
}
