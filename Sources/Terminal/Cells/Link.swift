// SPDX-License-Identifier: Apache-2.0

/// A part of a frame where a click stands for keys.
package struct Link: Hashable, Sendable {
    let part: Rect
    let keys: [Key]
}

extension Frame {
    /// Adds a link, which replaces earlier links of the part.
    package mutating func link(_ part: Rect, _ keys: [Key]) {
        links.append(Link(part: part, keys: keys))
    }

    /// Returns the keys that a mouse event at its place stands for.
    package func keys(for mouse: Mouse) -> [Key] {
        switch mouse.act {
        case .press: links.last { $0.part.contains(mouse.x, mouse.y) }?.keys ?? []
        case .wheelUp: [.up]
        case .wheelDown: [.down]
        case .release: []
        }
    }
}

extension Rect {
    fileprivate func contains(_ x: Int, _ y: Int) -> Bool { (self.x..<self.x + width).contains(x) && (self.y..<self.y + height).contains(y) }
}
