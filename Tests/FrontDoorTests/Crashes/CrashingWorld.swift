// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import ingestd

/// A running daemon with two apps, and requests about crashes.
struct CrashingWorld: Sendable {
    static let start = Day(year: 2026, month: 11, day: 21).start + .hours(12)

    let live: LiveDaemon
    let ours: AppKeys
    let theirs: AppKeys

    var api: TestClient { live.api }

    static func use(
        in folder: TemporaryFolder = TemporaryFolder(), clock: WallClock = .system, configure: (inout Configuration) -> Void = { _ in },
        _ body: @Sendable (CrashingWorld) async throws -> Void
    ) async throws {
        try await withDaemon(in: folder, clock: clock, sends: false, configure: configure) { live in
            try await body(CrashingWorld(live: live, ours: live.api.makeApp("ours"), theirs: live.api.makeApp("theirs")))
        }
    }

    /// Runs a daemon, then a second one on the same folder.
    static func restart(
        clock: WallClock = .system, _ first: @escaping @Sendable (CrashingWorld) async throws -> Void,
        then second: @escaping @Sendable (CrashingWorld) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let (ours, theirs) = try await withDaemon(in: folder, clock: clock, sends: false) { live in
            let world = CrashingWorld(live: live, ours: try await live.api.makeApp("ours"), theirs: try await live.api.makeApp("theirs"))
            try await first(world)
            return (world.ours, world.theirs)
        }
        try await withDaemon(in: folder, clock: clock, sends: false) { live in
            try await second(CrashingWorld(live: live, ours: ours, theirs: theirs))
        }
    }

    // MARK: Sending

    func send(_ crashes: [SentCrash], envelope: String = "", as key: String? = nil) async throws -> Reply {
        try await post("/v1/crashes", as: key ?? ours.ingest, #"{\#(envelope)"crashes": [\#(crashes.map(\.json).joined(separator: ","))]}"#)
    }

    func send(_ crashes: SentCrash..., as key: String? = nil) async throws -> Reply {
        try await send(crashes, as: key)
    }

    /// Sends a crash and returns its issue's ID.
    @discardableResult
    func take(_ crash: SentCrash, as key: String? = nil) async throws -> String {
        let reply = try await send(crash, as: key)
        #expect(try Taken(reply) == Taken(accepted: 1))
        return try JSON(reply)["results"][0]["issue"].text
    }

    func events(_ events: String..., as key: String? = nil) async throws -> Reply {
        try await post("/v1/events", as: key ?? ours.ingest, "[\(events.joined(separator: ","))]")
    }

    // MARK: Reading

    func get(_ target: String, as key: String? = nil) async throws -> JSON {
        let reply = try await api.get(target, key: key ?? ours.read)
        #expect(reply.status == 200, "\(target)")
        return try JSON(reply)
    }

    func issues(_ query: String = "", as key: String? = nil) async throws -> [JSON] {
        try await get("/v1/issues\(query)", as: key)["items"].items
    }

    func issue(_ id: String) async throws -> JSON {
        try await get("/v1/issues/\(id)")
    }

    func crash(_ id: String, of issue: String) async throws -> JSON {
        try await get("/v1/issues/\(issue)/events/\(id)")
    }

    // MARK: Changing

    func post(_ target: String, as key: String? = nil, _ body: String) async throws -> Reply {
        try await api.post(target, key: key ?? ours.admin, body)
    }

    func patch(_ target: String, _ body: String) async throws -> Reply {
        try await api.request("PATCH", target, key: ours.admin, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    /// Changes an issue's state and returns the issue.
    @discardableResult
    func change(_ issue: String, _ body: String) async throws -> JSON {
        let reply = try await patch("/v1/issues/\(issue)", body)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSON(reply)
    }
}
