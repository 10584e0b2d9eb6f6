// SPDX-License-Identifier: Apache-2.0

package struct HTTPResponse: Sendable {
    package var status: Int
    /// Header fields. The server adds framing fields, `Date` and `X-Request-Id`; a field with a line break is left out.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The body, if it is a part of a file; `body` is then empty.
    package private(set) var file: FileBody?
    /// Whether the connection closes after this response.
    package var close: Bool
    /// Whether the connection is closed without a response, for clients that treat any response as final.
    private(set) var hangsUp = false
    /// Whether the body is that of many responses, so that it takes no memory of this one.
    package var isShared = false
    /// Undoes what only this response tells its client, if it is dropped for lack of memory.
    package var whenDropped: (@Sendable () -> Void)?
    /// The part of the response memory that a large body takes.
    var hold: ResponseHold?

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

    /// A response whose body is sent from a file. The server adds `Content-Length` only; a response to HEAD has the same one and no body.
    package init(status: Int, headers: [(name: String, value: String)] = [], file: FileBody) {
        self.init(status: status, headers: headers)
        self.file = file
    }

    /// The number of bytes of the body.
    var length: Int { file?.length ?? body.count }

    /// Whether the body takes memory until it is sent that must be counted.
    var countsUntilSent: Bool { body.count > ResponseMemory.smallBytes && !isShared }
}
