// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts connections and requests of all loops, in total and by address, and enforces their limits.
final class ConnectionLedger: Sendable {
    private let connectionLimit: Int
    private let addressLimit: Int
    private let descriptorLimit: Int
    private let open = Atomic<Int>(0)
    private let requests = Mutex(AddressCounts())

    init(caps: HTTPServerConfiguration.Caps, descriptors: Int) {
        connectionLimit = caps.connections
        addressLimit = caps.connectionsPerAddress
        descriptorLimit = max(1, descriptors - caps.reservedDescriptors)
    }

    var connections: Int { open.load(ordering: .relaxed) }

    /// Returns `false` when accepting must pause because only reserved file descriptors are left.
    var hasDescriptorsLeft: Bool { connections < descriptorLimit }

    func connectionOpened() -> Bool {
        open.wrappingAdd(1, ordering: .relaxed).newValue <= connectionLimit
    }

    func connectionClosed() {
        let left = open.wrappingSubtract(1, ordering: .relaxed).newValue
        precondition(left >= 0, "a connection is closed once")
    }

    /// Adds one for the address; returns `false` if it is at its limit.
    func enter(_ address: ClientAddress) -> Bool {
        requests.withLock { $0.enter(address, limit: addressLimit) }
    }

    func leave(_ address: ClientAddress) {
        requests.withLock { $0.leave(address) }
    }
}

/// Counts by address. An address without a count takes no memory.
struct AddressCounts {
    private var counts: [ClientAddress: Int] = [:]

    /// Adds one for the address; returns `false` if it is at the limit.
    mutating func enter(_ address: ClientAddress, limit: Int) -> Bool {
        guard counts[address.subscriber, default: 0] < limit else { return false }
        counts[address.subscriber, default: 0] += 1
        return true
    }

    mutating func leave(_ address: ClientAddress) {
        let left = counts[address.subscriber, default: 0] - 1
        precondition(left >= 0, "an address was released more often than it was counted")
        counts[address.subscriber] = left > 0 ? left : nil
    }
}
