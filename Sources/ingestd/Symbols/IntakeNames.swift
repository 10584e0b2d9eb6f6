// SPDX-License-Identifier: Apache-2.0

import Crashes
import Dispatch
import Ingest
import Symbols
import Synchronization

/// Reads mangled names of reports before they are grouped.
///
/// The demangler is a child process, because a short name can expand without bound. A request waits for it at most half a second. Names
/// that were not read in time are left to the background, which then groups the report again:
///
///     frame `$s4Shop4CartC5totalSiyF`  →  `Cart.total()`, grouped and stored
///     the program cannot start         →  logged; stored as sent, with a row in `to_symbolicate`
final class IntakeNames: Sendable {
    private struct State {
        /// Requests at the demangler.
        var waiting = 0
        var isUsed = false
    }

    private static let waitingAtMost = 8
    private static let namesPerRequest = 4_096

    private let demangler: Demangler?
    private let health: SymbolHealth
    /// Waits for the program off the shared threads.
    private let queue = DispatchQueue(label: "signalbox.intake-names")
    private let state = Mutex(State())

    init(_ demangler: Demangler?, _ health: SymbolHealth) {
        (self.demangler, self.health) = (demangler, health)
    }

    /// Replaces mangled names by their readable forms. Returns whether all were read.
    func read(in batch: inout CrashBatch) async -> Bool {
        let names = Set(batch.crashes.flatMap(\.report.mangledNames))
        guard !names.isEmpty else { return true }
        guard let demangler, names.count <= IntakeNames.namesPerRequest, enter() else { return false }
        defer { state.withLock { $0.waiting -= 1 } }
        do {
            let found = try await queue.run { try demangler.names(of: Array(names)) }
            for place in batch.crashes.indices { batch.crashes[place].report.read(found.texts) }
            health.succeeded(.intake)
            return found.isComplete
        } catch {
            health.failed(.intake, "\(error)")
            return false
        }
    }

    /// Ends the program if no report used it since the last call.
    func restIfIdle() {
        let isIdle = state.withLock { state in
            defer { state.isUsed = false }
            return !state.isUsed && state.waiting == 0
        }
        if isIdle { demangler?.rest() }
    }

    private func enter() -> Bool {
        state.withLock { state in
            guard state.waiting < IntakeNames.waitingAtMost else { return false }
            state.waiting += 1
            state.isUsed = true
            return true
        }
    }
}
