// SPDX-License-Identifier: Apache-2.0

import Platform
import SignalboxDocumentModel
import Synchronization

/// The cost of queries of one shape since the start of the daemon.
package struct QueryShapeCost: Sendable, Equatable {
    package let shape: String
    package fileprivate(set) var queries = 0
    package fileprivate(set) var examined = 0
    package fileprivate(set) var results = 0
    package fileprivate(set) var slowest = Duration.zero
    /// Whether the last one read an index.
    package fileprivate(set) var usesIndex = false
    /// How often a query examined many more documents than it found.
    fileprivate var wasteful = 0

    fileprivate init(_ shape: String) { self.shape = shape }
}

/// The shapes of queries that cost much, and the indexes that queries read. A bounded number is kept in memory.
final class QueryShapes: Sendable {
    /// One query that was answered.
    struct Answered {
        var examined: Int
        var results: Int
        var time: Duration
        var indexes: [IndexShape]
    }

    private struct State {
        var costs: [AppID: [String: QueryShapeCost]] = [:]
        var used: [AppID: Set<IndexShape>] = [:]
    }

    private static let shapesOfApp = 200
    private static let apps = 1_000
    /// Cheaper queries are not kept.
    private static let (examinedAtLeast, timeAtLeast) = (500, Duration.milliseconds(20))
    /// A query is wasteful beyond these numbers of documents, in all and for each result.
    private static let (wastefulBeyond, wastefulForEach, wastefulTimes) = (2_000, 20, 3)

    private let state = Mutex(State())

    /// Notes a query. Returns the indexes that queries of its shape lack, once enough of them were wasteful.
    func note(_ query: DocumentQuery, _ answered: Answered, app: AppID, teaches: Bool) -> [IndexShape] {
        let isCostly = answered.examined >= Self.examinedAtLeast || answered.time >= Self.timeAtLeast
        if !isCostly, answered.indexes.isEmpty { return [] }
        let shape = isCostly ? query.shape : ""
        let isWasteful = answered.examined > Self.wastefulBeyond && answered.examined / max(1, answered.results) > Self.wastefulForEach
        let lacks = state.withLock { state -> Bool in
            if !answered.indexes.isEmpty, state.used.count < Self.apps { state.used[app, default: []].formUnion(answered.indexes) }
            guard isCostly, var costs = state.costs.removeValue(forKey: app) ?? (state.costs.count < Self.apps ? [:] : nil) else { return false }
            defer { state.costs[app] = costs }
            if costs[shape] == nil, costs.count >= Self.shapesOfApp {
                guard let cheapest = costs.values.min(by: { $0.examined < $1.examined }) else { return false }
                costs[cheapest.shape] = nil
            }
            var cost = costs[shape] ?? QueryShapeCost(shape)
            cost.queries += 1
            cost.examined += answered.examined
            cost.results += answered.results
            cost.slowest = max(cost.slowest, answered.time)
            cost.usesIndex = !answered.indexes.isEmpty
            if isWasteful, teaches { cost.wasteful += 1 }
            let lacks = isWasteful && teaches && cost.wasteful >= Self.wastefulTimes
            if lacks { cost.wasteful = 0 }
            costs[shape] = cost
            return lacks
        }
        return lacks ? query.wantedShapes.filter { !answered.indexes.contains($0) } : []
    }

    /// Returns the shapes of an app, the most examined documents first.
    func costs(of app: AppID) -> [QueryShapeCost] {
        state.withLock { Array(($0.costs[app] ?? [:]).values) }.sorted { ($1.examined, $0.shape) < ($0.examined, $1.shape) }
    }

    /// Returns the indexes that queries read since the last call.
    func takeUsed() -> [AppID: Set<IndexShape>] {
        state.withLock { state in
            defer { state.used = [:] }
            return state.used
        }
    }

    func forget(_ app: AppID) { state.withLock { ($0.costs[app], $0.used[app]) = (nil, nil) } }
}
