import JSON
import Platform
import Terminal

/// Does what a dashboard wants, and shows it, until somebody leaves.
struct DashboardShell: Sendable {
    private let connection: Connection
    private let clock = WallClock.system

    init(_ connection: Connection) {
        self.connection = connection
    }

    func run() async throws {
        let environment = ProcessEnvironment.variables
        let screen = try Screen()
        defer { screen.close() }
        var painter = Painter(ColorDepth(environment), Alphabet(environment))
        var dashboard = Dashboard(host: connection.profile.host, size: screen.size, now: clock.now())
        let (events, happened) = AsyncStream<DashboardEvent>.makeStream(bufferingPolicy: .bufferingNewest(1_024))
        happened.yield(.started(clock.now()))
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { for await event in screen.events { happened.yield(.screen(event)) } }
            group.addTask { try await tick(happened) }
            for await event in events {
                for action in dashboard.handle(event) {
                    switch action {
                    case .quit: return
                    case .suspend: screen.suspend()
                    case .repaint: painter.forget()
                    case .ask(let ask): group.addTask { happened.yield(await answer(ask)) }
                    case .perform(let deed): group.addTask { happened.yield(.done(await outcome(deed))) }
                    }
                }
                try Console.write(painter.paint(DashboardView(dashboard).frame()))
            }
        }
    }

    private func tick(_ happened: AsyncStream<DashboardEvent>.Continuation) async throws {
        while true {
            try await Task.sleep(for: .seconds(1))
            happened.yield(.tick(clock.now()))
        }
    }

    /// What is to be shown once, all asked at the same time; and the answers as they came.
    func snapshot(_ size: Size) async throws -> (dashboard: Dashboard, bodies: [(name: String, body: [UInt8]?)]) {
        var dashboard = Dashboard(host: connection.profile.host, size: size, now: clock.now())
        let asks = dashboard.asks
        _ = dashboard.handle(.started(clock.now()))
        let answers = await withTaskGroup(of: (Int, Result<[UInt8], Trouble>).self) { group in
            for (index, ask) in asks.enumerated() { group.addTask { (index, await body(ask)) } }
            return await group.reduce(into: [Int: Result<[UInt8], Trouble>]()) { $0[$1.0] = $1.1 }
        }
        var bodies: [(name: String, body: [UInt8]?)] = []
        for (index, ask) in asks.enumerated() {
            guard let result = answers[index] else { continue }
            if case .failure(let trouble) = result, trouble.kind == .unreachable || trouble.kind == .denied { throw trouble }
            bodies.append((ask.name, try? result.get()))
            _ = dashboard.handle(.answered(ask.question, decoded(result, ask), clock.now()))
        }
        return (dashboard, bodies)
    }

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

    private func decoded(_ body: Result<[UInt8], Trouble>, _ ask: StandingAsk) -> Result<any Sendable, Trouble> {
        body.flatMap { bytes in
            do {
                return .success(try ask.decode(bytes))
            } catch {
                return .failure(Trouble(kind: .refused, what: "The answer is not understood", hint: "Are daemon and terminal of the same version?"))
            }
        }
    }
}
