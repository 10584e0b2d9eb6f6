// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Events
import HTTPServer
import Platform

/// Answers `/v1/query/*`: a route for each query, with parameters in the query string or in a JSON body.
///
/// The parameters of a query are the `fields` of its type in `Events/Queries`, such as `FunnelQuery.fields`.
struct Queries: Sendable {
    let store: Stores
    let clock: WallClock

    static let routes: [Route] = QueryName.allCases.flatMap { name in
        let path = "/v1/query/" + name.rawValue
        return [
            Route(.get, path, .role(.read), .task { try await $0.queries.run(name, $1, parameters: inQuery) }),
            Route(.post, path, .role(.read), .task { try await $0.queries.run(name, $1, parameters: inBody) }),
        ]
    }

    private typealias Parameters = [(name: String, value: String)]

    private static func inQuery(_ call: Call, _ name: QueryName) throws(Refusal) -> Parameters {
        try call.query().all(except: "app")
    }

    private static func inBody(_ call: Call, _ name: QueryName) throws(Refusal) -> Parameters {
        try call.query().allow("app")
        return try Body(call.json()).parameters(of: name)
    }

    private func run(
        _ name: QueryName, _ call: Call, parameters: (Call, QueryName) throws(Refusal) -> Parameters
    ) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        let query: Query
        do throws(Refusal) {
            query = try Query(name, QueryParameters(parameters(call, name), settings: app.settings, now: clock.now()))
        } catch {
            throw error.hinting(at: name.fields)
        }
        return try .json(try await store.result(of: query, app: app.id))
    }
}

extension Refusal {
    /// Adds the description of the wrong parameter as the hint, if the refusal has none.
    fileprivate func hinting(at known: [QueryField]) -> Refusal {
        var refusal = self
        if hint == nil { refusal.hint = known.first { $0.name == fields.first?.field }?.help }
        return refusal
    }
}
