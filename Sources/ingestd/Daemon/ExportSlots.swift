// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import EventStore
import Events
import HTTPServer
import Platform
import Synchronization

/// Limits concurrent exports, in total and per app, because each holds a page in memory for as long as its client reads.
///
/// The operator has slots of its own.
final class ExportSlots: Sendable {
    /// A slot, free again when this is released.
    final class Slot: Sendable {
        private let slots: ExportSlots
        private let owner: AppID?

        fileprivate init(of slots: ExportSlots, for owner: AppID?) {
            (self.slots, self.owner) = (slots, owner)
        }

        deinit {
            slots.state.withLock { $0.taken[owner, default: 1] -= 1 }
        }
    }

    private struct State {
        /// By app; nil is the operator.
        var taken: [AppID?: Int] = [:]
        var hasEnded = false
    }

    static let maxTotal = 16
    static let maxPerApp = 4
    private let state = Mutex(State())

    /// Returns a response of any length, written page by page. Its slot is free again when the response has ended.
    ///
    /// If the key is revoked or the app deleted meanwhile, the response is cut off, so that no client takes it for complete.
    func stream(
        _ call: Call, of app: App, in store: Stores, _ headers: [(name: String, value: String)],
        _ write: @escaping @Sendable (_ page: @escaping @Sendable ([UInt8]) async throws -> Void) async throws -> Void
    ) throws(Refusal) -> HandlerResponse {
        let caller = call.caller
        let slot = try take(for: call.caller.role == .operator ? nil : app.id)
        return .stream(status: 200, headers: headers) { writer in
            try await write { page in
                guard store.knows(caller), store.events.directory.now.apps[app.id] != nil else { throw CancellationError() }
                if !page.isEmpty { try await writer.write(page) }
            }
            withExtendedLifetime(slot) {}
        }
    }

    func take(for owner: AppID?) throws(Refusal) -> Slot {
        try state.withLock { state throws(Refusal) in
            if state.hasEnded { throw .draining }
            let ofKeys = state.taken.reduce(0) { $0 + ($1.key == nil ? 0 : $1.value) }
            guard state.taken[owner, default: 0] < ExportSlots.maxPerApp, owner == nil || ofKeys < ExportSlots.maxTotal else {
                throw Refusal(
                    .overloaded, "Too many exports are running.", hint: "Send the request again when one has ended.", retryAfterSeconds: 10)
            }
            state.taken[owner, default: 0] += 1
        }
        return Slot(of: self, for: owner)
    }

    /// Rejects new exports; a drain would cut them off.
    func end() {
        state.withLock { $0.hasEnded = true }
    }
}
