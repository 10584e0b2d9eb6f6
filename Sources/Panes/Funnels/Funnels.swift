// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Terminal

/// The people who complete each step.
struct FunnelsPane: Pane {
    static let name = "Funnels"
    static let summary = "People who complete each step of a funnel."

    static let keys: [PaneKey<Self>] =
        [
            .open("change", "Changes the selected step.", when: hasSteps) { pane, view in
                pane.steps.index.map { .prompt(pane.change(pane.steps.texts[$0], view)) }
            }, PaneKey("a", "add", "Adds a step after the selected one.") { pane, view in pane.add(view) },
            edit("d", "delete", "Deletes the selected step.", atLeast: 1) { $0.drop() },
            edit("<", "up", "Moves the selected step up.", atLeast: 2) { $0.shift(by: -1) },
            edit(">", "down", "Moves the selected step down.", atLeast: 2) { $0.shift(by: 1) },
        ]
        + PaneKey.range + [
            PaneKey("m", "order", "Allows or forbids other events between two steps.") { pane, _ in
                pane.order = pane.order == .ordered ? .strict : .ordered
                return nil
            }, PaneKey("w", "window", "Sets the time limit for all steps.") { pane, _ in .prompt(pane.windowPrompt) },
            PaneKey("b", "by", "Breaks the funnel down by a field of the first step.") { pane, _ in .prompt(pane.fieldPrompt) },
        ]
        + PaneKey.moves(when: hasSteps) { pane, move, _ in pane.steps.move(move) }

    private static let hasSteps: PaneKey<Self>.Condition = { pane, _ in !pane.steps.texts.isEmpty }

    private static func edit(
        _ key: Character, _ label: String, _ help: String, atLeast count: Int, _ edit: @escaping @Sendable (inout FunnelSteps) -> Void
    ) -> PaneKey<Self> {
        PaneKey(key, label, help, when: { pane, _ in pane.steps.texts.count >= count }) { pane, _ in
            edit(&pane.steps)
            return nil
        }
    }

    /// A funnel of a shop, until the user changes it.
    private var steps = FunnelSteps(["session_start", "screen_view", "purchase"])
    private var order = FunnelQuery.Order.ordered
    private var window = "1d"
    /// The field of the breakdown.
    private var field: String?

    // MARK: Queries

    /// Nil with fewer than two steps.
    private func funnel(_ range: ViewRange) -> DaemonQuery<RangedResult<FunnelResult>>? {
        guard steps.texts.count >= FunnelSteps.least else { return nil }
        let parts = field.map { [("breakdown", $0), ("limit", "10")] } ?? []
        let parameters = steps.texts.map { ("steps", $0) } + [("window", window), ("order", order.rawValue), ("from", range.from)] + parts
        return DaemonQuery("funnel", "/v1/query/funnel", parameters, every: 10)
    }

    private func names(_ range: ViewRange) -> DaemonQuery<RangedResult<TopResult>> {
        DaemonQuery("event_names", "/v1/query/top", [("field", "name"), ("from", range.from), ("limit", "100")], every: 30)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] {
        [funnel(options.range)?.polled, names(options.range).polled].compactMap(\.self)
    }

    /// Known event names as steps.
    private func known(_ view: PaneView) -> [String] {
        let items = view.results.value(names(view.range))?.body.items ?? []
        return items.filter { ![BreakdownName.none, BreakdownName.other].contains($0.name) }.map { FunnelQuery.Step.text([$0.name]) }
    }

    // MARK: Keys

    private func add(_ view: PaneView) -> PaneEffect {
        guard steps.texts.count < FunnelSteps.most else {
            return .unavailable("A funnel has at most \(FunnelSteps.most) steps; d deletes the selected one.")
        }
        return .prompt(stepPrompt("New step: event;condition", "", view) { $0.steps.add($1) })
    }

    private func change(_ text: String, _ view: PaneView) -> Prompt {
        stepPrompt("Step: event;condition", text, view) { $0.steps.change($1) }
    }

    private func stepPrompt(_ title: String, _ text: String, _ view: PaneView, _ take: @escaping @Sendable (inout FunnelsPane, String) -> Void)
        -> Prompt
    {
        let hint = "An event name, and conditions after semicolons: purchase;params.value>=10;context.platform=ios|android"
        return Prompt(title, hint, text: text, limit: 2_000, words: known(view)) { [self] text in
            let step = text.trimmed
            guard !step.isEmpty else { return .unavailable("A step is the name of an event, such as purchase.") }
            var changed = self
            take(&changed, step)
            return .replace(changed)
        }
    }

    private var windowPrompt: Prompt {
        Prompt("Window", "The time limit for all steps: 30m, 12h, 7d. Current: \(window).", limit: 12) { [self] text in
            let window = text.trimmed
            guard let span = Timestamp.Span(parameter: window), span > .seconds(0), span <= .days(366) else {
                return .unavailable("«\(window)» is not a duration; use 30m, 12h or 7d, at most 366d.")
            }
            var changed = self
            changed.window = window
            return .replace(changed)
        }
    }

    private var fieldPrompt: Prompt {
        .field(field) { [self] field in
            var changed = self
            changed.field = field
            return .replace(changed)
        }
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let query = funnel(view.range)
        let result = query.flatMap { view.results.value($0)?.body }
        let (head, body) = area.inset(1).split(rows: 1)
        let by = field.map { " · by \($0)" } ?? ""
        frame.rule("Funnel", note: "m: \(order) · w: within \(window)\(by)", in: head, Theme.faint, title: Theme.title)
        let said = words(result, query.flatMap { view.results.error($0) }, view)
        let lines = said.text.lines(of: body.width).count
        let parts = field.flatMap { field in result?.breakdown.map { FunnelParts(field, $0) } }
        let upper = body.split(rows: body.height - min(parts?.height ?? 0, body.height / 2)).top
        let room = upper.split(rows: max(min(upper.height, 2), upper.height - lines)).top
        let taken = FunnelChart(steps, result).draw(in: room, on: &frame)
        frame.paragraph(said.text, in: upper.split(rows: taken).rest, said.style)
        parts?.draw(in: body.split(rows: min(taken + lines, upper.height)).rest, on: &frame)
    }

    /// The summary below the steps.
    private func words(_ result: FunnelResult?, _ error: RequestError?, _ view: PaneView) -> (text: String, style: Style) {
        guard steps.texts.count >= FunnelSteps.least else {
            return ("A funnel needs at least two steps: a adds one. \(examples(view))", Theme.warning)
        }
        if let error { return (error.sentences, Theme.warning) }
        guard let result, let first = result.steps.first, let last = result.steps.last else { return ("…", Theme.faint) }
        guard first.people > 0 else {
            return (
                "No «\(first.event)» in the last \(view.range.name); enter changes the step, ] lengthens the range. \(examples(view))", Theme.faint
            )
        }
        let time = result.medianSeconds.map { ", median \(Numbers.duration(seconds: Int($0.rounded())))" } ?? ""
        return ("Completed: \(last.people.of("person", "people")) of \(Numbers.grouped(Double(first.people)))\(time).", Style.bold)
    }

    private func examples(_ view: PaneView) -> String {
        let names = known(view).prefix(6)
        return names.isEmpty ? "" : "Events: \(names.joined(separator: ", "))."
    }

    func sheet(_ view: PaneView) -> Sheet? {
        funnel(view.range) == nil ? Sheet(["event"], steps.texts.map { [$0] }) : nil
    }
}
