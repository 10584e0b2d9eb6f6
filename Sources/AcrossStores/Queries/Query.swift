// SPDX-License-Identifier: Apache-2.0

import Analytics
package import Events
package import Platform

extension Stores {
    /// Runs a query for an app.
    package func result(of query: Query, app: AppID) async throws -> QueryResult {
        let result = try await compute(query, app)
        // A failure does not affect the result. A later query counts again.
        try? await analytics.savePeopleCounts()
        return result
    }

    private func compute(_ query: Query, _ app: AppID) async throws -> QueryResult {
        let rows = query.mayReadRows
        return switch query {
        case .series(let query): .series(try await analytics.run(app, mayReadRows: rows) { try $0.series(query, crashes: $0.countedCrashes) })
        case .top(let query): .top(try await analytics.run(app, mayReadRows: rows) { try $0.top(query, crashes: $0.countedCrashes) })
        case .activeUsers(let query): .activeUsers(try await analytics.run(app, mayReadRows: rows) { try $0.activeUsers(query) })
        case .retention(let query): .retention(try await analytics.run(app, mayReadRows: rows) { try $0.retention(query) })
        case .funnel(let query): .funnel(try await analytics.run(app, mayReadRows: rows) { try $0.funnel(query) })
        case .revenue(let query): .revenue(try await analytics.run(app, mayReadRows: rows) { try $0.revenue(query) })
        case .sessions(let query) where query.filters.isEmpty:
            .sessions(
                try await analytics.runRecent(.init(app, .sessions, query.range, timeout: query.timeout), app) { try $0.sessions(query) })
        case .sessions(let query): .sessions(try await analytics.run(app, mayReadRows: rows) { try $0.sessions(query) })
        case .lifecycle(let query): .lifecycle(try await analytics.run(app, mayReadRows: rows) { try $0.lifecycle(query) })
        case .realtime(let query): .realtime(try await analytics.run(app, mayReadRows: rows) { try $0.realtime(query) })
        case .crashFree(let query) where query.filters.isEmpty:
            .crashFree(
                try await analytics.runRecent(.init(app, .crashFree, query.range, timeout: query.timeout, limit: query.limit), app) {
                    try $0.crashFree(query)
                })
        case .crashFree(let query): .crashFree(try await analytics.run(app, mayReadRows: rows) { try $0.crashFree(query) })
        }
    }
}
