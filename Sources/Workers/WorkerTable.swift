// SPDX-License-Identifier: Apache-2.0

import Functions
import HTTPClient
import JSON
import Platform

/// The instances of all workers, and the calls that wait for one. `WorkerLoop` lets one thread at a time use it.
final class WorkerTable {
    let surroundings: WorkerSurroundings
    let figures: WorkerFigures
    let starter: WorkerStarter
    var log: WorkerLog
    var pools: [Int64: WorkerPool] = [:]
    private(set) var instances: [Int: WorkerInstance] = [:]
    /// The time at which changed and deleted functions are looked for next.
    var nextReview = ContinuousClock.now
    private var lastLease = 0
    /// The time at which the thread wakes at the latest; nil while it waits for calls alone, and after the end.
    private var wakesAt: ContinuousClock.Instant?
    /// The calls that ended in this turn.
    private var ended: [EndedCall] = []
    /// The buffer into which all streams are read.
    private var room = [UInt8](repeating: 0, count: 64 << 10)

    init(_ surroundings: WorkerSurroundings, _ parser: JSONParser, _ figures: WorkerFigures) {
        (self.surroundings, self.figures) = (surroundings, figures)
        (starter, log) = (WorkerStarter(surroundings, parser, figures), WorkerLog(surroundings))
    }

    // MARK: Turns of the thread

    /// Takes what came for the thread, and returns what the thread waits for next; nil at the end.
    func beginTurn(_ mail: WorkerMail) -> WorkerWait? {
        for job in mail.jobs { accept(job) }
        for cancellation in mail.cancelled { cancel(cancellation) }
        for lease in mail.givenBack where instances[lease.instance]?.lease?.id == lease.id { instances[lease.instance]?.lease = nil }
        guard !mail.isClosed else {
            endAll()
            return nil
        }
        let now = ContinuousClock.now
        let next = nextTime(after: now)
        wakesAt = next
        var wait = WorkerWait(until: next, at: now)
        for instance in instances.values {
            for interest in instance.interests(at: now) { wait.add(interest, of: instance.number) }
        }
        wait.ended = takeEnded()
        return wait
    }

    /// Does what the thread waited for. Returns the calls that ended.
    func endTurn(_ wait: WorkerWait) -> [EndedCall] {
        var over: [WorkerInstance] = []
        for (owner, descriptor) in wait.ready {
            guard let instance = instances[owner] else { continue }
            if descriptor == instance.process.end {
                over.append(instance)
            } else if instance.lease == nil || descriptor != instance.process.streams.output {
                handle(instance.ready(descriptor, &room), of: instance)
            }
        }
        for instance in over { end(instance) }
        watchTimes(at: .now)
        log.write()
        return takeEnded()
    }

    private func takeEnded() -> [EndedCall] {
        defer { ended = [] }
        return ended
    }

    // MARK: Turns of loops

    /// The size of a call's body up to which a loop passes it to an instance: the pipe takes all of it.
    private static let smallBody = 32 << 10

    /// Begins a call on the thread of its client's loop; nil if the thread of the workers has to begin it.
    func begin(_ job: WorkerJob, from reader: WorkerReader) -> LoopTurn? {
        guard let wakesAt, wakesAt <= job.deadline, job.body.count <= WorkerTable.smallBody, let instance = takeReady(for: job) else { return nil }
        let lease = lend(instance, to: reader)
        begin(job, instance)
        log.write()
        return LoopTurn(lease: lease, wakesThread: lease != nil || needsThread(instance), ended: takeEnded())
    }

    /// Reads the output of an instance on the thread of the loop that has it.
    func read(_ lease: WorkerLease) -> LoopTurn {
        guard let instance = instances[lease.instance], instance.lease?.id == lease.id else { return LoopTurn() }
        handle(instance.readPiece(&room), of: instance)
        log.write()
        if instance.mayBeLent { return LoopTurn(lease: lease, wakesThread: needsThread(instance), ended: takeEnded()) }
        instance.lease = nil
        return LoopTurn(wakesThread: true, ended: takeEnded())
    }

    /// Takes an idle instance that a call may have without further decisions.
    private func takeReady(for job: WorkerJob) -> WorkerInstance? {
        let id = job.call.function
        guard let function = surroundings.function(id), case .lines = function.program.transport, surroundings.options().areEnabled,
            let pool = pools[id], pool.function.program == function.program, !pool.breaker.isBroken(at: .now)
        else { return nil }
        return takeIdle(of: id)
    }

