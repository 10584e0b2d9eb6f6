// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import Terminal

/// Does what a dashboard wants, and shows it, until somebody leaves.
struct DashboardShell: Sendable {
    private let connection: Connection
    private let display: Display
    private let clock = WallClock.system

    init(_ connection: Connection, _ display: Display) {
        (self.connection, self.display) = (connection, display)
    }

    /// Begins at a place in the words of `:`.
    func run(_ look: Look, at place: String) async throws {
        let screen = try Screen(mouse: display.takesMouse)
        defer { screen.close() }
        var painter = Painter(display.depth, display.alphabet)
        var dashboard = Dashboard(host: connection.profile.host, size: screen.size, now: clock.now(), look: look)
        dashboard.jump(place)
        let (events, happened) = AsyncStream<DashboardEvent>.makeStream(bufferingPolicy: .bufferingNewest(1_024))
        let follower = Follower(connection) { happened.yield(DashboardEvent($0)) }
        // The first frame waits for nobody.
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
                        // What is asked and not answered ends with the process: nobody waits for it.
                        OwnProcess.end(code: 0)
                    case .suspend: screen.suspend()
                    case .repaint: painter.forget()
                    case .follow(let question): follower.want(question)
                    case .ask(let ask): group.addTask { happened.yield(await answer(ask)) }
                    case .perform(let deed): group.addTask { happened.yield(.done(await outcome(deed))) }
                    case .write(let path, let bytes): group.addTask { happened.yield(.done(DashboardShell.written(bytes, to: path))) }
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

    /// A dashboard at a place with all it asks there answered once, all asked at the same time, and with what it follows there.
    func snapshot(_ size: Size, _ look: Look, at place: String) async throws -> Dashboard {
        var dashboard = Dashboard(host: connection.profile.host, size: size, now: clock.now(), look: look)
        dashboard.jump(place)
        let actions = dashboard.handle(.started(clock.now()))
        let answers = await withTaskGroup(of: (Question, Result<Answered, Trouble>).self) { group in
            for case .ask(let ask) in actions { group.addTask { (ask.question, decoded(await body(ask), ask)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (question, result) in answers {
            if case .failure(let trouble) = result, trouble.kind == .unreachable || trouble.kind == .unknownKey { throw trouble }
            _ = dashboard.handle(.answered(question, result, clock.now()))
        }
        await follow(&dashboard)
        return dashboard
    }

    /// Takes in what the stream tells until it has told all it had. Nobody waits long for a stream that has nothing to tell, or never ends.
    private func follow(_ dashboard: inout Dashboard) async {
        guard let question = dashboard.following.question else { return }
        let (events, happened) = AsyncStream<DashboardEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        let follower = Follower(connection) { happened.yield(DashboardEvent($0)) }
        follower.want(question)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await follower.run() }
            group.addTask { await DashboardShell.wait(clock, happened) }
            var quiet = 0
            for await event in events {
                _ = dashboard.handle(event)
                let hasTold = !dashboard.following.entries.isEmpty || dashboard.following.trouble != nil
                if case .tick = event, hasTold { quiet += 1 } else { quiet = 0 }
                if quiet == DashboardShell.quietMoments { break }
            }
            group.cancelAll()
        }
    }

    /// Tells the time a few times, and then that it is up.
    private static func wait(_ clock: WallClock, _ happened: AsyncStream<DashboardEvent>.Continuation) async {
        for _ in 0..<mostMoments where (try? await Task.sleep(for: moment)) != nil { happened.yield(.tick(clock.now())) }
        happened.finish()
    }

    private static let moment = Duration.milliseconds(100)
    private static let (quietMoments, mostMoments) = (3, 20)

    private func answer(_ ask: StandingAsk) async -> DashboardEvent {
        .answered(ask.question, decoded(await body(ask), ask), clock.now())
    }

    private func outcome(_ deed: Deed) async -> Result<String, Trouble> {
        do {
            return .success(deed.outcome(try JSONValue(try await connection.send(deed.method, deed.path, json: deed.body))))
        } catch {
            return .failure(Trouble(whatever: error))
        }
    }

    private func body(_ ask: StandingAsk) async -> Result<[UInt8], Trouble> {
        do {
            return .success(try await connection.ask(ask.question))
        } catch {
            return .failure(Trouble(whatever: error))
        }
    }

    private func decoded(_ body: Result<[UInt8], Trouble>, _ ask: StandingAsk) -> Result<Answered, Trouble> {
        body.flatMap { bytes in
            do {
                return .success(try ask.decode(bytes))
            } catch {
                return .failure(Trouble(kind: .refused, what: "The answer is not understood", hint: "Are daemon and terminal of the same version?"))
            }
        }
    }

    /// Into a new file: what is there already is never written over.
    private static func written(_ bytes: [UInt8], to path: String) -> Result<String, Trouble> {
        do {
            try File(path, .new).write(bytes)
            return .success("\(path) is written.")
        } catch {
            guard !error.isThereAlready else {
                return .failure(Trouble(kind: .refused, what: "\(path) is there already, and stays as it is", hint: "Choose another name."))
            }
            return .failure(Trouble(kind: .refused, what: "\(path) cannot be written: \(Failure(error).what)"))
        }
    }
}

extension DashboardEvent {
    fileprivate init(_ news: Follower.News) {
        switch news {
        case .told(let question, let events, let dropped): self = .told(question, events, dropped: dropped)
        case .silent(let question, let trouble): self = .silent(question, trouble)
        }
    }
}

extension Frame {
    /// What the mouse does is told as the keys that stand for it where it points.
    fileprivate func meaning(of event: DashboardEvent) -> [DashboardEvent] {
        guard case .screen(.key(.mouse(let mouse))) = event else { return [event] }
        return keys(for: mouse).map { .screen(.key($0)) }
    }
}
