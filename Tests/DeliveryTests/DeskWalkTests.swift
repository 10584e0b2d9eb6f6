// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import TestSupport
import Testing

@testable import Delivery
@testable import AcrossStores
@testable import Analytics
@testable import AppDirectory
@testable import CrashStore
@testable import Database
@testable import EventStore
@testable import MessageStore

/// A minimal model of the queue, and a desk that runs through random operations with it.
///
/// As in the sender, a claim needs a signal or a due time, so a lost wake-up leaves a delivery behind.
private struct Walk {
    enum Place: Equatable {
        case due(Timestamp)
        case claimed(by: Int64, until: Timestamp)
        case done
    }

    var random: SeededGenerator
    var now = Timestamp(milliseconds: 1_800_000_000_000)
    var desk: DeliveryDesk
    let limits: OriginLimits
    let maxInFlight: Int
    let mostOrigins: Int64
    /// Indexed by ID − 1.
    var places: [Place] = []
    var open: [Int64] = []
    var origins: [Int64: Int64] = [:]
    var underWay: Set<Int64> = []
    var claims: Int64 = 0
    /// The due times that the queue knows, and the outcomes not recorded yet.
    let due = DueOrigins()
    var unrecorded: [DeliveryOutcome] = []
    var isRung = true
    /// A monotonic time.
    var alarm: Timestamp?
    var elapsed = Timestamp(milliseconds: 0)
    var problems: Set<String> = []

    init(seed: UInt64) {
        random = SeededGenerator(seed)
        var limits = OriginLimits()
        limits.inFlight = Int.random(in: 1...20, using: &random)
        limits.perSecond = [0, 0, 2, 50].randomElement(using: &random) ?? 0
        self.limits = limits
        maxInFlight = Int.random(in: 1...60, using: &random)
        mostOrigins = [1, 2, 9].randomElement(using: &random) ?? 1
        desk = DeliveryDesk(limits, maxInFlight: maxInFlight, exchangeTimeout: .seconds(20))
    }

    mutating func publish(_ count: Int) {
        for _ in 0..<count {
            places.append(.due(now))
            let id = Int64(places.count)
            open.append(id)
            let origin = Int64.random(in: 1...mostOrigins, using: &random)
            origins[id] = origin
            isDue(origin, at: now)
        }
    }

    mutating func pass(_ span: Timestamp.Span) {
        now = now + span
        elapsed = elapsed + max(span, .seconds(0))
    }

    // MARK: Claiming

    /// The queue signals a delivery that is due earlier than stated.
    private mutating func isDue(_ origin: Int64, at time: Timestamp) {
        if due.add(origin, due: time.milliseconds), time.milliseconds < due.announced { isRung = true }
    }

    mutating func claimIfRung() {
        guard isRung || alarm.map({ $0 <= elapsed }) ?? false else { return }
        isRung = false
        let (claimRequest, resumes) = desk.claimRequest(at: now, lease: .minutes(2))
        // Exchanges end and outcomes are recorded while a claim is under way.
        endSome()
        let claimed = claimRequest.limit > 0 ? claim(claimRequest) : ClaimedDeliveries([], nextDue: nil)
        endSome()
        desk.take(claimed.deliveries, claimRequest, at: now)
        let start = desk.start(at: now)
        carryOut(start)
        if claimRequest.limit > 0, claimed.deliveries.count == claimRequest.limit { isRung = true }
        let next = [claimed.nextDue, resumes, start.resumes].compactMap { $0 }.min()
        alarm = next.map { elapsed + min(max($0 - now, .milliseconds(1)), .seconds(10)) }
    }

    private mutating func endSome() {
        let count = [0, 0, underWay.count, Int.random(in: 0...underWay.count, using: &random)].randomElement(using: &random) ?? 0
        end((0..<count).map { _ in .responded })
        if Bool.random(using: &random) { tell() }
    }

