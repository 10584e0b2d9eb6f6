// SPDX-License-Identifier: Apache-2.0

import Delivery
import Platform
import TestSupport
import Testing

struct OriginGateTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func gate(_ inFlight: Int = 8, perSecond: Int = 0) -> OriginGate {
        var limits = OriginLimits()
        limits.inFlight = inFlight
        limits.perSecond = perSecond
        return OriginGate(limits, at: start)
    }

    /// Admits one delivery and ends it.
    private func exchange(_ gate: inout OriginGate, _ report: OriginReport, at now: Timestamp) {
        #expect(gate.admit(at: now) == .go)
        gate.ended(report, at: now)
    }

    private func rest(_ gate: inout OriginGate, at now: Timestamp) -> Timestamp? { gate.rest(at: now) }

    /// Returns the number of deliveries admitted before the gate is full.
    private func fill(_ gate: inout OriginGate, at now: Timestamp) -> Int {
        var count = 0
        while gate.admit(at: now) == .go { count += 1 }
        return count
    }

    @Test func `the limit in flight holds, and each end frees a place`() {
        var gate = gate(3)
        #expect(gate.capacity(at: start) == 3 && fill(&gate, at: start) == 3)
        #expect(gate.admit(at: start) == .full && gate.capacity(at: start) == 0 && gate.inFlight == 3)
        gate.ended(.responded, at: start)
        #expect(gate.capacity(at: start) == 1 && gate.admit(at: start) == .go && gate.admit(at: start) == .full)
    }

    @Test func `the limit starts low and grows with each response`() {
        var usual = OriginGate(at: start)
        #expect(fill(&usual, at: start) == 8)
        for more in 1...100 {
            usual.ended(.responded, at: start)
            #expect(fill(&usual, at: start) == (more <= 56 ? 2 : 1))
        }
        #expect(usual.inFlight == 64)
        var least = gate(-5)
        #expect(fill(&least, at: start) == 1)
    }

    @Test(arguments: [(1_001, 8), (2_500, 6), (8_000, 2), (14_000, 1), (60_000, 1)])
    func `late responses lower the limit`(took: Int64, places: Int) {
        var gate = OriginGate(at: start)
        for _ in 1...60 { exchange(&gate, .late(.init(milliseconds: took)), at: start) }
        #expect(fill(&gate, at: start) == places)
        for _ in 1...60 {
            gate.ended(.responded, at: start)
            #expect(gate.admit(at: start) == .go)
        }
        #expect(fill(&gate, at: start) > 50)
        // Late responses: one place less each.
        for _ in 0..<gate.inFlight { gate.ended(.late(.init(milliseconds: took)), at: start) }
        for _ in 1...64 { exchange(&gate, .late(.init(milliseconds: took)), at: start) }
        #expect(fill(&gate, at: start) == (took == 1_001 ? 15 : places))
    }

    @Test func `a rate limit holds`() {
        var gate = gate(8, perSecond: 4)
        #expect(gate.capacity(at: start) == 4 && fill(&gate, at: start) == 4)
        #expect(gate.admit(at: start) == .wait(until: start + .seconds(1)) && gate.capacity(at: start) == 0)
        #expect(rest(&gate, at: start) == start + .seconds(1))
        #expect(gate.capacity(at: start + .seconds(1)) == 4 && fill(&gate, at: start + .seconds(1)) == 4 && gate.inFlight == 8)
    }

    @Test func `a withdrawn delivery does not count, and the next is the probe`() {
        var gate = gate()
        for _ in 1...4 { exchange(&gate, .unreachable, at: start) }
        #expect(gate.admit(at: start) == .go)
        gate.withdrawn(at: start)
        #expect(gate.isTrusted && rest(&gate, at: start) == nil)
        exchange(&gate, .unreachable, at: start)
        #expect(!gate.isTrusted && rest(&gate, at: start) == start + .seconds(10))
        let later = start + .seconds(10)
        #expect(rest(&gate, at: later) == nil && gate.admit(at: later) == .go)
        gate.withdrawn(at: later)
        #expect(!gate.isTrusted && gate.admit(at: later) == .go && gate.admit(at: later) == .full)
    }

    @Test func `five failures to connect in a row open the breaker`() {
        var gate = gate()
        for _ in 1...4 { exchange(&gate, .unreachable, at: start) }
        exchange(&gate, .responded, at: start)
        for _ in 1...5 { exchange(&gate, .unreachable, at: start) }
        #expect(gate.admit(at: start) == .wait(until: start + .seconds(10)) && gate.capacity(at: start) == 0)
    }

    @Test(arguments: [(7, 3, true), (6, 4, false), (9, 0, false), (10, 0, true), (69, 31, false), (70, 30, true)])
    func `seven failures of at least ten open the breaker`(failures: Int, answers: Int, isOpen: Bool) {
        var gate = gate()
        for _ in 0..<answers { exchange(&gate, .responded, at: start) }
        for _ in 0..<failures { exchange(&gate, .failed, at: start) }
        #expect((gate.admit(at: start) != .go) == isOpen)
    }

    @Test func `failures older than a minute do not count`() {
        var gate = gate()
        for second: Int64 in 0..<9 { exchange(&gate, .failed, at: start + .seconds(second)) }
        for second: Int64 in 60..<69 { exchange(&gate, .failed, at: start + .seconds(second)) }
        #expect(gate.capacity(at: start + .seconds(69)) == 8)
        exchange(&gate, .failed, at: start + .seconds(69))
        #expect(gate.capacity(at: start + .seconds(69)) == 0)
    }

    @Test func `each pause ends with a probe and doubles up to ten minutes`() {
        var gate = gate()
        var now = start
        for _ in 1...5 { exchange(&gate, .unreachable, at: now) }
        for pause: Int64 in [10, 20, 40, 80, 160, 320, 600, 600] {
            #expect(gate.admit(at: now + .init(milliseconds: pause * 1_000 - 1)) == .wait(until: now + .seconds(pause)))
            now = now + .seconds(pause)
            #expect(gate.capacity(at: now) == 1 && gate.admit(at: now) == .go && gate.admit(at: now) == .full && gate.capacity(at: now) == 0)
            gate.ended(.failed, at: now)
        }
    }

    @Test(arguments: [OriginReport.responded, .slowDown(until: Timestamp(milliseconds: 0))])
    func `a response closes the breaker with a low limit`(report: OriginReport) {
        var gate = gate(4)
        for _ in 1...5 { exchange(&gate, .unreachable, at: start) }
        let later = start + .seconds(10)
        exchange(&gate, report, at: later)
        let first = report == .responded ? 2 : 1
        #expect(fill(&gate, at: later) == first)
        for _ in 0..<first { gate.ended(.responded, at: later) }
        #expect(fill(&gate, at: later) == min(first * 2, 4))
    }

    @Test func `closing the breaker resets its counts`() {
        var gate = gate()
        for _ in 1...10 { exchange(&gate, .failed, at: start) }
        for second: Int64 in 10..<19 { exchange(&gate, second == 10 ? .responded : .failed, at: start + .seconds(second)) }
        #expect(gate.capacity(at: start + .seconds(19)) > 0)
    }

    @Test func `earlier exchanges end before a probe goes`() {
        var gate = gate(8)
        #expect(fill(&gate, at: start) == 8)
        for _ in 1...5 { gate.ended(.unreachable, at: start) }
        let later = start + .seconds(10)
        #expect(gate.admit(at: later) == .full)
        gate.ended(.responded, at: later)
        gate.ended(.unreachable, at: later)
        #expect(gate.admit(at: later) == .full)
        gate.ended(.responded, at: later)
        #expect(gate.inFlight == 0 && gate.admit(at: later) == .go && gate.admit(at: later) == .full)
    }

    @Test func `a slow-down request pauses the origin and halves its limit`() {
        var gate = gate(8)
        #expect(fill(&gate, at: start) == 8)
        gate.ended(.slowDown(until: start + .seconds(30)), at: start)
        gate.ended(.slowDown(until: start + .seconds(60)), at: start)
        for _ in 1...6 { gate.ended(.slowDown(until: start + .seconds(10)), at: start) }
        #expect(gate.admit(at: start + .seconds(59)) == .wait(until: start + .seconds(60)))
        #expect(fill(&gate, at: start + .seconds(60)) == 4)
        for _ in 1...4 { gate.ended(.responded, at: start + .seconds(61)) }
        #expect(fill(&gate, at: start + .seconds(61)) == 8)
    }

    @Test func `a pause is at most ten minutes even if the clock changes`() {
        var gate = gate()
        exchange(&gate, .slowDown(until: start + .days(1)), at: start)
        #expect(gate.admit(at: start) == .wait(until: start + .minutes(10)))
        #expect(gate.capacity(at: start - .days(1)) > 0)
        exchange(&gate, .responded, at: start + .minutes(10))
    }

    @Test(arguments: 0..<40) func `on random walks the limit holds, the capacity is exact and progress is made`(seed: UInt64) {
        var random = SeededGenerator(seed)
        let (cap, perSecond) = (Int.random(in: 1...20, using: &random), [0, 1, 30].randomElement(using: &random) ?? 0)
        var gate = gate(cap, perSecond: perSecond)
        var now = start
        var inFlight = 0
        let reports: [OriginReport] = [.responded, .responded, .late(.seconds(3)), .failed, .unreachable, .slowDown(until: start)]
        for step in 0..<3_000 {
            now = now + .init(milliseconds: Int64.random(in: -200...2_000, using: &random))
            if inFlight > 0, Bool.random(using: &random) {
                var report = reports.randomElement(using: &random) ?? .responded
                if case .slowDown = report { report = .slowDown(until: now + .seconds(Int64.random(in: -5...900, using: &random))) }
                gate.ended(report, at: now)
                inFlight -= 1
            } else {
                let capacity = gate.capacity(at: now)
                let admission = gate.admit(at: now)
                #expect((capacity > 0) == (admission == .go) && capacity <= cap - inFlight)
                if admission == .go { inFlight += 1 }
                if case .wait(let until) = admission { #expect(until > now && until <= now + .minutes(10)) }
                if admission == .full { #expect(inFlight > 0) }
            }
            #expect(gate.inFlight == inFlight && inFlight <= cap)
            guard step.isMultiple(of: 500) else { continue }
            var ending = gate
            for _ in 0..<inFlight { ending.ended(.unreachable, at: now) }
            #expect(ending.admit(at: now + .minutes(10)) == .go)
        }
    }
}
