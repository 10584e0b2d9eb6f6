import Glibc
import TestSupport

/// Clients that send crashes, errors and symbols and merge issues while the daemon is killed again and again, send again what was not answered, and
/// remember what they were told.
struct CrashKillScenario {
    private let rounds: Int
    private let folder = TemporaryFolder()
    private var clients: [CrashKillClient] = []
    private var random: SeededGenerator
    /// How long each start took, until it served.
    private(set) var starts: [Duration] = []

    init(rounds: Int, seed: UInt64) {
        self.rounds = rounds
        random = SeededGenerator(seed)
    }

    /// Kills the daemon once a round; then lets every client finish and ends the daemon in peace. Answers what is wrong, in words.
    mutating func run(report: (String) -> Void) async throws -> [String] {
        for round in 1...rounds {
            let child = try await start()
            if clients.isEmpty { try await makeClients(child) }
            let trigger = KillTrigger(child, after: Int.random(in: 1...40, using: &random))
            await work(child, trigger, requests: .max)
            await child.killHard()
            guard round % 10 == 0 else { continue }
            let found = try stored()
            report("round \(round) of \(rounds): \(found.crashes.count) crashes stored, \(found.problems.count) problems")
            if !found.problems.isEmpty { return found.problems.map { "after round \(round): \($0)" } }
        }
        let child = try await start()
        await work(child, nil, requests: 3)
        let file = folder.path
        var problems = try await eventually { try StoredCrashes(of: file).symbolicating == 0 } ? [] : ["crashes are not looked up in symbols"]
        let code = await child.stop()
        if code != 0 { problems.append("the daemon ended with \(code)") }
        return problems + (try judge())
    }

    private mutating func start() async throws -> DaemonProcess {
        let begin = ContinuousClock.now
        let child = try await DaemonProcess.start(in: folder.path)
        starts.append(ContinuousClock.now - begin)
        return child
    }

    private mutating func makeClients(_ child: DaemonProcess) async throws {
        let apps = [try await child.door.makeApp("one"), try await child.door.makeApp("two")]
        clients = (0..<4).map { CrashKillClient(number: $0, keys: apps[$0 % apps.count], seed: random.next()) }
    }

    private mutating func work(_ child: DaemonProcess, _ trigger: KillTrigger?, requests: Int) async {
        clients = await withTaskGroup(of: CrashKillClient.self) { group in
            for client in clients {
                group.addTask {
                    var client = client
                    await client.work(child.door, trigger, requests: requests)
                    return client
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func stored() throws -> StoredCrashes {
        var found = try StoredCrashes(of: folder.path)
        for client in clients { found.expect(client.memory, by: client.number) }
        let sent = clients.reduce(into: Set<String>()) { $0.formUnion($1.memory.sent) }
        let strangers = found.crashes.keys.filter { !sent.contains($0) }
        if !strangers.isEmpty { found.problems.append("\(strangers.count) crashes were never sent, such as \(strangers[0])") }
        return found
    }

    private func judge() throws -> [String] {
        let events = try Recount(of: folder.path)
        var problems = try stored().problems + events.problems
        for client in clients {
            if client.isUnanswered { problems.append("client \(client.number) was not answered in the end") }
            let lost = client.memory.errors.filter { events.ids[$0] == nil }
            if !lost.isEmpty { problems.append("\(lost.count) errors are crashes and no events, such as \(lost.first ?? "")") }
        }
        return problems
    }
}
