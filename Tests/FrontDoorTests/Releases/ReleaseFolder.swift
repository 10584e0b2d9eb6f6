// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

@testable import ingestd

/// A data folder of an earlier release with the responses it gave, in `Tests/Fixtures/releases`.
///
/// `folder.tar.gz` is the folder of a stopped daemon; `responses.json` has the keys and the response body of each request.
struct ReleaseFolder: Codable {
    struct Response: Codable, Equatable {
        var app: Int
        var target: String
        var status: Int
        var body: String

        /// Whether the response has everything that the recorded one has. A later release may add members to objects.
        func agrees(with recorded: Response) -> Bool {
            let (new, old) = (comparable, recorded.comparable)
            if new == old { return true }
            guard (app, target, status) == (old.app, old.target, old.status) else { return false }
            guard let now = try? JSONSerialization.jsonObject(with: Data(new.body.utf8)),
                let then = try? JSONSerialization.jsonObject(with: Data(old.body.utf8))
            else { return false }
            return Response.has(now, then)
        }

        private static func has(_ now: Any, _ then: Any) -> Bool {
            switch (now, then) {
            case (let now as [String: Any], let then as [String: Any]):
                then.allSatisfy { name, value in now[name].map { has($0, value) } ?? false }
            case (let now as [Any], let then as [Any]): now.count == then.count && zip(now, then).allSatisfy { has($0, $1) }
            default: (now as? NSObject) == (then as? NSObject)
            }
        }

        /// The response without an intended change: since 0.2 the series of an issue includes days without crashes, and the last sighting
        /// of a person is exact, of which the hour is compared.
        private var comparable: Response {
            if target.hasPrefix("/v1/users/") {
                var response = self
                response.body = body.replacingOccurrences(of: #"("last_seen":"[^"]{13})[^"]*""#, with: "$1\"", options: .regularExpression)
                return response
            }
            guard target.hasPrefix("/v1/issues/"), !target.hasSuffix("/events") else { return self }
            var response = self
            response.body = body.replacingOccurrences(of: #"\{"t":"[^"]+","value":0\},?"#, with: "", options: .regularExpression)
                .replacingOccurrences(of: ",]", with: "]")
            return response
        }
    }

    /// Keys by app; their only use is in this folder.
    var readKeys: [String]
    var responses: [Response]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/releases").path

    static var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: root).sorted() }
    }

    init(readKeys: [String], responses: [Response] = []) {
        self.readKeys = readKeys
        self.responses = responses
    }

    init(named name: String) throws {
        self = try JSONDecoder().decode(ReleaseFolder.self, from: Data(contentsOf: URL(fileURLWithPath: "\(Self.root)/\(name)/responses.json")))
    }

    /// Unpacks the folder of a release.
    static func unpack(_ name: String, into folder: TemporaryFolder) async throws {
        let ended = try await ChildProcess.run("/usr/bin/tar", ["-xzf", "\(root)/\(name)/folder.tar.gz", "-C", folder.path])
        try #require(ended.code == 0, "\(ended.output)")
    }

    /// Packs a folder and its responses as those of a release.
    func save(as name: String, _ folder: TemporaryFolder) async throws {
        let target = "\(Self.root)/\(name)"
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        let ended = try await ChildProcess.run("/usr/bin/tar", ["--sort=name", "-czf", target + "/folder.tar.gz", "-C", folder.path, "."])
        try #require(ended.code == 0, "\(ended.output)")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: target + "/responses.json"))
    }

    /// Sends every request that depends on the folder's data only.
    func ask(_ live: LiveDaemon) async throws -> [Response] {
        var all: [Response] = []
        for (app, key) in readKeys.enumerated() {
            let issues = try JSON(await live.api.get("/v1/issues", key: key))["items"].items.map { "/v1/issues/" + $0["id"].text }
            for target in Self.targets + issues + issues.map({ $0 + "/events" }) {
                let reply = try await live.api.get(target, key: key)
                // Error texts may change.
                all.append(Response(app: app, target: target, status: reply.status, body: reply.status == 200 ? reply.text : ""))
            }
        }
        return all
    }

    /// Every query over whole and partial days, from roll-ups and events; lists, pages, a person and an export.
    static let targets: [String] =
        ["events", "users", "sessions", "screen_views", "purchases", "revenue", "crashes"].flatMap { metric in
            ["interval=day", "interval=hour&tz=Asia/Kathmandu", "interval=week"].map { "/v1/query/series?metric=\(metric)&\($0)&\(range)" }
        }
        + [
            "/v1/query/series?event=tap&breakdown=params.button&interval=day&\(range)",
            "/v1/query/series?filter=params.step%3E3&interval=day&\(range)",
            "/v1/query/series?filter=user.plan=p5&interval=day&\(range)", "/v1/query/top?field=name&\(range)",
            "/v1/query/top?field=params.screen_name&metric=screen_views&\(range)", "/v1/query/top?field=context.app_version&metric=users&\(range)",
            "/v1/query/active-users?\(range)", "/v1/query/active-users?tz=America/St_Johns&\(range)",
            "/v1/query/retention?periods=4&\(range)", "/v1/query/retention?periods=4&start=sign_up&return=purchase&cohort=recurring&\(range)",
            "/v1/query/funnel?steps=screen_view&steps=purchase&\(range)",
            "/v1/query/funnel?steps=tap;params.ratio%3E0&steps=sign_up&order=strict&\(range)",
            "/v1/query/revenue?interval=day&\(range)", "/v1/query/sessions?interval=day&\(range)", "/v1/query/lifecycle?\(range)",
            "/v1/query/realtime", "/v1/query/crash-free?\(range)", "/v1/export?\(range)", "/v1/quarantine", "/v1/app", "/v1/users/person_1",
            "/v1/users/person_2", "/v1/users/nobody", "/v1/issues", "/v1/issues?state=open", "/v1/symbols", "/v1/symbols/missing", "/v1/topics",
            "/v1/topics/news", "/v1/topics/news/subscribers", "/v1/devices", "/v1/messages", "/v1/deliveries",
        ]

    private static let range = "from=2026-11-15T00:00:00Z&to=2026-11-22T00:00:00Z"
}
