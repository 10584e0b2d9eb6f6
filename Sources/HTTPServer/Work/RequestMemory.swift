import Synchronization

/// The memory that requests hold from their arrival to their answer: bytes of the wire, decoded bytes, tokens and what was made of them.
///
/// Below half of the budget everybody may take what is free. Above it, an account or a client that holds more than its share gets no more,
/// so one noisy key cannot keep the others out. Requests whose key is not known yet hold half of the budget at most, and each client its
/// share of that.
package final class RequestMemory: Sendable {
    private struct Held {
        var total = 0
        var byClient: [ClientAddress: Int] = [:]
        var byAccount: [Int64: Int] = [:]
    }

    /// The operator's requests wait for nobody's share.
    package static let operatorAccount: Int64 = -1

    package let limit: Int
    private let share: Int
    private let held = Mutex(Held())

    /// - Parameter share: What one account, and one client, may hold when memory is scarce.
    package init(limit: Int, share: Int) {
        self.limit = limit
        self.share = share
    }

    package var bytes: Int { held.withLock(\.total) }

    /// Takes bytes for nobody in particular, such as the tokens of a document that is being read; false when they are not to be had.
    package func reserve(_ bytes: Int) -> Bool {
        held.withLock { held in
            guard held.total + bytes <= limit else { return false }
            held.total += bytes
            return true
        }
    }

    package func release(_ bytes: Int) {
        held.withLock { $0.total -= bytes }
    }

    fileprivate func take(_ bytes: Int, for client: ClientAddress?, _ account: Int64) -> Bool {
        held.withLock { held in
            let total = held.total + bytes
            let ofClient = client.map { held.byClient[$0, default: 0] + bytes } ?? 0
            let ofAccount = held.byAccount[account, default: 0] + bytes
            guard total <= limit, isFair(account, ofClient, ofAccount, isScarce: total > limit / 2) else { return false }
            held.total = total
            if let client { held.byClient[client] = ofClient }
            held.byAccount[account] = ofAccount
            return true
        }
    }

    private func isFair(_ account: Int64, _ ofClient: Int, _ ofAccount: Int, isScarce: Bool) -> Bool {
        switch account {
        case RequestMemory.operatorAccount: true
        // Requests whose key is not known yet are many senders': each client has its share of that half.
        case 0: ofClient <= share && ofAccount <= limit / 2
        default: !isScarce || max(ofClient, ofAccount) <= share
        }
    }

    fileprivate func give(back bytes: Int, of client: ClientAddress?, _ account: Int64) {
        guard bytes > 0 else { return }
        held.withLock { held in
            held.total -= bytes
            if let client { RequestMemory.subtract(bytes, of: client, in: &held.byClient) }
            RequestMemory.subtract(bytes, of: account, in: &held.byAccount)
        }
    }

    /// Puts on an account what was held before it was known.
    fileprivate func move(_ bytes: Int, to account: Int64) {
        guard bytes > 0, account != 0 else { return }
        held.withLock { held in
            RequestMemory.subtract(bytes, of: 0, in: &held.byAccount)
            held.byAccount[account, default: 0] += bytes
        }
    }

    private static func subtract<Key: Hashable>(_ bytes: Int, of key: Key, in table: inout [Key: Int]) {
        let left = table[key, default: 0] - bytes
        table[key] = left > 0 ? left : nil
    }
}

/// What one request holds of the common memory; given back when nobody uses the request any more.
package final class MemoryHold: Sendable {
    private struct State {
        var bytes = 0
        var account: Int64 = 0
    }

    private let memory: RequestMemory
    private let client: ClientAddress?
    private let state = Mutex(State())

    package init(_ memory: RequestMemory, for client: ClientAddress?) {
        self.memory = memory
        self.client = client?.subscriber
    }

    deinit {
        state.withLock { memory.give(back: $0.bytes, of: client, $0.account) }
    }

    /// Takes more memory; the request is refused where there is none.
    package func grow(by bytes: Int) throws(HTTPFault) {
        guard bytes > 0 else { return }
        let fits = state.withLock { state in
            guard memory.take(bytes, for: client, state.account) else { return false }
            state.bytes += bytes
            return true
        }
        guard fits else { throw .overloaded }
    }

    /// Says whose memory it is, once that is known.
    package func belongs(to account: Int64) {
        state.withLock { state in
            guard state.account == 0 else { return }
            state.account = account
            memory.move(state.bytes, to: account)
        }
    }
}
