// SPDX-License-Identifier: Apache-2.0

import Database
import FileStore
import FunctionStore
import HTTPServer
import Platform
import AcrossStores

/// Plans each request: route, access, limits, handler, response. Requests are counted and logged by the route's pattern.
struct FrontDoor: Sendable {
    private let daemon: Daemon
    private static let router = Router()
    private let access: Access
    private let auditing: Auditing
    /// The largest body of a rejected request that is skipped. Skipping it costs less than a new connection.
    private static let skippedBody = 256 << 10

    init(_ daemon: Daemon) {
        self.daemon = daemon
        access = Access(
            store: daemon.store, failures: daemon.keyFailures, tokens: daemon.accounts.tokens, emulator: daemon.emulator,
            runTokens: daemon.store.functions.tokens
        ) {
            daemon.configuration.now
        }
        auditing = Auditing(store: daemon.store, log: daemon.log)
    }

    func plan(for head: HTTPRequestHead) -> HTTPPlan {
        switch FrontDoor.match(head) {
        case .none:
            if let response = FirestoreIntegration.answerWithoutRoute(at: head.path) { return respondWithoutRoute(response) }
            if let refusal = DocumentPaths.unreadable(head.path) { return reject(refusal, head, nil) }
            return reject(Refusal(.notFound, "There is no route for this path.", hint: "GET /v1/openapi.json lists all routes."), head, nil)
        case .wrongMethod(let allowed): return wrongMethod(allowed, head)
        case .found(let route, let parameters): return plan(route, parameters, head)
        }
    }

    /// Finds the route. A client of tus that cannot send PATCH, HEAD or DELETE names it in a header field of POST.
    private static func match(_ head: HTTPRequestHead) -> Router.Match {
        if head.method == .post, let name = head.header("X-HTTP-Method-Override"),
            let method = [HTTPMethod.patch, .head, .delete].first(where: { $0.name == name.uppercased() }),
            case .found(let route, let parameters) = router.match(method, head.path), route.discovery != nil
        {
            return .found(route, parameters)
        }
        return router.match(head.method, head.path)
    }

    private func plan(_ route: Route, _ parameters: [String: String], _ head: HTTPRequestHead) -> HTTPPlan {
        let entry: Access.Entry
        do throws(Refusal) {
            if !route.sendsFiles { try daemon.store.files.bounds.fileOrigin.require(head, isContent: false) }
            if daemon.drain.rejectsRequests && route.access != .open { throw .draining }
            entry = try access.check(head, for: route.access, parameters)
        } catch {
            return reject(error, head, route)
        }
        let watch = watch(route, head)
        do throws(Refusal) {
            try route.admission(daemon, Route.Arrival(caller: entry.caller, client: head.client, parameters: parameters))
        } catch {
            count(error, route)
            return .skip(bodyLimit: FrontDoor.skippedBody, watch.response(to: error))
        }
        if case .granted(let caller) = entry, route.unwrap == nil {
            let plan = plan(route, watch, caller, parameters, head)
            return route.acceptedBytes.map { .truncating(acceptedBytes: $0, plan) } ?? plan
        }
        return identify(route, watch, entry, parameters)
    }

    /// Before the key is known, a body is only inflated and scanned for the key.
    private func identify(_ route: Route, _ watch: Watch, _ entry: Access.Entry, _ parameters: [String: String]) -> HTTPPlan {
        let server = daemon.configuration.server
        let (bodyLimit, decodedLimit) = (route.bodyLimit(server.maxBody), route.bodyLimit(server.maxDecodedBody))
        return .identify(bodyLimit: bodyLimit, decodedLimit: decodedLimit, account: entry.caller.account) { request in
            do throws(Refusal) {
                let body = try route.unwrap?(request, decodedLimit) ?? request.body
                return (plan(route, watch, try access.caller(entry, body, request.head), parameters, request.head), body)
            } catch {
                count(error, route)
                return (.respond(watch.response(to: error)), [])
            }
        }
    }

