// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A persistent first-in-first-out queue of records in a folder of segment files.
///
/// Memory holds the records of the last second, unless the queue is durable, and a description of each segment.
final class DiskQueue: Sendable {
    private struct Files {
        var segments: [Segment] = []
        /// The file of the last segment, while it is open.
        var open: AppendFile?
        var envelope: [UInt8]
        var dropped = 0
        var isClosed = false

        var records: Int { segments.reduce(0) { $0 + $1.pending } }
        var bytes: Int { segments.reduce(0) { $0 + $1.bytes } }
    }

    private struct Buffer {
        var bytes: [UInt8] = []
        var records = 0
        /// The bytes being written to disk. They return to the buffer if the write fails, so they count against its limit.
        var leaving = 0
        var dropped = 0
        var isClosed = false

        mutating func take() -> (bytes: [UInt8], records: Int) {
            defer { (bytes, records, leaving) = ([], 0, bytes.count) }
            return (bytes, records)
        }

        /// Puts frames back before those that arrived meanwhile.
        mutating func takeBack(_ frames: [UInt8], records count: Int) {
            bytes = frames + bytes
            records += count
        }

        mutating func close() {
            dropped += records
            (bytes, records, isClosed) = ([], 0, true)
        }
    }

    let folder: URL
    private let limits: QueueLimits
    private let isDurable: Bool
    private let owner: FolderLock
    // Lock order: `files` before `buffer`. Buffered callers take only `buffer`.
    private let files: Locked<Files>
    private let buffer = Locked(Buffer())

    /// - Parameter envelope: The JSON fields shared by all events of this launch, without braces.
    init(folder: URL, owner: FolderLock, limits: QueueLimits, isDurable: Bool, envelope: [UInt8]) {
        self.folder = folder
        self.limits = limits
        self.isDurable = isDurable
        self.owner = owner
        files = Locked(Files(envelope: DiskQueue.framed(envelope)))
        files.withLock { $0.segments = findSegments() }
    }

    deinit {
        _ = write()
    }

    /// Writes the buffer and releases the folder. Records that cannot be written, and later ones, are dropped and counted.
    func close() {
        files.withLock { files in
            _ = write(&files)
            files.isClosed = true
            files.open = nil
            buffer.withLock { $0.close() }
        }
        owner.release()
    }

    /// The number of queued records.
    var count: Int { files.withLock { $0.records } + buffer.withLock { $0.records } }

    /// The number of records dropped for lack of space or because a segment was unreadable.
    var dropped: Int { files.withLock { $0.dropped } + buffer.withLock { $0.dropped } }

    // MARK: Appending

    /// Appends a closed frame, which a durable queue with disk space keeps beyond the process. Returns whether to write the buffer now.
    func append(_ frame: [UInt8]) -> Bool {
        guard isDurable else { return appendToBuffer(frame) }
        return files.withLock { files in
            // Earlier frames that could not be written go first.
            let isStored = write(&files) && store(frame, records: 1, in: &files)
            return isStored ? false : appendToBuffer(frame)
        }
    }

    /// Writes a closed frame directly; returns whether it is on disk.
    func persist(_ frame: [UInt8]) -> Bool {
        files.withLock { store(frame, records: 1, in: &$0) }
    }

    /// Writes the buffer; returns whether it is empty. Frames that cannot be written stay in it.
    func write() -> Bool {
        files.withLock { write(&$0) }
    }

    private func write(_ files: inout Files) -> Bool {
        let held = buffer.withLock { $0.take() }
        let isStored = held.records == 0 || store(held.bytes, records: held.records, in: &files)
        buffer.withLock { buffer in
            buffer.leaving = 0
            if !isStored { buffer.takeBack(held.bytes, records: held.records) }
        }
        return isStored
    }

    private func appendToBuffer(_ frame: [UInt8]) -> Bool {
        buffer.withLock { buffer in
            guard !buffer.isClosed, buffer.bytes.count + buffer.leaving + frame.count <= QueueLimits.bufferBytes else {
                // The disk has been full for a while.
                buffer.dropped += 1
                return false
            }
            let before = buffer.bytes.count
            buffer.bytes += frame
            buffer.records += 1
            // True only when the threshold is crossed, so that a full disk is not retried with each event.
            return before <= DiskQueue.earlyWriteBytes && buffer.bytes.count > DiskQueue.earlyWriteBytes
        }
    }

