// SPDX-License-Identifier: Apache-2.0

/// A request to send.
package struct HTTPClientRequest: Sendable {
    package var method: String
    package var url: String
    /// Connects here instead of to the URL's host, which then only fills the Host field.
    package var unixSocketPath: String?
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]?
    package var connectTimeout = Duration.seconds(10)
    /// For the whole exchange; of a streamed one, for the longest silence.
    package var timeout = Duration.seconds(30)
    /// A longer answer is an error.
    package var maxResponseBytes = 16 << 20

    package init(_ method: String, _ url: String, unixSocketPath: String? = nil, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil)
    {
        self.method = method
        self.url = url
        self.unixSocketPath = unixSocketPath
        self.headers = headers
        self.body = body
    }
}

/// What came back, whatever its status.
package struct HTTPClientResponse: Sendable {
    package var status = 0
    package var headers: [(name: String, value: String)] = []
    package var body: [UInt8] = []

    /// The first field of this name, in any case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why there is no answer.
package struct HTTPClientError: Error, Sendable, Equatable {
    /// libcurl's numbers where they are positive, and the reasons of our own below; there may be others than those named here.
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
        package static let noAnswer = Code(rawValue: 52)
        package static let certificateRefused = Code(rawValue: 60)

        /// A field or method that would break the request's framing.
        package static let invalidRequest = Code(rawValue: -1)
        /// The answer is longer than the request allows.
        package static let responseTooLarge = Code(rawValue: -2)
    }

    package var code: Code
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
