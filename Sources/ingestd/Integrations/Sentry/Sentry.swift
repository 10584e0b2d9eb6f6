// SPDX-License-Identifier: Apache-2.0

import Compression
import Crashes
import Crypto
import Events
import HTTPServer
import Ingest
import JSON
import Platform
import AcrossStores

/// The API of Sentry's SDKs: events, crashes and sessions.
struct Sentry: Sendable {
    let decoder: SentryDecoder
    let counts: SentryCounts
    let store: Stores
    let intake: IntegrationIntake
    let clock: WallClock

    private static let key = IntegrationKey(roles: [.ingest], place: .sentry)
    private static let keyOfEnvelope = IntegrationKey(roles: [.ingest], place: .sentryEnvelope)

    static let integration = Integration(
        "Sentry", refusal: SentryResponse.refusal, routes: intakeRoutes + DebugFiles.routes + SentryReleases.routes)

    /// SDKs send to paths with and without a slash at the end.
    private static let intakeRoutes = ["", "/"].flatMap { end in
        [
            route("/api/{app}/envelope" + end, keyOfEnvelope, Sentry.envelope, acceptedBytes: CrashLimits.envelopeBytes),
            route("/api/{app}/store" + end, key, Sentry.event, unwrap: plain),
            route("/api/{app}/minidump" + end, key, Sentry.minidump, largest: minidumpBytes),
        ]
    }

    /// The limit of a request with a minidump, as sent and decompressed.
    static let minidumpBytes = 16 << 20

    private static func route(
        _ pattern: String, _ key: IntegrationKey, _ handle: @escaping @Sendable (Sentry) -> (Call) async throws -> HandlerResponse,
        largest: Int = 0, acceptedBytes: Int? = nil, unwrap: Route.Unwrapping? = nil
    ) -> Route {
        Route(
            .post, pattern, .integration(key), .task(\.integrations.sentry, handle), largest: largest, acceptedBytes: acceptedBytes, unwrap: unwrap,
            admission: IntegrationIntake.admission)
    }

    /// Stores an envelope. SDKs send various content types or none, so the type is ignored.
    private func envelope(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(named: call.parameter("app"), in: store)
        let request = try decoder.envelope(call.request.body, isTruncated: call.request.isTruncated, received: clock.now(), dumpID: Sentry.id)
        return try await keep(request, of: call, app)
    }

    private func event(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(named: call.parameter("app"), in: store)
        return try await keep(decoder.event(call.request.body, received: clock.now()), of: call, app)
    }

    /// Stores a form with a minidump. The response is the event's ID, as the programs that upload dumps expect it.
    private func minidump(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(named: call.parameter("app"), in: store)
        let form = try MinidumpForm(call.request.body, contentType: call.head.header("Content-Type"))
        let request = try decoder.minidump(form, id: Sentry.id(of: form.dump), received: clock.now())
        let response = try await keep(request, of: call, app)
        guard case .response(let stored) = response, stored.status == 200, let id = request.eventID else { return response }
        return .response(SentryResponse.minidump(id))
    }

    /// Returns an ID that derives from a minidump, so that a repeated upload counts once.
    @Sendable private static func id(of dump: ArraySlice<UInt8>) -> UUID128 {
        var sum = SHA256()
        sum.update(dump.span)
        return UUID128(networkBytes: Array(sum.finish().prefix(16)))
    }

    /// Decompresses the body of an old SDK, which uses zlib, optionally in Base64, without a header field.
    @Sendable private static func plain(_ request: HTTPRequest, _ limit: Int) throws(Refusal) -> [UInt8] {
        let body = request.body
        let isJSON = body.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: "{")
        if isJSON || body.isEmpty { return body }
        let text = body.prefix(2) == [0x1f, 0x8b] || body[0] == 0x78 ? nil : String(decoding: body.filter { $0 > 0x20 }, as: UTF8.self)
        guard let packed = text.map({ Base64.decode($0) }) ?? body else { throw .unreadable }
        do throws(DecodeError) {
            return try decode(packed, coding: packed.prefix(2) == [0x1f, 0x8b] ? .gzip : .deflate, limit: min(limit, CrashLimits.reportBytes))
        } catch {
            throw error == .tooLarge ? Refusal(.tooLarge, "The event is larger than 1 MiB.", hint: "Send less extra data.") : .unreadable
        }
    }

    /// Stores the request and responds once everything is durable.
    private func keep(_ request: SentryRequest, of call: Call, _ app: App) async throws -> HandlerResponse {
        do {
            if !request.batch.isEmpty { counts.drop(try await intake.keep(request.batch, .events, of: call, app)) }
        } catch let refusal as Refusal {
            counts.reject(request)
            guard refusal.code == .rateLimited else { throw refusal }
            return .response(SentryResponse.limited(refusal, request.categories, scope: "key"))
        }
        counts.take(request)
        return .response(SentryResponse.taken(request.eventID))
    }
}

extension SentryRequest {
    /// The categories to rate-limit, in Sentry's terms. Sessions continue if only errors are too many.
    fileprivate var categories: [String] {
        if events > 0 { return ["error", "default"] }
        return (sessions > 0 || !batch.sessionCounts.isEmpty ? ["session"] : []) + (attachments > 0 ? ["attachment"] : [])
    }
}

extension Refusal {
    fileprivate static let unreadable = Refusal(.invalidJSON, "The body is neither a JSON event nor a compressed one.")
}
