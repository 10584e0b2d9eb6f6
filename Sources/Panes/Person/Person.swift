// SPDX-License-Identifier: Apache-2.0

import API
import Events
import JSON
import Platform
import Terminal

/// A person: properties, installations and a timeline, newest first.
struct PersonPane: Pane {
    static let name = "Person"
    static let summary = "A user or an installation: properties, events, crashes and messages."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the event, the issue, the message or the installation.", when: isLoaded) { pane, view in
                pane.person(view).flatMap { pane.open($0, view) }
            },
            PaneKey(.nextSection, when: isLoaded) { pane, view in
                pane.select(view) { $0.showNext(of: $1) }
                return nil
            },
            PaneKey(.find, when: isLoaded) { pane, _ in .find(pane.searchText) },
        ]
        + PaneKey.moves(when: isLoaded) { pane, move, view in pane.select(view) { $0.move(move, in: $1) } }

    private static let isLoaded: PaneKey<Self>.Condition = { $0.person($1) != nil }

    private let name: PersonReference
    private var sections = SectionedList()
    private var searchText = ""
    private var pages = LoadedPages()

    init(id: String) {
        name = PersonReference(id)
    }

    // MARK: Queries

    func queries(_ options: ViewOptions) -> [PolledQuery] { [name.query.first(pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] { name.query.further(pages, view) }

    // MARK: Keys

    mutating func find(_ text: String) {
        searchText = text
    }

    private func person(_ view: PaneView) -> PersonResponse? { view.results.value(name.query.query) }

    private func details(_ person: PersonResponse, _ view: PaneView) -> [ListSection] {
        PersonDetails.all(person, name.query.items(pages, view), name, searchText: searchText, view)
    }

    /// Changes the selection. Near the end of the timeline older items are loaded.
    private mutating func select(_ view: PaneView, _ change: (inout SectionedList, [ListSection]) -> Void) {
        guard let person = person(view) else { return }
        let details = details(person, view)
        change(&sections, details)
        let section = sections.section(of: details)
        guard section.title == PersonDetails.timeline else { return }
        pages.follow(sections.index(in: details), of: section.rows.count, hasMore: name.query.hasMore(pages, view))
    }

    private func open(_ person: PersonResponse, _ view: PaneView) -> PaneEffect? {
        let details = details(person, view)
        guard let row = sections.row(in: details) else { return nil }
        switch sections.section(of: details).title {
        case PersonDetails.timeline:
            switch name.query.items(pages, view).first(where: { $0.key == row.id }) {
            case .crash(let crash): return .open(IssuePane(id: crash.issue))
            case .message(let message): return .open(MessagePane(id: message.message))
            case .event(let found): return .open(TextPane("Event", text(of: found.value, view)))
            case nil: return nil
            }
        case PersonDetails.properties: return .open(TextPane("Property", "\(row.id)\n\n\(row.whole)"))
        default: return .open(PersonPane(id: name.isInstallation ? row.id : "installation \(row.id)"))
        }
    }

    /// A summary of the event, and its JSON as received.
    private func text(of event: EventResponse, _ view: PaneView) -> String {
        let facts = [
            event.name, "happened \(view.moment(event.timestamp)), received \(view.moment(event.receivedAt))",
            event.system.isEmpty ? "" : "on \(event.system)", event.flags.map { "flags: \($0.map(\.name).joined(separator: ", "))" } ?? "",
        ]
        let bodies = name.query.bodies(pages, view).lazy.compactMap { try? JSONValue($0)["items"]?.elements }
        let json = bodies.joined().first { $0.text("seq") == String(event.seq) && $0["issue"] == nil && $0["message"] == nil }
        return (facts.filter { !$0.isEmpty } + ["", json?.pretty ?? ""]).joined(separator: "\n")
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let query = name.query.query
        let found = view.results.value(query)
        let heading = name.isInstallation ? "Installation" : "Person"
        guard let body = Block.open(heading, found == nil ? "" : note(view), query, view, in: area.inset(1), on: &frame, missing: name.unknown),
            let found
        else { return }
        let rest = facts(found, view).draw(in: body, leaving: 8, on: &frame)
        sections.draw(details(found, view), in: rest, on: &frame)
    }

    private func note(_ view: PaneView) -> String {
        let loaded = name.query.part(pages, "newest", view) ?? "\(Numbers.short(name.query.items(pages, view).count)) total"
        return searchText.isEmpty ? loaded : "«\(searchText)» · \(loaded)"
    }

    private func facts(_ person: PersonResponse, _ view: PaneView) -> FieldList {
        let profile = person.profile
        let seen = [("first", profile.firstSeen), ("last", profile.lastSeen)].compactMap { word, time in time.map { "\(word) \(view.moment($0))" } }
        let partners = name.isInstallation ? profile.users?.compactMap(\.userId) : profile.installations?.compactMap(\.installationId)
        let ids: [String] = partners ?? []
        let properties = profile.properties.pairs.map { "\($0.name)=\($0.value.text)" }
        let device = person.timeline.items.lazy.map(\.system).first { !$0.isEmpty }
        let known = properties.isEmpty ? nil : properties.joined(separator: " · ")
        let lines: KeyValuePairs<String, String?> = [
            name.isInstallation ? "id" : "user": name.id, "seen": seen.isEmpty ? nil : seen.joined(separator: ", "),
            name.isInstallation ? "users" : "devices": ids.isEmpty ? nil : ids.joined(separator: " · "), "last on": device, "known": known,
        ]
        return FieldList(lines)
    }

    func sheet(_ view: PaneView) -> Sheet? {
        person(view).map { _ in PersonPane.sheet(name.query.items(pages, view)) }
    }

    func sheetPages(_ view: PaneView) -> SheetPages? { name.query.sheets(PersonPane.sheet) }

    private static func sheet(_ items: [TimelineItem]) -> Sheet {
        let rows = items.map { item in
            let received = item.event?.receivedAt ?? item.crash?.receivedAt
            return [
                item.timestamp.time.rfc3339, received?.time.rfc3339 ?? "", item.event?.name ?? "", item.crash?.issue ?? "",
                item.sessionId, item.id, item.event?.params?.line ?? "", item.message?.message ?? "",
            ]
        }
        return Sheet(["timestamp", "received_at", "name", "issue", "session_id", "id", "params", "message"], rows)
    }
}
