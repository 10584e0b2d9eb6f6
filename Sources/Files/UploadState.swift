// SPDX-License-Identifier: Apache-2.0

/// The life of an upload as a value: what it accepts, and what is next.
///
///     receive 10 KiB                       in memory
///     receive 10 KiB                       spilled to a file, as more than 16 KiB came
///     pause    sync, commitOffset 20480    a client may go on there after a kill
///     resume, receive 4 KiB, end           sync, move, record: the file has its name and its row
///
///     receive 10 KiB, end                  record: the row has the bytes
///
/// The shell (`FileUpload`) carries out `next` and reports it with `did`.
package struct UploadState: Hashable, Sendable {
    /// The size up to which a file lies in the database.
    package static let inlineBytes: Int64 = 16 << 10

    package enum Fault: Error, Hashable {
        /// The client is at another place than the server.
        case wrongOffset(received: Int64)
        /// More bytes than declared or allowed came.
        case tooLong
        /// The upload ended before its declared length.
        case incomplete(received: Int64)
        /// The upload is ending or over.
        case closed
    }

    /// The place of the bytes that come next.
    package enum Place: Hashable, Sendable {
        case memory
        case file(at: Int64)
        /// The bytes in memory go to a new file first.
        case newFile
    }

    package enum Step: Hashable, Sendable {
        case receive
        /// The bytes received before must be read again for their sums.
        case readSums
        case sync
        case commitOffset(Int64)
        /// The file gets its final name, durably.
        case move
        /// The row of the file is committed, with the bytes if the file is small.
        case record(isInline: Bool)
        case nothing
    }

    private enum Phase: Hashable {
        case receiving, pausing, ending, over
    }

    /// The length that the client declared.
    package private(set) var length: Int64?
    /// The most bytes that are accepted.
    package private(set) var limit: Int64
    /// Whether bytes stay in memory until they are more than lie in the database.
    private let beginsInMemory: Bool
    package private(set) var received: Int64
    /// The bytes that are synced.
    package private(set) var synced: Int64
    /// The offset that is committed. An upload goes on there after a kill.
    package private(set) var committed: Int64
    /// Whether the sums of all received bytes are known.
    private var hasSums: Bool
    /// Whether the file has its final place, but no row.
    package private(set) var isMoved = false
    private var isInFile: Bool
    private var phase = Phase.receiving

    /// Begins an upload of one request.
    package init(length: Int64?, limit: Int64) {
        self.init(length: length, limit: limit, committed: 0, beginsInMemory: true)
    }

    /// Begins or goes on with an upload of several requests at its committed offset.
    package init(length: Int64?, limit: Int64, committed: Int64) {
        self.init(length: length, limit: limit, committed: committed, beginsInMemory: false)
    }

    private init(length: Int64?, limit: Int64, committed: Int64, beginsInMemory: Bool) {
        (self.length, self.limit, self.beginsInMemory) = (length, min(limit, length ?? limit), beginsInMemory)
        (received, synced, self.committed) = (committed, committed, committed)
        (hasSums, isInFile) = (committed == 0, !beginsInMemory)
    }

    /// Whether all declared bytes are here.
    package var isComplete: Bool { received == length }

    package var isOver: Bool { phase == .over }

    /// Sets the length of an upload that began without one.
    package mutating func declare(_ length: Int64) throws(Fault) {
        guard phase == .receiving else { throw .closed }
        guard length >= received, length <= limit, self.length ?? length == length else { throw .tooLong }
        (self.length, limit) = (length, length)
    }

    /// Returns how many of the bytes from an offset are here already and are skipped.
    package func overlap(from offset: Int64) throws(Fault) -> Int64 {
        guard phase == .receiving else { throw .closed }
        guard (0...received).contains(offset) else { throw .wrongOffset(received: received) }
        return received - offset
    }

    /// Accepts bytes and returns their place.
    package mutating func receive(_ count: Int) throws(Fault) -> Place {
        guard phase == .receiving else { throw .closed }
        guard Int64(count) <= limit - received else { throw .tooLong }
        let offset = received
        received += Int64(count)
        if isInFile { return .file(at: offset) }
        guard received > UploadState.inlineBytes else { return .memory }
        isInFile = true
        return .newFile
    }

    /// Makes what was received durable before the client is told. Nothing is received meanwhile.
    package mutating func pause() throws(Fault) {
        guard phase == .receiving else { throw .closed }
        phase = .pausing
    }

    /// Ends the upload with what was received.
    package mutating func end() throws(Fault) {
        guard phase == .receiving else { throw .closed }
        if let length, received < length { throw .incomplete(received: received) }
        phase = .ending
    }

    /// Forgets what was received after the committed offset.
    package mutating func cut() {
        guard phase != .over else { return }
        hasSums = hasSums && received == committed || committed == 0
        (received, synced, phase, isMoved) = (committed, committed, .receiving, false)
        if committed == 0 { isInFile = !beginsInMemory }
    }

    /// Goes on after an end that failed. The sums must be read again.
    package mutating func reopen() {
        guard phase == .ending else { return }
        (phase, isMoved, hasSums) = (.receiving, false, received == 0)
    }

    package mutating func close() { phase = .over }

    private var isInline: Bool { received <= UploadState.inlineBytes }

    package var next: Step {
        switch phase {
        case .receiving: .receive
        case .pausing: synced < received ? .sync : .commitOffset(received)
        case .ending: nextOfEnd
        case .over: .nothing
        }
    }

    private var nextOfEnd: Step {
        if !hasSums { return .readSums }
        if isInline { return .record(isInline: true) }
        if synced < received { return .sync }
        return isMoved ? .record(isInline: false) : .move
    }

    /// Records that a step is done.
    package mutating func did(_ step: Step) {
        switch step {
        case .receive, .nothing: break
        case .readSums: hasSums = true
        case .sync: synced = received
        case .commitOffset(let offset): (committed, phase) = (offset, .receiving)
        case .move: isMoved = true
        case .record: phase = .over
        }
    }
}
