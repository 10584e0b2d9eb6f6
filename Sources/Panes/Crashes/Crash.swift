// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Terminal

/// A crash: its report, and the events before it.
struct CrashPane: Pane {
    static let name = "Crash"
    static let summary = "One crash: its report, stacks and breadcrumbs."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Shows the full row.", when: isLoaded) { pane, view in
                let details = pane.details(view)
                return pane.sections.row(in: details).flatMap { row in
                    row.whole.isEmpty ? nil : .open(TextPane(pane.sections.section(of: details).title, row.lines))
                }
            },
            PaneKey("o", "unfold", "Shows or hides the source lines and variables of the frame.", when: { $0.frame($1) != nil }) { pane, view in
                pane.frame(view).map { pane.toggle($0) }
                return nil
            },
        ]
        + PaneKey.sections(\.sections, when: isLoaded) { $0.details($1) } + [.missingSymbols]

    private static let isLoaded: PaneKey<Self>.Condition = { $1.results.value($0.crash)?.report != nil }

    private let crash: DaemonQuery<CrashResponse>
    private var sections = SectionedList()
    /// The frames whose details are shown.
    private var unfolded: Set<String> = []
    private let notFoundText = "It is no longer stored."

    init(issue: String, id: String) {
        crash = DaemonQuery("crash", "/v1/issues/\(issue.percentEncoded)/events/\(id.percentEncoded)", every: 10)
    }

    private func details(_ view: PaneView) -> [ListSection] {
        guard let crash = view.results.value(crash), let report = crash.report?.value else { return [] }
        return CrashDetails.all(crash, report, unfolded: unfolded, view)
    }

    /// The selected frame, or that of the selected line, if it has details.
    private func frame(_ view: PaneView) -> String? {
        let details = details(view)
        guard !details.isEmpty, CrashDetails.stacks.contains(sections.section(of: details).title), let row = sections.row(in: details) else {
            return nil
        }
        return row.lines != row.whole || row.id.split(separator: ".").count > 2 ? CrashStack.frameID(of: row.id) : nil
    }

    /// Shows or hides the details of a frame, and selects it.
    private mutating func toggle(_ frame: String) {
        if unfolded.remove(frame) == nil { unfolded.insert(frame) }
        sections.select(frame)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [crash.polled] }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = view.results.value(crash)
        guard
            let body = Block.open(
                "Crash \(found?.id ?? "")", found?.kind.name ?? "", crash, view, in: area.inset(1), on: &frame, missing: notFoundText),
            let found
        else { return }
        guard let report = found.report?.value else { return Block.say("The report is not stored.", in: body, on: &frame) }
        let rest = facts(found, report, view).draw(in: body, leaving: 8, on: &frame)
        sections.draw(details(view), in: rest, on: &frame)
    }

    private func facts(_ crash: CrashResponse, _ report: CrashReport, _ view: PaneView) -> FieldList {
        let persons = [
            report.userId.map { "user \($0)" }, report.installationId.map { "installation \($0)" }, report.sessionId.map { "session \($0)" },
        ].compactMap(\.self)
        let device = [crash.deviceModel, crash.system.isEmpty ? nil : crash.system].compactMap(\.self)
        return FieldList(
            [
                "what": [report.type, report.reason].compactMap(\.self).joined(separator: ": "),
                "at": "\(view.moment(crash.timestamp)), received \(view.moment(crash.receivedAt))", "symbols": symbols(crash, report),
                "how": report.manner, "release": report.release ?? crash.release, "device": device.isEmpty ? nil : device.joined(separator: " · "),
                "person": persons.isEmpty ? nil : persons.joined(separator: " · "), "cut": report.cuts?.joined(separator: ", "),
            ], styles: ["what": .bold, "symbols": Theme.warning, "cut": Theme.warning])
    }

    /// The symbol files that are missing for this report.
    private func symbols(_ crash: CrashResponse, _ report: CrashReport) -> String? {
        if crash.symbols == .known(.waiting) { return "symbolication pending" }
        let missing = CrashStack(report, isWide: false).missing
        guard let first = missing.first, let id = first.debugId else {
            return crash.symbols == .known(.missing) ? "some are missing; u lists them" : nil
        }
        let name = [first.fileName, id].compactMap(\.self).joined(separator: " ")
        return missing.count == 1 ? "\(name) is missing" : "\(name) and \(missing.count - 1) more are missing"
    }
}

extension CrashReport {
    /// The origin of the report: `not handled · level fatal · mach · SIGSEGV`.
    var manner: String? {
        let last = exceptions?.last?.mechanism
        let error = last?.meta?.nsError.map { ([$0.domain] + [$0.code.map { String($0) }]).compactMap(\.self).joined(separator: " ") }
        let isHandled = (handled ?? last?.handled).map { $0 ? "handled" : "not handled" }
        let words = [isHandled, level.map { "level \($0)" }, last?.type, last?.meta?.signal?.name, last?.meta?.machException?.name, error]
        let said = words.compactMap(\.self)
        return said.isEmpty ? nil : said.joined(separator: " · ")
    }
}
