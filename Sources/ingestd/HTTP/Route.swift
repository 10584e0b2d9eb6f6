// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// One row of the HTTP surface. It is a class, as each request passes it on several times.
final class Route: Sendable {
    /// The roles that may use it; all others are rejected. `admin` may do what any role may, the operator everything.
    enum Access: Sendable, Equatable {
        /// No key is needed.
        case open
        case metrics
        case roles([Role])
        /// The roles, or nobody: the handler checks what takes the place of a key, such as a signed link in the query.
        case rolesOrAnyone([Role])
        /// Any valid key, except those for documents only.
        case anyKey
        /// A user with an ID token.
        case user
        /// A user with an ID token, also after the session has ended.
        case formerUser
        /// Only from the control socket.
        case operatorOnly
        /// Only in the emulator of Firebase Authentication (`AccountEmulator`), without a key.
        case emulator
        /// A key in the place where the clients of an integration put it.
        case integration(IntegrationKey)

        static func role(_ role: Role) -> Access { .roles([role]) }
    }

    /// The code that answers a request. Rows name a service of the daemon and one of its methods, as in `.task(\.issues, Issues.list)`.
    enum Handler: Sendable {
        /// Runs on the loop's thread and must not wait; for routes where every microsecond counts.
        case direct(@Sendable (Daemon, Call, @escaping Reply) -> Void)
        /// Begins on the loop's thread and continues elsewhere at its first suspension; for handlers that only read their body before it.
        case begun(@Sendable (Daemon, Call) async throws -> HTTPResponse)
        /// Begins as `begun` does, and continues on the thread that read or committed what it waited for, without waking another one.
        case read(@Sendable (Daemon, Call) async throws -> HTTPResponse)
        /// Begins on the loop's thread, must not wait there, and responds or streams later from any thread, unless the client leaves before.
        case pending(@Sendable (Daemon, Call, PendingReply) -> Void)
        case task(@Sendable (Daemon, Call) async throws -> HandlerResponse)
        /// Receives the body as a file of limited size, which is removed when the handler returns unless it was moved.
        case upload(@Sendable (Daemon) -> Int, @Sendable (Daemon, Call) async throws -> HandlerResponse)
        /// Decides by the head who receives the body in pieces, and how long it may be. A body that is small enough to come with its request goes
        /// to the second closure, if there is one, which runs as that of `read` does.
        case receive(
            @Sendable (Daemon, Call) async throws -> (receiver: any PieceReceiver, limit: Int),
            small: (@Sendable (Daemon, Call) async throws -> HTTPResponse)? = nil)

        /// Whether its requests may wait for their entry in the audit log.
        var isAuditable: Bool {
            switch self {
            case .task, .upload: true
            case .direct, .begun, .read, .pending, .receive: false
            }
        }

        /// Answers from the request alone, without a service.
        static func fixed(_ respond: @escaping @Sendable (Call) -> HTTPResponse) -> Handler {
            .task { _, call in .response(respond(call)) }
        }

        static func direct<Service>(
            _ service: @escaping @Sendable (Daemon) -> Service, _ method: @escaping @Sendable (Service) -> (Call, @escaping Reply) -> Void
        ) -> Handler {
            .direct { daemon, call, reply in method(service(daemon))(call, reply) }
        }

        static func pending<Service>(
            _ service: @escaping @Sendable (Daemon) -> Service, _ method: @escaping @Sendable (Service) -> (Call, PendingReply) -> Void
        ) -> Handler {
            .pending { daemon, call, reply in method(service(daemon))(call, reply) }
        }

        static func begun<Service: Sendable>(
            _ service: @escaping @Sendable (Daemon) -> Service, _ method: @escaping @Sendable (Service) -> (Call) async throws -> HTTPResponse
        ) -> Handler {
            .begun { daemon, call in try await method(service(daemon))(call) }
        }

        static func read<Service: Sendable>(
            _ service: @escaping @Sendable (Daemon) -> Service, _ method: @escaping @Sendable (Service) -> (Call) async throws -> HTTPResponse
        ) -> Handler {
            .read { daemon, call in try await method(service(daemon))(call) }
        }

        static func task<Service: Sendable>(
            _ service: @escaping @Sendable (Daemon) -> Service, _ method: @escaping @Sendable (Service) -> (Call) async throws -> HandlerResponse
        ) -> Handler {
            .task { daemon, call in try await method(service(daemon))(call) }
        }

