// SPDX-License-Identifier: Apache-2.0

import Events
import HTTPServer
import JSON
import Platform
import AcrossStores

/// Questions: a route for each that there is, its parameters behind the question mark or in a JSON body.
enum Queries {
    static let routes: [Route] = QueryName.allCases.flatMap { name in
        let path = "/v1/query/" + name.rawValue
        return [
            Route(.get, path, .role(.read), .task { try await answer(name, $0, $1, asked: inQuery) }),
            Route(.post, path, .role(.read), .task { try await answer(name, $0, $1, asked: inBody) }),
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

    private static func answer(
        _ name: QueryName, _ daemon: Daemon, _ call: Call, asked: (Call, QueryName) throws(Refusal) -> Parameters
    ) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        let query: Query
        do throws(Refusal) {
            query = try Query(name, QueryParameters(asked(call, name), settings: app.settings, now: daemon.clock.now()))
        } catch {
            throw error.hinting(at: name.fields)
        }
        var json = JSONWriter(reserving: 4_096)
        try json.encode(try await daemon.store.answer(query, app: app.id))
        return .response(.json(json.bytes))
    }
}

extension Refusal {
    /// Where it has no hint of its own, what the parameter that is wrong is for.
    fileprivate func hinting(at known: [QueryField]) -> Refusal {
        var refusal = self
        if hint == nil { refusal.hint = known.first { $0.name == fields.first?.field }?.help }
        return refusal
    }
}
