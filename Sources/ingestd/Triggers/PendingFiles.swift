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

    private let store: Stores
    private let troubles: TroubleLog

    init(_ store: Stores, _ log: Log, _ clock: WallClock) {
        self.store = store
        troubles = TroubleLog(log, clock: clock)
    }

    /// Runs until the task is cancelled.
    func run() async {
        let alarm = Alarm()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in store.files.pendingChanges { alarm.ring() } }
            group.addTask { await look(at: alarm) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Looks at all files that wait at each ring, and again after a pause that grows while nothing happens.
    private func look(at alarm: Alarm) async {
        var pause = PendingFiles.shortestPause
        for await _ in alarm.rings {
            do {
                let (waiting, hasChanged) = try await look()
                pause = hasChanged ? PendingFiles.shortestPause : min(pause * 2, PendingFiles.longestPause)
                if waiting { alarm.ring(after: pause) }
            } catch {
                troubles.note("could not decide about files that wait for functions", error)
                alarm.ring(after: PendingFiles.longestPause)
            }
        }
    }

    private func look() async throws -> (waiting: Bool, hasChanged: Bool) {
        var (waiting, hasChanged, last): (Bool, Bool, StoredFile?) = (false, false, nil)
        repeat {
            let page = try await store.files.pendingFiles(after: last, limit: PendingFiles.pageSize)
            last = page.count == PendingFiles.pageSize ? page.last?.file : nil
            for (app, files) in Dictionary(grouping: page, by: \.file.app) {
                waiting = true
                if try await look(at: files, app) { hasChanged = true }
            }
        } while last != nil
        return (waiting, hasChanged)
    }

    /// Looks at files of an app. Returns whether a run was made or a file decided.
    private func look(at files: [PendingFile], _ app: AppID) async throws -> Bool {
        guard let app = store.events.directory.now.apps[app] else { return false }
        var hasChanged = false
        for waiting in try await store.waiting(files, app.id) {
            guard let function = waiting.function else { continue }
            if waiting.run == nil {
                guard waiting.pending.depth < FunctionBounds.depth else { continue }
                try await store.functions.trigger(try run(of: function, for: waiting.pending, in: app), app: app.id)
                hasChanged = true
            } else if let allow = waiting.answer {
                try await decide(waiting, allow, function)
                hasChanged = true
            }
        }
        return hasChanged
    }

    private func run(of function: StoredFunction, for pending: PendingFile, in app: App) throws -> TriggeredRun {
        let data = FileEventData(change: FileChange(pending: pending.file), file: pending.file, app: app, values: [])
        var run = NewRun(type: PendingFiles.runType, body: try data.body(for: function.definition))
        (run.subject, run.user, run.depth) = (pending.file.path.text, pending.file.owner, pending.depth + 1)
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
    let run: StoredRun?
    /// The decision of a run that is done; nil without one.
    let answer: Bool?

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
        let runs = try await functions.lastResponses(of: ids, app: app)
        return known.map { file, function in
            let found = function.flatMap { runs[StoredRun.id(of: file.identity, $0.id)] }
            let answer = found.flatMap { $0.run.state == .done ? Self.decision(of: $0.response) : nil }
            return WaitingFile(pending: file, function: function, run: found?.run, answer: answer)
        }
    }

    /// Reads `{"allow": true}`, also as the result of a callable.
    private static func decision(of response: [UInt8]) -> Bool? {
        guard let json = try? JSONValue(response) else { return nil }
        let answer = json["result"] ?? json["data"] ?? json
        guard let allow = answer["allow"]?.json else { return nil }
        return allow.elementsEqual("true".utf8) ? true : allow.elementsEqual("false".utf8) ? false : nil
    }
}