        static func receive<Service: Sendable>(
            _ service: @escaping @Sendable (Daemon) -> Service,
            _ method: @escaping @Sendable (Service) -> (Call) async throws -> (receiver: any PieceReceiver, limit: Int)
        ) -> Handler {
            .receive({ daemon, call in try await method(service(daemon))(call) })
        }

        static func receive<Service: Sendable>(
            _ service: @escaping @Sendable (Daemon) -> Service,
            _ method: @escaping @Sendable (Service) -> (Call) async throws -> (receiver: any PieceReceiver, limit: Int),
            small: @escaping @Sendable (Service) -> (Call) async throws -> HTTPResponse
        ) -> Handler {
            .receive(
                { daemon, call in try await method(service(daemon))(call) },
                small: { daemon, call in try await small(service(daemon))(call) })
        }

        static func upload<Service: Sendable>(
            _ service: @escaping @Sendable (Daemon) -> Service, limit: @escaping @Sendable (Service) -> () -> Int,
            _ method: @escaping @Sendable (Service) -> (Call) async throws -> HandlerResponse
        ) -> Handler {
            .upload({ limit(service($0))() }, { daemon, call in try await method(service(daemon))(call) })
        }
    }

    typealias Unwrapping = @Sendable (HTTPRequest, _ limit: Int) throws(Refusal) -> [UInt8]

    /// Receives the response, once, on any thread.
    typealias Reply = @Sendable (HTTPResponse) -> Void

    /// Writes a refusal as the clients of a route understand it.
    typealias RefusalForm = @Sendable (Refusal) -> HTTPResponse

    typealias Discovery = @Sendable (Daemon) -> [(name: String, value: String)]

    /// Throws if a request would be rejected whatever its body says.
    typealias Admission = @Sendable (Daemon, Arrival) throws(Refusal) -> Void

    /// A request as far as its head shows it.
    struct Arrival {
        let caller: Caller
        let client: ClientAddress
        let parameters: [String: String]
    }

    static func admission<Service>(
        _ service: @escaping @Sendable (Daemon) -> Service, _ check: @escaping @Sendable (Service) -> (AppID?) throws(Refusal) -> Void
    ) -> Admission {
        { (daemon, arrival) throws(Refusal) in try check(service(daemon))(arrival.caller.app) }
    }

    let method: HTTPMethod
    let pattern: String
    let access: Access
    let handler: Handler
    /// Checked before the body is read.
    let admission: Admission
    /// A body of this many bytes is accepted even if the configuration allows less.
    let largest: Int
    /// A larger body is rejected even if the configuration allows more.
    let most: Int
    /// A body of this many bytes is read, and what exceeds the limits is dropped (`HTTPRequest.isTruncated`). It holds for requests whose head
    /// has the key; nil to reject larger bodies.
    let acceptedBytes: Int?
    /// Removes an encoding of the body that the head does not declare, within a limit of bytes. It runs beside the event loops.
    let unwrap: Unwrapping?
    /// The action under which its requests are recorded in the audit log; nil if they are not.
    let audit: AuditAction?
    /// The clients of an integration understand its own form only; nil for problem details.
    let refusalForm: RefusalForm?
    /// The form for requests that want a stream of events, if it is another one.
    let refusalOfStreams: RefusalForm?
    /// Header fields of the response to OPTIONS, by which clients of tus learn what the path can do; nil for other protocols. In tus a POST may
    /// name its method in a header field, too.
    let discovery: Discovery?
    let segments: [Segment]
    /// Whether the last parameter takes all segments that follow, such as `users/u1` for `/v1/documents/{path}`.
    let takesRest: Bool
    /// Whether it sends bytes of files, for which there may be a host of its own (`files.origin`).
    let sendsFiles: Bool

    enum Segment: Sendable, Equatable {
        case literal(String)
        /// A parameter, which a text may follow: `{app}:createSessionCookie`.
        case parameter(String, suffix: String = "")

        /// The text of a literal.
        var literal: String? {
            if case .literal(let text) = self { text } else { nil }
        }
    }

