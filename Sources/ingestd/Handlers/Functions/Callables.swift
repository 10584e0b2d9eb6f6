// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import AuditStore
import EventStore
import FunctionStore
import Functions
import HTTPServer
import JSON
import Platform

/// Calls of functions by their names, with Firebase's callable protocol.
///
///     POST /v1/call/shop/add {"data": {"a": 1, "b": 2}}   →   200 {"result": 3}
///                                                         →   400 {"error": {"status": "INVALID_ARGUMENT", "message": "…"}}
struct Callables: Sendable {
    let store: Stores
    let desk: CallDesk
    let parser: JSONParser
    let rates: KeyRates
    let clock: WallClock

    /// Keys of all roles, because functions with the `auth` none take everybody.
    static let routes = [route("/v1/call/{app}/{name}", .rolesOrAnyone([.ingest, .read, .send, .accounts, .data]))]
    private static let rolesOfAny: [Role] = [.ingest, .admin]
    static let refusal: Route.RefusalForm = { HTTPResponse(CallError($0)) }

    static func route(_ pattern: String, _ access: Route.Access) -> Route {
        Route(
            .post, pattern, access, .pending(\.callables, Callables.call), largest: CallBody.maximumBytes, most: CallBody.maximumBytes,
            admission: { (daemon, arrival) throws(Refusal) in try daemon.callables.admit(arrival) },
            refusal: refusal, refusalOfStreams: { HTTPResponse(asEvent: CallError($0)) })
    }

    func call(_ call: Call, _ reply: PendingReply) {
        do {
            let draft = try draft(call)
            try charge(call.caller)
            CallExchange(desk.nextNumber(), draft, desk, reply, parser).start()
        } catch {
            let error = error as? CallError ?? CallError(Refusal(hiding: error))
            reply.send(call.head.wantsEvents ? HTTPResponse(asEvent: error) : HTTPResponse(error))
        }
    }

    /// Takes a call from the rate of an ingest key, which is public. It counts like an event.
    private func charge(_ caller: Caller) throws(Refusal) {
        if caller.ingestKey != nil { try rates.takeChanges(1, caller, at: clock.now()) }
    }

    private func draft(_ call: Call) throws -> CallDraft {
        let (function, app) = try function(for: call.caller, call.parameters)
        if case .topic = function.definition.target {
            throw CallError(.unimplemented, "The target of this function is a topic, which cannot be called.")
        }
        let depth = try max(Self.statedDepth(call), call.caller.depth)
        guard depth < FunctionBounds.depth else {
            throw CallError(.resourceExhausted, "More than \(FunctionBounds.depth) functions call each other in a chain.")
        }
        guard call.head.mediaType == "application/json" else { throw CallError(.invalidArgument, "The Content-Type must be application/json.") }
        let body = try CallBody(call.request.body, parser)
        return CallDraft(
            function: function, appName: app.name, user: CallDraft.User(call), instanceToken: call.head.header("Firebase-Instance-ID-Token"),
            depth: depth + 1,
            wantsEvents: call.head.wantsEvents, data: body.data, memory: call.request.memory)
    }

    private static func statedDepth(_ call: Call) throws(CallError) -> Int {
        guard let text = call.head.header(CallDraft.depthField) else { return 0 }
        guard let depth = Int(text), depth >= 0 else { throw CallError(.invalidArgument, "\(CallDraft.depthField) must be a number.") }
        return depth
    }

    /// Rejects who may not call the function before the body is read. A denied role is counted in the audit log, as on other routes.
    private func admit(_ arrival: Route.Arrival) throws(Refusal) {
        do throws(Refusal) { _ = try function(for: arrival.caller, arrival.parameters) } catch {
            if error.code == .forbidden, let app = arrival.caller.app { store.audit.denied(app: app, arrival.caller.audited(from: arrival.client)) }
            throw error
        }
    }

    /// Returns the function of a path, if the caller may call it.
    private func function(for caller: Caller, _ parameters: [String: String]) throws(Refusal) -> (StoredFunction, App) {
        guard let app = store.events.directory.now.app(named: parameters["app"] ?? ""),
            let function = store.functions.catalog.function(parameters["name"] ?? "", app: app.id)
        else {
            if case .anyone = caller { throw Callables.needsToken }
            throw Refusal(.notFound, "There is no such function.", hint: "Ask the app's developer for its name.")
        }
        if case .operator = caller { return (function, app) }
        guard caller.app.map({ $0 == app.id }) ?? true else {
            throw Refusal(.unauthorized, "The token or key belongs to another app.", hint: "Sign in to this app.")
        }
        switch (function.definition.auth, caller) {
        case (.none, _), (_, .user): return (function, app)
        case (.any, .key(let key, _)):
            guard Callables.rolesOfAny.contains(key.role) else {
                throw Refusal(.forbidden, "The role of this key does not allow this.", hint: "Use an ID token or a key with the role ingest.")
            }
            return (function, app)
        case (.user, .key), (.user, .operator): throw Refusal(.unauthorized, "An ID token of a user is required.", hint: "Sign in, and call again.")
        case (.user, .anyone), (.any, _): throw Callables.needsToken
        }
    }

    /// Strangers do not learn which functions there are.
    private static let needsToken = Refusal(.unauthorized, "An ID token or an ingest key is required.", hint: Credentials.hint)
}

extension CallError {
    /// The callable protocol's word for a refusal.
    init(_ refusal: Refusal) {
        let status = CallStatus(http: refusal.code.status)
        let isOfCaller = status == .unknown && refusal.code.status < 500
        self.init(isOfCaller ? .invalidArgument : status, refusal.detail, retryAfterSeconds: refusal.retryAfterSeconds)
    }
}

extension HTTPResponse {
    /// The response to a call that wants a stream: always 200, and the error is its only event.
    fileprivate init(asEvent error: CallError) {
        self.init(status: 200, headers: [("Content-Type", "text/event-stream")], body: Array("data: ".utf8) + error.json + "\n\n".utf8)
    }
}

extension CallDraft.User {
    /// The user of an ID token; nil for other callers.
    fileprivate init?(_ call: Call) {
        guard case .user(let user) = call.caller, let authorization = call.head.header("Authorization") else { return nil }
        self.init(uid: user.uid, claims: user.claims, authorization: authorization)
    }
}
