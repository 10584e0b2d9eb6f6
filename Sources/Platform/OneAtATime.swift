// SPDX-License-Identifier: Apache-2.0

/// Runs closures one after another in their order of arrival, and rejects new ones beyond a limit of waiting ones.
package actor OneAtATime {
    private var last: Task<Void, Never>?
    private let most: Int
    package private(set) var waiting = 0

    package init(most: Int = .max) {
        self.most = most
    }

    package func run<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
        guard waiting < most else {
            throw Refusal(.overloaded, "Too many requests of this kind are waiting.", hint: "Send the request again later.", retryAfterSeconds: 5)
        }
        waiting += 1
        defer { waiting -= 1 }
        let before = last
        let mine = Task {
            await before?.value
            return try await body()
        }
        last = Task { _ = await mine.result }
        return try await mine.value
    }
}
