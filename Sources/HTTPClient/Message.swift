// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A request to send.
package struct HTTPClientRequest: Sendable {
    package var method: String
    package var url: String
    /// A socket path to connect to instead of the URL's host, which then only sets the Host field.
    package var unixSocketPath: String?
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?
    /// A body of any length, in place of `body`.
    package var source: HTTPClientSource?
    package var connectTimeout = Duration.seconds(10)
    /// The time limit of the request; of one whose body or response is streamed, the longest silence.
    package var timeout = Duration.seconds(30)
    /// The size limit of the response.
    package var maxResponseBytes = 16 << 20
    /// Whether an address may be connected to, asked for each address that the host resolves to; nil allows all.
    package var permits: (@Sendable (IPAddress) -> Bool)?

    package init(_ method: String, _ url: String, unixSocketPath: String? = nil, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil)
    {
        self.method = method
        self.url = url
        self.unixSocketPath = unixSocketPath
        self.headers = headers
        self.body = body
    }
}

/// A body that is read while it is sent.
package struct HTTPClientSource: Sendable {
    package var length: Int
    /// Returns the next bytes, at most as many as it is given. It is called on one thread, and ends the request by an error.
    package var read: @Sendable (Int) throws -> [UInt8]

    package init(length: Int, read: @escaping @Sendable (Int) throws -> [UInt8]) {
        (self.length, self.read) = (length, read)
    }
}

/// A response with any status.
package struct HTTPClientResponse: Sendable {
    package var status = 0
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8] = []

    /// Returns the first field with the name, ignoring case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// The reason for a missing response.
package struct HTTPClientError: Error, Sendable, Equatable {
    /// A libcurl code if positive, else one of the codes below. There are more codes than those named here.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        package static let unsupportedScheme = Code(rawValue: 1)
        package static let badURL = Code(rawValue: 3)
        package static let couldNotResolve = Code(rawValue: 6)
        package static let couldNotConnect = Code(rawValue: 7)
        package static let timedOut = Code(rawValue: 28)
        package static let tlsFailed = Code(rawValue: 35)
        package static let noResponse = Code(rawValue: 52)
        package static let certificateRejected = Code(rawValue: 60)

        /// A field or method would break the request's framing.
        package static let invalidRequest = Code(rawValue: -1)
        /// The response exceeds the request's size limit.
        package static let responseTooLarge = Code(rawValue: -2)
        /// The host has an address that the request may not connect to.
        package static let blockedAddress = Code(rawValue: -3)
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
