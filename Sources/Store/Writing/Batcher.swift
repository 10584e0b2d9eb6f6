/// Work waiting for the writer: adds, and says when to wake it, when to take a group, and when to refuse.
struct Batcher: Sendable {
    struct Weight: Sendable, Equatable {
        var events = 0
        var bytes = 0

        static func + (a: Weight, b: Weight) -> Weight { Weight(events: a.events + b.events, bytes: a.bytes + b.bytes) }
        static func - (a: Weight, b: Weight) -> Weight { Weight(events: a.events - b.events, bytes: a.bytes - b.bytes) }
    }

    enum Admission: Sendable, Equatable {
        case queued(wake: Bool)
        /// Past the high mark: nothing was taken.
        case full
        case closed
    }

    /// Beyond this much unanswered work more is refused.
    let highMark: Weight
    /// A group ends once it holds this many events …
    let groupEvents: Int
    /// … or as much as this: what watches a commit may hold it for a while.
    static let groupBytes = 8 << 20
    /// Everything taken and not yet answered, in the queue or behind it.
    private(set) var unanswered = Weight()
    private var waiting: [Work] = []
    /// How much work was taken before: places count on from there.
    private var taken = 0
    /// The place of the first work that nobody has looked at.
    private var unasked = 0
    private var writerWaits = false
    private(set) var closed = false

    init(highMark: Weight, groupEvents: Int) {
        self.highMark = highMark
        self.groupEvents = groupEvents
    }

    /// Whether the mark is reached already, whatever comes next.
    var isFull: Bool { unanswered.events >= highMark.events || unanswered.bytes >= highMark.bytes }

    mutating func add(_ work: Work) -> Admission {
        if closed { return .closed }
        let weight = work.weight
        // A single request larger than the mark still gets through an empty queue.
        let after = unanswered + weight
        if unanswered.events > 0 && (after.events > highMark.events || after.bytes > highMark.bytes) { return .full }
        unanswered = after
        waiting.append(work)
        defer { writerWaits = false }
        return .queued(wake: writerWaits)
    }

    /// The next group in order of arrival; empty tells the writer to wait until it is woken.
    mutating func take() -> [Work] {
        var group = Weight()
        var end = 0
        while end < waiting.count {
            let next = group + waiting[end].weight
            guard end == 0 || next.events <= groupEvents && next.bytes <= Batcher.groupBytes else { break }
            group = next
            end += 1
        }
        if end == 0 {
            writerWaits = true
            return []
        }
        taken += end
        if end == waiting.count {
            defer { waiting = [] }
            return waiting
        }
        defer { waiting.removeFirst(end) }
        return Array(waiting[..<end])
    }

    /// The next work that nobody has looked at, and its place; nil where there is none.
    mutating func nextToAskAbout() -> (place: Int, work: Work)? {
        unasked = max(unasked, taken)
        guard unasked - taken < waiting.count else { return nil }
        defer { unasked += 1 }
        return (unasked, waiting[unasked - taken])
    }

    /// Puts something of the same weight in a place, unless that was taken meanwhile.
    mutating func replace(_ place: Int, by work: Work) {
        if place >= taken { waiting[place - taken] = work }
    }

    mutating func answered(_ weight: Weight) {
        unanswered = unanswered - weight
    }

    /// Lets nothing more in; what waits is still taken.
    mutating func close() -> Bool {
        closed = true
        defer { writerWaits = false }
        return writerWaits
    }
}
