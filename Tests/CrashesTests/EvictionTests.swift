// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import TestSupport
import Testing

struct EvictionTests {
    @Test(arguments: [(99, 100, 0), (100, 100, 0), (101, 100, 5), (130, 100, 30), (10_001, 10_000, 500), (50_000, 10_000, 500), (5, 0, 5)])
    func `a run deletes the excess or a twentieth, within the limit`(stored: Int, quota: Int, run: Int) {
        #expect(Eviction.run(stored: stored, quota: quota) == run)
    }

    @Test func `the first, state-changing and rare payloads stay`() {
        #expect(Eviction.isKept(isFirst: true, transition: nil, stored: 5_000))
        #expect(Eviction.isKept(isFirst: false, transition: .regressed, stored: 5_000))
        #expect(Eviction.isKept(isFirst: false, transition: nil, stored: 9))
        #expect(!Eviction.isKept(isFirst: false, transition: nil, stored: 10))
    }

    @Test func `each lower irrelevance level is half as frequent`() {
        var generator = SeededGenerator(6)
        var counts: [Int: Int] = [:]
        for _ in 0..<64_000 { counts[Eviction.irrelevance(stored: 1_000, using: &generator), default: 0] += 1 }
        #expect(counts.keys.max() == 10)
        for (level, expected) in [(10, 32_000), (9, 16_000), (8, 8_000)] {
            #expect(abs(counts[level, default: 0] - expected) < expected / 20)
        }
    }

    @Test func `a rare issue keeps all payloads beside a frequent one`() {
        var generator = SeededGenerator(7)
        var stored: [String: [Int]] = [:]
        for i in 0..<20_000 {
            let issue = i % 400 == 0 ? "rare" : "frequent"
            stored[issue, default: []].append(Eviction.irrelevance(stored: stored[issue]?.count ?? 0, using: &generator))
            let going = Eviction.run(stored: stored.values.reduce(0) { $0 + $1.count }, quota: 1_000)
            guard going > 0, case let all = stored.values.joined().sorted() else { continue }
            let least = all[all.count - going]
            stored["frequent"] = stored["frequent"]?.filter { $0 < least }
            stored["rare"] = stored["rare"]?.filter { $0 < least }
        }
        #expect((stored["rare"]?.count ?? 0) >= 25)
    }

    @Test func `age bands have no gaps and grow fourfold`() {
        let now = Timestamp(milliseconds: 1_800_000_000_000)
        let bands = Eviction.bands(at: now)
        #expect(bands.map(\.weight) == Array(0..<bands.count) && bands.count == 10)
        #expect(zip(bands, bands.dropFirst()).allSatisfy { $0.from == $1.to })
        #expect(bands[0].from == now - .hours(1) && bands[2].from == now - .hours(16))
        #expect(bands.last?.from == Timestamp(milliseconds: .min))
    }
}
