// SPDX-License-Identifier: Apache-2.0

/// Polls a condition, less often the longer it takes. Returns false if it does not hold within the timeout.
package func eventually(within limit: Duration = .seconds(60), _ isSo: @Sendable () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + limit
    var pause = Duration.milliseconds(5)
    while ContinuousClock.now < end {
        if try await isSo() { return true }
        try await Task.sleep(for: pause)
        pause = min(pause * 1.2, .milliseconds(50))
    }
    return try await isSo()
}
