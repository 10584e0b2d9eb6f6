// SPDX-License-Identifier: Apache-2.0

/// What a stream told, the newest last; a bounded piece of what has no end.
struct TailBuffer: Sendable {
    private(set) var request: GetRequest?
    private(set) var entries: [TailEntry] = []
    /// What came while nobody wanted to see anything move.
    private(set) var waiting: [TailEntry] = []
    /// How many were too many to be kept.
    private(set) var dropped = 0
    /// How many the daemon says it left out.
    private(set) var missed = 0
    private var told = 0
    /// Why nothing comes.
    private(set) var error: RequestError?
    static let capacity = 2_000

    var waits: Int { waiting.count }
    /// Whether older ones had to go.
    var isFull: Bool { entries.count == TailBuffer.capacity }
    /// Whether it was asked for from some number on, and not from the first.
    var beginsLater: Bool { request?.parameters.contains { $0.name == "after" && $0.value != "0" } ?? false }

    /// Answers whether another stream is wanted from now on.
    mutating func want(_ request: GetRequest?) -> Bool {
        guard request != self.request else { return false }
        self = TailBuffer()
        self.request = request
        return true
    }

    mutating func take(_ events: [ServerSentEvents.Event], dropped: Int, of request: GetRequest, isPaused: Bool) {
        guard request == self.request else { return }
        let new = events.enumerated().compactMap { TailEntry($1, place: told + $0) }
        told += events.count
        missed += new.reduce(0) { $0 + $1.missed }
        self.dropped += dropped
        error = nil
        // What comes first moves nothing.
        if isPaused, !entries.isEmpty { add(new, to: \.waiting) } else { add(new, to: \.entries) }
    }

    mutating func fail(_ error: RequestError, of request: GetRequest) {
        if request == self.request { self.error = error }
    }

    /// Somebody answers again; what is still wrong with the stream will be told anew.
    mutating func forgetTrouble() {
        error = nil
    }

    mutating func goOn() {
        add(waiting, to: \.entries)
        waiting = []
    }

    private mutating func add(_ new: [TailEntry], to list: WritableKeyPath<TailBuffer, [TailEntry]>) {
        self[keyPath: list] += new
        let surplus = self[keyPath: list].count - TailBuffer.capacity
        guard surplus > 0 else { return }
        self[keyPath: list].removeFirst(surplus)
        // What was shown and is gone was seen; what waited was not.
        if list == \.waiting { dropped += surplus }
    }
}
