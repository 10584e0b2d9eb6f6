// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

/// The handler of signals as a start of the app has to do with it: takes over what an earlier start left, and has the handler know what is so.
///
/// A process has one handler; of several apps in it the first has it.
final class CrashCapture: Sendable {
    private let path: String
    private let isWanted: Bool
    // All that is told to the handler is told behind this lock, which the handler itself does without.
    private let isOn = Locked(false)

    init(folder: URL, isWanted: Bool) {
        path = folder.appendingPathComponent("crash.report").path
        self.isWanted = isWanted
    }

    deinit {
        stop()
    }

    /// Hands the report of an earlier start to the queue; its file goes once it is there. Nobody who is killed in between makes two of it, for it has its id.
    ///
    /// - Returns: Whether there was one.
    func takeOver(to outbox: Outbox) -> Bool {
        guard let bytes = left() else { return false }
        guard let report = CrashFile(bytes).flatMap({ CrashReport($0) }) else {
            deleteLeft()
            return !bytes.isEmpty
        }
        if outbox.keep(report.frame) { deleteLeft() }
        return true
    }

    func deleteLeft() {
        try? FileManager.default.removeItem(atPath: path)
    }

    private func left() -> [UInt8]? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        // At the end of a file, which an empty one begins with, there may be no data instead of none.
        return [UInt8]((try? handle.read(upToCount: CrashFile.limit + 1)) ?? Data())
    }

    // MARK: This start

    /// Begins, or says anew who this is.
    ///
    /// - Parameter app: The fields of a report that say who this is.
    func start(app: [UInt8]) {
        isOn.withLock { isOn in
            isOn = isOn || begin()
            if isOn { csignalbox_crash_note(CSIGNALBOX_APP, app, app.count) }
        }
    }

    private func begin() -> Bool {
        // A report that the queue could not take is worth more than one that may come.
        isWanted && !FileManager.default.fileExists(atPath: path) && csignalbox_crash_begin(path) == 0
    }

    func stop() {
        isOn.withLock { isOn in
            if isOn { csignalbox_crash_end() }
            isOn = false
        }
    }

    /// Ends with all that the handler was told, and with a report that still waits for the queue; the next `start` knows nothing of them.
    func forget() {
        stop()
        deleteLeft()
    }

    /// Any thread that logs has room to crash on.
    func cover() {
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
        cover()
        var line = line
        isOn.withLock { isOn in
            if isOn { line.withUTF8 { csignalbox_crash_log($0.baseAddress, $0.count) } }
        }
    }
}
