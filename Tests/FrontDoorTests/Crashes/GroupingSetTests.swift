// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Judged pairs of events, sent through the Sentry integration as SDKs send them. `scripts/conformance` has the same with a process of its
/// own and prints each wrong pair.
@Suite struct GroupingSetTests {
    private struct Event {
        var id: String
        var body: String
    }

    /// Events that must be in one issue, or in two.
    private struct Pair {
        var name: String
        var isSame: Bool
        var ids: (String, String)
    }

    private static let folder =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .path + "/Fixtures/grouping/"

    @Test(.timeLimit(.minutes(3)), arguments: ["tuning", "heldout", "fourth"])
    func `few different faults share an issue, and few equal ones are split`(set: String) async throws {
        try await CrashingWorld.use { world in
            var (events, pairs): ([Event], [Pair]) = ([], [])
            for file in try Folder.names(in: Self.folder + set).sorted() where file.hasSuffix(".jsonl") {
                for line in try String(contentsOfFile: Self.folder + "\(set)/\(file)", encoding: .utf8).split(separator: "\n") {
                    try Self.read(line, of: file, &events, &pairs)
                }
            }
            try await Self.send(events, to: world)
            let issues = try await Self.issues(of: world)
            #expect(issues.count == events.count)
            let isSame = pairs.map { issues[$0.ids.0] == issues[$0.ids.1] }
            let merged = zip(pairs, isSame).filter { !$0.isSame && $1 }.map(\.0.name)
            let split = zip(pairs, isSame).filter { $0.isSame && !$1 }.map(\.0.name)
            #expect(merged.count * 50 <= pairs.count { !$0.isSame }, "\(merged)")
            #expect(split.count * 33 <= pairs.count(where: \.isSame), "\(split)")
        }
    }

    /// Reads a pair, or a message template, whose variants are equal to its first; each template differs from the one before it.
    private static func read(_ line: Substring, of file: String, _ events: inout [Event], _ pairs: inout [Pair]) throws {
        let entry = try JSON(Array(line.utf8))
        let name = "\(file) \(entry["name"].text)"
        func add(_ side: String, _ event: String) -> String {
            let id = UUID().uuidString.lowercased().filter { $0 != "-" }
            events.append(Event(id: id, body: "{\"event_id\":\"\(id)\"," + event.dropFirst()))
            return id
        }
        guard file == "messages.jsonl" else {
            let ids = (add("a", entry["a"].source), add("b", entry["b"].source))
            return pairs.append(Pair(name: name, isSame: entry["same"].bool, ids: ids))
        }
        let ids = entry["variants"].items.map { add("v", event($0.source, of: entry)) }
        for id in ids.dropFirst() { pairs.append(Pair(name: name, isSame: true, ids: (ids[0], id))) }
        if let before = pairs.last(where: { $0.name != name && $0.name.hasPrefix(file) }) {
            pairs.append(Pair(name: name, isSame: false, ids: (before.ids.0, ids[0])))
        }
    }

    private static func event(_ text: String, of template: JSON) -> String {
        let head = #"{"platform":\#(template["platform"].source),"level":"error","#
        let type = template["type"]
        return type.exists ? head + #""exception":{"values":[{"type":\#(type.source),"value":\#(text)}]}}"# : head + "\"message\":\(text)}"
    }

    private static func send(_ events: [Event], to world: CrashingWorld) async throws {
        for start in stride(from: 0, to: events.count, by: 25) {
            let items = events[start..<min(start + 25, events.count)].map { "{\"type\":\"event\",\"length\":\($0.body.utf8.count)}\n\($0.body)\n" }
            let reply = try await world.api.request(
                "POST", "/api/\(world.ours.app)/envelope/?sentry_key=\(world.ours.ingest)", body: Array(("{}\n" + items.joined()).utf8))
            #expect(reply.status == 200, "\(reply.text)")
        }
    }

    /// Returns the issue of each event.
    private static func issues(of world: CrashingWorld) async throws -> [String: String] {
        let connection = try world.api.connect()
        var issues: [String: String] = [:]
        for issue in try await all("/v1/issues", connection, world.ours.read) {
            let id = issue["id"].text
            for event in try await all("/v1/issues/\(id)/events", connection, world.ours.read) { issues[event["id"].text.filter { $0 != "-" }] = id }
        }
        return issues
    }

    private static func all(_ path: String, _ connection: TestSupport.HTTPConnection, _ key: String) async throws -> [JSON] {
        var (items, after): ([JSON], String) = ([], "")
        while true {
            let reply = try await connection.exchange(TestClient.bytes("GET", "\(path)?limit=100\(after)", key: key))
            #expect(reply.status == 200, "\(path)")
            let page = try JSON(reply)
            items += page["items"].items
            guard page["next"].exists else { return items }
            after = "&after=" + (page["next"].text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        }
    }
}
