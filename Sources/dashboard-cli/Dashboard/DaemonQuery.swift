// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform

/// A question a pane keeps asking, and what its answer is.
struct DaemonQuery<Answer: Decodable & Sendable>: Sendable {
    /// Under which name a snapshot has it.
    let name: String
    let request: GetRequest
    /// Seconds between two answers.
    let every: Int64

    init(_ name: String, _ path: String, _ parameters: [(String, String)] = [], every: Int64 = 2) {
        self.name = name
        request = GetRequest(path, parameters)
        self.every = every
    }

    var polled: PolledQuery {
        PolledQuery(name: name, request: request, every: .seconds(every)) { body in
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return QueryResult(value: try decoder.decode(Answer.self, from: Data(body)), body: body)
        }
    }
}

/// An `DaemonQuery` of whatever answer.
struct PolledQuery: Sendable {
    let name: String
    let request: GetRequest
    let every: Timestamp.Span
    let decode: @Sendable ([UInt8]) throws -> QueryResult
}

/// An answer as it is understood, and as it came.
struct QueryResult: Sendable {
    let value: any Sendable
    let body: [UInt8]
}

/// The newest answers there are.
struct QueryResults: Sendable {
    struct Entry: Sendable {
        var answer: QueryResult?
        var answered: Timestamp?
        /// Why the last attempt brought nothing.
        var error: RequestError?
        /// When it was asked; nil once that is answered.
        var asked: Timestamp?
        /// When it is to be asked again.
        var due = Timestamp(milliseconds: .min)

        var body: [UInt8]? { answer?.body }

        /// Longer than any connection waits: what is not there by then was lost while the terminal stood still.
        private static let patience = Timestamp.Span.seconds(90)

        func isUnderWay(_ now: Timestamp) -> Bool { asked.map { now < $0 + Entry.patience } ?? false }
    }

    private var held: [GetRequest: Entry] = [:]

    subscript(request: GetRequest) -> Entry {
        get { held[request] ?? Entry() }
        set { held[request] = newValue }
    }

    func value<Answer>(_ query: DaemonQuery<Answer>) -> Answer? { self[query.request].answer?.value as? Answer }
    func error<Answer>(_ query: DaemonQuery<Answer>) -> RequestError? { self[query.request].error }

    mutating func makeAllDue() {
        for request in held.keys { held[request]?.due = Timestamp(milliseconds: .min) }
    }

    /// Forgets what is not asked any more, so that a long look through ranges fills no memory.
    mutating func keep(_ requests: some Sequence<GetRequest>) {
        let wanted = Set(requests)
        held = held.filter { wanted.contains($0.key) || $0.value.asked != nil }
    }
}
