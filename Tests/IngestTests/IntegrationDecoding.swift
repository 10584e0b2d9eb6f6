// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import JSON
import Platform

/// Decodes the translations of integrations as native bodies.
enum Decoded {
    static func events(_ batch: IntegrationBatch) throws -> EventSubmission {
        try Given.decoder.decode(
            batch.events.tape(), sentAt: batch.sentAt, app: Given.app(), source: .open, received: Given.received, hash: Given.hash)
    }

    static func users(_ batch: IntegrationBatch) throws -> UserSubmission {
        try NativeUsers(parser: Given.parser).decode(
            batch.users.body(sentAt: batch.sentAt), app: Given.app(), rules: EventSubmission.Source.open.rules(Given.app().settings),
            received: Given.received, hash: Given.hash)
    }

    static func crashes(_ batch: IntegrationBatch) throws -> CrashBatch {
        try NativeCrashes(parser: Given.parser).decode(
            batch.crashes.body(sentAt: batch.sentAt), app: Given.app(), received: Given.received, hash: Given.hash)
    }

    /// Values that are invalid everywhere.
    static let hostile = [
        "null", "true", "-1", "0.5", "1e999", "18446744073709551616", #""""#, #""\ud800""#, #""a\u0000b""#, "[]", "[[]]", "[null, 7, {}]", "{}",
        #"{"a":{"a":1}}"#, #"{"a":1,"a":2}"#, #"{"\ud800":1}"#, "NaN", "-Infinity",
        String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
    ]
}

extension EventSubmission {
    var names: [String] { records.map { text($0.name) } }
    var people: [String] { records.map { "\(text($0.user))/\(text($0.installation))" } }
}
