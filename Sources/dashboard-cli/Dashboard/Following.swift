// SPDX-License-Identifier: Apache-2.0

/// What a stream told, the newest last; a bounded piece of what has no end.
struct Following: Sendable {
    private(set) var question: Question?
    private(set) var entries: [TailEntry] = []
    /// What came while nobody wanted to see anything move.
    private(set) var waiting: [TailEntry] = []
    /// How many were too many to be kept.
    private(set) var dropped = 0
    /// How many the daemon says it left out.
    private(set) var missed = 0
    private var told = 0
    /// Why nothing comes.
    private(set) var trouble: Trouble?
    static let mostKept = 2_000

    var waits: Int { waiting.count }
    /// Whether older ones had to go.
    var isFull: Bool { entries.count == Following.mostKept }
    /// Whether it was asked for from some number on, and not from the first.
    var beginsLater: Bool { question?.parameters.contains { $0.name == "after" && $0.value != "0" } ?? false }

    /// Answers whether another stream is wanted from now on.
    mutating func want(_ question: Question?) -> Bool {
        guard question != self.question else { return false }
        self = Following()
        self.question = question
        return true
    }

    mutating func take(_ events: [ServerSentEvents.Event], dropped: Int, of question: Question, isPaused: Bool) {
        guard question == self.question else { return }
        let new = events.enumerated().compactMap { TailEntry($1, place: told + $0) }
        told += events.count
        missed += new.reduce(0) { $0 + $1.missed }
        self.dropped += dropped
        trouble = nil
        // What comes first moves nothing.
        if isPaused, !entries.isEmpty { add(new, to: \.waiting) } else { add(new, to: \.entries) }
    }

    mutating func fail(_ trouble: Trouble, of question: Question) {
        if question == self.question { self.trouble = trouble }
    }

    /// Somebody answers again; what is still wrong with the stream will be told anew.
    mutating func forgetTrouble() {
        trouble = nil
    }

    mutating func goOn() {
        add(waiting, to: \.entries)
        waiting = []
    }

    private mutating func add(_ new: [TailEntry], to list: WritableKeyPath<Following, [TailEntry]>) {
        self[keyPath: list] += new
        let surplus = self[keyPath: list].count - Following.mostKept
        guard surplus > 0 else { return }
        self[keyPath: list].removeFirst(surplus)
        // What was shown and is gone was seen; what waited was not.
        if list == \.waiting { dropped += surplus }
    }
}
