// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport

/// Clients that send events, crashes, messages and documents concurrently while the daemon is killed repeatedly.
struct KillScenario {
    private let rounds: Int
    private let folder = TemporaryFolder()
    private var clients: [any FaultClient] = []
    private var random: SeededGenerator
    /// The duration of each start until the daemon served.
    private(set) var starts: [Duration] = []

    init(rounds: Int, seed: UInt64) {
        self.rounds = rounds
        random = SeededGenerator(seed)
    }

    /// Kills the daemon once a round, then lets all clients finish and stops the daemon. Returns the problems.
    mutating func run(report: (String) -> Void) async throws -> [String] {
        for round in 1...rounds {
            let child = try await start()
            if clients.isEmpty { clients = try await Self.makeClients(child.api, &random) }
            let trigger = KillTrigger(child, after: Int.random(in: 1...60, using: &random))
            var problems = await work(child, trigger, requests: .max)
            await child.killHard()
            guard round % 10 == 0 || !problems.isEmpty else { continue }
            let found = try StoredFolder(of: folder.path)
            problems += found.problems(clients)
            report("round \(round) of \(rounds): \(found.summary), \(problems.count) problems")
            if !problems.isEmpty { return problems.map { "after round \(round): \($0)" } }
        }
        let child = try await start()
        var problems = await work(child, nil, requests: 3)
        let path = folder.path
        let isSettled = try await eventually { try StoredFolder(of: path).isSettled }
        if !isSettled { problems.append("a fan-out or symbolication is not finished") }
        let code = await child.stop()
        if code != 0 { problems.append("the daemon ended with \(code)") }
        if clients.contains(where: \.isUnanswered) { problems.append("a client got no response in the end") }
        return problems + (try StoredFolder(of: path).problems(clients))
    }

    static func makeClients(_ api: TestClient, _ random: inout SeededGenerator, tellTime: Bool = true) async throws -> [any FaultClient] {
        let apps = [try await api.makeApp("one"), try await api.makeApp("two")]
        return [
            KillClient(number: 0, keys: apps[0], seed: random.next(), tellsTime: tellTime),
            KillClient(number: 1, keys: apps[1], seed: random.next(), tellsTime: tellTime),
            KillClient(number: 2, keys: apps[0], seed: random.next(), tellsTime: tellTime),
            KillClient(number: 7, keys: apps[0], seed: random.next(), tellsTime: tellTime, isServer: true),
            CrashKillClient(number: 3, keys: apps[0], seed: random.next()), CrashKillClient(number: 4, keys: apps[1], seed: random.next()),
            MessageKillClient(number: 5, keys: apps[0], seed: random.next()), MessageKillClient(number: 6, keys: apps[1], seed: random.next()),
            DocumentKillClient(number: 8, keys: apps[0], seed: random.next()), DocumentKillClient(number: 9, keys: apps[1], seed: random.next()),
        ]
    }

    private mutating func start() async throws -> DaemonProcess {
        let begin = ContinuousClock.now
        let child = try await DaemonProcess.start(in: folder.path)
        starts.append(ContinuousClock.now - begin)
        return child
    }

    /// Lets all clients work concurrently and returns the rejected ones.
    private mutating func work(_ child: DaemonProcess, _ trigger: KillTrigger?, requests: Int) async -> [String] {
        let ends = await withTaskGroup(of: (Int, any FaultClient, FaultClientEnd).self) { group in
            for (place, client) in clients.enumerated() {
                group.addTask {
                    var client = client
                    let end = await client.work(child.api, trigger, requests: requests)
                    return (place, client, end)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for (place, client, _) in ends { clients[place] = client }
        return ends.compactMap { _, _, end in if case .refused(let reply) = end { "a client was refused: \(reply.text)" } else { nil } }
    }
}
