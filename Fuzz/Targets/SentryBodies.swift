// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import JSON
import Platform

/// Sentry envelopes and events. Every translation decodes as a native body, with the position of each entry.
enum SentryBodies {
    private static let decoder = SentryDecoder(parser: Given.parser)
    private static let crashes = NativeCrashes(parser: Given.parser)
    private static let events = NativeEvents(parser: Given.parser)

    static func run(_ bytes: [UInt8]) {
        _ = SentryDecoder.key(inEnvelope: bytes)
        if let request = try? decoder.envelope(bytes, received: Given.received) { check(request) }
        if let request = try? decoder.envelope(bytes, isTruncated: true, received: Given.received) { check(request) }
        if let request = try? decoder.event(bytes, received: Given.received) { check(request) }
    }

    static func check(_ request: SentryRequest) {
        accepted()
        let batch = request.batch
        let crashes = try? crashes.decode(
            batch.crashes.body(sentAt: batch.sentAt), app: Given.app, received: Given.received, hash: Given.hash)
        require(crashes.map { $0.crashes.count + $0.quarantined.count } == batch.crashes.origins.count, "the native decoder loses a crash")
        for quarantined in crashes?.quarantined ?? [] {
            require([.tooOld, .valueTooLong].contains(quarantined.verdict.reason), "a crash refused for \(quarantined.verdict.reason.rawValue)")
        }
        let events = try? events.decode(
            batch.events.tape(), sentAt: batch.sentAt, app: Given.app, source: .events, received: Given.received, hash: Given.hash)
        require(events.map { $0.records.count + $0.quarantined.count } == batch.events.origins.count, "the native decoder loses an event")
    }
}

/// Forms with a minidump, with the boundary `b`. Every event decodes as a native crash.
enum MinidumpForms {
    private static let decoder = SentryDecoder(parser: Given.parser)

    static func run(_ bytes: [UInt8]) {
        guard let form = try? MinidumpForm(bytes, contentType: "multipart/form-data; boundary=b") else { return }
        require(!form.dump.isEmpty && form.dump.count <= bytes.count, "a form without a dump")
        guard let request = try? decoder.minidump(form, id: UUID128(high: 1, low: 1), received: Given.received) else {
            return require(false, "a form that is refused")
        }
        require(request.batch.crashes.origins == [0] && request.eventID != nil, "a dump without a crash")
        SentryBodies.check(request)
    }
}
