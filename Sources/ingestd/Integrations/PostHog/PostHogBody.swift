// SPDX-License-Identifier: Apache-2.0

import Compression
import Crypto
import HTTPServer
import Platform

/// The encodings of PostHog's bodies.
enum PostHogBody {
    /// Returns the JSON of a request. Browsers compress it without a header field, send a form with it in Base64, or put that into the
    /// query.
    @Sendable static func plain(_ request: HTTPRequest, limit: Int) throws(Refusal) -> [UInt8] {
        var body = request.body
        if body.isEmpty, let data = request.head.queryValue("data") {
            body = try PostHogBody.plain(Array(data.utf8))
        } else if body.starts(with: "data=".utf8) || body.starts(with: "compression=".utf8) {
            body = try PostHogBody.form(body)
        }
        return try PostHogBody.unpacked(body, limit)
    }

    /// Returns the time of sending, if the header fields or the query contain it.
    static func sent(_ head: HTTPRequestHead) -> Timestamp? {
        if let text = head.header("PostHog-Request-Timestamp") { return Timestamp(rfc3339: Array(text.utf8).span) }
        guard let milliseconds = head.queryValue("_").flatMap({ Int64($0) }), (1_000_000_000_000..<100_000_000_000_000).contains(milliseconds) else {
            return nil
        }
        return Timestamp(milliseconds: milliseconds)
    }

    private static func form(_ body: [UInt8]) throws(Refusal) -> [UInt8] {
        guard let data = PercentDecoding.value(of: "data", inForm: body) else { throw Refusal(.badRequest, "The form has no data field.") }
        return try plain(data)
    }

    private static func plain(_ data: [UInt8]) throws(Refusal) -> [UInt8] {
        if data.first == UInt8(ascii: "{") || data.first == UInt8(ascii: "[") { return data }
        // An unescaped plus was decoded as a space.
        let text = data.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "+") : $0 }
        guard let bytes = Base64.decodeLeniently(String(decoding: text, as: UTF8.self)) else {
            throw Refusal(.badRequest, "The data is not Base64.")
        }
        return bytes
    }

    private static func unpacked(_ body: [UInt8], _ limit: Int) throws(Refusal) -> [UInt8] {
        guard body.starts(with: [0x1f, 0x8b]) else { return body }
        do throws(DecodeError) {
            return try decode(body, coding: .gzip, limit: limit)
        } catch {
            switch error {
            case .tooLarge: throw Refusal(.tooLarge, "The body exceeds the limit of this route.", hint: "Send smaller batches.")
            case .malformed: throw Refusal(.badRequest, "The body is not valid gzip.")
            }
        }
    }
}
