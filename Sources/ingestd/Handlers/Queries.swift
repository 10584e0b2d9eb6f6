import Events
import HTTPServer
import JSON
import Platform
import Store

/// Questions: a route for each that there is, its parameters behind the question mark or in a JSON body.
enum Queries {
    static let routes: [Route] = QueryName.allCases.flatMap { name in
        let path = "/v1/query/" + name.rawValue
        return [
            Route(.get, path, .role(.read), .task { try await answer(name, $0, $1, asked: $1.query().all(except: "app")) }),
            Route(.post, path, .role(.read), .task { try await answer(name, $0, $1, asked: Body($1.request.body).parameters()) }),
        ]
    }

    private static func answer(
        _ name: QueryName, _ daemon: Daemon, _ call: Call, asked: [(name: String, value: String)]
    ) async throws -> HTTPAnswer {
        let app = try call.app(in: daemon.store)
        let query = try Query(name, QueryParameters(asked, settings: app.settings, now: daemon.clock.now()))
        var json = JSONWriter(reserving: 4_096)
        try json.encode(try await daemon.store.ask(query, app: app.id))
        return .response(.json(json.bytes))
    }
}