    /// Chooses how the body reaches the handler and the response the connection.
    private func plan(
        _ route: Route, _ watch: Watch, _ caller: Caller, _ parameters: [String: String], _ head: HTTPRequestHead
    ) -> HTTPPlan {
        let call: @Sendable (HTTPRequest) -> Call = {
            Call(request: $0, caller: caller, parameters: parameters, takesKeyInQuery: route.isForPages)
        }
        let (server, account) = (daemon.configuration.server, caller.account)
        let (bodyLimit, decodedLimit) = (route.bodyLimit(server.maxBody), route.bodyLimit(server.maxDecodedBody))
        switch route.handler {
        case .direct(let handle):
            return .inline(bodyLimit: bodyLimit, decodedLimit: decodedLimit, account: account) { request, reply in
                handle(daemon, call(request)) { [memory = request.memory] response in
                    var response = response
                    watch.finish(&response)
                    reply.send(response)
                    // The decoded body counts against the budget until it is stored, even if the client is gone.
                    withExtendedLifetime(memory) {}
                }
            }
        case .begun(let handle):
            return .inline(bodyLimit: bodyLimit, decodedLimit: decodedLimit, account: account) { request, reply in
                if let lane = request.lane {
                    Task(executorPreference: lane) { reply.send(await run(handle, call(request), watch)) }
                } else {
                    Task.immediate { reply.send(await run(handle, call(request), watch)) }
                }
            }
        case .pending(let handle):
            return .inline(bodyLimit: bodyLimit, decodedLimit: decodedLimit, account: account) { request, reply in
                begin(handle, call(request), PendingReply(reply, watch))
            }
        case .read(let handle):
            return reading(handle, bodyLimit, decodedLimit, account, call, watch)
        case .receive(_, small: let handle?) where head.hasSmallBody:
            let limit = FileStore.smallBytes
            return reading(handle, limit, limit, account, call, watch)
        case .task(let handle):
            return .async(bodyLimit: bodyLimit, decodedLimit: decodedLimit, account: account) { request in
                await run(handle, call(request), watch)
            }
        case .receive(let admit, small: _):
            return .receive(account: account) { head throws(BodyRefusal) in
                do {
                    let (receiver, limit) = try await admit(daemon, call(HTTPRequest(head: head)))
                    return BodyAcceptance(ReceivingSink(receiver, watch) { hiding($0, watch) }, limit: limit)
                } catch {
                    throw .response(hiding(error, watch))
                }
            }
        case .upload(let limit, let handle):
            return .upload(limit: limit(daemon), directory: daemon.store.paths.uploads) { request in
                await run(handle, call(request), watch)
            }
        }
    }

    private func reading(
        _ handle: @escaping @Sendable (Daemon, Call) async throws -> HTTPResponse, _ bodyLimit: Int, _ decodedLimit: Int, _ account: Int64,
        _ call: @escaping @Sendable (HTTPRequest) -> Call, _ watch: Watch
    ) -> HTTPPlan {
        .inline(bodyLimit: bodyLimit, decodedLimit: decodedLimit, account: account) { request, reply in
            let executor: any TaskExecutor = request.lane ?? ReadingExecutor.shared
            Task(executorPreference: executor) { reply.send(await run(handle, call(request), watch)) }
        }
    }

    private func begin(_ handle: @escaping @Sendable (Daemon, Call, PendingReply) -> Void, _ call: Call, _ reply: PendingReply) {
        if call.hasRoomForResponse { return handle(daemon, call, reply) }
        Task(executorPreference: ReadingExecutor.shared) {
            do {
                try await call.waitForRoom()
            } catch is ClientLeft {
                return reply.send(HTTPResponse(status: ClientLeft.status))
            } catch {
                return reply.refuse(Refusal(hiding: error))
            }
            handle(daemon, call, reply)
        }
    }

    /// The response to a fault that the server finds. It has CORS headers, so that pages can read it.
    func response(to fault: HTTPRequestError, _ head: HTTPRequestHead?) -> HTTPResponse {
        guard let head, case .found(let route, _) = FrontDoor.match(head) else { return HTTPResponse(Refusal(fault)) }
        let refusal = Refusal(fault)
        var response = route.response(to: refusal, head)
        count(refusal, route)
        daemon.requests.count(route: route.pattern, status: response.status)
        response.headers += watch(route, head).headersForPages
        return response
    }

    private func run(_ handle: (Daemon, Call) async throws -> HandlerResponse, _ call: Call, _ watch: Watch) async -> HandlerResponse {
        do {
            switch try await answer(handle, call, watch.route) {
            case .response(var response):
                watch.finish(&response)
                return .response(response)
            case .stream(let status, let headers, let write):
                watch.finish(status: status)
                return .stream(status: status, headers: headers + watch.headersForPages, write)
            case .events(let status, let headers, let source):
                watch.finish(status: status)
                return .events(status: status, headers: headers + watch.headersForPages, source)
            }
        } catch {
            return .response(hiding(error, watch))
        }
    }

    private func answer(
        _ handle: (Daemon, Call) async throws -> HandlerResponse, _ call: Call, _ route: Route
    ) async throws -> HandlerResponse {
        // A handler whose request is recorded runs once.
        if route.onlyReads, route.audit == nil { return try await fitted(handle, call, route) }
        if route.mayAnswerAtLength { try await call.waitForRoom() }
        return try await recorded(handle, call, route)
    }

    private func recorded(
        _ handle: (Daemon, Call) async throws -> HandlerResponse, _ call: Call, _ route: Route
    ) async throws -> HandlerResponse {
        guard let action = route.audit else { return try await handle(daemon, call) }
        return try await auditing.run(action, call) { try await handle(daemon, $0) }
    }

