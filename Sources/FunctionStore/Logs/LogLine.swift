// SPDX-License-Identifier: Apache-2.0

package import Functions
package import Platform

/// A new line of a function's log. Longer ones are cut.
package struct LogLine: Sendable {
    package var level: LineLevel
    package var text: String
    /// The user of the call.
    package var user: String?
    /// The number of the run; nil for a call.
    package var run: Int64?

    package init(level: LineLevel, _ text: String, user: String? = nil, run: Int64? = nil) {
        self.level = level
        self.text = text.utf8.count <= FunctionBounds.lineBytes ? text : String(decoding: text.utf8.prefix(FunctionBounds.lineBytes), as: UTF8.self)
        (self.user, self.run) = (user, run)
    }
}

package struct StoredLine: Sendable {
    package var number: Int64
    package var run: String?
    package var at: Timestamp
    package var level: LineLevel
    package var text: String
    package var function: String = ""
}
