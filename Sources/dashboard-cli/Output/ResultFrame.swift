// SPDX-License-Identifier: Apache-2.0

import JSON
import Panes
import Platform
import Terminal

/// A result for a terminal: facts, charts and tables.
struct ResultFrame {
    private let parts: ResultTables
    private let values: ValueFormatter
    private let hint: String
    private let depth: ColorDepth

    /// The hint is shown for an empty result.
    init(_ result: JSONValue, hint: String, depth: ColorDepth) {
        parts = ResultTables(result)
        values = ValueFormatter(in: ZoneOffsets(result.text("tz")))
        self.hint = hint
        self.depth = depth
    }

    /// Returns a frame as high as needed.
    func frame(width: Int) -> Frame {
        let tables = parts.tables.map { ResultTableView($0, values, isOpen: fact("complete") == "false", depth) }
        let isEmpty = !tables.contains { $0.saysSomething }
        // A result of zeros counts as empty.
        let shown = isEmpty ? [] : tables
        let facts = isEmpty ? [] : otherFacts
        let head = (fact("from").isEmpty ? 0 : 1) + facts.count + (isEmpty ? 1 + hintHeight(width) : 0)
        var frame = Frame(Size(width, head + shown.reduce(0) { $0 + 1 + $1.height } - (head == 0 ? 1 : 0)))
        var rest = drawFacts(facts, in: frame.bounds, on: &frame)
        if isEmpty {
            frame.text("No data.", in: rest, .bold)
            frame.paragraph(hint, in: rest.split(rows: 1).rest, Theme.faint)
        }
        for table in shown {
            if rest.y > 0 { rest = rest.split(rows: 1).rest }
            rest = table.draw(in: rest, on: &frame)
        }
        return frame
    }

    private func hintHeight(_ width: Int) -> Int {
        var trial = Frame(Size(width, hint.count))
        return trial.paragraph(hint, in: trial.bounds)
    }

    // MARK: Facts

    private static let about: Set<String> = ["from", "to", "tz", "complete", "source"]
    private var otherFacts: [(name: String, value: String)] { parts.facts.filter { !ResultFrame.about.contains($0.name) } }
    private func fact(_ name: String) -> String { parts.facts.first { $0.name == name }?.value ?? "" }

    private func drawFacts(_ facts: [(name: String, value: String)], in area: Rect, on frame: inout Frame) -> Rect {
        var rest = area
        if !fact("from").isEmpty {
            let open = fact("complete") == "false" ? ", in progress" : ""
            frame.text("\(values.range(from: fact("from"), to: fact("to"))) \(fact("tz"))\(open)", in: rest, Theme.faint)
            rest = rest.split(rows: 1).rest
        }
        let width = facts.map { ValueFormatter.heading($0.name).width }.max() ?? 0
        for (name, value) in facts {
            let (left, right) = rest.split(rows: 1).top.split(columns: width + 2)
            frame.text(ValueFormatter.heading(name), in: left, Theme.faint)
            frame.text(values.value(value, of: name), in: right, .bold)
            rest = rest.split(rows: 1).rest
        }
        return rest
    }
}
