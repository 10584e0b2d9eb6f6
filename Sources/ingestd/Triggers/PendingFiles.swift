// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import AppDirectory
import Database
import Delivery
import EventStore
import FileStore
import Files
import FunctionStore
import Functions
import JSON
import Platform

/// Runs functions for the files that wait for them, and publishes or deletes each file as its function answers.
///
///     uploads/a.png waits for scan              a run file.pending of scan
///     200 {"allow": true}                       the file is published
///     200 {"allow": false}                      it is deleted
///     no such function, dead, another answer    it goes on to wait
///
/// The ID of a run follows from the version of the file, and a file is decided by the state of its run. A kill at any step leaves nothing to
/// repair: what was not done is done by the next look.
struct PendingFiles: Sendable {
    static let runType = "file.pending"
    private static let pageSize = 200
    private static let shortestPause = Duration.milliseconds(50)
    private static let longestPause = Duration.seconds(2)
    /// The pause after a look, in multiples of its duration.
    private static let pausesOfLook = 2
    /// The time between two looks at what may change files that rest.
    private static let tick = Duration.milliseconds(250)

    private let store: Stores
    private let troubles: TroubleLog

    init(_ store: Stores, _ log: Log, _ clock: WallClock) {
        self.store = store
        troubles = TroubleLog(log, clock: clock)
    }

    /// Runs until the task is cancelled.
    func run() async {
        let (alarm, known) = (Alarm(), FileCircumstances(store))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in store.files.pendingChanges { alarm.ring() } }
            group.addTask { await watch(alarm, from: known) }
            group.addTask { await look(at: alarm) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Rings when a file that rests may be decided.
    private func watch(_ alarm: Alarm, from start: FileCircumstances) async {
        var (known, next) = (start, ContinuousClock.now + RestingFiles.longest)
        while !Task.isCancelled {
            try? await Task.sleep(for: PendingFiles.tick)
            let now = FileCircumstances(store)
            guard now != known || next <= .now else { continue }
            (known, next) = (now, ContinuousClock.now + RestingFiles.longest)
            alarm.ring()
        }
    }

    /// Looks at all files that wait at each ring, and again after a pause that grows while nothing happens.
    private func look(at alarm: Alarm) async {
        var (resting, pause) = (RestingFiles(), PendingFiles.shortestPause)
        for await _ in alarm.rings {
            let start = ContinuousClock.now
            let turn = await look(without: &resting)
            let shortest = (ContinuousClock.now - start) * PendingFiles.pausesOfLook
            pause = turn.hasChanged ? PendingFiles.shortestPause : min(pause * 2, PendingFiles.longestPause)
            if turn.waits { alarm.ring(after: max(pause, shortest)) }
            // Each upload rings, too.
            try? await Task.sleep(for: shortest)
        }
    }

    /// The findings of a look.
    private struct Turn {
        /// Whether a file is to be looked at again soon.
        var waits = false
        /// Whether a run was made or a file decided.
        var hasChanged = false
        /// The apps that have too many unfinished runs.
        var full: Set<AppID> = []
    }

    private func look(without resting: inout RestingFiles) async -> Turn {
        resting.renew(FileCircumstances(store))
        var (turn, last): (Turn, StoredFile?) = (Turn(), nil)
        do {
            repeat {
                let page = try await store.files.pendingFiles(after: last, limit: PendingFiles.pageSize)
                last = page.count == PendingFiles.pageSize ? page.last?.file : nil
                let awake = page.filter { !resting.contains($0.file) }
                for (app, files) in Dictionary(grouping: awake, by: \.file.app) { await look(at: files, app, &resting, &turn) }
            } while last != nil
        } catch {
            turn.waits = true
            troubles.note("could not read the files that wait for functions", error)
        }
        return turn
    }

    /// Looks at files of an app. What fails for them is tried again later, and does not hold up files of other apps.
    private func look(at files: [PendingFile], _ app: AppID, _ resting: inout RestingFiles, _ turn: inout Turn) async {
        guard let app = store.events.directory.now.apps[app] else { return }
        do {
            let found = try await store.waiting(files, app.id)
            for waiting in found where waiting.isFinal { resting.insert(waiting.pending.file) }
            let open = found.filter { !$0.isFinal }
            if !open.isEmpty { turn.waits = true }
            // Decisions need no place for a run.
            try await decide(open, &turn)
            try await makeRuns(for: open, app, &turn)
        } catch let refusal as Refusal where refusal.code == .overloaded {
            turn.waits = true
            turn.full.insert(app.id)
            troubles.note("files wait for functions, because an app has too many unfinished runs", refusal)
        } catch {
            turn.waits = true
            troubles.note("could not decide about files that wait for functions", error)
        }
    }

    private func decide(_ files: [WaitingFile], _ turn: inout Turn) async throws {
        for waiting in files {
            guard let function = waiting.function, let allow = waiting.answer else { continue }
            try await decide(waiting, allow, function)
            turn.hasChanged = true
        }
    }

    private func makeRuns(for files: [WaitingFile], _ app: App, _ turn: inout Turn) async throws {
        if turn.full.contains(app.id) { return }
        let folders = try await store.files.personPaths(of: app.id)
        for waiting in files where waiting.run == nil {
            let pending = waiting.pending
            // An erasure may have removed the file since it was read.
            guard let function = waiting.function, try await store.files.isPending(pending.file) else { continue }
            try await store.functions.trigger(try run(of: function, for: pending, of: folders, in: app), app: app.id)
            turn.hasChanged = true
        }
    }

    private func run(of function: StoredFunction, for pending: PendingFile, of folders: [PersonFolder], in app: App) throws -> TriggeredRun {
        let data = FileEventData(change: FileChange(pending: pending.file), file: pending.file, app: app, values: [])
        var run = NewRun(type: PendingFiles.runType, body: try data.body(for: function.definition))
        (run.subject, run.depth) = (pending.file.path.text, pending.depth + 1)
        run.user = pending.file.owner ?? folders.person(of: pending.file.path)
        (run.identity, run.at) = (pending.identity, Timestamp(milliseconds: pending.file.generation / 1_000))
        return TriggeredRun(run.ordered(by: function.definition.order), of: function.id)
    }

    private func decide(_ waiting: WaitingFile, _ allow: Bool, _ function: StoredFunction) async throws {
        let file = waiting.pending.file
        do {
            _ = try await store.files.decide(file.path, generation: file.generation, allow: allow, app: file.app)
        } catch FileFault.notFound { return }
        let line = allow ? "allowed \(file.path.text)" : "refused \(file.path.text), which is deleted"
        try await store.functions.log([LogLine(level: .info, line, user: file.owner, run: waiting.run?.number)], of: function)
    }
}

/// A file that waits, with its function and the run for it, as far as there are any.
struct WaitingFile: Sendable {
    let pending: PendingFile
    let function: StoredFunction?
    let run: RunAnswer?
    /// The decision of a run that is done; nil without one.
    let answer: Bool?

