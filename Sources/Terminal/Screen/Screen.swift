// SPDX-License-Identifier: Apache-2.0

import CLinux
import Dispatch
import Glibc

/// An event from the terminal.
package enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    /// The size may have changed, or the screen was used by another program. The next frame must be painted completely.
    case resized(Size)
    /// The terminal was closed.
    case ended
}

/// Control of the whole terminal for the lifetime of the object. A process has one at a time.
///
/// The terminal is restored however the process ends; see `CLinuxTerminal.h`.
package final class Screen: Sendable {
    /// Selects the alternate screen, without cursor and wrapping, with bracketed paste.
    private static let enter = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h\u{1b}[2J"
    private static let leave = "\u{1b}[?2026l\u{1b}[0m\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"
    /// Reports mouse buttons and the wheel as sequences; otherwise the terminal selects text with the mouse.
    private static let (mouseOn, mouseOff) = ("\u{1b}[?1000h\u{1b}[?1006h", "\u{1b}[?1006l\u{1b}[?1000l")
    /// The limit of unread events; older ones are dropped.
    private static let mostWaiting = 256

    package let events: AsyncStream<ScreenEvent>
    private let pipe: WakePipe

    package struct UnavailableError: Error {}

    package init(mouse: Bool = false) throws {
        guard TerminalStream.isInteractive, !TerminalStream.isDumb else { throw UnavailableError() }
        pipe = try WakePipe()
        let (events, continuation) = AsyncStream<ScreenEvent>.makeStream(bufferingPolicy: .bufferingNewest(Screen.mostWaiting))
        self.events = events
        let (enter, leave) = (Screen.enter + (mouse ? Screen.mouseOn : ""), (mouse ? Screen.mouseOff : "") + Screen.leave)
        guard clinux_terminal_enter(TerminalStream.output, pipe.writeEnd, enter, leave) == 0 else { throw UnavailableError() }
        let reader = ScreenReader(pipe: pipe, continuation: continuation)
        DispatchQueue(label: "terminal").async { reader.run() }
    }

    /// Restores the terminal at once, for a process that continues without it.
    package func close() {
        clinux_terminal_leave()
        pipe.end()
    }

    deinit {
        close()
    }

    package var size: Size { TerminalStream.size() ?? Size(80, 24) }

    /// Whether the terminal may be written to. Between a stop and continuing in the foreground it belongs to another process.
    package var isTaken: Bool { Screen.isTaken }
    fileprivate static var isTaken: Bool { clinux_terminal_is_taken() != 0 }

    /// Stops the process like Ctrl-Z. When it continues, the size is reported again.
    package func suspend() {
        clinux_terminal_suspend()
    }
}

/// Wakes the reader from a signal handler, and ends it.
private final class WakePipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Screen.UnavailableError() }
        (readEnd, writeEnd) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func end() {
        _ = [UInt8(1)].withUnsafeBytes { write(writeEnd, $0.baseAddress, 1) }
    }
}

/// Reads keys and signals on a separate thread until the screen is closed.
///
/// Between a stop and continuing in the foreground, input is the shell's: the reader leaves it in the terminal.
private struct ScreenReader: Sendable {
    let pipe: WakePipe
    let continuation: AsyncStream<ScreenEvent>.Continuation
    /// The milliseconds to wait for the rest of a sequence. A terminal sends it at once; a lone Escape key has none.
    private static let patience: Int32 = 40

    func run() {
        var decoder = KeyDecoder()
        var isOpen = true
        while isOpen {
            // The end of a terminal is reported even if no input is wanted. The pipe reports that the screen was taken again.
            let wanted = Int16(Screen.isTaken ? POLLIN : 0)
            var waits = [pollfd(fd: TerminalStream.input, events: wanted, revents: 0), pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)]
            let ready = poll(&waits, 2, decoder.isWaiting ? ScreenReader.patience : -1)
            if ready == 0 { send(decoder.flush()) }
            guard ready > 0 else { continue }
            if waits[1].revents != 0 { isOpen = readSignals() }
            if waits[0].revents != 0, isOpen {
                guard let bytes = readInput(isClosed: waits[0].revents != Int16(POLLIN)) else { break }
                send(decoder.take(bytes))
            }
        }
        continuation.yield(.ended)
        continuation.finish()
    }

    private func send(_ keys: [Key]) {
        for key in keys { continuation.yield(.key(key)) }
    }

    /// Returns whether the screen is still open.
    private func readSignals() -> Bool {
        guard let signals = read(pipe.readEnd, limit: 256), !signals.contains(1) else { return false }
        continuation.yield(.resized(TerminalStream.size() ?? Size(80, 24)))
        return true
    }

    /// Returns the available bytes; `nil` at the end. A read in the background fails too, as this thread blocks SIGTTIN, but is not the end.
    private func readInput(isClosed: Bool) -> [UInt8]? {
        guard isClosed || Screen.isTaken else { return [] }
        let bytes = read(TerminalStream.input, limit: 4_096)
        return bytes == nil && !isClosed && !isLost ? [] : bytes
    }

    /// Whether another process group got the terminal without a stop of this one, as after the death of a nested shell.
    private var isLost: Bool { Screen.isTaken && tcgetpgrp(TerminalStream.input) != getpgrp() }

    /// Returns the available bytes; `nil` at the end.
    private func read(_ descriptor: Int32, limit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(descriptor, &buffer, limit)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
