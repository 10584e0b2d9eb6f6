// SPDX-License-Identifier: Apache-2.0

import Signalbox
import SignalboxDocumentModel
import TestSupport
import Testing

@testable import SignalboxDocuments

/// Queued writes that are refused while an earlier request with them may still arrive.
@Suite struct RefusedBatchTests {
    /// A device that has queued increments of one document, and sends them together once the network is enabled.
    private struct Device {
        let world: DocumentWorld
        let transport: LateTransport
        let documents: Documents
        var writes: [QueuedWrite] = []

        init(_ steps: [LateTransport.Step], increments: Int) async throws {
            world = try await DocumentWorld.start()
            let options = try world.options()
            let transport = LateTransport(HTTPTransport(options, user: nil), steps)
            self.transport = transport
            documents = try Documents(options, transport: { _, _ in transport })
            await documents.setNetworkEnabled(false)
            for _ in 0..<increments {
                let batch = documents.batch().set(documents.document("sums/all"), ["n": .increment(1)], merge: true)
                writes.append(try await batch.enqueue())
            }
        }

        /// Sends the queue to its end, and then lets the late request arrive.
        func send() async throws {
            await documents.setNetworkEnabled(true)
            try await documents.waitForPendingWrites()
            await transport.arrive()
        }

        func sum() async throws -> Int { try await world.fields("sums/all")["n"].number }

        func close() async {
            await documents.close()
            _ = await world.daemon.stop()
        }
    }

    @Test func `a request that did not arrive in time is no refusal of its batch`() {
        let error = DocumentError(problem: "slow_client", status: 408, "The request did not arrive within the time limit.", retryAfter: nil)
        #expect(error.code == .unavailable && error.isTransient)
    }

    @Test(
        arguments: [
            [.delays, .refuses],
            [.delays, .refuses, .isOvertaken],
            [.delays, .refuses, .losesAnswer],
            [.delays, .refuses, .passes, .losesAnswer],
            [.delays, .refuses, .passes, .losesAnswer, .refuses],
        ] as [[LateTransport.Step]], [1, 4])
    func `increments that are refused before a late request arrives count once`(steps: [LateTransport.Step], increments: Int) async throws {
        let device = try await Device(steps, increments: increments)
        try await device.send()
        for write in device.writes { try await write.confirmation() }
        #expect(device.transport.isDone)
        #expect(try await device.sum() == increments)
        await device.close()
    }

    @Test func `the halves of a refused batch count once`() async throws {
        // The third request ends the number of the batch, which is refused once more under another.
        let device = try await Device([.delays, .refuses, .passes, .refuses], increments: 5)
        try await device.send()
        for write in device.writes { try await write.confirmation() }
        #expect(device.transport.isDone)
        #expect(device.transport.sizes == [5, 5, 0, 5, 2, 3])
        #expect(try await device.sum() == 5)
        await device.close()
    }

    @Test func `a write that failed is not made by a late request`() async throws {
        let device = try await Device([.delays, .refuses, .passes, .refuses], increments: 1)
        try await device.send()
        await #expect(throws: DocumentError.self) { try await device.writes[0].confirmation() }
        #expect(device.transport.sizes == [1, 1, 0, 1])
        #expect(try await device.documents.collection("sums").count() == 0)
        await device.close()
    }

    @Test func `a write fails once if its number cannot be ended`() async throws {
        let device = try await Device([.delays, .refuses, .refuses], increments: 1)
        await device.documents.setNetworkEnabled(true)
        await #expect(throws: DocumentError.self) { try await device.writes[0].confirmation() }
        #expect(device.transport.sizes == [1, 1, 0])
        await device.close()
    }

    @Test func `a refusal without an earlier request is one request`() async throws {
        let device = try await Device([.refuses], increments: 4)
        try await device.send()
        for write in device.writes { try await write.confirmation() }
        #expect(device.transport.sizes == [4, 2, 2])
        #expect(try await device.sum() == 4)
        await device.close()
    }
}

/// The daemon behind a network that delays, refuses and loses commits as a test says, in the order of the commits. Later ones pass.
final class LateTransport: DocumentTransport {
    enum Step: Sendable {
        case passes
        /// The request has no answer, and reaches the daemon with ``LateTransport/arrive()``.
        case delays
        /// The request is refused before it reaches the daemon.
        case refuses
        /// The daemon decides, and its answer is lost.
        case losesAnswer
        /// The delayed request reaches the daemon before this one.
        case isOvertaken
    }

    private static let lost = DocumentError(.unavailable, "The connection was lost.")

    private let daemon: HTTPTransport
    private let steps: Locked<[Step]>
    private let late = Locked<CommitRequest?>(nil)
    private let commits = Locked<[Int]>([])

    init(_ daemon: HTTPTransport, _ steps: [Step]) {
        (self.daemon, self.steps) = (daemon, Locked(steps))
    }

    /// Whether all steps were taken.
    var isDone: Bool { steps.withLock { $0.isEmpty } }

    /// The number of writes of each commit.
    var sizes: [Int] { commits.withLock { $0 } }

    func arrive() async {
        guard let request = late.withLock({ $0 }) else { return }
        _ = try? await daemon.commit(request)
    }

    func commit(_ request: CommitRequest) async throws(DocumentError) -> CommitAnswer {
        commits.withLock { $0.append(request.writes.count) }
        let step = steps.withLock { steps -> Step in steps.isEmpty ? .passes : steps.removeFirst() }
        switch step {
        case .passes: return try await daemon.commit(request)
        case .delays:
            late.withLock { $0 = request }
            throw LateTransport.lost
        case .refuses: throw DocumentError(.resourceExhausted, "The commit takes too long.")
        case .losesAnswer:
            _ = try await daemon.commit(request)
            throw LateTransport.lost
        case .isOvertaken:
            await arrive()
            return try await daemon.commit(request)
        }
    }

    func documents(_ paths: [DocumentPath], _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments {
        try await daemon.documents(paths, held)
    }

    func result(of query: DocumentQuery, _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments {
        try await daemon.result(of: query, held)
    }

    func aggregates(
        _ aggregates: [(name: String, aggregate: Aggregate)], over query: DocumentQuery
    ) async throws(DocumentError) -> [String: DocumentValue] { try await daemon.aggregates(aggregates, over: query) }

    func listen(_ targets: [StreamTarget], resume: String?, _ onEvent: @escaping @Sendable (StreamEvent) -> Bool) async throws(DocumentError) {
        try await daemon.listen(targets, resume: resume, onEvent)
    }

    func change(stream: String, add: [StreamTarget], remove: [Int64]) async throws(DocumentError) {
        try await daemon.change(stream: stream, add: add, remove: remove)
    }

    func close() { daemon.close() }
}
