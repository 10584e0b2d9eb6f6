// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestSupport

/// A client that remembers requests and responses and repeats unanswered requests.
protocol FaultClient: Sendable {
    /// The unanswered request, or a new one. A repeated request is identical.
    mutating func request() -> [UInt8]
    /// Records the response.
    mutating func note(_ reply: Reply)
    /// Whether the last request may or may not be stored.
    var isUnanswered: Bool { get }
    /// Everything sent, by app and ID.
    var sent: Set<String> { get }
    /// Differences between the stored data and the responses.
    func problems(in folder: StoredFolder) -> [String]
}

/// The end of a client's work.
enum FaultClientEnd {
    case done
    /// The request was rejected and stored nothing; the client repeats it next time.
    case refused(Reply)
    case daemonIsGone
}

extension FaultClient {
    /// Works until a number of requests is answered, the daemon is gone or it rejects a request because of its storage.
    @discardableResult
    mutating func work(_ api: TestClient, _ trigger: KillTrigger? = nil, requests: Int) async -> FaultClientEnd {
        guard let connection = try? api.connect() else { return .daemonIsGone }
        var answered = 0
        while answered < requests || isUnanswered {
            do {
                try await connection.send(request())
                trigger?.requestBegins()
                let reply = try await connection.reply()
                // SDKs of Sentry try again after 429.
                if [429, 503].contains(reply.status) { return .refused(reply) }
                note(reply)
                answered += 1
            } catch {
                return .daemonIsGone
            }
        }
        return .done
    }
}

/// Kills the daemon during the work, after a number of requests has begun.
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
