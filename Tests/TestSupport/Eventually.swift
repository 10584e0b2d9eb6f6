// SPDX-License-Identifier: Apache-2.0

/// Looks again and again until something has come about; answers false when it has not in all that time.
package func eventually(within limit: Duration = .seconds(60), _ isSo: @Sendable () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if try await isSo() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return try await isSo()
}
