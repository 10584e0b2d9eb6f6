// SPDX-License-Identifier: Apache-2.0

import Crypto
import Platform
import SignalboxDocumentModel
import Synchronization

/// The streams that are open, by the name that their clients got.
final class OpenDocumentStreams: Sendable {
    private struct Entry {
        let stream: DocumentEventStream
        let owner: String
        let place: Place?
    }

    /// A place among the streams of a user or an address, free again when it is deinitialized.
    final class Place: Sendable {
        private let leave: @Sendable () -> Void

        fileprivate init(_ leave: @escaping @Sendable () -> Void) {
            self.leave = leave
        }

        deinit { leave() }
    }

    private static let (ofUser, ofAddress) = (10, 100)

    private let entries = Mutex<[String: Entry]>([:])
    private let counts = Mutex<[ExactName: Int]>([:])

    /// Takes a place for a stream of the caller; none for servers, which have no limit of their own.
    func place(for call: Call) throws(Refusal) -> Place? {
        guard let name = call.countedClient else { return nil }
        let most = if case .user = call.caller { Self.ofUser } else { Self.ofAddress }
        let isFree = counts.withLock { counts in
            if counts[name, default: 0] >= most { return false }
            counts[name, default: 0] += 1
            return true
        }
        guard isFree else {
            throw Refusal(
                .limitReached, "\(most) streams of documents are open.", hint: "Add targets to an open stream, or close one.", retryAfterSeconds: 5)
        }
        return Place { [weak self] in
            self?.counts.withLock { counts in
                counts[name, default: 0] -= 1
                if counts[name] == 0 { counts[name] = nil }
            }
        }
    }

    func insert(_ stream: DocumentEventStream, _ caller: Caller, _ place: Place?) -> String {
        let id = randomToken(prefix: "str_", bits: 120)
        entries.withLock { $0[id] = Entry(stream: stream, owner: caller.documentOwner, place: place) }
        return id
    }

    func remove(_ id: String) { entries.withLock { _ = $0.removeValue(forKey: id) } }

    /// Returns a stream that the caller's user or key opened.
    func stream(_ id: String, _ caller: Caller) -> DocumentEventStream? {
        entries.withLock { entries in
            entries[id].flatMap { $0.owner.hasSameBytes(as: caller.documentOwner) ? $0.stream : nil }
        }
    }
}
