// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// Collects the output of a child and resumes tasks that wait for a line.
package final class LineReader: Sendable {
    private struct Waiter {
        var matches: @Sendable (String) -> Bool
        var found: CheckedContinuation<String, any Error>
    }

    private struct State {
        var text = ""
        var lines: [String] = []
        var ended = false
        var waiters: [Waiter] = []
        var readers: [CheckedContinuation<String, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts a thread that reads the descriptor and closes it at the end. Dispatch has only 255 threads per process.
    package init(_ descriptor: Int32) {
        Thread.detachNewThread { self.read(descriptor) }
    }

    /// Returns the first matching line, past or future.
    package func line(_ matches: @escaping @Sendable (String) -> Bool) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            let known: Result<String, any Error>? = state.withLock { state in
                if let line = state.lines.first(where: matches) { return .success(line) }
                if state.ended { return .failure(LineReader.ended(state.text)) }
                state.waiters.append(Waiter(matches: matches, found: continuation))
                return nil
            }
            if let known { continuation.resume(with: known) }
        }
    }

    /// The end of the output explains a failure best.
    private static func ended(_ text: String) -> DaemonProcess.Failure { .endedBefore("a line", log: String(text.suffix(4_000))) }

    /// The lines read so far.
    package var lines: [String] { state.withLock { $0.lines } }

    /// Returns the whole output, after the child has closed it.
    package func whole() async -> String {
        await withCheckedContinuation { continuation in
            let text: String? = state.withLock { state in
                if state.ended { return state.text }
                state.readers.append(continuation)
                return nil
            }
            if let text { continuation.resume(returning: text) }
        }
    }

    private func read(_ descriptor: Int32) {
        var rest: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 16 << 10)
        while case let count = Glibc.read(descriptor, &room, room.count), count > 0 {
            rest += room[..<count]
            while let end = rest.firstIndex(of: 0x0a) {
                take(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeFirst(end + 1)
            }
        }
        close(descriptor)
        if !rest.isEmpty { take(String(decoding: rest, as: UTF8.self), ending: "") }
        let (text, waiters, readers) = state.withLock { state in
            state.ended = true
            return (state.text, state.waiters, state.readers)
        }
        for waiter in waiters { waiter.found.resume(throwing: LineReader.ended(text)) }
        for reader in readers { reader.resume(returning: text) }
    }

    private func take(_ line: String, ending: String = "\n") {
        let woken = state.withLock { state in
            state.text += line + ending
            state.lines.append(line)
            let woken = state.waiters.filter { $0.matches(line) }
            state.waiters.removeAll { $0.matches(line) }
            return woken
        }
        for waiter in woken { waiter.found.resume(returning: line) }
    }
}
