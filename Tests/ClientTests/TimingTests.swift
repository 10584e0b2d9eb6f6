// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// The times at which events are sent.
@Suite struct TimingTests {
    @Test func `events are sent at flushAt, or after flushInterval`() async throws {
        let world = try await World.start()
        let clock = HeldClock()
        var options = try world.options()
        options.now = { clock.now }
        options.environment.flushInterval = 30
        options.environment.flushAt = 20
        let owner = try DiskQueue.lock(options.chosenFolder)
        let installation = Installation(isCollectionEnabled: true)
        let queue = DiskQueue(
            folder: options.chosenFolder, owner: owner, limits: options.limits, isDurable: true, envelope: installation.envelope(options))
        let sender = Sender(queue: queue, options: options)
        func log(_ numbers: Range<Int64>) {
            for number in numbers {
                var frame = installation.event("step", ["n": .integer(number)], at: clock.now)
                Frame.close(&frame)
                _ = queue.append(frame)
            }
        }
        log(0..<19)
        #expect(await sender.sendQueued() == 30 && queue.count == 19)
        log(19..<20)
        #expect(await sender.sendQueued() == nil && queue.count == 0)
        log(20..<21)
        #expect(await sender.sendQueued() == 30)
        clock.pass(29)
        #expect(await sender.sendQueued() == 1 && queue.count == 1)
        clock.pass(1)
        #expect(await sender.sendQueued() == nil && queue.count == 0)
        #expect(try await world.steps() == Array(0...20))
        await sender.close()
    }

    @Test func `a connection is opened again when asked, and not after its final end`() async throws {
        // The pause is an hour.
        let loop = ReconnectingLoop(Backoff(first: 3_600, longest: 7_200), now: { Date() })
        let opened = Locked(0)
        let running = Task {
            await loop.run { () async -> ConnectionEnd in
                let number = opened.withLock { opened in
                    opened += 1
                    return opened
                }
                return number == 3 ? .final : .again(retryAfter: nil)
            }
        }
        let hasEnded = try await eventually {
            loop.retryNow()
            return opened.withLock { $0 } == 3
        }
        #expect(hasEnded)
        await running.value
        #expect(opened.withLock { $0 } == 3)
    }

    @Test func `a pause that is cut short still waits for Retry-After`() {
        var backoff = Backoff(first: 1, longest: 60)
        let now = Date(timeIntervalSince1970: 1_000)
        backoff.failed(at: now, retryAfter: 30, chance: 1)
        backoff.retryNow()
        #expect(backoff.next == now.addingTimeInterval(30))
    }

    @Test func `a clock that is set back ends a pause`() {
        var backoff = Backoff(first: 1, longest: 60)
        let now = Date(timeIntervalSince1970: 1_000_000)
        backoff.failed(at: now, retryAfter: 30, chance: 1)
        #expect(backoff.rest(at: now) == 30.5 && backoff.retryAfter(at: now.addingTimeInterval(10)) == 20)
        #expect(backoff.rest(at: now.addingTimeInterval(-86_400)) == 0)
        #expect(backoff.retryAfter(at: now.addingTimeInterval(-86_400)) == 0)
        #expect(backoff.rest(at: now.addingTimeInterval(31)) == 0)
    }

    @Test func `a wait for Retry-After ends though the clock is set back while it lasts`() async throws {
        let clock = HeldClock()
        let isOver = Locked(false)
        let waiting = Task {
            var backoff = Backoff(first: 0.01, longest: 0.01)
            backoff.failed(at: clock.now, retryAfter: 0.01)
            await backoff.wait(Pause()) {
                // Behind what the first look was at.
                defer { clock.pass(-86_400) }
                return clock.now
            }
            isOver.withLock { $0 = true }
        }
        #expect(try await eventually { isOver.withLock { $0 } })
        waiting.cancel()
    }

    @Test func `records are sent after the clock was set back by a year`() async throws {
        let world = try await World.start()
        let clock = HeldClock()
        var options = try world.options()
        options.now = { clock.now }
        options.environment.flushInterval = 30
        let installation = Installation(isCollectionEnabled: true)
        let queue = DiskQueue(
            folder: options.chosenFolder, owner: try DiskQueue.lock(options.chosenFolder), limits: options.limits, isDurable: true,
            envelope: installation.envelope(options))
        let sender = Sender(queue: queue, options: options)
        var frame = installation.event("step", ["n": 0], at: clock.now)
        Frame.close(&frame)
        #expect(queue.persist(frame))
        #expect(await sender.sendQueued() == 30)
        await world.daemon.killHard()
        clock.pass(30)
        #expect(await sender.sendQueued() != nil)
        #expect(await sender.lastError != nil)
        try await world.restart()
        clock.pass(-365 * 86_400)
        #expect(await sender.sendQueued() == 30, "from now on")
        clock.pass(30)
        #expect(await sender.sendQueued() == nil && queue.count == 0)
        await sender.close()
    }

    @Test func `resigning and becoming active send queued events`() async throws {
        let world = try await World.start()
        let app = try SignalboxApp({ $0.environment.flushInterval = 3_600 }, of: world)
        try await app.analytics.flush()
        app.analytics.logEvent("step", parameters: ["n": 1])
        app.didResignActive()
        #expect(try await eventually { await app.status().pending == 0 })
        app.analytics.logEvent("step", parameters: ["n": 2])
        app.didBecomeActive()
        #expect(try await eventually { await app.status().pending == 0 })
        #expect(try await world.steps() == [1, 2])
    }

    @Test func `ten days offline lose no event, and each keeps its time`() async throws {
        let world = try await World.start()
        let clock = HeldClock()
        await world.daemon.killHard()
        for day in 0..<10 {
            let app = try SignalboxApp({ $0.now = { clock.now } }, of: world)
            for number in 0..<10 { app.analytics.logEvent("step", parameters: ["n": .integer(Int64(day * 10 + number))]) }
            await #expect(throws: SignalboxError.self) { try await app.analytics.flush() }
            await app.close()
            clock.pass(86_400)
        }
        try await world.restart()
        let app = try SignalboxApp({ $0.now = { clock.now } }, of: world)
        try await app.analytics.flush()
        #expect(await app.status() == SignalboxApp.Status(pending: 0, dropped: 0, lastError: nil))
        let steps = try await world.stored().filter { $0["name"].text == "step" }
        #expect(steps.map { $0["params"]["n"].number } == Array(0..<100))
        let times = try steps.map { try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse($0["timestamp"].text) }
        #expect(abs(try #require(times.last).timeIntervalSince(times[0]) - 9 * 86_400) < 300)
    }
}
