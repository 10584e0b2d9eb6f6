// SPDX-License-Identifier: Apache-2.0

import Functions
import HTTPClient
import Platform

/// The work of the table at a time: deadlines of calls, ends of idle instances, and functions that changed.
extension WorkerTable {
    /// The interval at which changed and deleted functions are noticed.
    private static let review = Duration.seconds(2)

    /// The time at which something is to be done; nil for never.
    func nextTime(after now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        var next = pools.values.flatMap(\.waiting).map(\.deadline)
        for instance in instances.values {
            if let job = instance.job { next.append(job.deadline) }
            if let end = instance.endsBy, !instance.wasKilled { next.append(end) }
            if instance.isIdle { next.append(instance.idleSince + surroundings.idle) }
            if let time = instance.resumesAt, time > now { next.append(time) }
        }
        if !pools.isEmpty { next.append(nextReview) }
        return next.min()
    }

    /// Ends calls whose deadline is over, and instances that nobody needs.
    func watchTimes(at now: ContinuousClock.Instant) {
        for id in pools.keys {
            for var job in pools[id]?.takeWaiting(where: { $0.deadline <= now }) ?? [] { job.end(.timedOut) }
        }
        for instance in instances.values {
            if let job = instance.job, job.deadline <= now { expire(instance) }
            if let end = instance.endsBy, end <= now, !instance.wasKilled { instance.kill() }
            if instance.isIdle, instance.idleSince + surroundings.idle <= now { retire(instance, at: now) }
        }
        if nextReview <= now { reviewFunctions(at: now) }
    }

    /// Kills an instance whose call exceeds its deadline.
    private func expire(_ instance: WorkerInstance) {
        log.add(.error, "The worker exceeded the deadline; it was killed.", of: instance)
        pools[instance.function.id]?.retired(instance.number)
        instance.kill()
        if var job = instance.takeJob() { job.end(.timedOut) }
    }

    /// Lets an instance end after its call.
    func retire(_ instance: WorkerInstance, at now: ContinuousClock.Instant) {
        pools[instance.function.id]?.retired(instance.number)
        instance.retire(at: now)
    }

    /// Takes over the definition of a function. If its program was replaced, instances of the old one end, and its crashes are forgotten.
    func adopt(_ function: WorkerFunction) {
        let old = pools[function.id]?.function.program
        guard old != function.program else { return }
        pools[function.id, default: WorkerPool(function)].function = function
        guard old != nil else { return }
        pools[function.id]?.breaker = CrashBreaker()
        figures.set(function, isFailing: false)
        for number in pools[function.id]?.instances ?? [] { if let instance = instances[number] { retire(instance, at: .now) } }
    }

    /// Ends the instances of functions that are no longer there or allowed, and forgets pools without any.
    private func reviewFunctions(at now: ContinuousClock.Instant) {
        nextReview = now + WorkerTable.review
        starter.removeLeavingGroups()
        let areEnabled = surroundings.options().areEnabled
        for (id, pool) in pools {
            if areEnabled, let function = surroundings.function(id) {
                adopt(function)
            } else {
                for number in pool.instances { if let instance = instances[number], !instance.isRetired { retire(instance, at: now) } }
                for job in pools[id]?.takeWaiting(where: { _ in true }) ?? [] { refuse(job, "The worker was switched off or removed.") }
                figures.forget(id)
            }
            if let pool = pools[id], pool.isEmpty, pool.breaker.isCalm(at: now) || surroundings.function(id) == nil { pools[id] = nil }
        }
    }
}
