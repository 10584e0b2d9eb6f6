// SPDX-License-Identifier: Apache-2.0

/// A text that must not reach a log or an answer; it prints as dots wherever it is interpolated, dumped or reflected.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text itself, for the one place that compares or sends it.
    package let revealed: String

    package init(_ text: String) {
        revealed = text
    }

    package var description: String { "•••" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
