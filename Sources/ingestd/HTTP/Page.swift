// SPDX-License-Identifier: Apache-2.0

import API
import HTTPServer
import JSON

extension HandlerResponse {
    /// A response with a value of the module API.
    static func json(_ value: some Encodable, status: Int = 200) throws -> HandlerResponse {
        var json = JSONWriter(reserving: 1_024)
        try json.encode(value)
        return .response(.json(json.bytes, status: status))
    }

    static var noContent: HandlerResponse { .response(HTTPResponse(status: 204)) }

    /// A page of a list that was queried for one item more than the limit, which shows whether there is a next page.
    static func page<Item, Response: Codable & Sendable>(
        _ found: [Item], limit: Int, cursor: (Item) -> String, _ response: (Item) throws -> Response
    ) throws -> HandlerResponse {
        try .json(Page(items: found.prefix(limit).map(response), next: found.count > limit ? cursor(found[limit - 1]) : nil))
    }
}
