// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

/// The Swift side of the signal handler: queues the report of the previous launch and keeps the handler's notes up to date.
///
/// A process has one handler. Of several `SignalboxApp`s the first owns it.
final class CrashCapture: Sendable {
    private let path: String
    private let isWanted: Bool
    // Notes are changed under this lock. The signal handler does not take it.
    private let isOn = Locked(false)

    init(folder: URL, isWanted: Bool) {
        path = folder.appendingPathComponent("crash.report").path
        self.isWanted = isWanted
    }

    deinit {
        stop()
    }

    /// Queues the report of the previous launch, then deletes its file. The report has a fixed ID, so that a process killed in between
    /// does not report the crash twice.
    ///
    /// - Returns: Whether there was a report.
    func enqueuePreviousReport(in outbox: Outbox) -> Bool {
        guard let bytes = readPreviousReport() else { return false }
        guard let report = CrashFile(bytes).flatMap({ CrashReport($0) }) else {
            deletePreviousReport()
            return !bytes.isEmpty
        }
        if outbox.persist(report.frame) { deletePreviousReport() }
        return true
    }

    func deletePreviousReport() {
        try? FileManager.default.removeItem(atPath: path)
    }

    private func readPreviousReport() -> [UInt8]? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        // `read` returns nil at the end of the file, also for an empty file.
        return [UInt8]((try? handle.read(upToCount: CrashFile.limit + 1)) ?? Data())
    }

    // MARK: This launch

    /// Installs the handler, or updates the app fields of its report.
    ///
    /// - Parameter app: The report's ID, installation and context fields.
    func start(app: [UInt8]) {
        isOn.withLock { isOn in
            isOn = isOn || begin()
            if isOn { csignalbox_crash_note(CSIGNALBOX_APP, app, app.count) }
        }
    }

    private func begin() -> Bool {
        // A report that could not be queued yet is kept; it is worth more than a possible new one.
        isWanted && !FileManager.default.fileExists(atPath: path) && csignalbox_crash_begin(path) == 0
    }

    func stop() {
        isOn.withLock { isOn in
            if isOn { csignalbox_crash_end() }
            isOn = false
        }
    }

    /// Uninstalls the handler, and deletes its notes and a report not queued yet.
    func clear() {
        stop()
        deletePreviousReport()
    }

    /// Gives the calling thread a second stack, from which a stack overflow can be reported.
    func installSecondStack() {
        if isWanted { csignalbox_crash_cover_thread() }
    }

    func note(_ kind: csignalbox_record, _ text: String?) {
        note(kind, Array((text ?? "").utf8))
    }

    func note(_ kind: csignalbox_record, _ bytes: [UInt8]) {
        isOn.withLock { isOn in
            if isOn { csignalbox_crash_note(kind, bytes, bytes.count) }
        }
    }

    func log(_ line: String) {
        installSecondStack()
        var line = line
        isOn.withLock { isOn in
            if isOn { line.withUTF8 { csignalbox_crash_log($0.baseAddress, $0.count) } }
        }
    }
}
