// SPDX-License-Identifier: Apache-2.0

import EventStore
import Glibc
import Platform
import AcrossStores
import TestSupport
import Testing

/// The newest 700,000 IDs of a day are sealed into a run in the background; each call of the sealing fails in turn.
///
/// The end of a day seals any number of IDs, which `FailingCallsTests` covers.
@Suite(.enabled("takes minutes; scripts/faults runs it", { FailingCallsTests.asked != nil }), .serialized, .namesFaultSeed)
struct FailingSealTests {
    @Test func `after any failed call during sealing each ID counts once, and the next start seals them`() async throws {
        let step = try #require(FailingCallsTests.asked)
        let day = try await FilledDay()
        for (error, failures) in [(ENOSPC, 1), (EIO, 1), (ENOSPC, Int.max), (EIO, Int.max)] {
            var ends: [String: Int] = [:]
            let first = FaultSeed.first(ofEvery: step, stream: Int(error) + (failures == 1 ? 0 : 1_000))
            for number in stride(from: first, through: .max, by: step) {
                let outcome = try await day.gather(error, from: number, failures: failures)
                #expect(outcome.problems == [], "call \(number), a \(outcome.failedCall.map { "\($0)" } ?? "")")
                guard let call = outcome.failedCall else { break }
                ends["\(call) \(outcome.end)", default: 0] += 1
            }
            print("error \(error) while ids are gathered, \(failures == 1 ? "once" : "from then on"): \(ends.sorted { $0.key < $1.key })")
        }
    }
}

/// A folder with so many IDs of today that the next request starts the sealing.
private struct FilledDay {
    /// The end of the sealing.
    enum End {
        case gathered, kept, daemonEnded
    }

    struct Outcome {
        var problems: [String] = []
        var end = End.gathered
        /// The first call that failed; `nil` if none did.
        var failedCall: FaultShim.Call?
    }

    private static let size = 1_000
    private let folder = TemporaryFolder()
    private let keys: AppKeys
    /// The request before the limit.
    private let last = EventStoreOptions().recentKeys / size - 1

    init() async throws {
        let child = try await DaemonProcess.start(in: folder.path)
        keys = try await child.api.makeApp()
        for number in 0..<last { try #require(try await post(number, child) == Taken(accepted: Self.size)) }
        #expect(await child.stop() == 0)
    }

    func gather(_ error: Int32, from first: Int, failures: Int) async throws -> Outcome {
        let copy = TemporaryFolder()
        let copied = try await ChildProcess.run("/bin/cp", ["-a", folder.path, copy.path + "/data"])
        try #require(copied.code == 0, "\(copied.output)")
        let data = copy.path + "/data"
        let shim = FaultShim(watching: copy.path)
        var outcome = try await gather(in: data, shim) { shim.fail(error, from: first, failures: failures) }
        let next = try await DaemonProcess.start(in: data, environment: shim.environment)
        outcome.problems += try await problems(next, newest: last + 2)
        if await next.stop() != 0 { outcome.problems.append("the next daemon did not exit cleanly") }
        let names = try Self.fileNames(data)
        if names.isEmpty || names.contains(where: { $0.hasSuffix(".draft") }) { outcome.problems.append("after the next start there are \(names)") }
        return outcome
    }

    /// Runs the daemon whose calls fail.
    private func gather(in data: String, _ shim: FaultShim, failing: () -> Void) async throws -> Outcome {
        var outcome = Outcome()
        let child = try await DaemonProcess.start(in: data, environment: shim.environment)
        #expect(try await post(last, child) == Taken(accepted: Self.size))
        failing()
        #expect(try await eventually { try shim.failed > 0 || Self.isGathered(data) })
        // Accepted or not, it is sent again after the disk recovers.
        let reply = try? await post(last + 1, child)
        (outcome.failedCall, outcome.end) = (shim.failed > 0 ? shim.failedCall : nil, reply == nil ? .daemonEnded : .gathered)
        shim.heal()
        guard outcome.end != .daemonEnded else {
            outcome.problems = await FailingCallsScenario.lastWords(child)
            return outcome
        }
        outcome.problems = try await problems(child, newest: last + 1)
        if await child.stop() != 0 { outcome.problems.append("the daemon did not exit cleanly") }
        if try Self.isGathered(data) { return outcome }
        outcome.end = .kept
        let isTold = await child.wholeLog().contains("could not write a run of the dedupe index")
        if !isTold { outcome.problems.append("the failed sealing was not logged") }
        return outcome
    }

    /// The problems with IDs from the whole day. The newest may not be stored yet.
    private func problems(_ child: DaemonProcess, newest: Int) async throws -> [String] {
        let isTaken = try await eventually(within: .seconds(20)) {
            let taken = try await post(newest, child)
            return taken.status == 200 && taken.accepted + taken.duplicates == Self.size
        }
        if !isTaken { return ["rejected after the disk recovered"] }
        var problems: [String] = []
        for number in [0, last / 2, last - 1, last, newest] {
            let taken = try await post(number, child)
            if taken != Taken(duplicates: Self.size) { problems.append("request \(number) of \(newest), sent again: \(taken)") }
        }
        return problems
    }

    private func post(_ number: Int, _ child: DaemonProcess) async throws -> Taken {
        let events = (0..<Self.size).map { #"{"name":"a","id":"\#(number)-\#($0)"}"# }
        return try Taken(await child.api.post("/v1/events", key: keys.ingest, "[\(events.joined(separator: ","))]"))
    }

    private static func isGathered(_ data: String) throws -> Bool {
        try fileNames(data).contains { $0.hasSuffix(".run") }
    }

    /// The complete and unfinished run files.
    private static func fileNames(_ data: String) throws -> [String] {
        try Folder.names(in: data + "/events").filter { $0.contains(".ids.") }
    }
}
