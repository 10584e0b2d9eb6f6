// SPDX-License-Identifier: Apache-2.0

import Terminal

/// The frame of a part of a pane: title, note and placeholder.
enum Block {
    /// Draws a title and returns the area below it. Without a result it draws the reason there and returns nil: the error, or `missing` for an
    /// unknown item.
    static func open<Value>(
        _ title: String, _ note: String, _ query: DaemonQuery<Value>, _ view: PaneView, in area: Rect, on frame: inout Frame,
        missing: String = "Not available on this daemon."
    ) -> Rect? {
        let (head, body) = area.split(rows: 1)
        frame.rule(title, note: note, in: head, Theme.faint, title: Theme.title)
        if view.results.value(query) != nil { return body }
        if let error = view.results.error(query) {
            frame.paragraph(error.kind == .unknown ? missing : error.sentences, in: body, Theme.warning)
        } else {
            say("…", in: body, on: &frame)
        }
        return nil
    }

    static func say(_ text: String, in area: Rect, on frame: inout Frame) {
        frame.paragraph(text, in: area, Theme.faint)
    }
}
