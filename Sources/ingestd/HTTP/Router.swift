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
    private let patterns: [Route.Pattern]
    /// Routes without parameters, found by a single look-up; most requests use them.
    private let literal: [String: [Route]]
    private let starts: Starts

    init(_ routes: [Route] = Routes.all) {
        self.routes = routes
        patterns = routes.map(\.comparable)
        literal = Dictionary(grouping: routes.filter { !$0.pattern.contains("{") }, by: \.pattern)
        starts = Starts(routes)
    }

    func match(_ method: HTTPMethod, _ path: String) -> Match {
        if let known = literal[path] { return Router.choose(method, known.map { ($0, [:]) }) }
        guard let parts = PercentDecoding.segments(of: path) else { return .none }
        let possible = starts.places(of: parts)
        for place in possible where Router.serves(patterns[place].method, method) {
            if let parameters = patterns[place].match(parts) { return .found(routes[place], parameters) }
        }
        let others = possible.compactMap { place in patterns[place].match(parts).map { (routes[place], $0) } }
        return others.isEmpty ? .none : .wrongMethod(allowed: others)
    }

    private static func choose(_ method: HTTPMethod, _ routes: [(Route, [String: String])]) -> Match {
        routes.first { serves($0.0.method, method) }.map { .found($0.0, $0.1) } ?? .wrongMethod(allowed: routes)
    }

    private static func serves(_ served: HTTPMethod, _ method: HTTPMethod) -> Bool { served == method || served == .get && method == .head }
}

/// The places of routes in the table by the first two segments of paths that they may match.
private struct Starts {
    /// The routes of paths that begin with one text.
    struct Branch {
        /// By the second segment, with those of `others`.
        var places: [String: [Int]] = [:]
        /// The routes of any other second segment.
        var others: [Int]
    }

    private var branches: [String: Branch] = [:]
    /// The routes of any other first segment.
    private let others: [Int]

    init(_ routes: [Route]) {
        let starts = routes.map { $0.segments.prefix(2).map(\.literal) }
        let others = starts.indices.filter { starts[$0].first == .some(nil) }
        self.others = others
        for first in Set(starts.compactMap { $0.first ?? nil }) {
            let own = starts.indices.filter { starts[$0].first == first || others.contains($0) }
            var branch = Branch(others: own.filter { starts[$0].count < 2 || starts[$0][1] == nil || others.contains($0) })
            for second in Set(own.compactMap { starts[$0].count < 2 ? nil : starts[$0][1] }) {
                branch.places[second] = own.filter { branch.others.contains($0) || starts[$0].count == 2 && starts[$0][1] == second }
            }
            branches[first] = branch
        }
    }

    /// The places of routes that may match a path, in the order of the table.
    func places(of path: [String]) -> [Int] {
        guard let first = path.first, let branch = branches[first] else { return others }
        guard path.count > 1 else { return branch.others }
        return branch.places[path[1]] ?? branch.others
    }
}