    /// Claims free deliveries, as the stores do.
    private mutating func claim(_ claimRequest: ClaimRequest) -> ClaimedDeliveries {
        claims += 1
        open.removeAll { places[Int($0) - 1] == .done }
        return due.claim(claimRequest) { origin, limit in
            let claimed = open.filter { origins[$0] == origin && isFree($0) }.prefix(limit).map {
                ClaimedDelivery(id: $0, origin: origin, leaseEnds: claimRequest.leaseEnds, claim: claims)
            }
            for delivery in claimed { places[Int(delivery.id) - 1] = .claimed(by: claims, until: claimRequest.leaseEnds) }
            return (claimed, open.filter { origins[$0] == origin }.map(freeFrom).min())
        }
    }

    private func freeFrom(_ id: Int64) -> Int64 {
        switch places[Int(id) - 1] {
        case .due(let time), .claimed(_, let time): time.milliseconds
        case .done: .max
        }
    }

    private func isFree(_ id: Int64) -> Bool {
        switch places[Int(id) - 1] {
        case .due(let time): time <= now
        case .claimed(_, let until): until <= now
        default: false
        }
    }

    private mutating func carryOut(_ start: DeliveryDesk.Start) {
        for delivery in start.send {
            check(underWay.insert(delivery.id).inserted, "sent while it is under way")
            check(places[Int(delivery.id) - 1] != .done, "sent though it is done")
            check(delivery.leaseEnds >= now + .seconds(20), "sent though its lease may end first")
        }
        unrecorded += start.returned
        for (origin, count) in Dictionary(grouping: underWay, by: { origins[$0] ?? 0 }).mapValues(\.count) {
            check(count <= limits.inFlight, "\(count) in flight to \(origin)")
        }
        check(underWay.count <= maxInFlight && desk.inFlight == underWay.count, "more in flight than may be")
        check(desk.held >= 0 && desk.held <= DeliveryDesk.maxHeld, "too much is held")
    }

    // MARK: Ending

    /// Ends up to `count` exchanges with random results.
    mutating func end(_ reports: [OriginReport?]) {
        var ended: Set<Int64> = []
        for report in reports {
            guard let id = underWay.randomElement(using: &random) else { break }
            underWay.remove(id)
            guard let delivery = desk.ended(id, report, at: now) else { return check(false, "an end of what was not under way") }
            ended.insert(delivery.origin)
            let verdict: DeliveryVerdict = report == .responded ? .delivered : report == nil ? .returned(due: now) : .retry(at: now + .seconds(5))
            unrecorded.append(DeliveryOutcome(delivery, verdict, nil))
        }
        let start = desk.start(at: now)
        if start.resumes != nil || ended.contains(where: { desk.wantsMore(of: $0, at: now) }) { isRung = true }
        carryOut(start)
    }

    /// Records outcomes. Each counts once, under the newest claim only.
    mutating func tell() {
        for outcome in unrecorded {
            guard case .claimed(let claim, _) = places[Int(outcome.id) - 1], claim == outcome.claim else { continue }
            switch outcome.verdict {
            case .retry(let time), .returned(let time):
                places[Int(outcome.id) - 1] = .due(time)
                isDue(origins[outcome.id] ?? 0, at: time)
            default: places[Int(outcome.id) - 1] = .done
            }
        }
        if desk.recorded(unrecorded.count) { isRung = true }
        unrecorded = []
    }

    mutating func check(_ isSo: Bool, _ problem: String) {
        if !isSo { problems.insert(problem) }
    }

    /// Lets every origin respond: all published deliveries must end.
    mutating func finish() {
        for _ in 0..<4_000 {
            if places.allSatisfy({ $0 == .done }) { break }
            endSome()
            claimIfRung()
            pass(.seconds(2))
        }
        tell()
        check(places.allSatisfy { $0 == .done }, "\(places.count { $0 != .done }) are lost")
        check(desk.held == 0 && desk.inFlight == 0, "something is held in the end")
    }
}

