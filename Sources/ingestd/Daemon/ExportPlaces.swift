// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import EventStore
import Events
import HTTPServer
import Platform
import AcrossStores
import Synchronization

/// Lets only so many exports be written at a time, and fewer of one app: each holds a page of what it reads for as long as its reader takes.
///
/// The operator has places that no key can take.
final class ExportPlaces: Sendable {
    /// One of them, until it is let go of.
    final class Place: Sendable {
        private let places: ExportPlaces
        private let owner: AppID?

        fileprivate init(of places: ExportPlaces, for owner: AppID?) {
            (self.places, self.owner) = (places, owner)
        }

        deinit {
            places.state.withLock { $0.taken[owner, default: 1] -= 1 }
        }
    }

    private struct State {
        /// By app; the operator's are those of none.
        var taken: [AppID?: Int] = [:]
        var hasEnded = false
    }

    static let most = 16
    static let mostOfOne = 4
    private let state = Mutex(State())

    /// An answer of any length, written page by page; its place is free again when it has ended.
    ///
    /// A key may be revoked, or its app deleted, while somebody reads: then the answer breaks off, so that nobody takes it for whole.
    func stream(
        _ call: Call, of app: App, in store: Stores, _ headers: [(name: String, value: String)],
        _ write: @escaping @Sendable (_ page: @escaping @Sendable ([UInt8]) async throws -> Void) async throws -> Void
    ) throws(Refusal) -> HTTPAnswer {
        let caller = call.caller
        let place = try take(for: call.caller.role == .operator ? nil : app.id)
        return .stream(status: 200, headers: headers) { writer in
            try await write { page in
                guard store.events.knows(caller), store.events.directory.now.apps[app.id] != nil else { throw CancellationError() }
                if !page.isEmpty { try await writer.write(page) }
            }
            withExtendedLifetime(place) {}
        }
    }

    func take(for owner: AppID?) throws(Refusal) -> Place {
        try state.withLock { state throws(Refusal) in
            if state.hasEnded { throw .draining }
            let ofKeys = state.taken.reduce(0) { $0 + ($1.key == nil ? 0 : $1.value) }
            guard state.taken[owner, default: 0] < ExportPlaces.mostOfOne, owner == nil || ofKeys < ExportPlaces.most else {
                throw Refusal(
                    .overloaded, "Too many exports are being read already.", hint: "Ask again when one has ended.", retryAfterSeconds: 10)
            }
            state.taken[owner, default: 0] += 1
        }
        return Place(of: self, for: owner)
    }

    /// Begins none any more: what is written for minutes would be cut off by the end of the daemon.
    func end() {
        state.withLock { $0.hasEnded = true }
    }
}