    /// Lets a loop read the output of an instance whose call it begins. Returns the lease, if it is new.
    private func lend(_ instance: WorkerInstance, to reader: WorkerReader) -> WorkerLease? {
        guard instance.mayBeLent, instance.isWanted(by: reader) else { return nil }
        lastLease += 1
        return instance.lend(to: reader, as: lastLease)
    }

    /// Whether the thread has to wait for something else, after the turn of a loop.
    private func needsThread(_ instance: WorkerInstance) -> Bool {
        if instance.isRetired || instance.hasUnsentBytes { return true }
        guard let job = instance.job, let wakesAt else { return false }
        return job.deadline < wakesAt
    }

    // MARK: Calls

    private func accept(_ job: WorkerJob) {
        let id = job.call.function
        guard let function = surroundings.function(id) else { return refuse(job, "The function has no worker.") }
        guard surroundings.options().areEnabled else { return refuse(job, "Workers are switched off: functions.workers.") }
        adopt(function)
        guard pools[id]?.breaker.isBroken(at: .now) != true else {
            return refuse(job, "The worker crashed too often and is not started for a while.")
        }
        if let instance = takeIdle(of: id) { return begin(job, instance) }
        start(job, function)
    }

    /// Takes an idle instance whose process has not ended.
    private func takeIdle(of function: Int64) -> WorkerInstance? {
        while let number = pools[function]?.takeIdle() {
            if let instance = instances[number], !instance.hasEnded { return instance }
        }
        return nil
    }

    func refuse(_ job: WorkerJob, _ message: String) {
        var job = job
        job.fail(.unavailable, message)
    }

    private func begin(_ job: WorkerJob, _ instance: WorkerInstance) { handle(instance.begin(job), of: instance) }

    /// Starts an instance for a call, or lets the call wait.
    private func start(_ job: WorkerJob, _ function: WorkerFunction) {
        guard pools[function.id]?.instances.count ?? 0 < function.concurrency, hasFreePlace() else {
            pools[function.id]?.wait(job)
            return
        }
        do {
            begin(job, try makeInstance(function))
        } catch {
            log.add(.error, "The worker could not be started: \(error)", of: function.id)
            refuse(job, "The worker could not be started.")
            crashed(function)
        }
    }

    /// Whether another instance may start now. If not, the oldest idle one ends for it.
    private func hasFreePlace() -> Bool {
        if instances.count < surroundings.options().processes { return true }
        let ending = instances.values.contains(where: \.isEnding)
        if !ending, let oldest = instances.values.filter(\.isIdle).min(by: { $0.idleSince < $1.idleSince }) { retire(oldest, at: .now) }
        return false
    }

    private func makeInstance(_ function: WorkerFunction) throws -> WorkerInstance {
        let instance = try starter.start(function)
        instances[instance.number] = instance
        pools[function.id]?.added(instance.number)
        figures.starts.add()
        figures.instances.set(Double(instances.count))
        return instance
    }

    private func cancel(_ cancellation: WorkerCancellation) {
        for id in pools.keys {
            for var job in pools[id]?.takeWaiting(where: { cancellation.matches($0.key) }) ?? [] { job.end(.cancelled) }
        }
        for instance in instances.values where instance.job.map({ cancellation.matches($0.key) }) ?? false { instance.abandon() }
        if case .all(_, let done) = cancellation { done() }
    }

    /// Gives an instance that has ended its call the next one.
    private func serveNext(_ instance: WorkerInstance) {
        let id = instance.function.id
        if instance.isRetired { return instance.askToEnd(at: .now) }
        // Its end starts another one for the calls that wait. An idle one is looked at before its next call.
        if pools[id]?.waiting.isEmpty == false, instance.hasEnded { return }
        if pools.contains(where: { $0.key != id && $0.value.isStarving }), instances.count >= surroundings.options().processes {
            return retire(instance, at: .now)
        }
        if let next = pools[id]?.takeWaiting() { begin(next, instance) } else { pools[id]?.becameIdle(instance.number) }
    }

    /// Starts instances for calls that wait for a place.
    private func startWaiting() {
        // Functions without an instance come first.
        for id in pools.keys.sorted(by: { (pools[$0]?.isStarving ?? false ? 0 : 1, $0) < (pools[$1]?.isStarving ?? false ? 0 : 1, $1) }) {
            while let function = surroundings.function(id), hasPlace(for: function), let job = pools[id]?.takeWaiting() { start(job, function) }
        }
        // One idle instance ends at a time, so each end may have to make the next one end.
        if pools.contains(where: { lacksPlace($0.key, $0.value) }) { _ = hasFreePlace() }
    }

