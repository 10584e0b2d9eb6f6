// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization

/// Collects what a child writes and wakes those who wait for a line of it.
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

    /// Reads on a thread of its own from now on (not one of Dispatch, of which a process has 255), and closes the descriptor at its end.
    package init(_ descriptor: Int32) {
        Thread.detachNewThread { self.read(descriptor) }
    }

    /// The first line like that, also one that has come already.
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

    /// What was said last tells more than megabytes of what came before.
    private static func ended(_ text: String) -> DaemonProcess.Failure { .endedBefore("a line", log: String(text.suffix(4_000))) }

    /// The lines so far.
    package var lines: [String] { state.withLock { $0.lines } }

    /// Everything, once the child has closed its end.
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
