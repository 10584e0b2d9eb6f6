// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPClient
import HTTPServer
import Platform
import Testing

@testable import ingestd

/// Compares the query parameters that the OpenAPI document describes with those that a daemon accepts.
///
///     GET /v1/system?no_such_parameter=1   →   422 "is not a parameter of this route; it takes app"
@Suite(.serialized)
struct ParameterTests {
    @Test func `the described query parameters of an operation are those it accepts`() async throws {
        let schema = try JSONSchema()
        try await RunningDaemon.use(configure: { $0.sql.enabled = true }) { daemon in
            let routes = Routes.all.filter { Self.namesParameters($0, schema) }
            #expect(routes.count > 50)
            for route in routes {
                let accepted = try await Self.accepted(by: route, daemon)
                #expect(accepted == Self.described(route, schema), "\(route.method.name) \(route.pattern)")
            }
        }
    }

    /// Whether the route rejects an unknown parameter with the names of the known ones. `QueryExampleTests` checks queries; intake reads
    /// its body first.
    private static func namesParameters(_ route: Route, _ schema: JSONSchema) -> Bool {
        // Its rejection has no body.
        if route.method == .head { return false }
        switch route.access {
        case .roles, .rolesOrAnyone, .anyKey: break
        case .open, .metrics, .user, .formerUser, .operatorOnly, .emulator, .integration: return false
        }
        let tags = schema.value("paths", route.pattern, route.method.name.lowercased(), "tags").items.compactMap(\.text)
        return Set(tags).isDisjoint(with: ["ingest", "integrations"]) && !(route.method == .get && route.pattern.hasPrefix("/v1/query/"))
    }

    private static func described(_ route: Route, _ schema: JSONSchema) -> Set<String> {
        let item = schema.value("paths", route.pattern)
        let parameters = [item, item[route.method.name.lowercased()] ?? .null].flatMap { $0["parameters"]?.items ?? [] }.map(schema.resolved)
        return Set(parameters.filter { $0["in"]?.text == "query" }.compactMap { $0["name"]?.text })
    }

    /// The names in the rejection of an unknown parameter; empty if it is accepted.
    private static func accepted(by route: Route, _ daemon: RunningDaemon) async throws -> Set<String> {
        let path = route.pattern.replacing(/\{\w+\}/, with: "x") + "?no_such_parameter=1"
        let reply =
            if route.method == .get { try await daemon.get(path, as: .admin) } else {
                try await daemon.send(route.method.name, path, as: .admin, Array("{}".utf8))
            }
        let problem = try JSONValue(reply.body)
        let message = problem["errors"]?.items.first?["message"]?.text ?? ""
        guard let names = message.components(separatedBy: "it takes ").dropFirst().first else { return [] }
        return Set(names.components(separatedBy: ", "))
    }
}
