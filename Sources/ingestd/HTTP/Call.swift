// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import EventStore
import Events
import HTTPServer
import Platform

/// A request with its route's parameters and its caller.
struct Call: Sendable {
    let request: HTTPRequest
    let caller: Caller
    let parameters: [String: String]
    /// Whether the query may contain the key, so that handlers must not take it for a parameter of theirs.
    let takesKeyInQuery: Bool
    /// Takes what the handler adds to the audit log; nil on routes without an audited action.
    var audit: AuditNote?

    var head: HTTPRequestHead { request.head }

    func query() throws(Refusal) -> QueryString {
        try QueryString(head.query, without: takesKeyInQuery ? Credentials.parameter : nil)
    }

    /// Charges decoded bytes to the request's memory budget.
    func charge(_ bytes: Int) throws(Refusal) {
        do throws(HTTPRequestError) {
            try request.memory?.grow(by: bytes)
        } catch {
            throw Refusal(error)
        }
    }

    /// Returns a response that counts against the request's memory budget until it is sent, however slowly its client reads.
    func charged(_ response: HTTPResponse) throws(Refusal) -> HandlerResponse {
        let bytes = response.body.count
        try charge(bytes)
        var response = response
        response.whenDropped = { [memory = request.memory] in memory?.shrink(by: bytes) }
        return .response(response)
    }

    /// Whether there is room for a response that may be large. Requests without a key have small ones.
    var hasRoomForResponse: Bool { caller.account == 0 || request.hasRoomForResponse }

    /// Waits for room for a response that may be large, while the client receives earlier ones. Throws `ClientLeft` if the client leaves meanwhile.
    func waitForRoom() async throws {
        if hasRoomForResponse { return }
        do {
            try await request.waitForRoom()
        } catch let fault as HTTPRequestError {
            throw Refusal(fault)
        }
    }

    /// Returns a response that counts against the response memory until it is sent. One without room is prepared again when its turn comes.
    ///
    /// - Parameter waits: Whether to wait for room before it is prepared, too, because it may be large.
    func fitted(waits: Bool, _ prepare: () async throws -> HTTPResponse) async throws -> HTTPResponse {
        do {
            return try await request.fitted(waits: waits && caller.account != 0, prepare)
        } catch let fault as HTTPRequestError {
            throw Refusal(fault)
        }
    }

    func parameter(_ name: String) -> String {
        parameters[name] ?? ""
    }
}

/// The sender of a request.
enum Caller: Sendable {
    case anyone
    case key(APIKey, App)
    /// A user with an ID token, who may do what the ingest key of the session may.
    case user(ProvedUser)
    case `operator`

    /// The account that a body's memory and decode time are charged to: the key's number, or 0 without one.
    var account: Int64 {
        switch self {
        case .key(let key, _): key.id
        case .user(let user): user.key.id
        case .operator: RequestMemory.operatorAccount
        case .anyone: 0
        }
    }

    /// The app of the key.
    var app: AppID? { ownApp?.id }

    /// The app of the key with its settings.
    var ownApp: App? {
        switch self {
        case .key(_, let app): app
        case .user(let user): user.app
        case .anyone, .operator: nil
        }
    }

    var role: Role? {
        switch self {
        case .anyone: nil
        case .key(let key, _): key.role
        case .user: .ingest
        case .operator: .operator
        }
    }

    /// The ID of the ingest key that the caller has, itself or by its session; nil for others.
    var ingestKey: Int64? {
        switch self {
        case .key(let key, _): key.role == .ingest ? key.id : nil
        case .user(let user): user.key.id
        case .anyone, .operator: nil
        }
    }

    /// The number of runs of functions that led to the request, for the key of a run; 0 for all others.
    var depth: Int { if case .key(let key, _) = self { key.depth } else { 0 } }

    /// The proof of the user of a request.
    func proof(in app: App) -> UserProof {
        switch self {
        case .user(let user): .user(user.uid)
        case .key(let key, _) where key.role == .ingest && app.settings.users == .proved: .missing
        case .key, .anyone, .operator: .open
        }
    }
}

extension Call {
    /// The app of the call: the key's own, or for the operator the one named by `?app=`.
    func app(in store: Stores) throws(Refusal) -> App {
        switch caller {
        case .key(_, let app): return app
        case .user(let user): return user.app
        case .operator:
            guard let name = try query().one("app") else { throw .field("app", "missing", "must name an app by ID or name") }
            return try store.events.app(named: name)
        case .anyone: throw Refusal(.unauthorized, "A key is required.")
        }
    }

    /// The same for routes without other parameters.
    func onlyApp(in store: Stores) throws(Refusal) -> App {
        try query().allow("app")
        return try app(in: store)
    }
}

extension EventStore {
    func app(named text: String) throws(Refusal) -> App {
        guard let app = directory.now.app(named: text) else {
            throw Refusal(.notFound, "There is no such app.", hint: "`ingestd app list` lists all apps.")
        }
        return app
    }
}
