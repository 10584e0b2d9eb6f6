import Platform
import TestSupport
import Testing

/// A daemon whose calendar clock is set while it runs, by somebody or by a machine that knew no better.
@Suite struct ClockTests {
    private static let sinceTheBeginning = Duration.seconds(WallClock.system.now().milliseconds / 1_000)

    @Test(arguments: [
        ("a day ahead", .seconds(86_400)), ("an hour back", .seconds(-3_600)), ("ten years ahead", .seconds(86_400 * 3_650)),
        ("to 1970", .zero - sinceTheBeginning),
    ])
    func `whatever the clock is set to and back, what is sent is taken once and nothing goes`(what: String, offset: Duration) async throws {
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        let child = try await DaemonProcess.start(in: folder.path, environment: shim.environment)
        var random = SeededGenerator(11)
        var clients = try await KillScenario.makeClients(child.door, &random, tellTime: false)
        for moment in [.zero, offset, .zero, offset, .zero] {
            shim.setClock(moment)
            // By a clock that is off by years every device is old, or will be when it is right again: they only have to stay.
            let isFar = moment < .seconds(-86_400 * 365) || moment > .seconds(86_400 * 365)
            for index in clients.indices where !(isFar && clients[index] is MessageKillClient) {
                let end = await clients[index].work(child.door, requests: 3)
                if case .done = end { continue }
                Issue.record("\(end): \(what)")
            }
        }
        let path = folder.path
        #expect(try await eventually { try StoredMessages(of: path).spreading == 0 }, "\(what)")
        #expect(await child.stop() == 0)
        let problems = try StoredFolder(of: path).problems(clients)
        #expect(problems == [], "\(what)")
    }

    @Test func `a clock that has leapt ahead when the daemon starts removes nothing that it finds, and says so`() async throws {
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        let first = try await DaemonProcess.start(in: folder.path, environment: shim.environment)
        var random = SeededGenerator(12)
        var clients = try await KillScenario.makeClients(first.door, &random)
        for index in clients.indices { await clients[index].work(first.door, requests: 5) }
        #expect(await first.stop() == 0)
        shim.setClock(.seconds(86_400 * 3_650))
        let second = try await DaemonProcess.start(in: folder.path, environment: shim.environment)
        try await second.line(containing: "the clock has leapt ahead")
        #expect(await second.stop() == 0)
        #expect(try StoredFolder(of: folder.path).problems(clients) == [])
    }
}
