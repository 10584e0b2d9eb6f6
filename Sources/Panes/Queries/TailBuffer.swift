// SPDX-License-Identifier: Apache-2.0

/// A bounded buffer of the newest entries of a stream, the newest last.
package struct TailBuffer: Sendable {
    package private(set) var request: ReadRequest?
    package private(set) var entries: [TailEntry] = []
    /// Entries that arrived while the dashboard was paused.
    package private(set) var waiting: [TailEntry] = []
    /// The number of entries that were dropped unseen because the buffer was full.
    package private(set) var dropped = 0
    /// The number of entries that the daemon reports as left out.
    package private(set) var missed = 0
    private var received = 0
    /// Why the stream is interrupted.
    package private(set) var error: RequestError?
    package static let capacity = 2_000

    package init() {}

    /// Whether older entries were removed.
    package var isFull: Bool { entries.count == TailBuffer.capacity }
    /// Whether the stream began after a sequence number, and not at the first event.
    var beginsLater: Bool { request?.parameters.contains { $0.name == "after" && $0.value != "0" } ?? false }

    /// Returns whether another stream must be read from now on.
    package mutating func switchStream(to request: ReadRequest?) -> Bool {
        guard request != self.request else { return false }
        self = TailBuffer()
        self.request = request
        return true
    }

    package mutating func receive(_ events: [StreamEvent], dropped: Int, from request: ReadRequest, isPaused: Bool) {
        guard request == self.request else { return }
        let new = events.enumerated().compactMap { TailEntry($1, place: received + $0) }
        received += events.count
        missed += new.reduce(0) { $0 + $1.missed }
        self.dropped += dropped
        error = nil
        // The first entries are shown even during a pause: they move nothing.
        if isPaused, !entries.isEmpty { add(new, to: \.waiting) } else { add(new, to: \.entries) }
    }

    package mutating func fail(_ error: RequestError, from request: ReadRequest) {
        if request == self.request { self.error = error }
    }

    /// Forgets the error once the daemon responds again; a stream that still fails reports it anew.
    package mutating func clearError() {
        error = nil
    }

    /// Shows the entries that arrived during a pause.
    package mutating func resume() {
        add(waiting, to: \.entries)
        waiting = []
    }

    private mutating func add(_ new: [TailEntry], to list: WritableKeyPath<TailBuffer, [TailEntry]>) {
        self[keyPath: list] += new
        let surplus = self[keyPath: list].count - TailBuffer.capacity
        guard surplus > 0 else { return }
        self[keyPath: list].removeFirst(surplus)
        // Entries that were shown are not counted as dropped.
        if list == \.waiting { dropped += surplus }
    }
}
