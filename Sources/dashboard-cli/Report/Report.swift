// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Panes
import Platform

/// The data of a report: app, period and query results.
struct Report: Sendable {
    let app: String
    let host: String
    let period: ReportPeriod
    let requests: ReportQueries
    let results: QueryResults

    init(app: String, host: String, period: ReportPeriod, results: QueryResults) {
        (self.app, self.host, self.period, self.results) = (app, host, period, results)
        requests = ReportQueries(period)
    }

    func value<Value>(_ query: DaemonQuery<Value>) -> Value? { results.value(query) }

    /// The results over the full hours and over the same hours of the previous period; nil if one is unknown.
    func compared<Value>(_ path: KeyPath<ComparedQueries, DaemonQuery<Value>>) -> (now: Value, before: Value)? {
        guard let now = value(requests.over[keyPath: path]), let before = value(requests.before[keyPath: path]) else { return nil }
        return (now, before)
    }

    /// A section of the page from one result, or with its error.
    func section<Value>(
        _ id: String, _ title: String, _ lead: HTML, from query: DaemonQuery<Value>, isWide: Bool = false, _ body: (Value) -> [HTML]
    ) -> HTML {
        let content: [HTML]
        if let result = results.value(query) {
            content = body(result)
        } else {
            content = [.element("p", ["class": "trouble"], .text(results.error(query)?.sentences ?? "No response."))]
        }
        let heading = HTML.element("h2", ["id": id], .text(title))
        return .element(
            "section", ["aria-labelledby": id, "class": isWide ? "wide" : "half"], [heading, .element("p", ["class": "lead"], lead)] + content)
    }

    static func nothing(_ sentence: HTML) -> [HTML] { [.element("p", ["class": "nothing"], sentence)] }
}

extension Report {
    /// Loads the results one after the other, so that the daemon serves other clients meanwhile.
    ///
    /// Errors of single queries are part of the report.
    static func load(_ client: DaemonClient, _ span: ReportSpan, now: Timestamp) async throws -> Report {
        let app = try await client.get(AppResponse.query)
        let period = ReportPeriod(span, until: now, in: app.zone.flatMap { ZoneOffsets($0) } ?? .utc)
        var results = QueryResults()
        var errors: [RequestError] = []
        let requests = ReportQueries(period).all
        let progress = Progress()
        defer { progress.end() }
        for (number, query) in requests.enumerated() {
            progress.show("Asking", number, of: requests.count)
            do {
                results[query.request].result = try query.decode(try await patiently { try await client.get(query.request) })
            } catch let error as RequestError where error.kind != .unknownKey {
                // One query may time out; an unreachable daemon fails this request too.
                if error.kind == .unreachable { _ = try await client.get(AppResponse.query) }
                results[query.request].error = error
                errors.append(error)
            }
        }
        if errors.count == requests.count, let first = errors.first { throw first }
        return Report(app: app.name, host: client.host, period: period, results: results)
    }

    /// Retries while the daemon is busy.
    private static func patiently(_ request: () async throws -> [UInt8]) async throws -> [UInt8] {
        var backoff = Backoff()
        while true {
            do {
                return try await request()
            } catch let error as RequestError where error.kind == .busy && backoff.failures < 6 {
                try await Task.sleep(for: .seconds(backoff.next()))
            }
        }
    }
}
