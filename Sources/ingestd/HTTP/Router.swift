// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// Finds the route of a request by method and path.
struct Router: Sendable {
    enum Match {
        case found(Route, [String: String])
        /// The routes of the path, with their parameters.
        case wrongMethod(allowed: [(Route, [String: String])])
        case none
    }

    private let routes: [Route]
    /// Routes without parameters, found by a single look-up; most requests use them.
    private let literal: [String: [Route]]
    /// The places of all routes in the table, by the literals that their patterns begin with, two at most: `["v1", "issues"]`.
    private let byStart: [[String]: [Int]]

    init(_ routes: [Route] = Routes.all) {
        self.routes = routes
        literal = Dictionary(grouping: routes.filter { !$0.pattern.contains("{") }, by: \.pattern)
        byStart = Dictionary(grouping: routes.indices) { routes[$0].segments.prefix(2).prefix { $0.literal != nil }.compactMap(\.literal) }
    }

    func match(_ method: HTTPMethod, _ path: String) -> Match {
        if let known = literal[path] { return Router.choose(method, known.map { ($0, [:]) }) }
        guard let parts = PercentDecoding.segments(of: path) else { return .none }
        let possible = (0...min(2, parts.count)).flatMap { byStart[Array(parts.prefix($0))] ?? [] }.sorted()
        for place in possible where Router.serves(routes[place], method) {
            if let parameters = routes[place].match(parts) { return .found(routes[place], parameters) }
        }
        let others = possible.compactMap { place in routes[place].match(parts).map { (routes[place], $0) } }
        return others.isEmpty ? .none : .wrongMethod(allowed: others)
    }

    private static func choose(_ method: HTTPMethod, _ routes: [(Route, [String: String])]) -> Match {
        routes.first { serves($0.0, method) }.map { .found($0.0, $0.1) } ?? .wrongMethod(allowed: routes)
    }

    private static func serves(_ route: Route, _ method: HTTPMethod) -> Bool { route.method == method || route.method == .get && method == .head }
}
