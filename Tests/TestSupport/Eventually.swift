// SPDX-License-Identifier: Apache-2.0

/// Polls a condition. Returns false if it does not hold within the timeout.
package func eventually(within limit: Duration = .seconds(60), _ isSo: @Sendable () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await isSo() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return try await isSo()
}
