// SPDX-License-Identifier: Apache-2.0

/// A secret text. It prints as dots when interpolated, dumped or reflected, so that it cannot reach a log or response.
package struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text, for comparing or sending it.
    package let revealed: String

    package init(_ text: String) {
        revealed = text
    }

    package var description: String { "•••" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