    /// Whether calls of a function wait only because other functions have all instances.
    private func lacksPlace(_ id: Int64, _ pool: WorkerPool) -> Bool {
        guard !pool.waiting.isEmpty, let function = surroundings.function(id) else { return false }
        return pool.instances.count < function.concurrency
    }

    private func hasPlace(for function: WorkerFunction) -> Bool {
        instances.count < surroundings.options().processes && pools[function.id]?.instances.count ?? 0 < function.concurrency
    }

    // MARK: Events

    private func handle(_ events: [WorkerEvent], of instance: WorkerInstance) {
        var hasAnswered = false
        for event in events {
            switch event {
            case .message(let line): instance.send(message: line)
            case .log(let level, let text): log.keep(level, text, of: instance)
            case .lineDropped: log.drop(of: instance.function.id)
            case .stranger: figures.strangers.add()
            case .ended(let status, let json):
                // Standard error from before the answer belongs to the log of this call.
                handle(instance.readComplaints(&room), of: instance)
                guard let job = instance.takeJob() else { continue }
                finish(EndedCall(job: job, status: status, json: json))
                instance.didAnswer()
                hasAnswered = true
            case .fault(let reason): kill(instance, "The worker \(reason); it was killed.", "The worker broke its protocol.")
            case .startFailed(let reason): kill(instance, "The worker failed to start: \(reason)", "The worker failed to start.")
            }
        }
        // A killed instance gets no other call.
        guard hasAnswered, !events.contains(where: \.isFatal) else { return }
        succeeded(instance.function)
        serveNext(instance)
    }

    /// Gives the result of a run at once, and of a call after the turn: then the next call of the same function may take the instance.
    private func finish(_ call: EndedCall) {
        if call.job.run == nil { ended.append(call) } else { call.finish() }
    }

    /// Kills an instance that is at fault; its call fails.
    private func kill(_ instance: WorkerInstance, _ line: String, _ message: String) {
        guard !instance.wasKilled else { return }
        log.add(.error, line, of: instance)
        pools[instance.function.id]?.retired(instance.number)
        instance.kill()
        if var job = instance.takeJob() { job.fail(.internal, message) }
        crashed(instance.function)
    }

    /// Frees an instance whose process has ended.
    private func end(_ instance: WorkerInstance) {
        let wasAsked = instance.isEnding
        instance.willEnd()
        handle(instance.readRest(&room), of: instance)
        let unread = instance.takeUnreadJob()
        let isBusy = instance.job != nil
        let code = instance.end()
        instances[instance.number] = nil
        pools[instance.function.id]?.ended(instance.number)
        figures.instances.set(Double(instances.count))
        starter.cleanUp(after: instance)
        // A program may end by itself between calls.
        if !wasAsked, isBusy || code != 0 {
            log.add(.error, "The worker ended by itself: \(WorkerTable.text(of: code)).", of: instance)
            if var job = instance.takeJob() { job.fail(.internal, "The worker ended before it answered.") }
            crashed(instance.function)
        }
        if let unread { accept(unread) }
        startWaiting()
    }

    private static func text(of code: Int32) -> String { code > 128 ? "signal \(code - 128)" : "exit code \(code)" }

    private func succeeded(_ function: WorkerFunction) {
        guard pools[function.id]?.breaker.isFailing == true else { return }
        pools[function.id]?.breaker.succeeded()
        figures.set(function, isFailing: false)
    }

    private func crashed(_ function: WorkerFunction) {
        guard pools[function.id]?.breaker.crashed(at: .now) == true else { return }
        figures.set(function, isFailing: true)
        let text = "The worker crashed too often; it is not started for \(CrashBreaker.pause.components.seconds) seconds."
        log.add(.error, text, of: function.id)
        for job in pools[function.id]?.takeWaiting(where: { _ in true }) ?? [] { refuse(job, text) }
    }

    // MARK: End

    private func endAll() {
        wakesAt = nil
        for instance in instances.values {
            instance.kill()
            if var job = instance.takeJob() { job.end(.cancelled) }
            _ = instance.end()
            starter.removeGroup(of: instance)
        }
        for id in pools.keys { for var job in pools[id]?.takeWaiting(where: { _ in true }) ?? [] { job.end(.cancelled) } }
        starter.removeLeavingGroups()
        instances = [:]
        figures.instances.set(0)
        for call in takeEnded() { call.finish() }
        log.write()
        starter.removeScratchFolder()
    }
}
