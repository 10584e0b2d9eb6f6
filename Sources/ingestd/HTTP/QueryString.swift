// SPDX-License-Identifier: Apache-2.0

import Events
import HTTPServer
import Platform

/// The parameters of a query string, read by name and checked. Unknown names are rejected, so that a typing error shows.
struct QueryString: ParameterList {
    let values: [(name: String, value: String)]
    static let empty = QueryString(values: [])

    private init(values: [(name: String, value: String)]) {
        self.values = values
    }

    /// - Parameter name: A parameter that is left out.
    init(_ text: String?, without name: String? = nil) throws(Refusal) {
        guard let values = PercentDecoding.pairs(of: text ?? "") else {
            throw Refusal(.badRequest, "The query has a broken percent escape or is not UTF-8.")
        }
        self.values = name.map { name in values.filter { $0.name != name } } ?? values
    }

    /// The values of a parameter that may be given several times.
    func all(_ name: String, atMost limit: Int) throws(Refusal) -> [String] {
        let found = values.filter { $0.name == name }.map(\.value)
        guard found.count <= limit else { throw .field(name, "repeated", "may be given at most \(limit) times") }
        return found
    }

    func word<Word: StoredWord>(_ name: String, _: Word.Type) throws(Refusal) -> Word? {
        guard let text = try one(name) else { return nil }
        guard let word = Word(name: text) else { throw .field(name, "unknown", "must be one of \(Word.names)") }
        return word
    }

    /// A cursor of two numbers: `1790000000000.17`.
    func place(_ name: String) throws(Refusal) -> (Int64, Int64)? {
        guard let text = try one(name) else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let first = parts[0], let second = parts[1] else {
            throw .field(name, "bad_cursor", "must be the next cursor of an earlier page")
        }
        return (first, second)
    }

    /// A time of RFC 3339 or relative to now, as `-7d`; nil without the parameter.
    func moment(_ name: String, now: Timestamp) throws(Refusal) -> Timestamp? {
        guard let text = try one(name) else { return nil }
        guard let time = Timestamp(parameter: text, now: now) else {
            throw .field(name, "bad_time", "must be a time such as 2026-11-21T00:00:00Z, or relative to now such as -7d")
        }
        return time
    }

    /// Rejects names that the route does not have.
    func allow(_ names: String...) throws(Refusal) {
        for (name, _) in values where !names.contains(name) {
            if names.isEmpty { throw .field(name, "unknown", "is not a parameter of this route, which has none") }
            throw .field(name, "unknown", "is not a parameter of this route; it takes \(names.joined(separator: ", "))")
        }
    }

    /// Every pair but those of one name, for routes that read defaults from the query.
    func all(except name: String) -> [(name: String, value: String)] {
        values.filter { $0.name != name }
    }
}
