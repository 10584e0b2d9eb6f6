// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import EventStore
import FunctionStore
import Functions
import Platform

/// Makes runs of functions from changes in the other stores.
///
/// Each source of an app has a cursor. The pump reads on from it, matches, and stores the runs and the new cursor in one transaction of
/// `functions.db`. The writers of the sources do nothing for it, but that of events notes which names a commit has, so that events that no
/// trigger wants are not read:
///
///     cursor 40; events 41 (screen_view), 42 (purchase), 43 (screen_view)
///     a trigger for purchase     →  a run for 42, cursor 43
///     killed before the commit   →  cursor 40; the same run again
struct TriggerPump: Sendable {
    private static let tick = Duration.milliseconds(25)
    private static let tickWithoutTriggers = Duration.milliseconds(250)
    /// The longest pause between two reads of a source that had nothing new.
    private static let longestPause = Duration.milliseconds(400)
    private static let pauseAfterFailure = Duration.seconds(1)
    /// The time after which a cursor is stored that moved without runs.
    private static let storedAfter = Duration.seconds(10)
    private static let pagesInTurn = 10
    private static let tickOfSchedules = Duration.milliseconds(250)

    let store: Stores
    let log: Log
    let clock: WallClock
    private let lags: TriggerLags
    private let sources: TriggerSources
    private let troubles: TroubleLog

    init(_ store: Stores, _ log: Log, _ clock: WallClock, _ lags: TriggerLags) {
        (self.store, self.log, self.clock, self.lags) = (store, log, clock, lags)
        sources = TriggerSources(store: store)
        troubles = TroubleLog(log, clock: clock)
    }

    /// How far a source of an app was read.
    private struct Reading {
        var place: String
        var storedPlace: String
        var storedAt = ContinuousClock.now
        var nextAt = ContinuousClock.now
        var pause = TriggerPump.tick
    }

    /// Runs until the task is cancelled.
    func run() async {
        var plan = TriggerPlan()
        var readings: [TriggerPlan.Key: Reading] = [:]
        var nextSchedules = ContinuousClock.now
        while !Task.isCancelled {
            if plan.renew(from: store) {
                readings = readings.filter { plan.sources[$0.key] != nil }
                lags.keep { plan.sources[.init(app: $1, kind: $0)] != nil }
            }
            for (key, source) in plan.sources {
                guard let app = store.events.directory.now.apps[key.app] else { continue }
                await advance(source, app, plan, &readings[key])
            }
            if nextSchedules <= .now {
                await runSchedules()
                nextSchedules = .now + TriggerPump.tickOfSchedules
            }
            try? await Task.sleep(for: plan.sources.isEmpty ? TriggerPump.tickWithoutTriggers : TriggerPump.tick)
        }
    }

    /// Reads a source on, up to some pages.
    private func advance(_ source: TriggerSource, _ app: App, _ plan: TriggerPlan, _ reading: inout Reading?) async {
        if let next = reading?.nextAt, next > .now { return }
        let kind = source.kind
        var oldest: Timestamp?
        do {
            var current = if let reading { reading } else { try await begin(kind, app) }
            defer { reading = current }
            current.nextAt = .now + TriggerPump.pauseAfterFailure
            for _ in 0..<TriggerPump.pagesInTurn {
                let page = try await sources.read(source, app, after: current.place)
                // Triggers may have come meanwhile that want what the page passed over.
                guard plan.isCurrent(in: store) else { return current.nextAt = .now }
                oldest = page.oldest
                try await store(page, source, app, &current)
                oldest = nil
                note(page, kind, app)
                if page.hasMore { continue }
                current.pause = page.runs.isEmpty ? min(current.pause * 2, TriggerPump.longestPause) : TriggerPump.tick
                // A look at the number of the last event costs nothing.
                current.nextAt = kind == .event ? .now : .now + current.pause
                return
            }
            current.nextAt = .now
        } catch let refusal as Refusal where refusal.code == .overloaded {
            // The source keeps its changes until runs have ended.
            lags.set(oldest.map { clock.now() - $0 }, kind, app.id)
            troubles.note("triggers wait, because an app has too many unfinished runs", refusal)
        } catch {
            reading = nil
            if let oldest { lags.set(clock.now() - oldest, kind, app.id) }
            log.warning("could not read a source of triggers; retrying", ["source": .text(kind.rawValue), "reason": .text("\(error)")])
            try? await Task.sleep(for: TriggerPump.pauseAfterFailure)
        }
    }

    private func begin(_ kind: FunctionTrigger.Kind, _ app: App) async throws -> Reading {
        if let place = try await store.functions.place(of: kind, app: app.id) { return Reading(place: place, storedPlace: place) }
        let end = try await sources.end(of: kind, app.id)
        return Reading(place: end, storedPlace: "")
    }

    /// Stores runs and cursor. A cursor that moved without runs is stored from time to time.
    private func store(_ page: SourcePage, _ source: TriggerSource, _ app: App, _ current: inout Reading) async throws {
        let isOld = page.place != current.storedPlace && current.storedAt + TriggerPump.storedAfter < .now
        if !page.runs.isEmpty || isOld || page.removedThrough != nil {
            let lost = page.removedThrough.map { LostChanges(of: source, in: app, through: $0) }
            try await store.functions.advance(SourceCursor(source.kind, page.place), app: app.id, page.runs, warnings: lost?.warnings ?? [])
            (current.storedPlace, current.storedAt) = (page.place, .now)
            if let lost { note(lost) }
        }
        current.place = page.place
    }

    /// Counts changes that triggers have missed, and logs them besides the logs of their functions.
    private func note(_ lost: LostChanges) {
        lags.didLose(lost.kind)
        log.warning("triggers missed changes that their source no longer had", ["app": .text(lost.app), "reason": .text(lost.line)])
    }

    private func note(_ page: SourcePage, _ kind: FunctionTrigger.Kind, _ app: App) {
        if page.wasRead { lags.didRead(kind) }
        lags.set(page.hasMore ? page.newest.map { clock.now() - $0 } : nil, kind, app.id)
    }

    private func runSchedules() async {
        do { _ = try await store.functions.runDueSchedules() } catch {
            log.warning("could not run schedules; retrying", ["reason": .text("\(error)")])
            try? await Task.sleep(for: TriggerPump.pauseAfterFailure)
        }
    }
}
