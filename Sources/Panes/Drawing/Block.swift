// SPDX-License-Identifier: Apache-2.0

import Terminal

/// What all parts of a pane have in common.
enum Block {
    /// A title, and the room below it; nil where there is no answer to draw, which is said there instead: `missing` where the daemon knows no such thing.
    static func open<Answer>(
        _ title: String, _ note: String, _ query: DaemonQuery<Answer>, _ view: PaneView, in area: Rect, on frame: inout Frame,
        missing: String = "This daemon does not tell."
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
