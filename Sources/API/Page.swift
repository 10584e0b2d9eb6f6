// SPDX-License-Identifier: Apache-2.0

/// A page of a list: `{"items": […], "next": "17"}`.
package struct Page<Item: Codable & Sendable>: Codable, Sendable {
    package var items: [Item]
    /// The cursor of the next page, sent back as `after`; nil on the last page.
    package var next: String?

    package init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }
}
