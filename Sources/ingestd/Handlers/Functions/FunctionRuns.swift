// SPDX-License-Identifier: Apache-2.0

import API
import AcrossStores
import AppDirectory
import Database
import Events
import FunctionStore
import Functions
import HTTPServer
import JSON
import Messaging
import Platform

/// Runs of functions with their attempts, and the logs of functions.
struct FunctionRuns: Sendable {
    private static let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]
    private static let linesOfStream = 500

    let store: Stores
    let configuration: LiveConfiguration

    static let routes = [
        Route(.get, "/v1/functions/{name}/runs", .roles([.read, .send]), .task(\.functionRuns, FunctionRuns.list)),
        Route(.get, "/v1/functions/{name}/logs", .role(.read), .task(\.functionRuns, FunctionRuns.logs)),
        Route(.post, "/v1/functions/{name}/redrive", .role(.send), .task(\.functionRuns, FunctionRuns.redrive)),
        Route(.get, "/v1/runs/{id}", .roles([.read, .send]), .task(\.functionRuns, FunctionRuns.show)),
        Route(.post, "/v1/runs/{id}/retry", .role(.send), .task(\.functionRuns, FunctionRuns.retry)),
    ]

    func list(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "state", "limit", "after")
        let function = try call.function(of: call.app(in: store), in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let wanted = RunQuery(
            function: function.id, state: try query.word("state", RunState.self), before: try query.cursor("after") ?? .max, limit: limit + 1)
        return try .page(try await store.functions.runs(wanted), limit: limit, cursor: { String($0.number) }) { RunResponse($0) }
    }

    func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        guard let (run, attempts) = try await store.functions.run(call.parameter("id"), app: app.id) else { throw Self.noRun }
        var response = RunResponse(run, attempts)
        if !call.caller.mayRead(run) { response.data = nil }
        return try .json(response)
    }

    func retry(_ call: Call) async throws -> HandlerResponse {
        try await store.functions.retry(call.parameter("id"), app: try call.onlyApp(in: store).id)
        return try await show(call)
    }

    func redrive(_ call: Call) async throws -> HandlerResponse {
        let function = try call.function(of: call.onlyApp(in: store), in: store)
        return try .json(RedriveResponse(redriven: try await store.functions.redrive(function)))
    }

    private static let noRun = Refusal(.notFound, "There is no such run.", hint: "Finished runs are removed after some days.")

    // MARK: Logs

    /// Returns lines of a log, oldest first, or streams them.
    func logs(_ call: Call) async throws -> HandlerResponse {
        let query = try call.query()
        try query.allow("app", "after", "limit", "run")
        let app = try call.app(in: store)
        let function = try call.function(of: app, in: store)
        let limit = try query.number("limit", 1...1_000, default: 100)
        let run = try query.one("run")
        let isStream = call.head.header("Accept")?.contains("text/event-stream") ?? false
        let after = try query.cursor("after") ?? call.head.header("Last-Event-ID").flatMap { Int64($0) }
        let lines = try await store.functions.lines(of: function, run: run, after: after, limit: limit)
        if isStream { return try stream(lines, after, of: function, run, call, app) }
        return try .json(LogResponse(items: lines.map { LogLineResponse($0) }, next: lines.last.map { String($0.number) }))
    }

    private func stream(_ first: [StoredLine], _ after: Int64?, of function: StoredFunction, _ run: String?, _ call: Call, _ app: App)
        throws(Refusal) -> HandlerResponse
    {
        let follower = try store.functions.logs.follow(app.id)
        let caller = call.caller
        return .stream(status: 200, headers: Self.headers) { writer in
            defer { follower.close() }
            async let _: Void = follower.beat(every: configuration.now.stream.keepAlive)
            var last = first.last?.number ?? after ?? 0
            try await writer.write(try Self.text(of: first))
            for await _ in follower.wakeUps {
                var lines: [StoredLine] = []
                repeat {
                    // Ends when the key is revoked or the function is deleted.
                    guard store.knows(caller), store.functions.catalog.function(function.name, app: app.id)?.id == function.id else { return }
                    lines = try await store.functions.lines(of: function, run: run, after: last, limit: Self.linesOfStream)
                    last = lines.last?.number ?? last
                    try await writer.write(try Self.text(of: lines))
                } while lines.count == Self.linesOfStream
            }
        }
    }

    /// The events of lines; a comment without any.
    private static func text(of lines: [StoredLine]) throws -> [UInt8] {
        if lines.isEmpty { return Array(":\n\n".utf8) }
        return try lines.flatMap { line -> [UInt8] in
            var json = JSONWriter()
            try json.encode(LogLineResponse(line))
            return Array("id: \(line.number)\nevent: line\ndata: ".utf8) + json.bytes + Array("\n\n".utf8)
        }
    }
}

extension Caller {
    /// Whether the caller may read the data of a run. Documents are in none for keys that may not read documents.
    fileprivate func mayRead(_ run: StoredRun) -> Bool { !run.type.hasPrefix("document.") || role == .admin || role == .operator }
}

extension RunResponse {
    /// A run of a list.
    init(_ run: StoredRun) {
        self.init(
            id: run.id, function: run.functionName, type: run.type, state: run.state, tries: run.attempts, depth: run.depth,
            createdAt: Moment(run.created), changedAt: Moment(run.changed))
        (subject, task, key, user) = (run.subject, run.task, run.key, run.user)
        dueAt = run.due.map(Moment.init)
    }

    /// A single run.
    init(_ run: StoredRun, _ attempts: [AttemptRecord]) {
        self.init(run)
        data = String(decoding: run.body, as: UTF8.self)
        self.attempts = attempts.map(AttemptResponse.init)
    }
}

extension LogLineResponse {
    init(_ line: StoredLine) {
        self.init(at: Moment(line.at), level: line.level, line: line.text, run: line.run)
    }
}
