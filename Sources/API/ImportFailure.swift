// SPDX-License-Identifier: Apache-2.0

/// A line of an import that was refused.
package struct ImportFailure: Codable, Sendable {
    /// The number of the line in the body, from 1.
    package var line: Int
    package var detail: String

    package init(line: Int, detail: String) {
        self.line = line
        self.detail = detail
    }
}
