// SPDX-License-Identifier: Apache-2.0

/// The instances of one function's worker, by number, and the calls that wait for one.
///
///     no instance      →  the call starts one
///     one is idle      →  it takes the call; the one that was used last first, so that others become old and end
///     all are busy     →  the call starts another, up to `concurrency`, or waits
struct WorkerPool: Sendable {
    /// The function as its last call found it.
    var function: WorkerFunction
    var breaker = CrashBreaker()
    private(set) var instances: Set<Int> = []
    /// The one that was used last comes last.
    private(set) var idle: [Int] = []
    private(set) var waiting: [WorkerJob] = []

    init(_ function: WorkerFunction) {
        self.function = function
    }

    var isEmpty: Bool { instances.isEmpty && waiting.isEmpty }
    /// Whether calls wait, and no instance will take one.
    var isStarving: Bool { instances.isEmpty && !waiting.isEmpty }

    mutating func added(_ instance: Int) { instances.insert(instance) }

    mutating func ended(_ instance: Int) {
        instances.remove(instance)
        idle.removeAll { $0 == instance }
    }

    mutating func becameIdle(_ instance: Int) { idle.append(instance) }

    /// Takes an instance out of the idle ones.
    mutating func takeIdle() -> Int? { idle.popLast() }

    mutating func retired(_ instance: Int) { idle.removeAll { $0 == instance } }

    mutating func wait(_ job: WorkerJob) { waiting.append(job) }

    mutating func takeWaiting() -> WorkerJob? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Takes out the calls that meet a condition.
    mutating func takeWaiting(where condition: (WorkerJob) -> Bool) -> [WorkerJob] {
        let taken = waiting.filter(condition)
        if !taken.isEmpty { waiting.removeAll(where: condition) }
        return taken
    }
}
