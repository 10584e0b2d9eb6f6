// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What was logged and is not yet with the daemon: segments in a folder, written at the end and taken from the beginning.
///
/// In memory there is what came within the last second, where it need not be durable at once, and a line per segment.
final class DiskQueue: Sendable {
    private struct Files {
        var segments: [Segment] = []
        /// The file of the last segment, while that is open.
        var open: AppendFile?
        var envelope: [UInt8]
        var lost = 0
        var isClosed = false

        var records: Int { segments.reduce(0) { $0 + $1.left } }
        var bytes: Int { segments.reduce(0) { $0 + $1.bytes } }
    }

    private struct Buffer {
        var bytes: [UInt8] = []
        var records = 0
        /// How much the disk is being asked to take: it may not, and then there must be room for it here.
        var leaving = 0
        var lost = 0
        var isClosed = false

        mutating func take() -> (bytes: [UInt8], records: Int) {
            defer { (bytes, records, leaving) = ([], 0, bytes.count) }
            return (bytes, records)
        }

        /// Before what came meanwhile.
        mutating func takeBack(_ frames: [UInt8], records count: Int) {
            bytes = frames + bytes
            records += count
        }

        mutating func close() {
            lost += records
            (bytes, records, isClosed) = ([], 0, true)
        }
    }

    let folder: URL
    private let limits: QueueLimits
    private let isDurable: Bool
    private let owner: FolderLock
    // Who holds the first may take the second, never the other way round; callers of the buffered kind take only the second.
    private let files: Locked<Files>
    private let buffer = Locked(Buffer())

    /// - Parameter envelope: The JSON of the fields that all events of this process share, without braces.
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

    /// Writes what is buffered and leaves the folder to others; what the disk did not take, and what comes from now on, is lost.
    func close() {
        files.withLock { files in
            _ = write(&files)
            files.isClosed = true
            files.open = nil
            buffer.withLock { $0.close() }
        }
        owner.release()
    }

    /// How many are waiting.
    var count: Int { files.withLock { $0.records } + buffer.withLock { $0.records } }

    /// How many had to go because there was no room.
    var lost: Int { files.withLock { $0.lost } + buffer.withLock { $0.lost } }

    // MARK: Taking in

    /// Takes a closed frame. When this returns in a durable queue whose disk has room, the end of the process does not matter to it.
    ///
    /// - Returns: Whether it is time to write what is buffered.
    func append(_ frame: [UInt8]) -> Bool {
        guard isDurable else { return hold(frame) }
        return files.withLock { files in
            // What the disk did not take before goes first.
            let isStored = write(&files) && store(frame, records: 1, in: &files)
            return isStored ? false : hold(frame)
        }
    }

    /// Takes a closed frame past the buffer; answers whether it is on the disk.
    func keep(_ frame: [UInt8]) -> Bool {
        files.withLock { store(frame, records: 1, in: &$0) }
    }

    /// Writes what is buffered; what the disk does not take stays there. Answers whether nothing had to.
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

    private func hold(_ frame: [UInt8]) -> Bool {
        buffer.withLock { buffer in
            guard !buffer.isClosed, buffer.bytes.count + buffer.leaving + frame.count <= QueueLimits.bufferBytes else {
                // The disk has not taken anything for a while.
                buffer.lost += 1
                return false
            }
            let before = buffer.bytes.count
            buffer.bytes += frame
            buffer.records += 1
            // Said once: a disk that takes nothing is not asked again with each event.
            return before <= DiskQueue.waitsForMore && buffer.bytes.count > DiskQueue.waitsForMore
        }
    }

    private static let waitsForMore = QueueLimits.bufferBytes / 8

    /// Answers whether it is on the disk.
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
            // Or its name would be taken when there is room again.
            delete(segment)
            return nil
        }
        files.segments.append(segment)
        files.segments[files.segments.count - 1].bytes = file.size
        files.open = file
        makeRoom(&files)
        return file
    }

    /// Looks at the limits when a segment begins, as if it were full.
    private func makeRoom(_ files: inout Files) {
        while files.segments.count > 1,
            files.records + limits.segmentRecords > limits.events || files.bytes + limits.segmentBytes > limits.bytes
        {
            files.lost += files.segments[0].left
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

    // MARK: Giving out

    /// The oldest that wait; nil when none do. Throws where they cannot be read now, as in a process without descriptors, and keeps them.
    func next(atMost limit: Int) throws(SignalboxError) -> Portion? {
        while let segment = files.withLock({ $0.segments.first { $0.left > 0 } }) {
            do {
                if let portion = try Portion(segment, in: folder, records: limit, bytes: QueueLimits.portionBytes) { return portion }
            } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
                // It has another name since, or somebody has deleted it.
            } catch {
                throw .folderUnusable(path: folder.path, reason: error.localizedDescription)
            }
            // What is not whole today will not be tomorrow.
            forget(segment)
        }
        return nil
    }

    /// They are with the daemon, or nobody wants them.
    func remove(_ portion: Portion) {
        files.withLock { files in
            guard let place = files.segments.firstIndex(where: { $0.number == portion.segment }) else { return }
            files.segments[place].goneRecords = portion.endRecords
            files.segments[place].goneBytes = portion.endBytes
            QueueHead(segment: portion.segment, records: portion.endRecords, bytes: portion.endBytes).write(in: folder)
            if files.segments[place].left == 0, files.segments[place].isSealed { delete(files.segments.remove(at: place)) }
        }
    }

    /// Deletes everything, whether it was about to be sent or not; what comes from now on has another envelope.
    func removeAll(envelope: [UInt8]) {
        files.withLock { files in
            buffer.withLock { $0 = Buffer(lost: $0.lost, isClosed: $0.isClosed) }
            files.open = nil
            let last = files.segments.last?.number
            for segment in files.segments { delete(segment) }
            files.segments = []
            files.envelope = DiskQueue.framed(envelope)
            if let last { QueueHead(segment: last, records: 0, bytes: 0).write(in: folder) }
        }
    }

    private func forget(_ segment: Segment) {
        files.withLock { files in
            // It may have grown, have been sealed, or be gone since it was looked at.
            guard let place = files.segments.firstIndex(where: { $0.name == segment.name && $0.bytes == segment.bytes }) else { return }
            files.lost += files.segments[place].left
            if !files.segments[place].isSealed { files.open = nil }
            delete(files.segments.remove(at: place))
        }
    }
}
