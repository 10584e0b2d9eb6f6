// SPDX-License-Identifier: Apache-2.0

import EventStore
import Glibc
import Platform
import AcrossStores
import TestSupport
import Testing

/// A day's newest ids go into a file beside the writer once there are 700,000 of them; every call that makes it fails in its turn.
///
/// A day that ends makes such a file of any number, which `FailingCallsTests` has in the middle of other work.
@Suite(.enabled("takes minutes: scripts/faults asks for it", { FailingCallsTests.asked != nil }), .serialized)
struct FailingSealTests {
    @Test func `whichever call fails while ids are gathered, each counts once, and the next start gathers them`() async throws {
        let step = try #require(FailingCallsTests.asked)
        let day = try await FilledDay()
        for (error, failures) in [(ENOSPC, 1), (EIO, 1), (ENOSPC, Int.max), (EIO, Int.max)] {
            var ends: [String: Int] = [:]
            for number in stride(from: Int.random(in: 1...step), through: .max, by: step) {
                let outcome = try await day.gather(error, from: number, failures: failures)
                #expect(outcome.problems == [], "call \(number), a \(outcome.failedCall.map { "\($0)" } ?? "")")
                guard let call = outcome.failedCall else { break }
                ends["\(call) \(outcome.end)", default: 0] += 1
            }
            print("error \(error) while ids are gathered, \(failures == 1 ? "once" : "from then on"): \(ends.sorted { $0.key < $1.key })")
        }
    }
}

/// A folder with so many ids of today that the next request has them gathered in a file.
private struct FilledDay {
    /// How it went on for the ids.
    enum End {
        case gathered, kept, daemonEnded
    }

    struct Outcome {
        var problems: [String] = []
        var end = End.gathered
        /// What the first call was about that failed; nil where none did.
        var failedCall: FaultShim.Call?
    }

    private static let size = 1_000
    private let folder = TemporaryFolder()
    private let keys: AppKeys
    /// The request that is one too many.
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
        if await next.stop() != 0 { outcome.problems.append("the next daemon did not end in peace") }
        let names = try Self.fileNames(data)
        if names.isEmpty || names.contains(where: { $0.hasSuffix(".draft") }) { outcome.problems.append("after the next start there are \(names)") }
        return outcome
    }

    /// The daemon whose calls fail.
    private func gather(in data: String, _ shim: FaultShim, failing: () -> Void) async throws -> Outcome {
        var outcome = Outcome()
        let child = try await DaemonProcess.start(in: data, environment: shim.environment)
        #expect(try await post(last, child) == Taken(accepted: Self.size))
        failing()
        #expect(try await eventually { try shim.failed > 0 || Self.isGathered(data) })
        // Taken or refused: it is sent again when the disk is well.
        let reply = try? await post(last + 1, child)
        (outcome.failedCall, outcome.end) = (shim.failed > 0 ? shim.failedCall : nil, reply == nil ? .daemonEnded : .gathered)
        shim.heal()
        guard outcome.end != .daemonEnded else {
            outcome.problems = await FailingCallsScenario.lastWords(child)
            return outcome
        }
        outcome.problems = try await problems(child, newest: last + 1)
        if await child.stop() != 0 { outcome.problems.append("the daemon did not end in peace") }
        if try Self.isGathered(data) { return outcome }
        outcome.end = .kept
        let isTold = await child.wholeLog().contains("could not write a run of the dedupe index")
        if !isTold { outcome.problems.append("nobody is told that the ids were not gathered") }
        return outcome
    }

    /// What is wrong with ids from all over the day, of which the newest may not have come yet.
    private func problems(_ child: DaemonProcess, newest: Int) async throws -> [String] {
        let isTaken = try await eventually(within: .seconds(20)) {
            let taken = try await post(newest, child)
            return taken.status == 200 && taken.accepted + taken.duplicates == Self.size
        }
        if !isTaken { return ["refused though the disk is well again"] }
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

    /// Files of ids that are whole, or being written.
    private static func fileNames(_ data: String) throws -> [String] {
        try Folder.names(in: data + "/events").filter { $0.contains(".ids.") }
    }
}
