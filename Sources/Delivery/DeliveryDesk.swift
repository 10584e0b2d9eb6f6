import Messaging
import Platform

/// What is claimed and what is under way, by origin: says what to send now and what to claim next.
///
/// Of each origin so much is held that its place in flight can be filled again at once, and no more: what is claimed cannot be claimed by anybody else.
struct DeliveryDesk: Sendable {
    private struct Line: Sendable {
        var gate: OriginGate
        var waiting: [ClaimedDelivery] = []
        /// Those before it have been sent.
        var first = 0
        /// The last claim took as much as there was room for, or none for want of room.
        var mayHaveMore = true

        var count: Int { waiting.count - first }

        /// When it takes more, if it takes nothing now and nothing that is under way will change that.
        mutating func pause(at now: Timestamp) -> Timestamp? {
            guard gate.inFlight == 0, gate.room(at: now) == 0, case .wait(let until) = gate.admit(at: now) else { return nil }
            return until
        }

        mutating func take() -> ClaimedDelivery {
            defer {
                first += 1
                if first == waiting.count { (waiting, first) = ([], 0) }
            }
            return waiting[first]
        }
    }

    /// Deliveries held for each place in flight.
    private static let depth = 8
    private static let mostHeld = 8_192
    /// Lines of origins that are at rest are given up beyond so many.
    private static let mostLines = 4_096

    private let limits: OriginLimits
    /// How long an exchange may take: what would outlast its lease is given back.
    private let patience: Timestamp.Span
    private var lines: [Int64: Line] = [:]
    private var underWay: [Int64: ClaimedDelivery] = [:]
    private var held = 0

    init(_ limits: OriginLimits, patience: Timestamp.Span) {
        self.limits = limits
        self.patience = patience
    }

    var inFlight: Int { underWay.count }

    // MARK: Claiming

    /// Whether a claim is worth its while: there is room, and an origin with news or about to run dry.
    func wantsMore(of origin: Int64) -> Bool {
        guard held < DeliveryDesk.mostHeld, let line = lines[origin] else { return false }
        return line.mayHaveMore && line.count <= mostWaiting / 2
    }

    /// What to ask for, and when an origin that is held up takes more.
    ///
    /// Origins that have enough are left out, so that what is due there hides nothing.
    mutating func wishes(at now: Timestamp, lease: Timestamp.Span) -> (DeliveryWishes, resumes: Timestamp?) {
        var wishes = DeliveryWishes(
            limit: DeliveryDesk.mostHeld - held, limitOfOrigin: mostWaiting, leaseEnds: now + lease, now: now)
        var resumes: Timestamp?
        for origin in Array(lines.keys) {
            guard var line = lines[origin] else { continue }
            let pause = line.pause(at: now)
            if let pause { resumes = min(resumes ?? pause, pause) }
            // A claim is not worth its while for a few.
            let room = pause != nil || line.count > mostWaiting / 2 ? 0 : mostWaiting - line.count
            line.mayHaveMore = room == 0
            lines[origin] = line
            wishes.room[origin] = room
        }
        return (wishes, resumes)
    }

    private var mostWaiting: Int { limits.inFlight * DeliveryDesk.depth }

    mutating func take(_ claimed: [ClaimedDelivery], at now: Timestamp) {
        for delivery in claimed {
            lines[delivery.origin, default: Line(gate: OriginGate(limits, at: now), mayHaveMore: false)].waiting.append(delivery)
        }
        held += claimed.count
        for origin in Set(claimed.map(\.origin)) {
            guard let line = lines[origin] else { continue }
            if line.count >= mostWaiting { lines[origin]?.mayHaveMore = true }
        }
    }

    // MARK: Sending

    struct Start {
        var send: [ClaimedDelivery] = []
        /// What waited so long that its lease might end first.
        var giveBack: [DeliveryOutcome] = []
        /// When an origin that is held up takes more.
        var resumes: Timestamp?
    }

    /// Takes what may be sent now from the lines of some origins.
    mutating func start(_ origins: some Sequence<Int64>, at now: Timestamp) -> Start {
        var start = Start()
        for origin in origins { self.start(origin, at: now, &start) }
        return start
    }

    mutating func startAll(at now: Timestamp) -> Start {
        start(Array(lines.keys), at: now)
    }

    private mutating func start(_ origin: Int64, at now: Timestamp, _ start: inout Start) {
        guard var line = lines[origin] else { return }
        // Out of the table while it changes, so that its list is not copied.
        lines[origin] = nil
        defer { lines[origin] = line }
        while line.count > 0 {
            if line.waiting[line.first].leaseEnds < now + patience {
                start.giveBack.append(DeliveryOutcome(line.take(), .returned(due: now), nil))
                held -= 1
                continue
            }
            switch line.gate.admit(at: now) {
            case .go:
                let delivery = line.take()
                held -= 1
                underWay[delivery.id] = delivery
                start.send.append(delivery)
            case .full: return
            case .wait(let until):
                start.resumes = min(start.resumes ?? until, until)
                return
            }
        }
    }

    /// An exchange is over: answers what it was about.
    mutating func ended(_ id: Int64, _ report: OriginReport, at now: Timestamp) -> ClaimedDelivery? {
        guard let delivery = underWay.removeValue(forKey: id) else { return nil }
        lines[delivery.origin]?.gate.ended(report, at: now)
        return delivery
    }

    /// Gives up the lines of origins that have nothing to do and nothing to remember.
    mutating func tidy(at now: Timestamp) {
        guard lines.count > DeliveryDesk.mostLines else { return }
        lines = lines.filter { _, line in
            var gate = line.gate
            return line.count > 0 || gate.inFlight > 0 || gate.room(at: now) < limits.inFlight
        }
    }

    /// Everything that is held and not under way, at the end.
    mutating func giveBackAll(at now: Timestamp) -> [DeliveryOutcome] {
        let waiting = lines.values.flatMap { $0.waiting[$0.first...] }
        lines = [:]
        held = 0
        return waiting.map { DeliveryOutcome($0, .returned(due: now), nil) }
    }
}
