// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FileStore

/// The time of denials, which are all answered a multiple of 50 ms after their requests began.
///
/// A denial is late by what the rules read. Without this its time would tell whether a document is there, and how large it is:
///
///     absent, denied after 0.5 ms            answered after 50 ms
///     a list of 10,000, denied after 9 ms    answered after 50 ms
struct DenialTime {
    private static let step = Duration.milliseconds(50)

    private let start = ContinuousClock.now

    /// Waits for the next time of an answer.
    func wait() async throws {
        let steps = ((ContinuousClock.now - start) / Self.step).rounded(.up)
        try await Task.sleep(until: start + Self.step * max(1, steps), clock: .continuous)
    }

    /// Returns what a body returns. A denial by rules of documents or files is thrown at the time of an answer.
    static func uniform<T>(_ body: () async throws -> T) async throws -> T {
        let time = DenialTime()
        do { return try await body() } catch {
            if isDenial(error) { try await time.wait() }
            throw error
        }
    }

    private static func isDenial(_ error: any Error) -> Bool {
        if case FileFault.denied = error { return true }
        return error is DeniedByRules
    }
}
