// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

/// The client of a stream, whose limited results are bounded.
package enum ListenClient: Hashable, Sendable {
    case server
    case user(ExactName, at: ExactName)
    /// An address with an ingest key alone.
    case anyone(ExactName)

    /// The users at an address, or its clients without a token. Servers have none.
    package struct Place: Hashable, Sendable {
        let address: ExactName
        let quarters: Int
    }

    package var place: Place? { address.map { Place(address: $0, quarters: quarters) } }

    /// The part of the app's memory up to which the client gets more, in quarters. So those without a token leave some for users, and
    /// these for servers.
    package var quarters: Int {
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
    private(set) var bytes = 0
    private var byName: [ExactName: Int] = [:]
    private var byPlace: [ListenClient.Place: Int] = [:]

    subscript(client: ListenClient) -> Int { client.name.flatMap { byName[$0] } ?? 0 }

    mutating func add(_ change: Int) { bytes += change }

    /// Servers have no bound of their own.
    mutating func add(_ change: Int, for client: ListenClient) {
        guard let name = client.name, let place = client.place, change != 0 else { return }
        WindowMemory.add(change, to: &byName[name])
        WindowMemory.add(change, to: &byPlace[place])
    }

    private static func add(_ change: Int, to sum: inout Int?) {
        let new = (sum ?? 0) + change
        sum = new == 0 ? nil : new
    }

    /// The places that have more than the client's own, of those with no larger part of the memory; the largest first. None if all of them
    /// together have less than what is lacking.
    func largest(beside client: ListenClient, lacking: Int) -> [ListenClient.Place] {
        let own = client.place.flatMap { byPlace[$0] } ?? 0
        let larger = byPlace.filter { $0.value > own && $0.key.quarters <= client.quarters && $0.key != client.place }
        if larger.values.reduce(0, +) < lacking { return [] }
        return larger.sorted { $0.value > $1.value }.map(\.key)
    }
}
