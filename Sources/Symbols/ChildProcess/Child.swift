// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// A child process, connected by a socket pair; standard error is separate.
struct Child {
    let process: pid_t
    private let stream: Int32
    /// The bytes read after the last complete result.
    private var rest: [UInt8] = []
    private(set) var completed = 0

    init(_ command: ReaderCommand, in folder: String, memory: UInt64) throws(ProgramError) {
        let program = command.program
        // A launcher could not tell the reason.
        guard access(program, X_OK) == 0 else { throw .notStarted(program, errno) }
        var ends: [Int32] = [-1, -1]
        guard clinux_stream(&ends) == 0 else { throw .notStarted(program, errno) }
        var process = pid_t()
        let error = withCStrings(command.words) { arguments in
            withCStrings([]) { nothing in
                clinux_spawn(command.words[0], arguments, nothing, folder, [ends[1], ends[1], -1], &process)
            }
        }
        close(ends[1])
        guard error == 0 else {
            close(ends[0])
            throw .notStarted(program, error)
        }
        precondition(process > 0, "a child without a process ID would make kill(2) signal a group of processes")
        clinux_confine(process, memory)
        self.process = process
        stream = ends[0]
    }

    /// Kills and reaps the child. Until it is reaped its ID is not reused, so no other process can be killed.
    func end() {
        close(stream)
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
    }

    /// Returns the results up to the first missing one.
    mutating func results(
        to lines: ArraySlice<[UInt8]>, _ limits: LineProgram.Limits, until deadline: ContinuousClock.Instant, or ending: Cancellation
    ) -> [[UInt8]] {
        // If the daemon is killed, this limit ends a child that spins.
        clinux_allow(process, UInt32(clamping: limits.call.components.seconds))
        var unsent = Array(lines.joined(separator: [0x0a]) + [0x0a])[...]
        var results: [[UInt8]] = []
        var room = limits.callBytes
        var patience = min(deadline, .now + limits.line)
        while results.count < lines.count && room >= 0 {
            guard wait(until: patience, or: ending, toSend: !unsent.isEmpty), send(&unsent), let pieces = receive(most: limits.resultBytes) else {
                break
            }
            if !pieces.isEmpty { patience = min(deadline, .now + limits.line) }
            results += pieces
            room -= pieces.reduce(0) { $0 + $1.count }
        }
        // A child with more results than lines is out of step.
        guard results.count <= lines.count else { return [] }
        completed += results.count
        return results
    }

    /// Waits for the child. Returns false after the deadline or once the call was cancelled.
    private func wait(until deadline: ContinuousClock.Instant, or ending: Cancellation, toSend: Bool) -> Bool {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return false }
        var entries = [
            pollfd(fd: stream, events: Int16(POLLIN) | (toSend ? Int16(POLLOUT) : 0), revents: 0),
            pollfd(fd: ending.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let milliseconds = Int32(clamping: left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
        return (poll(&entries, 2, milliseconds) > 0 || errno == EINTR) && entries[1].revents == 0
    }

    /// Sends as much as the socket takes. Returns false if the child no longer reads.
    private func send(_ bytes: inout ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        let sent = bytes.withUnsafeBytes { Glibc.send(stream, $0.baseAddress, min($0.count, 1 << 16), Int32(MSG_NOSIGNAL)) }
        if sent > 0 { bytes = bytes.dropFirst(sent) }
        return sent >= 0 || errno == EAGAIN || errno == EINTR
    }

    /// Returns complete results, possibly none; nil if no more will come, or one is too long.
    private mutating func receive(most limit: Int) -> [[UInt8]]? {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        let count = room.withUnsafeMutableBytes { recv(stream, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil }
        var results: [[UInt8]] = []
        var piece = room[..<count]
        while let end = piece.firstIndex(of: 0x0a) {
            results.append(rest + piece[..<end])
            rest = []
            piece = piece[(end + 1)...]
        }
        rest += piece
        return rest.count <= limit ? results : nil
    }
}
