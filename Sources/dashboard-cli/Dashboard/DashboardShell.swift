// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// Runs a dashboard on the terminal: performs its actions and paints its frames.
struct DashboardShell: Sendable {
    private let client: DaemonClient
    private let display: Display
    private let clock = WallClock.system

    init(_ client: DaemonClient, _ display: Display) {
        (self.client, self.display) = (client, display)
    }

    /// Starts at a place as typed after `:`.
    func run(_ options: ViewOptions, at place: String) async throws {
        let screen = try Screen(mouse: display.takesMouse)
        defer { screen.close() }
        var painter = Painter(display.depth, display.alphabet)
        var dashboard = Dashboard(host: client.host, size: screen.size, now: clock.now(), options: options)
        dashboard.jump(place)
        let (events, happened) = AsyncStream<DashboardEvent>.makeStream(bufferingPolicy: .bufferingNewest(1_024))
        let follower = TailReader(client) { happened.yield(DashboardEvent($0)) }
        // The first frame does not wait for a response.
        var frame = DashboardView(dashboard, display.depth).frame()
        try Console.write(painter.paint(frame))
        happened.yield(.started(clock.now()))
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { for await event in screen.events { happened.yield(.screen(event)) } }
            group.addTask { try await tick(happened) }
            group.addTask { await follower.run() }
            for await event in events {
                for action in frame.meaning(of: event).flatMap({ dashboard.handle($0) }) {
                    switch action {
                    case .quit:
                        screen.close()
                        // Requests in flight end with the process.
                        OwnProcess.end(code: 0)
                    case .suspend: screen.suspend()
                    case .repaint: painter.forget()
                    case .readTail(let request): follower.want(request)
                    case .send(let query): group.addTask { happened.yield(await run(query)) }
                    case .perform(let action): group.addTask { happened.yield(.finished(await outcome(action))) }
                    case .write(let path, let bytes): group.addTask { happened.yield(.finished(DashboardShell.written(bytes, to: path))) }
                    }
                }
                guard screen.isTaken else { continue }
                frame = DashboardView(dashboard, display.depth).frame()
                try Console.write(painter.paint(frame))
            }
        }
    }

    private func tick(_ happened: AsyncStream<DashboardEvent>.Continuation) async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            happened.yield(.tick(clock.now()))
        }
    }

    /// Loads a dashboard once: sends all queries concurrently, then those that depend on results, and reads its stream.
    func snapshot(_ size: Size, _ options: ViewOptions, at place: String) async throws -> Dashboard {
        var dashboard = Dashboard(host: client.host, size: size, now: clock.now(), options: options)
        dashboard.jump(place)
        let first = dashboard.handle(.started(clock.now())).sent
        try await load(first, into: &dashboard)
        var known = Set(first.map(\.request))
        for _ in 0..<DashboardShell.mostFollowUps {
            try await load(dashboard.queries.filter { known.insert($0.request).inserted }, into: &dashboard)
        }
        await follow(&dashboard)
        return dashboard
    }

    private func load(_ queries: [PolledQuery], into dashboard: inout Dashboard) async throws {
        let results = await withTaskGroup(of: (ReadRequest, Result<QueryResult, RequestError>).self) { group in
            for query in queries { group.addTask { (query.request, decoded(await body(query), query)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (request, result) in results {
            if case .failure(let error) = result, error.kind == .unreachable || error.kind == .unknownKey { throw error }
            _ = dashboard.handle(.received(request, result, clock.now()))
        }
    }

    /// Loads a single query.
    func load(_ query: PolledQuery) async throws -> QueryResult {
        try decoded(await body(query), query).get()
    }

    /// Reads the stream until it is quiet, for two seconds at most.
    private func follow(_ dashboard: inout Dashboard) async {
        guard let request = dashboard.tail.request else { return }
        let (events, happened) = AsyncStream<DashboardEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let follower = TailReader(client) { happened.yield(DashboardEvent($0)) }
        follower.want(request)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await follower.run() }
            group.addTask { await DashboardShell.wait(clock, happened) }
            var quiet = 0
            for await event in events {
                _ = dashboard.handle(event)
                let hasReceived = !dashboard.tail.entries.isEmpty || dashboard.tail.error != nil
                if case .tick = event, hasReceived { quiet += 1 } else { quiet = 0 }
                if quiet == DashboardShell.quietMoments { break }
            }
            group.cancelAll()
        }
    }

    /// Sends ticks until the time is up.
    private static func wait(_ clock: WallClock, _ happened: AsyncStream<DashboardEvent>.Continuation) async {
        for _ in 0..<mostMoments where (try? await Task.sleep(for: moment)) != nil { happened.yield(.tick(clock.now())) }
        happened.finish()
    }

    /// The queries of a pane that depend on each other's results, one after the other.
    private static let mostFollowUps = 3
    private static let moment = Duration.milliseconds(100)
    private static let (quietMoments, mostMoments) = (3, 20)

    private func run(_ query: PolledQuery) async -> DashboardEvent {
        .received(query.request, decoded(await body(query), query), clock.now())
    }

    private func outcome(_ action: PendingAction) async -> Result<String, RequestError> {
        do {
            return .success(try action.outcome(try await client.send(action.method, action.path, json: action.body)))
        } catch {
            return .failure(RequestError(whatever: error))
        }
    }

    private func body(_ query: PolledQuery) async -> Result<[UInt8], RequestError> {
        do {
            return .success(try await client.get(query.request))
        } catch {
            return .failure(RequestError(whatever: error))
        }
    }

    private func decoded(_ body: Result<[UInt8], RequestError>, _ query: PolledQuery) -> Result<QueryResult, RequestError> {
        body.flatMap { bytes in
            do {
                return .success(try query.decode(bytes))
            } catch {
                return .failure(RequestError(whatever: error))
            }
        }
    }

    /// Writes a new file; an existing one is never overwritten.
    private static func written(_ bytes: [UInt8], to path: String) -> Result<String, RequestError> {
        do {
            try File(path, .new).write(bytes)
            return .success("Wrote \(path).")
        } catch {
            guard !error.isThereAlready else {
                return .failure(RequestError(kind: .rejected, what: "\(path) already exists", hint: "Choose another name."))
            }
            return .failure(RequestError(kind: .rejected, what: "\(path) cannot be written: \(Failure(error).what)"))
        }
    }
}

extension DashboardEvent {
    fileprivate init(_ update: TailReader.Update) {
        switch update {
        case .streamed(let request, let events, let dropped): self = .streamed(request, events, dropped: dropped)
        case .streamFailed(let request, let error): self = .streamFailed(request, error)
        }
    }
}

extension Frame {
    /// A mouse event becomes the keys that its place stands for.
    fileprivate func meaning(of event: DashboardEvent) -> [DashboardEvent] {
        guard case .screen(.key(.mouse(let mouse))) = event else { return [event] }
        return keys(for: mouse).map { .screen(.key($0)) }
    }
}

extension [DashboardAction] {
    fileprivate var sent: [PolledQuery] { compactMap { if case .send(let query) = $0 { query } else { nil } } }
}
