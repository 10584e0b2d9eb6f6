/// What a stream told, the newest last; a bounded piece of what has no end.
struct Following: Sendable {
    private(set) var question: Question?
    private(set) var events: [ServerSentEvents.Event] = []
    /// What came while nobody wanted to see anything move.
    private var waiting: [ServerSentEvents.Event] = []
    /// How many were too many to be kept.
    private(set) var dropped = 0
    /// Why nothing comes.
    private(set) var trouble: Trouble?
    static let mostKept = 2_000

    var waits: Int { waiting.count }

    /// Answers whether another stream is wanted from now on.
    mutating func want(_ question: Question?) -> Bool {
        guard question != self.question else { return false }
        self = Following()
        self.question = question
        return true
    }

    mutating func take(_ new: [ServerSentEvents.Event], dropped: Int, of question: Question, isPaused: Bool) {
        guard question == self.question else { return }
        self.dropped += dropped
        trouble = nil
        if isPaused { add(new, to: \.waiting) } else { add(new, to: \.events) }
    }

    mutating func fail(_ trouble: Trouble, of question: Question) {
        if question == self.question { self.trouble = trouble }
    }

    mutating func goOn() {
        add(waiting, to: \.events)
        waiting = []
    }

    private mutating func add(_ new: [ServerSentEvents.Event], to list: WritableKeyPath<Following, [ServerSentEvents.Event]>) {
        self[keyPath: list] += new
        let surplus = self[keyPath: list].count - Following.mostKept
        guard surplus > 0 else { return }
        self[keyPath: list].removeFirst(surplus)
        // What was shown and is gone was seen; what waited was not.
        if list == \.waiting { dropped += surplus }
    }
}
