// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A request of a pane or a report, the type of its response, and how often it is repeated.
///
///     DaemonQuery<AppResponse>("app", "/v1/app", every: 60)
package struct DaemonQuery<Response: Sendable>: Sendable {
    /// The name of the result in a JSON export.
    package let name: String
    package let request: ReadRequest
    let everySeconds: Int64
    private let decode: @Sendable ([UInt8]) throws -> Response

    /// - Parameter decode: Reads a body whose names or numbers `Decodable` does not keep.
    init(_ name: String, _ request: ReadRequest, every seconds: Int64, decode: @escaping @Sendable ([UInt8]) throws -> Response) {
        (self.name, self.request, everySeconds, self.decode) = (name, request, seconds, decode)
    }

    /// Returns the query for another page.
    func with(_ request: ReadRequest, named name: String) -> DaemonQuery {
        DaemonQuery(name, request, every: everySeconds, decode: decode)
    }

    /// Returns the same query, repeated at another pace.
    func every(_ seconds: Int64) -> DaemonQuery { DaemonQuery(name, request, every: seconds, decode: decode) }

    package func response(_ body: [UInt8]) throws -> Response { try decode(body) }

    package var polled: PolledQuery {
        PolledQuery(name: name, request: request, every: .seconds(everySeconds)) { [decode] body in
            QueryResult(value: try decode(body), body: body)
        }
    }
}

extension DaemonQuery where Response: Decodable {
    package init(_ name: String, _ path: String, _ parameters: [(String, String)] = [], every seconds: Int64 = 2) {
        self.init(name, ReadRequest(path, parameters), every: seconds)
    }

    init(_ name: String, _ request: ReadRequest, every seconds: Int64) {
        self.init(name, request, every: seconds) { try Response(response: $0) }
    }
}

/// A `DaemonQuery` without the type of its response.
package struct PolledQuery: Sendable {
    package let name: String
    package let request: ReadRequest
    package let every: Timestamp.Span
    package let decode: @Sendable ([UInt8]) throws -> QueryResult
}

/// A response, decoded and as it was received.
package struct QueryResult: Sendable {
    package let value: any Sendable
    package let body: [UInt8]
}

/// The newest result of each query.
package struct QueryResults: Sendable {
    package struct Entry: Sendable {
        package var result: QueryResult?
        package var receivedAt: Timestamp?
        /// The error of the last attempt.
        package var error: RequestError?
        /// When the query was sent; nil while none is in flight.
        package var sentAt: Timestamp?
        /// The cursor that was sent last.
        package var cursor: String?
        /// When the query is sent next.
        package var due = Timestamp(milliseconds: .min)

        package var body: [UInt8]? { result?.body }

        /// Longer than every timeout of a connection: a query without a response by then was lost while the process was stopped.
        private static let lostAfter = Timestamp.Span.seconds(90)

        package func isInFlight(_ now: Timestamp) -> Bool { sentAt.map { now < $0 + Entry.lostAfter } ?? false }
    }

    private var entries: [ReadRequest: Entry] = [:]

    package init() {}

    package subscript(request: ReadRequest) -> Entry {
        get { entries[request] ?? Entry() }
        set { entries[request] = newValue }
    }

    package func value<Response>(_ query: DaemonQuery<Response>) -> Response? { self[query.request].result?.value as? Response }
    package func error<Response>(_ query: DaemonQuery<Response>) -> RequestError? { self[query.request].error }

    package mutating func makeAllDue() {
        for request in entries.keys { entries[request]?.due = Timestamp(milliseconds: .min) }
    }

    /// Forgets the results of other requests, so that memory stays bounded while ranges change.
    package mutating func keep(_ requests: some Sequence<ReadRequest>) {
        let wanted = Set(requests)
        entries = entries.filter { wanted.contains($0.key) || $0.value.sentAt != nil }
    }
}