struct DeskWalkTests {
    @Test(arguments: 0..<30) func `on random walks the limits hold, and nothing is sent twice at once or lost`(seed: UInt64) {
        var walk = Walk(seed: seed)
        let reports: [OriginReport?] = [.responded, .responded, .responded, .late(.seconds(5)), .failed, .unreachable, nil]
        for _ in 0..<1_000 {
            switch Int.random(in: 0..<20, using: &walk.random) {
            case 0: walk.publish(Int.random(in: 1...20, using: &walk.random))
            case 1: walk.pass(.milliseconds(Int64.random(in: 0...20_000, using: &walk.random)))
            case 2: walk.pass(.milliseconds(Int64.random(in: -300_000...300_000, using: &walk.random)))
            // Other signals occur too, but not on every walk.
            case 3: if seed.isMultiple(of: 2) { walk.isRung = true }
            case 4..<9: walk.claimIfRung()
            case 9: walk.end([.slowDown(until: walk.now + .seconds(Int64.random(in: -5...900, using: &walk.random)))])
            case 10: walk.end((0..<walk.underWay.count).map { _ in .unreachable })
            case 11..<14: walk.tell()
            default: walk.end([reports.randomElement(using: &walk.random) ?? nil])
            }
        }
        walk.finish()
        #expect(walk.problems == [])
    }

    @Test func `a hundred slow origins do not slow a fast one`() {
        var crowd = Crowd(slow: 100)
        var fast: [Int] = []
        for _ in 0..<40 { fast.append(crowd.second()) }
        // 64 at a time, 50 ms each; the others first respond after 14 s.
        #expect(fast.suffix(10).allSatisfy { $0 >= 1_200 }, "\(fast)")
        #expect(crowd.slowInFlight <= 100)
    }
}

/// Origins with endless due deliveries, in steps of 50 ms: the first responds within one step, the others after 14 s.
private struct Crowd {
    private var desk = DeliveryDesk(OriginLimits(), maxInFlight: 2_000, exchangeTimeout: .seconds(20))
    private var now = Timestamp(milliseconds: 1_800_000_000_000)
    private var ends: [Timestamp: [ClaimedDelivery]] = [:]
    private var lastID: Int64 = 0
    private let origins: ClosedRange<Int64>

    init(slow: Int64) {
        origins = 1...(slow + 1)
    }

    var slowInFlight: Int { ends.values.joined().count { $0.origin > 1 } }

    /// Returns the number of exchanges of the fast origin.
    mutating func second() -> Int {
        var count = 0
        for step in 0..<20 {
            if step.isMultiple(of: 5) { claim() }
            now = now + .milliseconds(50)
            for delivery in ends.removeValue(forKey: now) ?? [] {
                if delivery.origin == 1 { count += 1 }
                _ = desk.ended(delivery.id, delivery.origin == 1 ? .responded : .late(.seconds(14)), at: now)
                _ = desk.recorded(1)
            }
            send()
        }
        return count
    }

    private mutating func claim() {
        let (claimRequest, _) = desk.claimRequest(at: now, lease: .minutes(2))
        var claimed: [ClaimedDelivery] = []
        for origin in origins {
            for _ in 0..<min(claimRequest.capacity[origin] ?? claimRequest.limitPerOrigin, claimRequest.limit - claimed.count) {
                lastID += 1
                claimed.append(ClaimedDelivery(id: lastID, origin: origin, leaseEnds: claimRequest.leaseEnds))
            }
        }
        desk.take(claimed, claimRequest, at: now)
        send()
    }

    private mutating func send() {
        let start = desk.start(at: now)
        _ = desk.recorded(start.returned.count)
        for delivery in start.send { ends[now + .milliseconds(delivery.origin == 1 ? 50 : 14_000), default: []].append(delivery) }
    }
}

extension Timestamp.Span {
    static func milliseconds(_ count: Int64) -> Timestamp.Span { Timestamp.Span(milliseconds: count) }
}
