// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport

@testable import AcrossStores

/// A running store with a manual clock, and short forms of the operations on a part of it.
protocol StoreWorld: Sendable {
    associatedtype Bounds

    /// The options of the part.
    static var bounds: WritableKeyPath<StoreOptions, Bounds> { get }

    init(store: Stores, clock: ManualClock)
}

extension StoreWorld {
    static var start: Timestamp { Timestamp(milliseconds: 1_790_000_000_000) }
    static var app: AppID { AppID(rawValue: 1) }

    static func run<T: Sendable>(
        in folder: TemporaryFolder = TemporaryFolder(), clock: ManualClock = ManualClock(start), _ bounds: Bounds? = nil,
        metrics: Metrics = Metrics(), _ body: @Sendable (Self) async throws -> T
    ) async throws -> T {
        var options = StoreOptions()
        if let bounds { options[keyPath: Self.bounds] = bounds }
        return try await withStore(in: folder, options: options, clock: clock.clock, metrics: metrics) { store in
            try await body(Self(store: store, clock: clock))
        }
    }
}
