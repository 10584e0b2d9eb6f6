// SPDX-License-Identifier: Apache-2.0

import Database
import Synchronization
import Testing

/// The precedence of one writer over another.
@Suite struct PrecedenceTests {
    private let precedence = Precedence()

    @Test func `without a job nobody waits`() {
        precedence.giveWay(atMost: .seconds(3600))
        precedence.begin()
        precedence.end()
        precedence.giveWay(atMost: .seconds(3600))
    }

    @Test func `another writer waits for the last job`() async {
        let jobs = Atomic(2)
        precedence.begin()
        precedence.begin()
        async let left = onOwnThread("test") { [precedence] in
            precedence.giveWay(atMost: .seconds(3600))
            return jobs.load(ordering: .acquiring)
        }
        for _ in 0..<2 {
            await Task.yield()
            jobs.subtract(1, ordering: .releasing)
            precedence.end()
        }
        #expect(await left == 0)
    }

    @Test func `a wait ends after its time, and the end of the job does not end the next one`() async {
        precedence.begin()
        precedence.giveWay(atMost: .milliseconds(1))
        precedence.end()
        precedence.begin()
        let isEnded = Atomic(false)
        async let wasEnded = onOwnThread("test") { [precedence] in
            precedence.giveWay(atMost: .seconds(3600))
            return isEnded.load(ordering: .acquiring)
        }
        await Task.yield()
        isEnded.store(true, ordering: .releasing)
        precedence.end()
        #expect(await wasEnded)
    }

    @Test func `waits that end while jobs do leave no signal`() async {
        for _ in 0..<2000 {
            precedence.begin()
            async let wait: Void = onOwnThread("test") { [precedence] in precedence.giveWay(atMost: .microseconds(20)) }
            precedence.end()
            await wait
        }
        precedence.begin()
        let isEnded = Atomic(false)
        async let wasEnded = onOwnThread("test") { [precedence] in
            precedence.giveWay(atMost: .seconds(3600))
            return isEnded.load(ordering: .acquiring)
        }
        for _ in 0..<100 { await Task.yield() }
        isEnded.store(true, ordering: .releasing)
        precedence.end()
        #expect(await wasEnded)
    }
}
