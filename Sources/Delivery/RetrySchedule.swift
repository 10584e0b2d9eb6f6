/// When a delivery that failed is tried again.
package struct RetrySchedule: Sendable, Equatable {
    /// The wait after each failed attempt; after the last wait's attempt there is none.
    package var waits: [Duration]

    package static let standard = RetrySchedule(
        waits: [.seconds(5), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(18_000), .seconds(36_000), .seconds(36_000)])

    package init(waits: [Duration]) {
        self.waits = waits
    }
}
