// SPDX-License-Identifier: Apache-2.0

import Events
import Foundation
import Panes
import Platform

/// What a report is made from: the app, the time it is about, and what the daemon answered.
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

    func value<Answer>(_ query: DaemonQuery<Answer>) -> Answer? { results.value(query) }

    /// A part of the page that is made from one answer, or says why there is none.
    func section<Answer>(
        _ id: String, _ title: String, _ lead: HTML, from query: DaemonQuery<Answer>, isWide: Bool = false, _ body: (Answer) -> [HTML]
    ) -> HTML {
        let content: [HTML]
        if let answer = results.value(query) {
            content = body(answer)
        } else {
            content = [.element("p", ["class": "trouble"], .text(results.error(query)?.sentences ?? "The daemon did not answer this."))]
        }
        let heading = HTML.element("h2", ["id": id], .text(title))
        return .element(
            "section", ["aria-labelledby": id, "class": isWide ? "wide" : "half"], [heading, .element("p", ["class": "lead"], lead)] + content)
    }

    static func nothing(_ sentence: HTML) -> [HTML] { [.element("p", ["class": "nothing"], sentence)] }
}

extension Report {
    /// Asks one question after the other, so that the daemon has room for others meanwhile.
    ///
    /// What the key may not see, or the daemon does not know, is told by the report itself.
    static func load(_ client: DaemonClient, _ span: ReportSpan, now: Timestamp) async throws -> Report {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let app = try decoder.decode(AppResponse.self, from: Data(try await client.get(GetRequest("/v1/app"))))
        let period = ReportPeriod(span, until: now, in: ZoneOffsets(app.settings.tz) ?? .utc)
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
                // One question may take too long; a daemon that is gone answers none.
                if error.kind == .unreachable { _ = try await client.get(GetRequest("/v1/app")) }
                results[query.request].error = error
                errors.append(error)
            }
        }
        if errors.count == requests.count, let first = errors.first { throw first }
        return Report(app: app.name, host: client.profile.host, period: period, results: results)
    }

    /// A daemon that has much to do is asked again.
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
