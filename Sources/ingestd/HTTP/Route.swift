// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// One row of the HTTP surface.
struct Route: Sendable {
    /// Who may use it. Whoever is not named may not; `admin` may do what any role may, the operator everything.
    enum Access: Sendable, Equatable {
        /// Everybody, without a key.
        case open
        case metrics
        case roles([Role])
        /// Any valid key.
        case anyKey
        /// Only from the control socket.
        case operatorOnly
        /// A key that stands where clients of another product put it.
        case integration(IntegrationKey)

        static func role(_ role: Role) -> Access { .roles([role]) }
    }

    enum Handler: Sendable {
        /// Runs on the loop's thread and must not wait; used where every microsecond counts.
        case direct(@Sendable (Daemon, Call, @escaping Answering) -> Void)
        /// Begins on the loop's thread and goes on elsewhere once it waits; for what does little before it waits but read its body.
        case begun(@Sendable (Daemon, Call) async throws -> HTTPResponse)
        case task(@Sendable (Daemon, Call) async throws -> HTTPAnswer)
        /// The body comes as a file of at most as many bytes, which goes when the handler returns unless it was moved.
        case upload(@Sendable (Configuration) -> Int, @Sendable (Daemon, Call) async throws -> HTTPAnswer)
    }

    typealias Unwrapping = @Sendable (HTTPRequest, _ limit: Int) throws(Refusal) -> [UInt8]

    /// Takes the answer, once, on any thread.
    typealias Answering = @Sendable (HTTPResponse) -> Void

    let method: HTTPMethod
    let pattern: String
    let access: Access
    let handler: Handler
    /// Throws where a request would be refused whatever its body says; asked before that is read.
    let admission: @Sendable (Daemon, AppID?) throws(Refusal) -> Void
    /// A body of so many bytes is taken even where the configuration allows less.
    let largest: Int
    /// A larger one is refused even where the configuration allows more.
    let most: Int
    /// Takes off what clients wrap a body in without saying so in the head, within a limit of bytes. It is done beside the event loops.
    let unwrap: Unwrapping?
    /// How a refusal is told: the clients of other products understand their own words alone.
    let refusal: @Sendable (Refusal) -> HTTPResponse
    let segments: [Segment]

    enum Segment: Sendable, Equatable {
        case literal(String)
        case parameter(String)
    }

    init(
        _ method: HTTPMethod, _ pattern: String, _ access: Access, _ handler: Handler,
        largest: Int = 0, most: Int = .max, unwrap: Unwrapping? = nil,
        admission: @escaping @Sendable (Daemon, AppID?) throws(Refusal) -> Void = { (_, _) throws(Refusal) in },
        refusal: @escaping @Sendable (Refusal) -> HTTPResponse = { HTTPResponse($0) }
    ) {
        self.method = method
        self.pattern = pattern
        self.access = access
        self.handler = handler
        self.unwrap = unwrap
        self.largest = largest
        self.most = most
        self.admission = admission
        self.refusal = refusal
        // A slash at the end is part of the path, as clients send it.
        segments = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            part.hasPrefix("{") && part.hasSuffix("}") ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    /// How many bytes a body may have where the configuration says so many.
    func bodyLimit(_ configured: Int) -> Int {
        min(max(configured, largest), most)
    }

    /// Whether browsers may use it from other origins: the keys that may are in pages anyway.
    var isIngest: Bool {
        switch access {
        case .roles(let roles): roles.contains(.ingest)
        case .integration(let key): key.roles.contains(.ingest)
        case .open, .metrics, .anyKey, .operatorOnly: false
        }
    }

    /// The parameters of a path that fits the pattern.
    func match(_ path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, text) in zip(segments, path) {
            switch segment {
            case .literal(let literal): if literal != text { return nil }
            case .parameter(let name): parameters[name] = text
            }
        }
        return parameters
    }
}
