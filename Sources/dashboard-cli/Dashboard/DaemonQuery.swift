// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform

/// A GET request of a pane or a report, the type of its response, and how often it is repeated.
///
///     DaemonQuery<AppResponse>("app", "/v1/app", every: 60)
struct DaemonQuery<Response: Decodable & Sendable>: Sendable {
    /// The name of the result in a JSON export.
    let name: String
    let request: GetRequest
    let everySeconds: Int64

    init(_ name: String, _ path: String, _ parameters: [(String, String)] = [], every seconds: Int64 = 2) {
        self.name = name
        request = GetRequest(path, parameters)
        everySeconds = seconds
    }

    var polled: PolledQuery {
        PolledQuery(name: name, request: request, every: .seconds(everySeconds)) { body in
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return QueryResult(value: try decoder.decode(Response.self, from: Data(body)), body: body)
        }
    }
}

/// A `DaemonQuery` without the type of its response.
struct PolledQuery: Sendable {
    let name: String
    let request: GetRequest
    let every: Timestamp.Span
    let decode: @Sendable ([UInt8]) throws -> QueryResult
}

/// A response, decoded and as it was received.
struct QueryResult: Sendable {
    let value: any Sendable
    let body: [UInt8]
}

/// The newest result of each query.
struct QueryResults: Sendable {
    struct Entry: Sendable {
        var result: QueryResult?
        var receivedAt: Timestamp?
        /// The error of the last attempt.
        var error: RequestError?
        /// When the query was sent; nil while none is in flight.
        var sentAt: Timestamp?
        /// When the query is sent next.
        var due = Timestamp(milliseconds: .min)

        var body: [UInt8]? { result?.body }

        /// Longer than every timeout of a connection: a query without a response by then was lost while the process was stopped.
        private static let lostAfter = Timestamp.Span.seconds(90)

        func isInFlight(_ now: Timestamp) -> Bool { sentAt.map { now < $0 + Entry.lostAfter } ?? false }
    }

    private var entries: [GetRequest: Entry] = [:]

    subscript(request: GetRequest) -> Entry {
        get { entries[request] ?? Entry() }
        set { entries[request] = newValue }
    }

    func value<Response>(_ query: DaemonQuery<Response>) -> Response? { self[query.request].result?.value as? Response }
    func error<Response>(_ query: DaemonQuery<Response>) -> RequestError? { self[query.request].error }

    mutating func makeAllDue() {
        for request in entries.keys { entries[request]?.due = Timestamp(milliseconds: .min) }
    }

    /// Forgets the results of other requests, so that memory stays bounded while ranges change.
    mutating func keep(_ requests: some Sequence<GetRequest>) {
        let wanted = Set(requests)
        entries = entries.filter { wanted.contains($0.key) || $0.value.sentAt != nil }
    }
}
