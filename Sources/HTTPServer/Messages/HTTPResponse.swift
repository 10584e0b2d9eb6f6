// SPDX-License-Identifier: Apache-2.0

package struct HTTPResponse: Sendable {
    package var status: Int
    /// Framing fields, `Date` and `X-Request-Id` are the server's own; a field that could split the head is left out.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Ends the connection after this answer.
    package var close: Bool
    /// Ends the connection instead of answering, for clients that take any answer for the last word.
    package private(set) var hangsUp = false

    package static let hangUp: HTTPResponse = {
        var response = HTTPResponse(status: 503, close: true)
        response.hangsUp = true
        return response
    }()

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], close: Bool = false) {
        self.status = status
        self.headers = headers
        self.body = body
        self.close = close
    }
}
