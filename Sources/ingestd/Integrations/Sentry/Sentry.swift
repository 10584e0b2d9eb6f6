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
enum Sentry {
    private static let key = IntegrationKey(roles: [.ingest], place: .sentry)
    private static let keyOfEnvelope = IntegrationKey(roles: [.ingest], place: .sentryEnvelope)

    static let routes: [Route] =
        ["/api/{app}/envelope/", "/api/{app}/envelope"].map { row($0, keyOfEnvelope, envelope) }
        + ["/api/{app}/store/", "/api/{app}/store"].map { row($0, key, event, unwrap: plain) }
        + DebugFiles.routes

    private static func row(
        _ pattern: String, _ key: IntegrationKey, _ handle: @escaping @Sendable (Daemon, Call) async throws -> HTTPAnswer,
        unwrap: Route.Unwrapping? = nil
    ) -> Route {
        Route(.post, pattern, .integration(key), .task(handle), unwrap: unwrap, admission: IntegrationIntake.room, refusal: SentryResponse.refusal)
    }

    /// Stores an envelope. SDKs send various content types or none, so the type is ignored.
    @Sendable private static func envelope(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(named: call.parameter("app"), in: daemon.store)
        return try await keep(daemon.sentry.envelope(call.request.body, received: daemon.clock.now()), of: call, app, daemon)
    }

    @Sendable private static func event(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        let app = try call.app(named: call.parameter("app"), in: daemon.store)
        return try await keep(daemon.sentry.event(call.request.body, received: daemon.clock.now()), of: call, app, daemon)
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
    private static func keep(_ request: SentryRequest, of call: Call, _ app: App, _ daemon: Daemon) async throws -> HTTPAnswer {
        do {
            if !request.batch.crashes.isEmpty || !request.batch.events.isEmpty {
                _ = try await IntegrationIntake.keep(request.batch, .events, of: call, app, daemon)
            }
        } catch let refusal as Refusal {
            daemon.sentryCounts.refuse(request)
            guard refusal.code == .rateLimited else { throw refusal }
            return .response(SentryResponse.limited(refusal, request.categories, scope: "key"))
        }
        daemon.sentryCounts.take(request)
        return .response(SentryResponse.taken(request.eventID))
    }
}

extension SentryRequest {
    /// The categories to rate-limit, in Sentry's terms. Sessions continue if only errors are too many.
    fileprivate var categories: [String] {
        (events > 0 ? ["error", "default"] : []) + (sessions > 0 && events == 0 ? ["session"] : [])
    }
}

extension Refusal {
    fileprivate static let unreadable = Refusal(.invalidJSON, "The body is neither a JSON event nor a compressed one.")
}
