// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A pseudo terminal: tests type keys and read the output.
final class PseudoTerminal: Sendable {
    private let master: Int32
    private let slave: Int32
    private let child = Mutex<ChildProcess?>(nil)
    private let unread = Mutex<[UInt8]>([])
    private struct Unavailable: Error {}

    init(columns: UInt16, rows: UInt16) throws {
        // Swift does not import the C library's functions for this; these are the ioctl requests behind them.
        let (unlock, openOther) = (UInt(0x4004_5431), UInt(0x5441))
        var isLocked: Int32 = 0
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard master >= 0, ioctl(master, unlock, &isLocked) == 0 else { throw Unavailable() }
        slave = ioctl(master, openOther, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Unavailable() }
        resize(columns: columns, rows: rows)
    }

    deinit {
        close(master)
        close(slave)
    }

    /// The terminal flags that a full-screen program changes.
    var settings: [UInt32] {
        var settings = termios()
        tcgetattr(slave, &settings)
        return [settings.c_iflag, settings.c_oflag, settings.c_lflag, settings.c_cflag]
    }

    /// Whether the terminal accepts more output before it is read.
    var takesMore: Bool {
        var room = pollfd(fd: slave, events: Int16(POLLOUT), revents: 0)
        return poll(&room, 1, 0) > 0
    }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func start(_ program: ProgramUnderTest, _ arguments: [String], _ environment: [String: String]) throws -> ChildProcess {
        let started = try program.start(arguments, environment: environment, input: slave, output: slave, complaints: slave)
        child.withLock { $0 = started }
        return started
    }

    /// Starts an interactive shell that leads a session on this terminal, so that it controls jobs. Its prompt is `shell> `.
    func startShell(_ environment: [String: String]) throws -> ChildProcess {
        let started = try ChildProcess(
            "/usr/bin/setsid", ["--ctty", "/bin/bash", "--norc", "--noediting", "-i"], environment: environment.merging(["PS1": "shell> "]) { $1 },
            input: slave, output: slave, complaints: slave)
        child.withLock { $0 = started }
        return started
    }

    func signal(_ number: Int32) {
        child.withLock { $0?.signal(number) }
    }

    /// Sends a signal to the job that a shell has in the foreground.
    func signalForeground(_ number: Int32) {
        let group = tcgetpgrp(master)
        if group > 1 { kill(-group, number) }
    }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// The output since the last read up to a text; waits for at most some seconds.
    func read(until text: String) -> String {
        String(decoding: take { String(decoding: $0, as: UTF8.self).contains(text) ? $0.count : nil }, as: UTF8.self)
    }

    /// The output up to the end of the next complete frame, without the frame after it.
    func readFrame() -> [UInt8] {
        let end = Array("\u{1b}[?2026l".utf8)
        return take { bytes in bytes.place(of: end).map { $0 + end.count } }
    }

    /// Reads until the wanted length is available; at the time limit returns the bytes read so far.
    private func take(_ wanted: ([UInt8]) -> Int?) -> [UInt8] {
        let end = ContinuousClock.now + .seconds(40)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while ContinuousClock.now < end {
            let found = unread.withLock { bytes -> [UInt8]? in
                guard let length = wanted(bytes) else { return nil }
                defer { bytes.removeFirst(length) }
                return Array(bytes[..<length])
            }
            if let found { return found }
            var wait = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 500) > 0 else { continue }
            let count = Glibc.read(master, &buffer, buffer.count)
            if count <= 0 { break }
            unread.withLock { $0 += buffer[..<count] }
        }
        return unread.withLock { bytes in
            defer { bytes = [] }
            return bytes
        }
    }
}
