// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// The client of a stream, whose limited results are bounded.
package enum ListenClient: Hashable, Sendable {
    case server
    case user(ExactName, at: ExactName)
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

    /// The user or the address.
    var name: ExactName? {
        switch self {
        case .server: nil
        case .user(let name, _), .anyone(let name): name
        }
    }

    var address: ExactName? {
        switch self {
        case .server: nil
        case .user(_, let address), .anyone(let address): address
        }
    }
}

/// The memory of the rows of limited results. Those of equal targets are kept once, and count for each client that listens to them.
struct WindowMemory {
    /// The users at an address, or its clients without a token.
    struct Place: Hashable {
        let address: ExactName
        let quarters: Int

        init?(_ client: ListenClient) {
            guard let address = client.address else { return nil }
            (self.address, quarters) = (address, client.quarters)
        }
    }

    private(set) var bytes = 0
    private var byName: [ExactName: Int] = [:]
    private var byPlace: [Place: Int] = [:]

    subscript(client: ListenClient) -> Int { client.name.flatMap { byName[$0] } ?? 0 }

    mutating func add(_ change: Int) { bytes += change }

    /// Servers have no bound of their own.
    mutating func add(_ change: Int, for client: ListenClient) {
        guard let name = client.name, let place = Place(client), change != 0 else { return }
        WindowMemory.add(change, to: &byName[name])
        WindowMemory.add(change, to: &byPlace[place])
    }

    private static func add(_ change: Int, to sum: inout Int?) {
        let new = (sum ?? 0) + change
        sum = new == 0 ? nil : new
    }

    /// The place that has the most among those with no larger part of the memory, if it has more than the client's own.
    func largest(beside client: ListenClient) -> Place? {
        let own = Place(client).flatMap { byPlace[$0] } ?? 0
        let largest = byPlace.filter { $0.key.quarters <= client.quarters }.max { $0.value < $1.value }
        return largest.flatMap { $0.value > own && $0.key != Place(client) ? $0.key : nil }
    }
}
