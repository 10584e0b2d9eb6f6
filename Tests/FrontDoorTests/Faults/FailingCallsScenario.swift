// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Clients at a daemon of which one call fails, or all from that one on, until the disk is well again.
struct FailingCallsScenario {
    /// How it went on for the daemon.
    enum End {
        case untouched, refused, ended
    }

    struct Outcome {
        var problems: [String] = []
        var end = End.untouched
        /// What the first call was about that failed; nil where none did.
        var failedCall: FaultShim.Call?
        var calls = 0
    }

    private static let environment = [
        "INGESTD_STORAGE_CHECKPOINT_PAGES": "100", "INGESTD_MESSAGES_CHUNK": "3", "INGESTD_STORAGE_MIN_FREE_DISK": "0",
    ]
    private let error: Int32
    private let first: Int
    private let failures: Int
    private let folder = TemporaryFolder()
    private let shim: FaultShim
    private var clients: [any FaultClient] = []
    private var outcome = Outcome()

    static func run(_ error: Int32, from first: Int, failures: Int) async throws -> Outcome {
        var scenario = FailingCallsScenario(error, from: first, failures: failures)
        return try await scenario.run()
    }

    private init(_ error: Int32, from first: Int, failures: Int) {
        self.error = error
        self.first = first
        self.failures = failures
        shim = FaultShim(watching: folder.path)
    }

    private mutating func run() async throws -> Outcome {
        var child = try await start()
        var random = SeededGenerator(7)
        clients = try await KillScenario.makeClients(child.api, &random)
        for index in clients.indices { await clients[index].work(child.api, requests: 1) }
        shim.fail(error, from: first, failures: failures)
        // A day ends in the middle.
        for day in 0..<2 where outcome.end != .ended {
            shim.setClock(.seconds(86_400 * day))
            try await workOnce(child)
        }
        (outcome.calls, outcome.failedCall) = (shim.calls, shim.failed > 0 ? shim.failedCall : nil)
        shim.heal()
        if outcome.end == .ended { child = try await start() }
        for index in clients.indices { try await expectAnswer(child, index) }
        let code = await child.stop()
        if code != 0 { outcome.problems.append("the daemon ended with \(code)") }
        outcome.problems += try StoredFolder(of: folder.path).problems(clients)
        return outcome
    }

    private func start() async throws -> DaemonProcess {
        try await DaemonProcess.start(in: folder.path, environment: Self.environment.merging(shim.environment) { $1 })
    }

    /// Each client in its turn, so that the calls come in much the same order each time.
    private mutating func workOnce(_ child: DaemonProcess) async throws {
        for index in clients.indices {
            switch await clients[index].work(child.api, requests: 2) {
            case .done: continue
            case .refused(let reply):
                outcome.end = .refused
                let code = try JSON(reply)["code"].text
                if !["storage_full", "storage_failed"].contains(code) { outcome.problems.append("refused with \(reply.text)") }
            case .daemonIsGone:
                outcome.end = .ended
                outcome.problems += await Self.lastWords(child)
                return
            }
        }
    }

    /// A daemon that cannot trust its disk says so and ends; it does not crash.
    static func lastWords(_ child: DaemonProcess) async -> [String] {
        let code = await child.exitCode()
        // Behind it others may still have said something before all was gone.
        let log = await child.wholeLog()
        if code == 1, log.contains("storage failed; stopping") { return [] }
        return ["the daemon ended with \(code): \(log.split(separator: "\n").suffix(5).joined(separator: "\n"))"]
    }

    /// Every client gets its answer, within the time for which it is told to wait.
    private mutating func expectAnswer(_ child: DaemonProcess, _ index: Int) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            switch await clients[index].work(child.api, requests: 1) {
            case .done: return
            case .refused where ContinuousClock.now < end: try await Task.sleep(for: .milliseconds(50))
            case .refused(let reply): return outcome.problems.append("still refused when the disk is well again: \(reply.text)")
            case .daemonIsGone: return outcome.problems += await Self.lastWords(child) + ["the daemon ended when the disk was well again"]
            }
        }
    }
}

/// A folder whose daemon was killed, and starts on it of which a call fails.
struct FailingStart {
    private let error: Int32
    private let folder = TemporaryFolder()

    init(_ error: Int32) {
        self.error = error
    }

    func prepare() async throws {
        let child = try await DaemonProcess.start(in: folder.path)
        var random = SeededGenerator(8)
        for var client in try await KillScenario.makeClients(child.api, &random) { await client.work(child.api, requests: 2) }
        await child.killHard()
    }

    /// Answers what is wrong, and how many calls failed.
    func start(failingFrom first: Int) async throws -> (problems: [String], failed: Int) {
        let copy = TemporaryFolder()
        let copied = try await ChildProcess.run("/bin/cp", ["-a", folder.path, copy.path + "/data"])
        guard copied.code == 0 else { return (["not copied: \(copied.output)"], 0) }
        let shim = FaultShim(watching: copy.path)
        shim.fail(error, from: first)
        var problems: [String] = []
        do {
            let child = try await DaemonProcess.start(in: copy.path + "/data", environment: shim.environment)
            shim.heal()
            let code = await child.stop()
            if code != 0 && code != 1 { problems.append("the daemon ended with \(code)") }
        } catch DaemonProcess.Failure.endedBefore(_, let log) {
            let last = log.split(separator: "\n").last ?? ""
            let isSentence = last.contains("ingestd: ") || last.contains("storage failed; stopping")
            if !isSentence { problems.append("it ended with: \(log.suffix(300))") }
        }
        shim.heal()
        let next = try await DaemonProcess.start(in: copy.path + "/data", environment: shim.environment)
        let code = await next.stop()
        if code != 0 { problems.append("the next daemon ended with \(code)") }
        return (problems + (try StoredFolder(of: copy.path + "/data").contradictions), shim.failed)
    }
}
