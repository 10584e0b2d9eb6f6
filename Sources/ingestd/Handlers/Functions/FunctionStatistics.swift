// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import Events
import FunctionStore
import Functions
import HTTPServer
import Messaging
import Platform

/// The work of an app's functions: how often they ran, how long it took, what waits and what failed.
struct FunctionStatisticsRoutes: Sendable {
    let store: Stores
    let desk: CallDesk
    let lags: TriggerLags

    static let routes = [
        Route(.get, "/v1/functions:statistics", .role(.read), .task(\.functionFigures, FunctionStatisticsRoutes.statistics))
    ]

    func statistics(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "limit", "after")
        let app = try call.app(in: store).id
        let limit = try query.number("limit", 1...1_000, default: 500)
        let found = try await store.functions.functions(of: app, after: try query.one("after") ?? "", limit: limit + 1)
        let now = store.functions.now
        let read = TriggerLags.kinds.filter { kind in store.functions.catalog.functions(of: app).contains { $0.definition.reads(kind) } }
        return try .json(
            FunctionStatisticsResponse(
                items: found.prefix(limit).map { item($0, at: now) },
                sources: read.map { FunctionStatisticsResponse.Source(source: $0.rawValue, lagSeconds: lags.seconds(of: $0, app)) },
                next: found.count > limit ? found[limit - 1].function.name : nil))
    }

    private func item(_ status: FunctionStatus, at now: Timestamp) -> FunctionStatisticsResponse.Function {
        let (definition, id) = (status.function.definition, status.function.id)
        let (figures, calls) = (store.functions.activity.figures(of: id, at: now), desk.figures(of: id))
        let runs = RunState.allCases.compactMap { state in status.runs[state].map { (state.name, $0) } }
        var item = FunctionStatisticsResponse.Function(
            name: status.function.name, target: definition.target.origin, triggers: definition.triggers.map(\.text), perMinute: figures.perMinute,
            failures: figures.failures, callsUnderWay: calls.underWay, callsWaiting: calls.waiting, runs: Members(runs))
        (item.medianMilliseconds, item.slowMilliseconds) = (figures.median, figures.slow)
        item.brokenUntil = calls.brokenUntil.map(Moment.init)
        return item
    }
}

extension FunctionDefinition.Target {
    /// Where requests go, without the path.
    fileprivate var origin: String {
        switch self {
        case .address(let url, _): (try? WebhookURL(url))?.origin.shortDescription ?? ""
        case .topic(let topic): "topic \(topic)"
        case .worker: "worker"
        }
    }
}