    /// Whether only a redrive, another function or an administrator can decide about it.
    var isFinal: Bool { state != "waiting" }

    /// Why the file waits, in a word.
    var state: String {
        guard function != nil else { return "no_function" }
        guard let run else { return pending.depth < FunctionBounds.depth ? "waiting" : "too_deep" }
        return switch run.state {
        case .waiting, .running, .retrying: "waiting"
        case .dead, .cancelled: "dead"
        case .done: answer == nil ? "no_answer" : "waiting"
        }
    }
}

extension PendingFile {
    fileprivate var identity: String { "pending \(file.generation)" }
}

extension Stores {
    /// Returns files of an app that wait with their runs.
    func waiting(_ files: [PendingFile], _ app: AppID) async throws -> [WaitingFile] {
        let known = files.map { ($0, functions.catalog.function($0.function, app: app)) }
        let ids = known.compactMap { file, function in function.map { StoredRun.id(of: file.identity, $0.id) } }
        let runs = try await functions.answers(of: ids, app: app)
        return known.map { file, function in
            let run = function.flatMap { runs[StoredRun.id(of: file.identity, $0.id)] }
            let answer = run.flatMap { $0.state == .done ? Self.decision(of: $0.response) : nil }
            return WaitingFile(pending: file, function: function, run: run, answer: answer)
        }
    }

    /// Reads `{"allow": true}`, also as the result of a callable. A response that is longer than what is kept of it is no JSON any more.
    private static func decision(of response: [UInt8]) -> Bool? {
        guard let json = try? JSONValue(response) else { return nil }
        let answers = [json, json["result"], json["data"]]
        guard let allow = answers.lazy.compactMap({ $0?["allow"]?.json }).first else { return nil }
        return allow.elementsEqual("true".utf8) ? true : allow.elementsEqual("false".utf8) ? false : nil
    }
}
