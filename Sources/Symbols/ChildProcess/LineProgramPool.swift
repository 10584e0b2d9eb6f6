// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The children of one program. Each may read its own folders only, such as those of one app:
///
///     ask(["1/9f86… 0x2190"], reading: ["/data/symbols/1"])   →  a child that cannot open /data/symbols/2
final class LineProgramPool: Sendable {
    private struct State {
        /// The one used last comes last.
        var programs: [(folders: [String], program: LineProgram)] = []
        var isStopped = false
    }

    /// The limit of children.
    private static let most = 4

    private let make: @Sendable ([String]) -> LineProgram
    private let state = Mutex(State())

    /// - Parameter make: Returns a program that may read some folders.
    init(_ make: @escaping @Sendable ([String]) -> LineProgram) {
        self.make = make
    }

    /// The process ID of the child used last, for tests that kill it.
    var process: Int32? { state.withLock { $0.programs.last?.program.process } }

    /// Ends the children until the next call, which frees their memory.
    func end() {
        state.withLock { state in
            for entry in state.programs { entry.program.end() }
            state.programs = []
        }
    }

    /// Cancels current calls, from any thread, and rejects further ones.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            for entry in state.programs { entry.program.stop() }
        }
    }

    /// Returns the result of each line; nil for a line that the program did not survive.
    func ask(_ lines: [[UInt8]], reading folders: [String]) throws(ProgramError) -> [[UInt8]?] {
        try program(reading: folders).ask(lines)
    }

    private func program(reading folders: [String]) -> LineProgram {
        state.withLock { state in
            let place = state.programs.firstIndex { $0.folders == folders }
            let entry = place.map { state.programs.remove(at: $0) } ?? (folders, make(folders))
            // The child of one that is forgotten ends with the last call.
            if state.programs.count >= LineProgramPool.most { state.programs.removeFirst() }
            if state.isStopped { entry.1.stop() }
            state.programs.append(entry)
            return entry.1
        }
    }
}
