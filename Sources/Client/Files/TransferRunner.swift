// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Carries out the transfers of the list, those of earlier launches first. No timer runs while there is nothing to try.
actor TransferRunner {
    /// The failed attempts of a transfer.
    private struct Attempts {
        var backoff: Backoff
        var damages = 0
    }

    /// The pause of a transfer between two attempts.
    private struct Rest {
        let attempts: Attempts
        let task: Task<Void, Never>
        var isOver = false
    }

    /// The attempts at a time. A transfer in a pause does not count.
    static let maxRuns = 3
    /// The attempts after damaged bytes.
    private static let maxDamages = 3

    nonisolated let records: TransferRecords
    let work: TransferWork
    private let options: SignalboxOptions
    private var runs: [String: Task<Void, Never>] = [:]
    private var rests: [String: Rest] = [:]
    /// Transfers that wait for their user, or for space on the disk.
    private var parked: Set<String> = []
    private var following: Task<Void, Never>?
    private var isPaused = false
    private var isClosed = false

    init(_ requests: FileRequests, _ options: SignalboxOptions) {
        records = TransferRecords(folder: options.chosenFolder)
        work = TransferWork(requests: requests, records: records, backoff: options.backoff)
        self.options = options
    }

    /// Starts the transfers of earlier launches. A change of the user is another chance for those that wait.
    func start(following users: AsyncStream<AccountUser?>) {
        guard !isClosed else { return }
        following = Task { [weak self] in for await _ in users { await self?.retryNow() } }
        startNext()
    }

    /// Tries again what waits.
    func retryNow() {
        parked = []
        for (id, rest) in rests where !rest.isOver {
            rest.task.cancel()
            var attempts = rest.attempts
            attempts.backoff.retryNow()
            self.rest(id, attempts)
        }
        try? records.load()
        startNext()
    }

    func add(_ record: TransferRecord) throws(FilesError) {
        if isClosed { throw .signalbox(.closed) }
        try records.add(record)
        startNext()
    }

    /// Ends a transfer and forgets it.
    func remove(_ id: String) async throws(FilesError) {
        let removed = try records.remove(id)
        parked.remove(id)
        rests.removeValue(forKey: id)?.task.cancel()
        let run = runs[id]
        run?.cancel()
        await run?.value
        guard let removed else { return }
        work.removeRest(of: removed)
        if let generation = removed.generation { PartialFile.remove(for: removed.transfer.file, generation: generation) }
    }

    /// Stops all attempts and returns when they have ended.
    func pause() async {
        isPaused = true
        for rest in rests.values { rest.task.cancel() }
        rests = [:]
        let running = Array(runs.values)
        for task in running { task.cancel() }
        for task in running { await task.value }
    }

    func resume() {
        isPaused = false
        retryNow()
    }

    func close() async {
        isClosed = true
        following?.cancel()
        await pause()
        records.updates.end()
    }

    // MARK: Attempts

    private func startNext() {
        guard !isPaused, !isClosed else { return }
        let ready = records.all.filter { $0.transfer.state == .running && isReady($0.transfer.id) }.map(\.transfer.id)
        // A transfer that fails again and again comes after those that do not.
        for id in ready.sorted(by: { failures(of: $0) < failures(of: $1) }).prefix(max(0, TransferRunner.maxRuns - runs.count)) {
            let attempts = rests.removeValue(forKey: id)?.attempts ?? Attempts(backoff: options.backoff)
            runs[id] = Task { await run(id, attempts) }
        }
    }

    /// The number of transfers in a pause.
    var resting: Int { rests.values.filter { !$0.isOver }.count }

    /// The number of transfers that wait for their user, or for space on the disk.
    var waiting: Int { parked.count }

    private func isReady(_ id: String) -> Bool { runs[id] == nil && !parked.contains(id) && rests[id]?.isOver != false }

    private func failures(of id: String) -> Int { rests[id]?.attempts.backoff.failures ?? 0 }

    /// Makes one attempt.
    private func run(_ id: String, _ earlier: Attempts) async {
        var attempts = earlier
        if !Task.isCancelled, let record = records[id], record.transfer.state == .running {
            do throws(FilesError) {
                let state = try await work.carryOut(record)
                try end(id, state)
            } catch {
                if error == .checksum { attempts.damages += 1 }
                if !Task.isCancelled, canGoOn(id, after: error, attempts.damages) {
                    // An attempt that got on is a connection that works.
                    if let now = records[id], now.transfer.progress.completedBytes > record.transfer.progress.completedBytes {
                        attempts.backoff.succeeded()
                    }
                    attempts.backoff.failed(at: options.now(), retryAfter: error.retryAfter)
                    rest(id, attempts)
                }
            }
        }
        runs[id] = nil
        startNext()
    }

    /// Begins the pause before the next attempt, which leaves the place to another transfer.
    private func rest(_ id: String, _ attempts: Attempts) {
        let now = options.now
        let task = Task {
            var backoff = attempts.backoff
            await backoff.wait(Pause(), now: now)
            if !Task.isCancelled { wake(id) }
        }
        rests[id] = Rest(attempts: attempts, task: task)
    }

    private func wake(_ id: String) {
        rests[id]?.isOver = true
        startNext()
    }

    /// Decides about a failed attempt: another one follows, or the transfer is parked or has failed.
    private func canGoOn(_ id: String, after error: FilesError, _ damages: Int) -> Bool {
        switch error {
        case .userChanged, .unauthenticated, .appUnknown, .signalbox(.closed), .fileUnusable(records.file.path, _),
            .fileUnusable(_, FilesError.noSpace):
            parked.insert(id)
            return false
        case .checksum where damages < TransferRunner.maxDamages:
            try? records.change(id) { ($0.location, $0.transfer.progress.completedBytes) = (nil, 0) }
            return true
        case .signalbox(.rejected(code: "changed", _)): return true
        case _ where error.isTransient: return true
        default:
            do { try end(id, .failed(reason: error.reason)) } catch { parked.insert(id) }
            return false
        }
    }

    private func end(_ id: String, _ state: FileTransfer.State) throws(FilesError) {
        try records.change(id) { record in
            record.transfer.state = state
            switch state {
            case .finished, .pending: record.transfer.progress.completedBytes = record.transfer.progress.totalBytes
            case .running, .failed: break
            }
        }
    }
}

extension FilesError {
    /// The text of a transfer's failure.
    var reason: String {
        switch self {
        case .fileUnusable(_, let reason): reason
        case .signalbox(.rejected(_, let detail)): detail
        default: "\(self)"
        }
    }
}
