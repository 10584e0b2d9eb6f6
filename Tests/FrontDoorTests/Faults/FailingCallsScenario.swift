// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

/// Clients of a daemon in which one call fails, or all calls from one on, until the disk recovers.
struct FailingCallsScenario {
    /// The end of the daemon's run.
    enum End {
        case untouched, refused, ended
    }

    struct Outcome {
        var problems: [String] = []
        var end = End.untouched
        /// The first call that failed; `nil` if none did.
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
        // The day changes between the rounds.
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

    /// Runs each client in turn, so that the calls have about the same order each time.
    private mutating func workOnce(_ child: DaemonProcess) async throws {
        for index in clients.indices {
            switch await clients[index].work(child.api, requests: 2) {
            case .done: continue
            case .refused(let reply):
                outcome.end = .refused
                // Responses for Sentry's SDKs have no code.
                let isKnown =
                    try ["storage_full", "storage_failed"].contains(JSON(reply)["code"].text) || reply.headers["x-sentry-rate-limits"] != nil
                if !isKnown { outcome.problems.append("rejected with \(reply.text)") }
            case .daemonIsGone:
                outcome.end = .ended
                outcome.problems += await Self.lastWords(child)
                return
            }
        }
    }

    /// A daemon that cannot trust its disk logs it and exits; it does not crash.
    static func lastWords(_ child: DaemonProcess) async -> [String] {
        let code = await child.exitCode()
        // Other threads may log afterwards.
        let log = await child.wholeLog()
        if code == 1, log.contains("storage failed; stopping") { return [] }
        return ["the daemon ended with \(code): \(log.split(separator: "\n").suffix(5).joined(separator: "\n"))"]
    }

    /// Every client gets a response within the announced time.
    private mutating func expectAnswer(_ child: DaemonProcess, _ index: Int) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            switch await clients[index].work(child.api, requests: 1) {
            case .done: return
            case .refused where ContinuousClock.now < end: try await Task.sleep(for: .milliseconds(50))
            case .refused(let reply): return outcome.problems.append("still rejected after the disk recovered: \(reply.text)")
            case .daemonIsGone: return outcome.problems += await Self.lastWords(child) + ["the daemon ended after the disk recovered"]
            }
        }
    }
}

/// A folder of a killed daemon, and starts on it in which a call fails.
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

    /// Returns the problems and the number of failed calls.
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
            if !isSentence { problems.append("the start ended with: \(log.suffix(300))") }
        }
        shim.heal()
        let next = try await DaemonProcess.start(in: copy.path + "/data", environment: shim.environment)
        let code = await next.stop()
        if code != 0 { problems.append("the next daemon ended with \(code)") }
        return (problems + (try StoredFolder(of: copy.path + "/data").contradictions), shim.failed)
    }
}
