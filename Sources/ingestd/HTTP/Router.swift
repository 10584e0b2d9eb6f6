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

    init(_ routes: [Route] = Routes.all) {
        self.routes = routes
        literal = Dictionary(grouping: routes.filter { !$0.pattern.contains("{") }, by: \.pattern)
    }

    func match(_ method: HTTPMethod, _ path: String) -> Match {
        let candidates: [(Route, [String: String])]
        if let known = literal[path] {
            candidates = known.map { ($0, [:]) }
        } else {
            guard let parts = PercentDecoding.segments(of: path) else { return .none }
            candidates = routes.compactMap { route in route.match(parts).map { (route, $0) } }
        }
        if let hit = candidates.first(where: { $0.0.method == method || $0.0.method == .get && method == .head }) {
            return .found(hit.0, hit.1)
        }
        return candidates.isEmpty ? .none : .wrongMethod(allowed: candidates)
    }
}
