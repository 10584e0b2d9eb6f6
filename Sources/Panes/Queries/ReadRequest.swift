// SPDX-License-Identifier: Apache-2.0

import Platform

/// A request that changes nothing: the path and parameters of a GET, or the query in the body of a POST.
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
    private let posted: PostedQuery?
    private let place: Place?

    package init(_ path: String, _ parameters: [(String, String)] = []) {
        self.init(path, parameters.map { Parameter(name: $0.0, value: $0.1) }, nil, nil)
    }

    /// A query in the body of a POST request.
    init(_ query: PostedQuery) {
        self.init(query.path, [], query, nil)
    }

    private init(_ path: String, _ parameters: [Parameter], _ posted: PostedQuery?, _ place: Place?) {
        (self.path, self.parameters, self.posted, self.place) = (path, parameters, posted, place)
    }

    /// The cursor of a page after the first one.
    package var cursor: String? { place?.cursor }

    package var target: String {
        let cursor = posted == nil ? cursor.map { [Parameter(name: "after", value: $0)] } ?? [] : []
        let query = (parameters + cursor).map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    /// The JSON body of a POST request; nil for a GET.
    package var json: [UInt8]? { posted?.json(after: cursor) }

    /// Returns the request for a page after the first one.
    func page(_ number: Int, after cursor: String) -> ReadRequest {
        ReadRequest(path, parameters, posted, Place(number: number, cursor: cursor))
    }

    /// Returns the same request for pages of another size.
    func pages(of limit: Int) -> ReadRequest {
        let others = parameters.filter { $0.name != "limit" }
        return ReadRequest(path, [Parameter(name: "limit", value: "\(limit)")] + others, posted, place)
    }

    // MARK: Hashable

    /// A page stays the same when its cursor moves, so that its last result is shown until the new one arrives.
    package static func == (a: ReadRequest, b: ReadRequest) -> Bool {
        a.path == b.path && a.parameters == b.parameters && a.posted == b.posted && a.place?.number == b.place?.number
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(parameters)
        hasher.combine(posted)
        hasher.combine(place?.number)
    }
}
