// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import EventStore
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
        let query = try await store.query(name, app, now: clock.now()) { () throws(Refusal) in try parameters(call, name) }
        return try .json(try await store.result(of: query, app: app.id))
    }
}

extension Stores {
    /// Parses a query of an app, with the cohorts that its filters name.
    func query(
        _ name: QueryName, _ app: App, now: Timestamp, _ values: () throws(Refusal) -> [(name: String, value: String)]
    ) async throws -> Query {
        do {
            var parameters = QueryParameters(try values(), settings: app.settings, now: now)
            let names = parameters.cohortNames
            if !names.isEmpty { parameters.cohorts = try await cohorts(names, of: app, now: now) }
            return try Query(name, parameters)
        } catch let error as Refusal {
            throw error.hinting(at: name.fields)
        }
    }

    /// Returns the cohorts with these names. One that is not valid any more, such as after a change of limits, is left out.
    private func cohorts(_ names: Set<String>, of app: App, now: Timestamp) async throws -> [String: Cohort] {
        var cohorts: [String: Cohort] = [:]
        for saved in try await events.saved(in: .cohort, of: app.id, after: "", limit: SavedDefinition.limit)
        where names.contains(saved.name) {
            cohorts[saved.name] = try? Cohort(QueryParameters(Body(saved.parameters).parameters(of: Cohort.fields), settings: app.settings, now: now))
        }
        return cohorts
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