    private static let earlyWriteBytes = QueueLimits.bufferBytes / 8

    /// Returns whether the frames are on disk.
    private func store(_ frames: [UInt8], records: Int, in files: inout Files) -> Bool {
        if let last = files.segments.last, files.open != nil, isFull(last) { seal(&files) }
        guard !files.isClosed, let file = files.open ?? begin(&files), let last = files.segments.indices.last, file.append(frames) else {
            return false
        }
        files.segments[last].records += records
        files.segments[last].bytes = file.size
        return true
    }

    private func isFull(_ segment: Segment) -> Bool {
        segment.records >= limits.segmentRecords || segment.bytes >= limits.segmentBytes
    }

    private func begin(_ files: inout Files) -> AppendFile? {
        let segment = Segment(number: (files.segments.last?.number ?? QueueHead.read(in: folder)?.segment ?? 0) + 1)
        guard let file = AppendFile(creating: path(segment)) else { return nil }
        guard file.append(files.envelope) else {
            // Free its name for the next attempt.
            delete(segment)
            return nil
        }
        files.segments.append(segment)
        files.segments[files.segments.count - 1].bytes = file.size
        files.open = file
        makeRoom(&files)
        return file
    }

    /// Drops the oldest segments until a full new segment fits the limits.
    private func makeRoom(_ files: inout Files) {
        while files.segments.count > 1,
            files.records + limits.segmentRecords > limits.events || files.bytes + limits.segmentBytes > limits.bytes
        {
            files.dropped += files.segments[0].pending
            delete(files.segments.removeFirst())
        }
    }

    private func seal(_ files: inout Files) {
        guard let last = files.segments.indices.last else { return }
        let before = path(files.segments[last])
        files.segments[last].isSealed = true
        rename(before, path(files.segments[last]))
        files.open = nil
    }

    // MARK: Reading

    /// Returns the oldest queued records; `nil` if the queue is empty. Throws if a segment cannot be read now, and keeps it.
    func next(atMost limit: Int) throws(SignalboxError) -> RecordBatch? {
        while let segment = files.withLock({ $0.segments.first { $0.pending > 0 } }) {
            do {
                if let batch = try RecordBatch(segment, in: folder, records: limit, bytes: QueueLimits.batchBytes) { return batch }
            } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
                // The segment was renamed by sealing, or deleted by something else.
            } catch {
                throw .folderUnusable(path: folder.path, reason: error.localizedDescription)
            }
            // The segment is corrupt, which does not change by waiting.
            drop(segment)
        }
        return nil
    }

    /// Removes delivered or rejected records.
    func remove(_ batch: RecordBatch) {
        files.withLock { files in
            guard let place = files.segments.firstIndex(where: { $0.number == batch.segment }) else { return }
            files.segments[place].sentRecords = batch.endRecords
            files.segments[place].sentBytes = batch.endBytes
            QueueHead(segment: batch.segment, records: batch.endRecords, bytes: batch.endBytes).write(in: folder)
            if files.segments[place].pending == 0, files.segments[place].isSealed { delete(files.segments.remove(at: place)) }
        }
    }

    /// Deletes all records, including those being sent. Later records use the new envelope.
    func removeAll(envelope: [UInt8]) {
        files.withLock { files in
            buffer.withLock { $0 = Buffer(dropped: $0.dropped, isClosed: $0.isClosed) }
            files.open = nil
            let last = files.segments.last?.number
            for segment in files.segments { delete(segment) }
            files.segments = []
            files.envelope = DiskQueue.framed(envelope)
            if let last { QueueHead(segment: last, records: 0, bytes: 0).write(in: folder) }
        }
    }

    private func drop(_ segment: Segment) {
        files.withLock { files in
            // It may have grown, been sealed or been deleted since it was read.
            guard let place = files.segments.firstIndex(where: { $0.name == segment.name && $0.bytes == segment.bytes }) else { return }
            files.dropped += files.segments[place].pending
            if !files.segments[place].isSealed { files.open = nil }
            delete(files.segments.remove(at: place))
        }
    }
}
