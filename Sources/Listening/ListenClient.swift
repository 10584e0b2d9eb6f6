// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// The client of a stream, whose limited results are bounded.
package enum ListenClient: Hashable, Sendable {
    case server
    case user(ExactName)
    /// An address with an ingest key alone.
    case anyone(ExactName)

    /// The part of the app's memory up to which the client gets more, in quarters. So those without a token leave some for users, and
    /// these for servers.
    var quarters: Int {
        switch self {
        case .server: 4
        case .user: 3
        case .anyone: 2
        }
    }
}

/// The memory of the rows of limited results. Those of equal targets are kept once, and count for each client that listens to them.
struct WindowMemory {
    private(set) var bytes = 0
    private var byClient: [ListenClient: Int] = [:]

    subscript(client: ListenClient) -> Int { byClient[client] ?? 0 }

    mutating func add(_ change: Int) { bytes += change }

    /// Servers have no bound of their own.
    mutating func add(_ change: Int, for client: ListenClient) {
        if client == .server || change == 0 { return }
        let sum = self[client] + change
        byClient[client] = sum == 0 ? nil : sum
    }
}
