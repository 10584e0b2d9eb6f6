import Synchronization

/// Counts connections, requests per address and bytes of bodies over all loops, and says when there are too many.
final class ConnectionLedger: Sendable {
    private let connectionLimit: Int
    private let addressLimit: Int
    private let descriptorLimit: Int
    private let bodyByteLimit: Int
    private let open = Atomic<Int>(0)
    private let bodyBytes = Atomic<Int>(0)
    private let perAddress = Mutex<[ClientAddress: Int]>([:])

    init(caps: HTTPServerConfiguration.Caps, descriptors: Int) {
        connectionLimit = caps.connections
        addressLimit = caps.connectionsPerAddress
        descriptorLimit = max(1, descriptors - caps.reservedDescriptors)
        bodyByteLimit = caps.bodyBytes
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
        perAddress.withLock { counts in
            let count = counts[address.subscriber, default: 0]
            guard count < addressLimit else { return false }
            counts[address.subscriber] = count + 1
            return true
        }
    }

    func leave(_ address: ClientAddress) {
        perAddress.withLock { counts in
            let count = counts[address.subscriber, default: 0]
            counts[address.subscriber] = count > 1 ? count - 1 : nil
        }
    }

    func charge(_ bytes: Int) -> Bool {
        guard bodyBytes.wrappingAdd(bytes, ordering: .relaxed).newValue <= bodyByteLimit else {
            refund(bytes)
            return false
        }
        return true
    }

    func refund(_ bytes: Int) {
        bodyBytes.wrappingSubtract(bytes, ordering: .relaxed)
    }
}
