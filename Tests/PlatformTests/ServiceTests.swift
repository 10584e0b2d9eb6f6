import Glibc
import Platform
import Synchronization
import Testing

struct ServiceTests {
    private final class Journal: Sendable {
        let entries = Mutex<[String]>([])
        func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    private struct Broken: Error, Equatable {
        var name: String
    }

    /// Waits for its cancellation, notes it, and may then fail.
    private struct Waiting: Service {
        var name: String
        var journal: Journal
        var failure: Broken?

        func run() async throws {
            let (stream, _) = AsyncStream<Never>.makeStream()
            for await _ in stream {}
            journal.note(name)
            if let failure { throw failure }
        }
    }

    private struct Ending: Service {
        var failure: Broken?
        func run() async throws {
            if let failure { throw failure }
        }
    }

    private let journal = Journal()

    @Test func `when one service ends the others end in reverse order`() async throws {
        try await ServiceGroup([
            Waiting(name: "a", journal: journal), Ending(), Waiting(name: "b", journal: journal), Waiting(name: "c", journal: journal),
        ]).run()
        #expect(journal.entries.withLock { $0 } == ["c", "b", "a"])
    }

    @Test func `the first failure is the one that is told`() async {
        let group = ServiceGroup([Waiting(name: "a", journal: journal, failure: Broken(name: "echo")), Ending(failure: Broken(name: "cause"))])
        await #expect(throws: Broken(name: "cause")) { try await group.run() }
        #expect(journal.entries.withLock { $0 } == ["a"])
    }

    @Test func `a failure while ending is told too`() async {
        let group = ServiceGroup([Waiting(name: "a", journal: journal, failure: Broken(name: "a")), Ending()])
        await #expect(throws: Broken(name: "a")) { try await group.run() }
    }

    @Test func `cancelling the group ends every service`() async throws {
        let group = ServiceGroup([Waiting(name: "a", journal: journal), Waiting(name: "b", journal: journal)])
        let task = Task { try await group.run() }
        task.cancel()
        try await task.value
        #expect(journal.entries.withLock { $0 } == ["b", "a"])
    }

    @Test func `a signal reaches its stream instead of ending the process`() async {
        var signals = Signal.stream([.hangup]).makeAsyncIterator()
        kill(getpid(), SIGHUP)
        #expect(await signals.next() == .hangup)
    }
}
