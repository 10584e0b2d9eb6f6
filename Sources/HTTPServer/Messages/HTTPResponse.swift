// SPDX-License-Identifier: Apache-2.0

package struct HTTPResponse: Sendable {
    package var status: Int
    /// Header fields. The server adds framing fields, `Date` and `X-Request-Id`; a field with a line break is left out.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// Whether the connection closes after this response.
    package var close: Bool
    /// Whether the connection is closed without a response, for clients that treat any response as final.
    private(set) var hangsUp = false

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
