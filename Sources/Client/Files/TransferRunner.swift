// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Carries out the transfers of the list, those of earlier launches first. No timer runs while there is nothing to try.
actor TransferRunner {
    private struct Run {
        let task: Task<Void, Never>
        let pause: Pause
    }

    static let maxRuns = 3
    /// The attempts after damaged bytes.
    private static let maxDamages = 3

    nonisolated let records: TransferRecords
    let work: TransferWork
    private let options: SignalboxOptions
    private var runs: [String: Run] = [:]
    /// Transfers that wait for their user, or for space for the list.
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
        for run in runs.values { run.pause.cut() }
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
        let run = runs[id]
        run?.task.cancel()
        await run?.task.value
        guard let removed else { return }
        work.removeRest(of: removed)
        if let generation = removed.generation { PartialFile.remove(for: removed.transfer.file, generation: generation) }
    }

    /// Stops all attempts and returns when they have ended.
    func pause() async {
        isPaused = true
        let running = runs.values.map(\.task)
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
        for record in records.all where record.transfer.state == .running {
            let id = record.transfer.id
            if runs.count >= TransferRunner.maxRuns { return }
            if runs[id] != nil || parked.contains(id) { continue }
            let pause = Pause()
            runs[id] = Run(task: Task { await run(id, pause) }, pause: pause)
        }
    }

    private func run(_ id: String, _ pause: Pause) async {
        var (backoff, damages) = (options.backoff, 0)
        while !Task.isCancelled, let record = records[id], record.transfer.state == .running {
            do throws(FilesError) {
                let state = try await work.carryOut(record)
                try end(id, state)
            } catch {
                if error == .checksum { damages += 1 }
                guard !Task.isCancelled, canGoOn(id, after: error, damages) else { break }
                // An attempt that got on is a connection that works.
                if let now = records[id], now.transfer.progress.completedBytes > record.transfer.progress.completedBytes { backoff.succeeded() }
                backoff.failed(at: options.now(), retryAfter: error.retryAfter)
                await backoff.wait(pause, now: options.now)
            }
        }
        runs[id] = nil
        startNext()
    }

    /// Decides about a failed attempt: another one follows, or the transfer is parked or has failed.
    private func canGoOn(_ id: String, after error: FilesError, _ damages: Int) -> Bool {
        switch error {
        case .userChanged, .unauthenticated, .appUnknown, .signalbox(.closed), .fileUnusable(records.file.path, _):
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
