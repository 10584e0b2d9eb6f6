// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Messaging
package import Platform

/// Decodes registrations, topics and messages of the native API. The documents are small and unknown fields are rejected.
package struct NativeMessages: Sendable {
    /// Covers a thousand tokens of maximum length.
    private static let limits = JSONLimits(bytes: 4 << 20, tokens: 20_000, depth: 16)
    private let parser: JSONParser

    package init(parser: JSONParser) {
        self.parser = parser
    }

    package func registration(_ body: [UInt8]) throws(Refusal) -> DeviceRequest {
        try DeviceReader.registration(try fields(body))
    }

    package func change(ofDevice token: String, _ body: [UInt8]) throws(Refusal) -> DeviceRequest {
        try DeviceReader.change(try fields(body), of: token)
    }

    package func topics(_ body: [UInt8], allowingReserved: Bool) throws(Refusal) -> TopicChange {
        try TopicsReader.change(try fields(body), allowingReserved: allowingReserved)
    }

    package func tokens(_ body: [UInt8]) throws(Refusal) -> [RegistrationToken] {
        let fields = try fields(body)
        try fields.allow("tokens")
        return try TopicsReader.tokens(fields)
    }

    package func publication(_ body: [UInt8], now: Timestamp) throws(Refusal) -> Publication {
        try MessageReader(try fields(body), now: now).publication()
    }

    /// Returns the requested signature scheme of the app's secret; nil for an empty body.
    package func scheme(_ body: [UInt8]) throws(Refusal) -> SigningKey.Scheme? {
        if body.isEmpty { return nil }
        let fields = try fields(body)
        try fields.allow("scheme")
        return try DeviceReader.scheme(fields, field: "scheme")
    }

    private func fields(_ body: [UInt8]) throws(Refusal) -> ObjectFields {
        let tape = try parser.withReader { reader throws(Refusal) in
            do throws(JSONError) {
                return try reader.parse(body, limits: NativeMessages.limits)
            } catch {
                throw Refusal(error)
            }
        }
        return try ObjectFields(tape)
    }
}