    private func run(_ handle: (Daemon, Call) async throws -> HTTPResponse, _ call: Call, _ watch: Watch) async -> HTTPResponse {
        do {
            var response = try await watch.route.onlyReads ? fitted(handle, call, watch.route) : handle(daemon, call)
            watch.finish(&response)
            return response
        } catch {
            return hiding(error, watch)
        }
    }

    private func fitted(_ handle: (Daemon, Call) async throws -> HTTPResponse, _ call: Call, _ route: Route) async throws -> HTTPResponse {
        try await call.fitted(waits: route.mayAnswerAtLength) { try await handle(daemon, call) }
    }

    /// The same for a handler that may stream, which takes no room.
    private func fitted(
        _ handle: (Daemon, Call) async throws -> HandlerResponse, _ call: Call, _ route: Route
    ) async throws -> HandlerResponse {
        var stream: HandlerResponse?
        let response = try await call.fitted(waits: route.mayAnswerAtLength) {
            let answer = try await handle(daemon, call)
            if case .response(let response) = answer { return response }
            stream = answer
            return HTTPResponse(status: 200)
        }
        return stream ?? .response(response)
    }

    private func hiding(_ error: any Error, _ watch: Watch) -> HTTPResponse {
        if error is ClientLeft {
            watch.finish(status: ClientLeft.status)
            return HTTPResponse(status: ClientLeft.status)
        }
        let refusal = limited(Refusal(hiding: error), watch)
        if !(error is Refusal), refusal.code == .internalError {
            daemon.log.error("handler failed with an internal error", ["route": .text(watch.route.pattern), "reason": .text("\(error)")])
        }
        count(refusal, watch.route)
        return watch.response(to: refusal)
    }

    /// Counts a denial of a request without a key against its address, as one with an unknown key. Returns the refusal for an address with too many.
    private func limited(_ refusal: Refusal, _ watch: Watch) -> Refusal {
        guard refusal.code == .permissionDenied, access.isAnyone(watch.head, on: watch.route.access) else { return refusal }
        do throws(Refusal) { try daemon.keyFailures.note(watch.head.client) } catch { return error }
        return refusal
    }

    /// Counts a refusal in the metrics of the store that the route is about.
    private func count(_ refusal: Refusal, _ route: Route) {
        if Routes.patternsOfFiles.contains(route.pattern) { daemon.store.files.gauges.count(refusal.code) }
    }

    private func watch(_ route: Route, _ head: HTTPRequestHead) -> Watch {
        Watch(route, head, daemon.requests, daemon.configuration, daemon.log)
    }

    private func reject(_ refusal: Refusal, _ head: HTTPRequestHead, _ route: Route?) -> HTTPPlan {
        guard let route else { return respondWithoutRoute(HTTPResponse(refusal)) }
        var response = route.response(to: refusal, head)
        count(refusal, route)
        watch(route, head).finish(&response)
        return .respond(response)
    }

    private func respondWithoutRoute(_ response: HTTPResponse) -> HTTPPlan {
        daemon.requests.count(route: "none", status: response.status)
        return .respond(response)
    }

    /// Answers a preflight, a plain OPTIONS, or a method that the path does not support.
    private func wrongMethod(_ allowed: [(route: Route, parameters: [String: String])], _ head: HTTPRequestHead) -> HTTPPlan {
        // A path may be that of several routes.
        var methods: [HTTPMethod] = []
        for (route, _) in allowed where !methods.contains(route.method) { methods.append(route.method) }
        let names = methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.name] } + ["OPTIONS"]
        let list = ("Allow", names.joined(separator: ", "))
        let forPages = allowed.filter(\.route.isForPages)
        let origins = { daemon.configuration.server.corsOrigins }
        guard head.method == .options else {
            var response = HTTPResponse(Refusal(.methodNotAllowed, "The path does not support this method.", hint: "It supports \(list.1)."))
            response.headers += [list] + (forPages.isEmpty ? [] : CrossOrigin.headers(head, origins))
            daemon.requests.count(route: "none", status: 405)
            return .respond(response)
        }
        var response = HTTPResponse(status: 204, headers: [list] + (allowed.first?.route.discovery?(daemon) ?? []))
        let open = forPages.filter { access.admitsPreflight(head, to: $0.route, $0.parameters) }
        if !open.isEmpty {
            response.headers += CrossOrigin.preflight(head, origins, open.map(\.route.method))
        } else if !forPages.isEmpty {
            response.headers += CrossOrigin.vary
        }
        daemon.requests.count(route: "options", status: 204)
        return .respond(response)
    }
}

extension HTTPRequestHead {
    /// Whether the body is announced to be one that comes with the request, as it is. A client that asks before it sends one is answered first.
    fileprivate var hasSmallBody: Bool {
        guard case .length(let length) = body, length <= FileStore.smallBytes, !expectsContinue else { return false }
        return header("Content-Encoding") == nil
    }
}
