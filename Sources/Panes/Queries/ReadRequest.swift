// SPDX-License-Identifier: Apache-2.0

import Platform

/// The path and parameters of a GET request.
package struct ReadRequest: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        let name: String
        package let value: String
    }

    /// The place of a page in a list: its number, 2 for the second page, and the cursor of the page before.
    private struct Place: Hashable {
        let number: Int
        let cursor: String
    }

    package let path: String
    package let parameters: [Parameter]
    private let place: Place?

    package init(_ path: String, _ parameters: [(String, String)] = []) {
        self.init(path, parameters.map { Parameter(name: $0.0, value: $0.1) }, nil)
    }

    private init(_ path: String, _ parameters: [Parameter], _ place: Place?) {
        (self.path, self.parameters, self.place) = (path, parameters, place)
    }

    /// The cursor of a page after the first one.
    package var cursor: String? { place?.cursor }

    package var target: String {
        let cursor = cursor.map { [Parameter(name: "after", value: $0)] } ?? []
        let query = (parameters + cursor).map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    /// Returns the request for a page after the first one.
    func page(_ number: Int, after cursor: String) -> ReadRequest {
        ReadRequest(path, parameters, Place(number: number, cursor: cursor))
    }

    /// Returns the same request for pages of another size.
    func pages(of limit: Int) -> ReadRequest {
        let others = parameters.filter { $0.name != "limit" }
        return ReadRequest(path, [Parameter(name: "limit", value: "\(limit)")] + others, place)
    }

    // MARK: Hashable

    /// A page stays the same when its cursor moves, so that its last result is shown until the new one arrives.
    package static func == (a: ReadRequest, b: ReadRequest) -> Bool {
        a.path == b.path && a.parameters == b.parameters && a.place?.number == b.place?.number
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(parameters)
        hasher.combine(place?.number)
    }
}
