// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import CrashStore
import Crashes
import Events
import HTTPServer
import JSON
import Platform

/// The commands of `sentry-cli releases`. A release is known once a build announces it or a report names it.
struct SentryReleases: Sendable {
    let store: Stores
    let disk: DiskGuard
    let clock: WallClock

    private static let listed = 100
    private static let release = "/api/0/organizations/{org}/releases/{version}/"
    private static let ofOrganization = "/api/0/organizations/{org}/releases/"

    static let routes: [Route] = [
        route(.get, ofOrganization, SentryReleases.list), route(.get, "/api/0/projects/{org}/{app}/releases/", SentryReleases.list),
        route(.post, ofOrganization, SentryReleases.announce), route(.get, release, SentryReleases.show),
        route(.put, release, SentryReleases.change), route(.delete, release, SentryReleases.remove),
        route(.get, "/api/0/organizations/{org}/releases/{version}/previous-with-commits/", SentryReleases.none),
        route(.get, "/api/0/organizations/{org}/repos/", SentryReleases.noRepositories),
    ]

    private static func route(
        _ method: HTTPMethod, _ pattern: String, _ handle: @escaping @Sendable (SentryReleases) -> (Call) async throws -> HandlerResponse
    ) -> Route {
        let handler = Route.Handler.task(\.integrations.sentryReleases, handle)
        guard method == .post || method == .put else {
            let action: AuditAction? = method == .get ? nil : .releaseChange
            return Route(method, pattern, .role(.admin), handler, audit: action, refusal: SentryResponse.refusalToProgram)
        }
        return Route(
            method, pattern, .role(.admin), handler, audit: .releaseChange,
            admission: Route.admission(\.integrations.sentryReleases, SentryReleases.checkCapacity),
            refusal: SentryResponse.refusalToProgram)
    }

    func checkCapacity(for app: AppID?) throws(Refusal) { try disk.requireFree() }

    private func list(_ call: Call) async throws -> HandlerResponse {
        let name = call.parameter("app")
        let app = name.isEmpty ? try call.app(in: store) : try call.app(named: name, in: store)
        let releases = try await store.crashes.releases(app: app.id, limit: SentryReleases.listed)
        return .response(
            .json { json in
                json.beginArray()
                for release in releases { json.write(release, of: app) }
                json.endArray()
            })
    }

    private func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        guard let release = try await store.crashes.release(call.version(), app: app.id) else {
            throw Refusal(.notFound, "There is no such release.", hint: "`sentry-cli releases list` lists the newest.")
        }
        return .response(.json { $0.write(release, of: app) })
    }

    private func announce(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        let body = try Body(call.request.body)
        try app.check(projects: body)
        let release = try await announce(SentryReleases.checked(try body.text("version")), body, app)
        return .response(.json(status: 201) { $0.write(release, of: app) })
    }

    /// Finalizes a release. Commits are accepted but not stored.
    private func change(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        let body = try Body(call.request.body)
        try app.check(projects: body)
        let release = try await announce(call.version(), body, app)
        return .response(.json { $0.write(release, of: app) })
    }

    private func announce(_ version: String, _ body: Body, _ app: App) async throws -> KnownRelease {
        let now = clock.now()
        let (created, released) = (try body.moment("dateStarted", now: now), try body.moment("dateReleased", now: now))
        return try await store.crashes.announce(version, created: created, released: released, app: app.id)
    }

    private func remove(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        try await store.crashes.forgetRelease(call.version(), app: app.id)
        return .noContent
    }

    /// No commits are stored, so no release has any.
    private func none(_ call: Call) async throws -> HandlerResponse {
        _ = try call.app(in: store)
        return .response(
            .json {
                $0.beginObject(); $0.endObject()
            })
    }

    private func noRepositories(_ call: Call) async throws -> HandlerResponse {
        _ = try call.app(in: store)
        return .response(
            .json {
                $0.beginArray(); $0.endArray()
            })
    }

    fileprivate static func checked(_ version: String) throws(Refusal) -> String {
        guard !version.isEmpty, version.unicodeScalars.count <= CrashLimits.releaseCharacters, version.utf8Span.span.isPrintable else {
            throw .field("version", "bad_version", "must have 1 to \(CrashLimits.releaseCharacters) characters, none of them a control character")
        }
        return version
    }
}

extension Call {
    fileprivate func version() throws(Refusal) -> String { try SentryReleases.checked(parameter("version")) }
}

extension JSONWriter {
    fileprivate mutating func write(_ release: KnownRelease, of app: App) {
        beginObject()
        field("version", release.version)
        field("shortVersion", release.version)
        field("dateCreated", release.created.rfc3339)
        key("dateReleased")
        if let released = release.released { string(released.rfc3339) } else { null() }
        for name in ["url", "lastEvent"] {
            key(name)
            null()
        }
        field("newGroups", 0)
        key("projects")
        beginArray()
        beginObject()
        field("slug", app.name)
        field("name", app.name)
        endObject()
        endArray()
        endObject()
    }
}
