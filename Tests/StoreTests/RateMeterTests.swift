// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import EventStore
import Testing

@Suite struct RateMeterTests {
    @Test func `the rate is the mean of the last minute`() {
        var meter = RateMeter()
        meter.add(60, at: 1_000)
        meter.add(60, at: 1_030)
        #expect(meter.perSecond(at: 1_030) == 2)
        #expect(meter.perSecond(at: 1_059) == 2)
        #expect(meter.perSecond(at: 1_060) == 1)
        #expect(meter.perSecond(at: 1_090) == 0)
        meter.add(600, at: 1_000)
        #expect(meter.perSecond(at: 1_090) == 0)
        meter.add(6, at: 9_999_999)
        #expect(meter.perSecond(at: 9_999_999) == 0.1)
    }

    @Test func `after a clock step back the rate recovers within a minute`() {
        var meter = RateMeter()
        meter.add(60, at: 4_000_000_000)
        meter.add(120, at: 1_000)
        #expect(meter.perSecond(at: 1_000) == 2)
        meter.add(60, at: 990)
        #expect(meter.perSecond(at: 1_000) == 3)
    }
}