    init(
        _ method: HTTPMethod, _ pattern: String, _ access: Access, _ handler: Handler, audit: AuditAction? = nil,
        largest: Int = 0, most: Int = .max, acceptedBytes: Int? = nil, unwrap: Unwrapping? = nil,
        admission: @escaping Admission = { (_, _) throws(Refusal) in },
        refusal: RefusalForm? = nil, refusalOfStreams: RefusalForm? = nil, discovery: Discovery? = nil, takesRest: Bool = false,
        sendsFiles: Bool = false
    ) {
        (self.takesRest, self.sendsFiles) = (takesRest, sendsFiles)
        self.method = method
        self.pattern = pattern
        self.access = access
        self.handler = handler
        self.unwrap = unwrap
        self.largest = largest
        self.most = most
        self.acceptedBytes = acceptedBytes
        self.admission = admission
        self.audit = audit
        precondition(audit == nil || handler.isAuditable, "\(pattern): only tasks and uploads can be audited")
        (refusalForm, self.refusalOfStreams) = (refusal, refusalOfStreams)
        self.discovery = discovery
        // A trailing slash is part of the path, as clients send it.
        segments = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            guard part.hasPrefix("{"), let end = part.firstIndex(of: "}") else { return .literal(String(part)) }
            return .parameter(String(part[..<end].dropFirst()), suffix: String(part[end...].dropFirst()))
        }
    }

    /// A copy that has a form of refusals, unless it has one of its own.
    init(_ route: Route, refusal: @escaping RefusalForm) {
        (method, pattern, access, handler, admission) = (route.method, route.pattern, route.access, route.handler, route.admission)
        (largest, most, acceptedBytes) = (route.largest, route.most, route.acceptedBytes)
        (unwrap, audit, segments, takesRest, discovery) = (route.unwrap, route.audit, route.segments, route.takesRest, route.discovery)
        (refusalForm, refusalOfStreams, sendsFiles) = (route.refusalForm ?? refusal, route.refusalOfStreams, route.sendsFiles)
    }

    func response(to refusal: Refusal, _ head: HTTPRequestHead) -> HTTPResponse {
        if let refusalOfStreams, head.wantsEvents { return refusalOfStreams(refusal) }
        return refusalForm?(refusal) ?? HTTPResponse(refusal)
    }

    /// Whether responses may be large. Those of tasks for public keys are small.
    var mayAnswerAtLength: Bool {
        switch handler {
        case .read: !sendsFiles
        case .pending: true
        case .task: !isForPages
        case .direct, .begun, .upload, .receive: false
        }
    }

    /// Whether its requests change nothing, so that one whose response is withheld can be sent again.
    var onlyReads: Bool { if case .read = handler { true } else { method == .get } }

    /// The limit of a body in bytes, given the configured one.
    func bodyLimit(_ configured: Int) -> Int {
        min(max(configured, largest), most)
    }

    /// Whether pages of other origins may use it, with a key of a public role.
    var isForPages: Bool {
        switch access {
        case .roles(let roles), .rolesOrAnyone(let roles): CrossOrigin.roles.contains(where: roles.contains)
        case .integration(let key): CrossOrigin.roles.contains(where: key.roles.contains)
        case .anyKey, .user, .formerUser: true
        case .open, .metrics, .operatorOnly, .emulator: false
        }
    }
}

extension HTTPRequestHead {
    /// Whether the client wants server-sent events.
    var wantsEvents: Bool { header("Accept")?.lowercased().contains("text/event-stream") == true }
}

extension Route {
    /// The part of a route that is compared with paths.
    struct Pattern: Sendable {
        let method: HTTPMethod
        fileprivate let segments: [Segment]
        fileprivate let takesRest: Bool

        /// Returns the parameters of a path that matches: `/v1/issues/{id}` against `["v1", "issues", "a1"]` gives `["id": "a1"]`.
        func match(_ path: [String]) -> [String: String]? {
            guard path.count == segments.count || takesRest && path.count > segments.count else { return nil }
            // Most patterns differ in a literal.
            for (segment, text) in zip(segments, path) { if case .literal(let literal) = segment, literal != text { return nil } }
            var parameters: [String: String] = [:]
            for (index, segment) in segments.enumerated() {
                guard case .parameter(let name, let suffix) = segment else { continue }
                guard let text = index == segments.count - 1 ? Pattern.rest(path[index...]) : path[index] else { return nil }
                let length = text.utf8.count - suffix.utf8.count
                guard suffix.isEmpty || length > 0 && text.utf8.dropFirst(length).elementsEqual(suffix.utf8) else { return nil }
                parameters[name] = suffix.isEmpty ? text : String(decoding: text.utf8.prefix(length), as: UTF8.self)
            }
            return parameters
        }

        /// The text of the last parameter; nil if one of several segments has an encoded slash, which would read as two.
        private static func rest(_ path: ArraySlice<String>) -> String? {
            if path.count == 1 { return path.first }
            return path.contains { $0.utf8.contains(UInt8(ascii: "/")) } ? nil : path.joined(separator: "/")
        }
    }

    var comparable: Pattern { Pattern(method: method, segments: segments, takesRest: takesRest) }
}
