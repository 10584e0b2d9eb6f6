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
        var lost = 0
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
        write()
    }

    /// Writes what is buffered and leaves the folder to others; what comes from now on is lost.
    func close() {
        write()
        files.withLock { files in
            files.isClosed = true
            files.open = nil
        }
        owner.release()
    }

    /// How many are waiting.
    var count: Int { files.withLock { $0.records } + buffer.withLock { $0.records } }

    /// How many had to go because there was no room.
    var lost: Int { files.withLock { $0.lost } + buffer.withLock { $0.lost } }

    // MARK: Taking in

    /// Takes a closed frame. When this returns in a durable queue, the end of the process does not matter to it.
    ///
    /// - Returns: Whether it is time to write what is buffered.
    func append(_ frame: [UInt8]) -> Bool {
        guard isDurable else { return hold(frame) }
        _ = keep(frame)
        return false
    }

    /// Takes a closed frame past the buffer; answers whether it is on the disk.
    func keep(_ frame: [UInt8]) -> Bool {
        files.withLock { store(frame, records: 1, in: &$0) }
    }

    /// Writes what is buffered.
    func write() {
        files.withLock { files in
            let held = buffer.withLock { buffer in
                defer { buffer = Buffer(lost: buffer.lost) }
                return buffer
            }
            if held.records > 0 { _ = store(held.bytes, records: held.records, in: &files) }
        }
    }

    private func hold(_ frame: [UInt8]) -> Bool {
        buffer.withLock { buffer in
            guard buffer.bytes.count + frame.count <= QueueLimits.bufferBytes else {
                // The disk has not taken anything for a while.
                buffer.lost += 1
                return true
            }
            buffer.bytes += frame
            buffer.records += 1
            return buffer.bytes.count > QueueLimits.bufferBytes / 8
        }
    }

    /// Answers whether it is on the disk; if not, it is counted as lost.
    private func store(_ frames: [UInt8], records: Int, in files: inout Files) -> Bool {
        if let last = files.segments.last, files.open != nil, isFull(last) { seal(&files) }
        guard !files.isClosed, let file = files.open ?? begin(&files), let last = files.segments.indices.last, file.append(frames) else {
            files.lost += records
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
        guard let file = AppendFile(creating: path(segment)), file.append(files.envelope) else { return nil }
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

    /// The oldest that wait; nil when none do.
    func next(atMost limit: Int) -> Portion? {
        while let segment = files.withLock({ $0.segments.first { $0.left > 0 } }) {
            let portion = Portion(segment, in: folder, records: limit, bytes: QueueLimits.portionBytes)
            if let portion { return portion }
            // What cannot be read will not be readable tomorrow.
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
            buffer.withLock { $0 = Buffer(lost: $0.lost) }
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
            // It may have grown, or be gone, since it was looked at.
            guard let place = files.segments.firstIndex(where: { $0.number == segment.number && $0.bytes == segment.bytes }) else { return }
            files.lost += files.segments[place].left
            if !files.segments[place].isSealed { files.open = nil }
            delete(files.segments.remove(at: place))
        }
    }
}
