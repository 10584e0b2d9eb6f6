// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestSupport

/// A client that remembers what it sent and what it was told, and sends again what was not answered.
protocol FaultClient: Sendable {
    /// The request that was not answered, or a new one; the same however often it is sent.
    mutating func request() -> [UInt8]
    /// Hears the answer to it.
    mutating func note(_ reply: Reply)
    /// Whether its last request may have been taken or not.
    var isUnanswered: Bool { get }
    /// What it ever sent, by app and id.
    var sent: Set<String> { get }
    /// What is not stored as it was told, in words.
    func problems(in folder: StoredFolder) -> [String]
}

/// How it ended that a client worked.
enum FaultClientEnd {
    case done
    /// Nothing of its request was kept, it was told; it sends the same the next time.
    case refused(Reply)
    case daemonIsGone
}

extension FaultClient {
    /// Works until so many requests were answered, the daemon is gone, or it says that it cannot store anything.
    @discardableResult
    mutating func work(_ api: TestClient, _ trigger: KillTrigger? = nil, requests: Int) async -> FaultClientEnd {
        guard let connection = try? api.connect() else { return .daemonIsGone }
        var answered = 0
        while answered < requests || isUnanswered {
            do {
                try await connection.send(request())
                trigger?.requestBegins()
                let reply = try await connection.reply()
                if reply.status == 503 { return .refused(reply) }
                note(reply)
                answered += 1
            } catch {
                return .daemonIsGone
            }
        }
        return .done
    }
}

/// Kills the daemon in the middle of the work: when so many requests have begun.
final class KillTrigger: Sendable {
    private let left: Mutex<Int>
    private let child: DaemonProcess

    init(_ child: DaemonProcess, after requests: Int) {
        self.child = child
        left = Mutex(requests)
    }

    func requestBegins() {
        let isDue = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isDue { child.signal(SIGKILL) }
    }
}
