// SPDX-License-Identifier: Apache-2.0

import Database
import HTTPServer
import Platform
import AcrossStores

/// What happens to each request: route, access, limits, handler, answer, counted and logged by the route's pattern.
struct FrontDoor: Sendable {
    private let daemon: Daemon
    private let router = Router()
    private let access: Access
    /// The largest body of a refused request that is read past; it costs less than another connection.
    private static let skippedBody = 256 << 10

    init(_ daemon: Daemon) {
        self.daemon = daemon
        access = Access(store: daemon.store) { daemon.settings }
    }

    func plan(for head: HTTPRequestHead) -> HTTPPlan {
        switch router.match(head.method, head.path) {
        case .none: return refuse(Refusal(.notFound, "There is nothing at this path.", hint: "GET /v1/openapi.json lists what there is."), head, nil)
        case .wrongMethod(let allowed): return wrongMethod(allowed, head)
        case .found(let route, let parameters): return plan(route, parameters, head)
        }
    }

    private func plan(_ route: Route, _ parameters: [String: String], _ head: HTTPRequestHead) -> HTTPPlan {
        let entry: Access.Entry
        do throws(Refusal) {
            if daemon.turnsAway && route.access != .open { throw .draining }
            entry = try access.check(head, for: route.access, parameters)
        } catch {
            return refuse(error, head, route)
        }
        let watch = Watch(daemon, route, head)
        do throws(Refusal) {
            try route.admission(daemon, entry.caller.app)
        } catch {
            var response = route.refusal(error)
            watch.finish(&response)
            return .skip(bodyLimit: FrontDoor.skippedBody, response)
        }
        if case .granted(let caller) = entry, route.unwrap == nil { return plan(route, watch, caller, parameters) }
        return identify(route, watch, entry, parameters)
    }

    /// Before the key is known, nothing is done with a body but to inflate it and to look for the key.
    private func identify(_ route: Route, _ watch: Watch, _ entry: Access.Entry, _ parameters: [String: String]) -> HTTPPlan {
        let server = daemon.settings.server
        let (bodyLimit, decodedLimit) = (route.bodyLimit(server.maxBody), route.bodyLimit(server.maxDecodedBody))
        return .identify(bodyLimit: bodyLimit, decodedLimit: decodedLimit, account: entry.caller.account) { request in
            do throws(Refusal) {
                let body = try route.unwrap?(request, decodedLimit) ?? request.body
                return (plan(route, watch, try access.caller(entry, body, request.head), parameters), body)
            } catch {
                var response = route.refusal(error)
                watch.finish(&response)
                return (.refuse(response), [])
            }
        }
    }

    /// How the body comes to the handler, and its answer back.
    private func plan(_ route: Route, _ watch: Watch, _ caller: Caller, _ parameters: [String: String]) -> HTTPPlan {
        let call: @Sendable (HTTPRequest) -> Call = { Call(request: $0, caller: caller, parameters: parameters) }
        let (server, account) = (daemon.settings.server, caller.account)
        let (bodyLimit, decodedLimit) = (route.bodyLimit(server.maxBody), route.bodyLimit(server.maxDecodedBody))
        switch route.handler {
        case .direct(let handle):
            return .inline(bodyLimit: bodyLimit, decodedLimit: decodedLimit, account: account) { request, reply in
                handle(daemon, call(request)) { [memory = request.memory] response in
                    var response = response
                    watch.finish(&response)
                    reply.send(response)
                    // What was made of the body is held until it is stored, whether the client waits or not.
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
        case .task(let handle):
            return .async(bodyLimit: bodyLimit, decodedLimit: decodedLimit, account: account) { request in
                await run(handle, call(request), watch)
            }
        case .upload(let limit, let handle):
            return .upload(limit: limit(daemon.settings), directory: daemon.store.paths.uploads) { request in
                await run(handle, call(request), watch)
            }
        }
    }

    /// What the server itself finds wrong with a request; a page has to be able to read that, too.
    func answer(to fault: HTTPFault, _ head: HTTPRequestHead?) -> HTTPResponse {
        guard let head, case .found(let route, _) = router.match(head.method, head.path) else { return HTTPResponse(Refusal(fault)) }
        var response = route.refusal(Refusal(fault))
        daemon.requests.count(route: route.pattern, status: response.status)
        if route.isIngest { response.headers += CrossOrigin.headers(head, daemon.settings.server.corsOrigins) }
        return response
    }

    private func run(_ handle: (Daemon, Call) async throws -> HTTPAnswer, _ call: Call, _ watch: Watch) async -> HTTPAnswer {
        do {
            switch try await handle(daemon, call) {
            case .response(var response):
                watch.finish(&response)
                return .response(response)
            case .stream(let status, let headers, let write):
                watch.finish(status: status)
                return .stream(status: status, headers: headers, write)
            }
        } catch {
            return .response(hiding(error, watch))
        }
    }

    private func run(_ handle: (Daemon, Call) async throws -> HTTPResponse, _ call: Call, _ watch: Watch) async -> HTTPResponse {
        do {
            var response = try await handle(daemon, call)
            watch.finish(&response)
            return response
        } catch {
            return hiding(error, watch)
        }
    }

    private func hiding(_ error: any Error, _ watch: Watch) -> HTTPResponse {
        if !(error is Refusal) { daemon.log.error("handler failed", ["route": .text(watch.route.pattern), "reason": .text("\(error)")]) }
        var response = watch.route.refusal(Refusal(hiding: error))
        watch.finish(&response)
        return response
    }

    private func refuse(_ refusal: Refusal, _ head: HTTPRequestHead, _ route: Route?) -> HTTPPlan {
        var response = route?.refusal(refusal) ?? HTTPResponse(refusal)
        if let route {
            Watch(daemon, route, head).finish(&response)
        } else {
            daemon.requests.count(route: "none", status: response.status)
        }
        return .refuse(response)
    }

    /// A preflight, a plain OPTIONS, or a method the path does not take.
    private func wrongMethod(_ allowed: [Route], _ head: HTTPRequestHead) -> HTTPPlan {
        let names = allowed.map(\.method).flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.name] } + ["OPTIONS"]
        let list = ("Allow", names.joined(separator: ", "))
        guard head.method == .options else {
            var response = HTTPResponse(Refusal(.methodNotAllowed, "This path does not take this method.", hint: "It takes \(list.1)."))
            response.headers.append(list)
            daemon.requests.count(route: "none", status: 405)
            return .refuse(response)
        }
        var response = HTTPResponse(status: 204, headers: [list])
        let forPages = allowed.filter(\.isIngest)
        if !forPages.isEmpty { response.headers += CrossOrigin.preflight(head, daemon.settings.server.corsOrigins, forPages.map(\.method)) }
        daemon.requests.count(route: "options", status: 204)
        return .refuse(response)
    }
}
