import Platform
import Synchronization

/// One thread of a courier, and the way to it.
final class CourierShard: Sendable {
    let inbox: CourierInbox
    private let thread: Mutex<ShardThread?>

    init(_ rules: CourierRules, onResults: @escaping @Sendable ([CourierResult]) -> Void) throws {
        inbox = CourierInbox(capacity: rules.options.waitingPerShard)
        let loop = try CourierLoop(rules, inbox: inbox, onResults: onResults)
        // The thread alone keeps the loop, so when it ends all is freed.
        thread = Mutex(try ShardThread { loop.run() })
    }

    /// Returns once the thread is gone.
    func stop() {
        inbox.close()
        thread.withLock { $0.take() }?.join()
    }
}
