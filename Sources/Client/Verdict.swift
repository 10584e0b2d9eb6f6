// SPDX-License-Identifier: Apache-2.0

/// The validation result of a record that the daemon did not accept unchanged, for the app's developer.
public struct Verdict: Sendable, Equatable {
    /// The outcome for the record.
    public enum Result: String, Sendable {
        /// Stored after the daemon removed or shortened invalid parts.
        case corrected
        /// Kept in quarantine for inspection and not counted.
        case quarantined
        /// Not counted again: its transaction ID is already stored.
        case duplicate
        /// The daemon rejected the request; the record was dropped.
        case rejected

        /// The name of ``rejected`` in 0.1.
        @available(*, deprecated, renamed: "rejected")
        public static var refused: Result { .rejected }
    }

    /// The outcome for the record.
    public var result: Result
    /// The event's name; `nil` for other records.
    public var name: String?
    /// The stable error code, such as `value_too_long`.
    public var code: String
    /// The path of the invalid field, such as `params.text`.
    public var field: String?
    /// A description for people.
    public var message: String
}
