// SPDX-License-Identifier: Apache-2.0

import Platform
import Synchronization
import TestSupport
import Testing

struct TroubleLogTests {
    private enum Trouble: Error { case diskFull }

    @Test func `each kind of problem is logged once a minute with the number of omitted ones`() {
        let lines = Mutex<[String]>([])
        let clock = ManualClock(Timestamp(milliseconds: 0))
        let log = Log(clock: clock.clock) { line in lines.withLock { $0.append(String(decoding: line.dropFirst(30), as: UTF8.self)) } }
        let troubles = TroubleLog(log, clock: clock.clock)
        for _ in 1...3 { troubles.note("nothing written", Trouble.diskFull) }
        troubles.note("nothing read", Trouble.diskFull)
        clock.advance(by: .seconds(59))
        troubles.note("nothing written", Trouble.diskFull)
        clock.advance(by: .seconds(1))
        for _ in 1...2 { troubles.note("nothing written", Trouble.diskFull) }
        clock.advance(by: .seconds(-3_600))
        troubles.note("nothing written", Trouble.diskFull)
        #expect(
            lines.withLock { $0 } == [
                "level=warning msg=\"nothing written\" reason=diskFull unwritten=0\n",
                "level=warning msg=\"nothing read\" reason=diskFull unwritten=0\n",
                "level=warning msg=\"nothing written\" reason=diskFull unwritten=3\n",
                "level=warning msg=\"nothing written\" reason=diskFull unwritten=1\n",
            ])
    }
}
