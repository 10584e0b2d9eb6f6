// SPDX-License-Identifier: Apache-2.0

/// What the daemon did not simply accept, for whoever writes the app.
public struct Verdict: Sendable, Equatable {
    /// What became of it.
    public enum Result: String, Sendable {
        /// Stored, without what was wrong with it.
        case corrected
        /// Not stored as an event; it can be looked at in the quarantine.
        case quarantined
        /// Known already, by a transaction's id.
        case duplicate
        /// The daemon would not have the request at all; the record is gone.
        case refused
    }

    /// What became of it.
    public var result: Result
    /// The event's name, where it is an event.
    public var name: String?
    /// A stable word for the reason, such as `value_too_long`.
    public var code: String
    /// Where it is wrong, such as `params.text`.
    public var field: String?
    /// A sentence about it.
    public var message: String
}
