// SPDX-License-Identifier: Apache-2.0

import CLinux
import Dispatch
import Glibc

/// What comes from the terminal.
package enum ScreenEvent: Hashable, Sendable {
    case key(Key)
    /// The size may be another, or something else was on the screen meanwhile: the next frame is to be painted wholly.
    case resized(Size)
    /// Nobody is at the terminal any more.
    case ended
}

/// The whole terminal, for as long as this object lives; a process has one at a time.
///
/// However the process ends, the terminal is given back as it was: `CLinuxTerminal.h` says how.
package final class Screen: Sendable {
    /// The alternate screen, no cursor, no wrapping at the margin, pastes marked as such.
    private static let enter = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[?2004h\u{1b}[2J"
    private static let leave = "\u{1b}[?2026l\u{1b}[0m\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"
    /// Buttons and the wheel are told as sequences; without this a terminal selects text with the mouse.
    private static let (mouseOn, mouseOff) = ("\u{1b}[?1000h\u{1b}[?1006h", "\u{1b}[?1006l\u{1b}[?1000l")
    /// What is behind in reading them does not need all keys ever pressed.
    private static let mostWaiting = 256

    package let events: AsyncStream<ScreenEvent>
    private let pipe: WakePipe

    package struct Unavailable: Error {}

    package init(mouse: Bool = false) throws {
        guard TerminalStream.isInteractive, !TerminalStream.isDumb else { throw Unavailable() }
        pipe = try WakePipe()
        let (events, continuation) = AsyncStream<ScreenEvent>.makeStream(bufferingPolicy: .bufferingNewest(Screen.mostWaiting))
        self.events = events
        let (enter, leave) = (Screen.enter + (mouse ? Screen.mouseOn : ""), (mouse ? Screen.mouseOff : "") + Screen.leave)
        guard clinux_terminal_enter(TerminalStream.output, pipe.writeEnd, enter, leave) == 0 else { throw Unavailable() }
        let reader = ScreenReader(pipe: pipe, continuation: continuation)
        DispatchQueue(label: "terminal").async { reader.run() }
    }

    /// Gives the terminal back at once, where the process is about to go on without it.
    package func close() {
        clinux_terminal_leave()
        pipe.end()
    }

    deinit {
        close()
    }

    package var size: Size { TerminalStream.size() ?? Size(80, 24) }

    /// Whether it may be written to: between a stop and going on in front the terminal is somebody else's.
    package var isTaken: Bool { clinux_terminal_is_taken() != 0 }

    /// Stops the process as ctrl-Z does everywhere; when it goes on, the size is told anew.
    package func suspend() {
        clinux_terminal_suspend()
    }
}

/// Wakes the reader from a signal handler, and tells it when to end.
private final class WakePipe: Sendable {
    let readEnd: Int32
    let writeEnd: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Screen.Unavailable() }
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

/// Reads keys and signals on a thread of its own until the screen is closed.
private struct ScreenReader: Sendable {
    let pipe: WakePipe
    let continuation: AsyncStream<ScreenEvent>.Continuation
    /// A terminal sends the rest of a sequence at once; somebody who presses Escape sends no rest.
    private static let patience: Int32 = 40

    func run() {
        var decoder = KeyDecoder()
        var isOpen = true
        while isOpen {
            var waits = [
                pollfd(fd: TerminalStream.input, events: Int16(POLLIN), revents: 0), pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waits, 2, decoder.isWaiting ? ScreenReader.patience : -1)
            if ready == 0 { send(decoder.flush()) }
            guard ready > 0 else { continue }
            if waits[1].revents != 0 { isOpen = readSignals() }
            if waits[0].revents != 0, isOpen {
                guard let bytes = read(TerminalStream.input, limit: 4_096) else { break }
                send(decoder.take(bytes))
            }
        }
        continuation.yield(.ended)
        continuation.finish()
    }

    private func send(_ keys: [Key]) {
        for key in keys { continuation.yield(.key(key)) }
    }

    /// Answers whether the screen is still open.
    private func readSignals() -> Bool {
        guard let signals = read(pipe.readEnd, limit: 256), !signals.contains(1) else { return false }
        continuation.yield(.resized(TerminalStream.size() ?? Size(80, 24)))
        return true
    }

    /// Nil where there will be no more.
    private func read(_ descriptor: Int32, limit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = Glibc.read(descriptor, &buffer, limit)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
