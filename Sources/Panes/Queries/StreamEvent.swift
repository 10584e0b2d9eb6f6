// SPDX-License-Identifier: Apache-2.0

/// One event of a stream: `event: gap`, `data: {"missed": 3}`.
package struct StreamEvent: Equatable, Sendable {
    /// The ID after which the stream can be resumed; empty without one.
    package var id: String
    package var name: String
    package var data: String

    package init(id: String, name: String, data: String) {
        (self.id, self.name, self.data) = (id, name, data)
    }
}
