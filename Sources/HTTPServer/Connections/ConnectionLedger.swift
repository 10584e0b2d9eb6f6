// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts connections and requests over all loops, in all and by address, and says when there are too many.
final class ConnectionLedger: Sendable {
    private let connectionLimit: Int
    private let addressLimit: Int
    private let descriptorLimit: Int
    private let open = Atomic<Int>(0)
    private let requests = Mutex<[ClientAddress: Int]>([:])

    init(caps: HTTPServerConfiguration.Caps, descriptors: Int) {
        connectionLimit = caps.connections
        addressLimit = caps.connectionsPerAddress
        descriptorLimit = max(1, descriptors - caps.reservedDescriptors)
    }

    var connections: Int { open.load(ordering: .relaxed) }

    /// False when so few descriptors are left that accepting should wait for some connections to end.
    var hasDescriptorsLeft: Bool { connections < descriptorLimit }

    func connectionOpened() -> Bool {
        open.wrappingAdd(1, ordering: .relaxed).newValue <= connectionLimit
    }

    func connectionClosed() {
        open.wrappingSubtract(1, ordering: .relaxed)
    }

    /// Counts one more for the address, unless it already has as many as it may.
    func enter(_ address: ClientAddress) -> Bool {
        requests.withLock { requests in
            guard requests[address.subscriber, default: 0] < addressLimit else { return false }
            requests[address.subscriber, default: 0] += 1
            return true
        }
    }

    func leave(_ address: ClientAddress) {
        requests.withLock { requests in
            let left = requests[address.subscriber, default: 0] - 1
            requests[address.subscriber] = left > 0 ? left : nil
        }
    }
}
