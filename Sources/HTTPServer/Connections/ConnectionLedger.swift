import Synchronization

/// Counts connections, requests and bytes of bodies over all loops, in all and by address, and says when there are too many.
final class ConnectionLedger: Sendable {
    private let connectionLimit: Int
    private let addressLimit: Int
    private let descriptorLimit: Int
    private let bodyByteLimit: Int
    private let bodyByteShare: Int
    private let open = Atomic<Int>(0)
    private let bodyBytes = Atomic<Int>(0)
    private let perAddress = Mutex<[ClientAddress: Share]>([:])

    init(caps: HTTPServerConfiguration.Caps, descriptors: Int) {
        connectionLimit = caps.connections
        addressLimit = caps.connectionsPerAddress
        descriptorLimit = max(1, descriptors - caps.reservedDescriptors)
        bodyByteLimit = caps.bodyBytes
        bodyByteShare = caps.bodyBytesPerAddress
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
        change(address) { share in
            guard share.requests < addressLimit else { return false }
            share.requests += 1
            return true
        }
    }

    func leave(_ address: ClientAddress) {
        change(address) { $0.requests -= 1 }
    }

    /// Counts bytes of a body that is still arriving, unless they are too many for all together or for the address.
    func charge(_ bytes: Int, to address: ClientAddress?) -> Bool {
        let fits = bodyBytes.wrappingAdd(bytes, ordering: .relaxed).newValue <= bodyByteLimit
        let isFair = address.map { add(bytes, to: $0) <= bodyByteShare } ?? true
        if !fits || !isFair { refund(bytes, to: address) }
        return fits && isFair
    }

    /// Bytes of a body that is whole: they count for all together still, but not for the address.
    func arrived(_ bytes: Int, from address: ClientAddress?) {
        if bytes > 0, let address { _ = add(-bytes, to: address) }
    }

    func refund(_ bytes: Int, to address: ClientAddress?) {
        bodyBytes.wrappingSubtract(bytes, ordering: .relaxed)
        arrived(bytes, from: address)
    }

    /// What the bodies that are arriving from the address hold then.
    private func add(_ bytes: Int, to address: ClientAddress) -> Int {
        change(address) { share in
            share.bodyBytes += bytes
            return share.bodyBytes
        }
    }

    private func change<R>(_ address: ClientAddress, _ change: (inout Share) -> R) -> R {
        perAddress.withLock { shares in
            var share = shares.removeValue(forKey: address.subscriber) ?? Share()
            defer { if !share.isEmpty { shares[address.subscriber] = share } }
            return change(&share)
        }
    }
}

/// What one address has of what all have together.
private struct Share {
    var requests = 0
    var bodyBytes = 0

    var isEmpty: Bool { requests <= 0 && bodyBytes <= 0 }
}
