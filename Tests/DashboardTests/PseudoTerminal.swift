// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A terminal without a window: what a program shows can be read, and keys typed.
final class PseudoTerminal: Sendable {
    private let master: Int32
    private let slave: Int32
    private let child = Mutex<ChildProcess?>(nil)
    private let unread = Mutex<[UInt8]>([])
    private struct Unavailable: Error {}

    init(columns: UInt16, rows: UInt16) throws {
        // The C library's own functions for this are not seen by Swift; what they do are these requests of Linux.
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

    /// Flags that a full screen changes.
    var settings: [UInt32] {
        var settings = termios()
        tcgetattr(slave, &settings)
        return [settings.c_iflag, settings.c_oflag, settings.c_lflag, settings.c_cflag]
    }

    /// Whether there is room for more before something is read.
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

    func signal(_ number: Int32) {
        child.withLock { $0?.signal(number) }
    }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// What was shown since the last time, up to a text; at most for some seconds.
    func read(until text: String) -> String {
        String(decoding: take { String(decoding: $0, as: UTF8.self).contains(text) ? $0.count : nil }, as: UTF8.self)
    }

    /// What is written up to the end of the next whole frame, and nothing of the one after it.
    func readFrame() -> [UInt8] {
        take { $0.firstRange(of: Array("\u{1b}[?2026l".utf8))?.upperBound }
    }

    /// Reads until as much is there as is asked for; where that does not come, whatever is there.
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
