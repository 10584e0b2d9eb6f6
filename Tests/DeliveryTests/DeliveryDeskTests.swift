// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import TestSupport
import Testing

@testable import Delivery

struct DeliveryDeskTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func desk(_ inFlight: Int = 4, perSecond: Int = 0, maxInFlight: Int = 100) -> DeliveryDesk {
        var limits = OriginLimits()
        (limits.inFlight, limits.perSecond) = (inFlight, perSecond)
        return DeliveryDesk(limits, maxInFlight: maxInFlight, exchangeTimeout: .seconds(20))
    }

    private func deliveries(_ ids: ClosedRange<Int64>, origin: Int64 = 1, leaseEnds: Timestamp? = nil) -> [ClaimedDelivery] {
        ids.map { ClaimedDelivery(id: $0, origin: origin, leaseEnds: leaseEnds ?? start + .minutes(2)) }
    }

    /// Queues claimed deliveries and starts them. Returns those to send.
    private func take(_ claimed: [ClaimedDelivery], _ desk: inout DeliveryDesk, at now: Timestamp) -> [Int64] {
        let (claimRequest, _) = desk.claimRequest(at: now, lease: .minutes(2))
        desk.take(claimed, claimRequest, at: now)
        return desk.start(at: now).send.map(\.id)
    }

    // Expectations cannot mutate their operands.

    private func asked(of desk: inout DeliveryDesk, at now: Timestamp) -> ClaimRequest { desk.claimRequest(at: now, lease: .minutes(2)).0 }
    private func wantsMore(_ desk: inout DeliveryDesk, at now: Timestamp? = nil) -> Bool { desk.wantsMore(of: 1, at: now ?? start) }
    private func go(_ desk: inout DeliveryDesk, at now: Timestamp) -> DeliveryDesk.Start { desk.start(at: now) }
    private func close(_ desk: inout DeliveryDesk) -> [DeliveryOutcome] { desk.close(at: start) }
    private func end(_ id: Int64, _ report: OriginReport?, _ desk: inout DeliveryDesk, at now: Timestamp) -> ClaimedDelivery? {
        desk.ended(id, report, at: now)
    }

    @Test func `deliveries go up to the limit, then one per end`() {
        var desk = desk(4)
        #expect(take(deliveries(1...6), &desk, at: start) == [1, 2, 3, 4])
        #expect(desk.inFlight == 4 && desk.held == 2)
        #expect(end(2, .responded, &desk, at: start)?.id == 2 && end(2, .responded, &desk, at: start) == nil)
        #expect(go(&desk, at: start).send.map(\.id) == [5] && desk.inFlight == 4 && desk.held == 1)
    }

    @Test func `few deliveries of an unknown origin are claimed, a second's worth of a fast one`() {
        var desk = desk(64)
        var claimRequest = desk.claimRequest(at: start, lease: .minutes(2)).0
        #expect(claimRequest.limitPerOrigin == 8 && claimRequest.capacity == [:] && claimRequest.limit == 8_192)
        #expect(take(deliveries(1...8), &desk, at: start).count == 8)
        #expect(asked(of: &desk, at: start).capacity == [1: 0])
        for id: Int64 in 1...8 { _ = desk.ended(id, .responded, at: start) }
        claimRequest = desk.claimRequest(at: start, lease: .minutes(2)).0
        #expect(claimRequest.capacity == [1: 16 + 8])
        #expect(asked(of: &desk, at: start + .hours(1)).capacity == [1: 16 + 8])
    }

    @Test func `a claim is due only with capacity and possible deliveries`() {
        var desk = desk(4)
        #expect(!wantsMore(&desk))
        #expect(take(deliveries(1...4), &desk, at: start).count == 4)
        #expect(!wantsMore(&desk))
        for id: Int64 in 1...2 { _ = desk.ended(id, .responded, at: start) }
        #expect(wantsMore(&desk))
        // The queue had none, and signals new ones.
        _ = take([], &desk, at: start)
        #expect(!wantsMore(&desk))
    }

    @Test func `an excluded origin is claimed again even if all its exchanges end first`() {
        var desk = desk(64)
        #expect(take(deliveries(1...8), &desk, at: start).count == 8)
        for id: Int64 in 1...8 { _ = desk.ended(id, .responded, at: start) }
        // The capacity was 24, so the queue had no more.
        #expect(take(deliveries(9...30), &desk, at: start).count == 16)
        let (claimRequest, _) = desk.claimRequest(at: start, lease: .minutes(2))
        #expect(claimRequest.capacity == [1: 0])
        for id: Int64 in 9...30 {
            _ = desk.ended(id, .responded, at: start)
            _ = desk.start(at: start)
        }
        #expect(desk.inFlight == 0 && wantsMore(&desk))
        desk.take([], claimRequest, at: start)
        #expect(wantsMore(&desk))
    }

    @Test func `a claim reports when a paused origin resumes`() {
        var desk = desk(8)
        #expect(take(deliveries(1...5), &desk, at: start).count == 5)
        for id: Int64 in 1...5 { _ = desk.ended(id, .unreachable, at: start) }
        let later = start + .seconds(10)
        #expect(take(deliveries(6...6), &desk, at: later) == [6])
        #expect(asked(of: &desk, at: later).capacity == [1: 0])
        _ = desk.ended(6, .unreachable, at: later)
        #expect(go(&desk, at: later).resumes == nil && wantsMore(&desk, at: later))
        #expect(desk.claimRequest(at: later, lease: .minutes(2)).resumes == later + .seconds(20))
    }

    @Test func `returned deliveries have a due time`() {
        var desk = desk(8, maxInFlight: 4)
        #expect(take(deliveries(1...4), &desk, at: start) == [1, 2, 3])
        let (claimRequest, _) = desk.claimRequest(at: start, lease: .minutes(2))
        desk.take(deliveries(5...5, origin: 2), claimRequest, at: start)
        let without = desk.start(at: start)
        #expect(without.returned.map(\.id) == [5] && without.resumes == start + .seconds(5))
    }

    @Test func `a full origin is excluded from a claim`() {
        var desk = desk(2)
        #expect(take(deliveries(1...10), &desk, at: start) == [1, 2])
        #expect(asked(of: &desk, at: start).capacity == [1: 0])
    }

    @Test func `origins take turns`() {
        var desk = desk(64, maxInFlight: 8)
        for origin: Int64 in 1...3 {
            #expect(take(deliveries(900...900, origin: origin), &desk, at: start) == [900])
            _ = desk.ended(900, .responded, at: start)
        }
        let claimed = deliveries(1...40) + deliveries(101...102, origin: 2) + deliveries(201...202, origin: 3)
        #expect(take(claimed, &desk, at: start) == Array(1...8))
        for id: Int64 in 1...8 { _ = desk.ended(id, .responded, at: start) }
        #expect(go(&desk, at: start).send.map(\.id) == [101, 102, 201, 202] + Array(9...12))
    }

    @Test func `a quarter of the capacity is reserved for prompt origins`() {
        var desk = desk(8, maxInFlight: 40)
        #expect(take(deliveries(1...1), &desk, at: start) == [1] && end(1, .responded, &desk, at: start) != nil)
        let hanging = (1...10).flatMap { (origin: Int64) in deliveries(100 * origin...100 * origin + 7, origin: 100 + origin) }
        #expect(take(hanging, &desk, at: start).count == 30)
        #expect(take(deliveries(2...9), &desk, at: start) == Array(2...9) && desk.inFlight == 38)
        #expect(desk.held == 0)
    }

    @Test func `deliveries without reserved capacity are returned for seconds`() {
        var desk = desk(8, maxInFlight: 4)
        #expect(take(deliveries(1...4), &desk, at: start) == [1, 2, 3])
        let later = start + .seconds(5)
        let (claimRequest, _) = desk.claimRequest(at: later, lease: .minutes(2))
        desk.take(deliveries(4...4), claimRequest, at: later)
        let without = desk.start(at: later)
        #expect(without.send.isEmpty && without.returned.map(\.verdict) == [.returned(due: later + .seconds(5))])
        #expect(end(1, .late(.seconds(14)), &desk, at: start + .seconds(5)) != nil)
        #expect(take(deliveries(5...5, origin: 2), &desk, at: start + .seconds(5)) == [5])
    }

    @Test func `deliveries of a down origin are returned until a probe`() throws {
        var desk = desk(8)
        #expect(take(deliveries(1...30), &desk, at: start).count == 8)
        for id: Int64 in 1...5 { _ = desk.ended(id, .unreachable, at: start) }
        let rest = desk.start(at: start)
        let until = start + .seconds(10)
        #expect(rest.send.isEmpty && rest.returned.map(\.id) == Array(9...30))
        #expect(rest.returned.allSatisfy { $0.verdict == .returned(due: until) && $0.record == nil })
        #expect(desk.held == 0 && desk.brokenOrigins == 1)
        for id: Int64 in 6...8 { _ = desk.ended(id, .unreachable, at: start) }
        let (claimRequest, resumes) = desk.claimRequest(at: start, lease: .minutes(2))
        #expect(claimRequest.capacity == [1: 0] && resumes == until)
        // Without anything in flight or held.
        #expect(desk.inFlight == 0 && asked(of: &desk, at: until).capacity == [1: 1])
        #expect(take(deliveries(9...10, leaseEnds: until + .minutes(2)), &desk, at: until) == [9])
        _ = desk.ended(9, .responded, at: until)
        #expect(go(&desk, at: until).send.map(\.id) == [10] && desk.brokenOrigins == 0)
    }

    @Test func `an origin with a short pause keeps its deliveries`() {
        var desk = desk(4)
        #expect(take(deliveries(1...6), &desk, at: start).count == 4)
        let until = start + .seconds(3)
        for id: Int64 in 1...4 { _ = desk.ended(id, .slowDown(until: until), at: start) }
        let rest = desk.start(at: start)
        #expect(rest.send.isEmpty && rest.returned.isEmpty && rest.resumes == until)
        #expect(go(&desk, at: until).send.map(\.id) == [5, 6])
    }

    @Test func `an origin with a long pause returns its deliveries`() {
        var desk = desk(4)
        #expect(take(deliveries(1...6), &desk, at: start).count == 4)
        _ = desk.ended(1, .slowDown(until: start + .hours(5)), at: start)
        let rest = desk.start(at: start)
        #expect(rest.returned.map(\.id) == [5, 6] && rest.returned.allSatisfy { $0.verdict == .returned(due: start + .minutes(10)) })
    }

    @Test func `a rate limit holds, and a second's worth is claimed`() {
        var desk = desk(64, perSecond: 3)
        #expect(take(deliveries(1...8), &desk, at: start) == [1, 2, 3])
        for id: Int64 in 1...3 { _ = desk.ended(id, .responded, at: start) }
        let rest = desk.start(at: start)
        #expect(rest.send.isEmpty && rest.returned.isEmpty && rest.resumes == start + .seconds(1))
        let later = start + .seconds(1)
        #expect(go(&desk, at: later).send.map(\.id) == [4, 5, 6])
        _ = desk.ended(4, .responded, at: later)
        #expect(asked(of: &desk, at: later).capacity == [1: 0])
    }

    @Test func `a delivery that would outlast its lease is returned`() {
        var desk = desk(1)
        #expect(take(deliveries(1...3), &desk, at: start) == [1])
        let late = start + .milliseconds(100_001)
        _ = desk.ended(1, .responded, at: late)
        let rest = desk.start(at: late)
        #expect(rest.send.isEmpty && rest.returned.map(\.id) == [2, 3] && rest.returned.allSatisfy { $0.verdict == .returned(due: late) })
    }

    @Test func `a delivery claimed again in flight is sent once and recorded under the new claim`() {
        var desk = desk(4)
        #expect(take(deliveries(1...1), &desk, at: start) == [1])
        var again = deliveries(1...1)
        again[0].claim = 2
        #expect(take(again, &desk, at: start).isEmpty)
        #expect(end(1, .responded, &desk, at: start)?.claim == 2 && desk.inFlight == 0)
    }

    @Test func `a withdrawn delivery does not count`() {
        var desk = desk(8)
        #expect(take(deliveries(1...8), &desk, at: start).count == 8)
        for id: Int64 in 1...8 { _ = desk.ended(id, nil, at: start) }
        #expect(desk.inFlight == 0 && desk.brokenOrigins == 0)
        #expect(take(deliveries(11...18), &desk, at: start).count == 8)
    }

    @Test func `a withdrawn probe leaves the probe to the next`() {
        var desk = desk(8)
        #expect(take(deliveries(1...5), &desk, at: start).count == 5)
        for id: Int64 in 1...5 { _ = desk.ended(id, .unreachable, at: start) }
        let later = start + .seconds(10)
        #expect(take(deliveries(6...6), &desk, at: later) == [6])
        _ = desk.ended(6, nil, at: later)
        #expect(desk.brokenOrigins == 1 && take(deliveries(7...7), &desk, at: later) == [7])
    }

    @Test func `at the limit a claim waits until an outcome is recorded`() {
        var desk = desk(64)
        let most = Int64(DeliveryDesk.maxHeld)
        #expect(take(deliveries(1...most), &desk, at: start).count == 8)
        #expect(asked(of: &desk, at: start).limit == 8)
        _ = take(deliveries(most + 1...most + 8), &desk, at: start)
        #expect(asked(of: &desk, at: start).limit == 0)
        _ = desk.ended(1, .responded, at: start)
        #expect(go(&desk, at: start).send.map(\.id) == [9, 10] && asked(of: &desk, at: start).limit == 1)
        _ = take(deliveries(most + 9...most + 9), &desk, at: start)
        #expect(asked(of: &desk, at: start).limit == 0)
        let isAwaited = desk.recorded(1)
        #expect(isAwaited && asked(of: &desk, at: start).limit == 1)
    }

    @Test func `a closed desk sends nothing and returns everything`() {
        var desk = desk(2)
        #expect(take(deliveries(1...5), &desk, at: start) == [1, 2])
        let (claimRequest, _) = desk.claimRequest(at: start, lease: .minutes(2))
        #expect(close(&desk).map(\.id) == [3, 4, 5])
        desk.take(deliveries(6...7), claimRequest, at: start)
        let late = desk.start(at: start)
        #expect(late.send.isEmpty && late.returned.map(\.id) == [6, 7])
        _ = desk.ended(1, .responded, at: start)
        #expect(go(&desk, at: start).send.isEmpty && asked(of: &desk, at: start).limit == 0 && desk.inFlight == 1)
    }

    @Test func `setting the clock back delays nothing`() {
        var desk = desk(4)
        #expect(take(deliveries(1...6, leaseEnds: start + .hours(2)), &desk, at: start + .hours(1)).count == 4)
        for id: Int64 in 1...4 { _ = desk.ended(id, .slowDown(until: start + .hours(1) + .seconds(3)), at: start + .hours(1)) }
        _ = desk.start(at: start + .hours(1))
        #expect(go(&desk, at: start).send.map(\.id) == [5, 6])
    }

    @Test func `idle origins are removed`() {
        var desk = desk(4, maxInFlight: 1_000)
        for first in stride(from: Int64(1), to: 5_000, by: 250) {
            let origins = first..<first + 250
            let claimed = origins.map { ClaimedDelivery(id: $0, origin: $0, leaseEnds: start + .minutes(2)) }
            #expect(take(claimed, &desk, at: start).count == 250)
            for origin in origins { _ = desk.ended(origin, .responded, at: start) }
        }
        #expect(asked(of: &desk, at: start).capacity.count <= DeliveryDesk.maxQueues)
    }

    @Test func `a requested pause survives the removal of idle origins`() {
        var desk = desk(4, maxInFlight: 8_000)
        let others = (Int64(1)...6_000).map { ClaimedDelivery(id: $0, origin: $0, leaseEnds: start + .minutes(2)) }
        #expect(take(others, &desk, at: start).count == 6_000)
        for origin in Int64(1)...6_000 {
            _ = desk.ended(origin, origin == 1 ? .slowDown(until: start + .minutes(5)) : .responded, at: start)
        }
        #expect(asked(of: &desk, at: start).capacity == [1: 0])
        #expect(asked(of: &desk, at: start + .minutes(5)).capacity[1] ?? 0 > 0)
    }
}

extension ClaimedDelivery {
    init(id: Int64, origin: Int64, leaseEnds: Timestamp, claim: Int64 = 1, attempt: Int = 1) {
        self.init(
            id: id, claim: claim, webhookID: "msg_\(id)", message: 1, registration: id, origin: origin, attempt: attempt, url: "http://127.0.0.1/",
            token: "token-\(id)", keys: [], expires: leaseEnds + .days(1), leaseEnds: leaseEnds)
    }
}
