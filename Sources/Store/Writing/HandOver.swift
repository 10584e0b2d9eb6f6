import Dispatch
import Synchronization

/// Hands one group of work at a time from the thread that looks ahead to the writer's: the next is made ready while this one is written.
final class HandOver: Sendable {
    private let group = Mutex<[Work]?>(nil)
    private let isFree = DispatchSemaphore(value: 1)
    private let isThere = DispatchSemaphore(value: 0)

    /// Waits until the one before was taken; nil says that no more will come.
    func put(_ next: [Work]?) {
        isFree.wait()
        group.withLock { $0 = next }
        isThere.signal()
    }

    /// Waits for the next one; nil once no more will come.
    func take() -> [Work]? {
        isThere.wait()
        defer { isFree.signal() }
        return group.withLock { group in
            defer { group = nil }
            return group
        }
    }
}
