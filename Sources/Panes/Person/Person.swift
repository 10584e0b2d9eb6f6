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
    /// Whether older items than the newest were requested.
    private var wantsMore = false

    init(id: String) {
        name = PersonReference(id)
    }

    // MARK: Queries

    private static let few = 100
    /// The daemon's limit for one request.
    private static let most = 1_000

    private var newest: DaemonQuery<PersonResponse> { name.query("person", limit: PersonPane.few, every: 5) }
    private var more: DaemonQuery<PersonResponse> { name.query("person_more", limit: PersonPane.most, every: 30) }

    /// The newest items stay visible while older ones load.
    func queries(_ options: ViewOptions) -> [PolledQuery] { wantsMore ? [newest.polled, more.polled] : [newest.polled] }

    private func best(_ view: PaneView) -> DaemonQuery<PersonResponse> { wantsMore && view.results.value(more) != nil ? more : newest }

    // MARK: Keys

    mutating func find(_ text: String) {
        searchText = text
    }

    private func person(_ view: PaneView) -> PersonResponse? { view.results.value(best(view)) }

    /// Changes the selection. At the end of the timeline older items are loaded.
    private mutating func select(_ view: PaneView, _ change: (inout SectionedList, [ListSection]) -> Void) {
        guard let person = person(view) else { return }
        let details = PersonDetails.all(person, name, searchText: searchText, view)
        change(&sections, details)
        let section = sections.section(of: details)
        // If no loaded item matches the search text, older ones may.
        let isAtEnd = sections.index(in: details).map { $0 == section.rows.count - 1 } ?? true
        if isAtEnd, person.timeline.next != nil, section.title == PersonDetails.timeline { wantsMore = true }
    }

    private func open(_ person: PersonResponse, _ view: PaneView) -> PaneEffect? {
        let details = PersonDetails.all(person, name, searchText: searchText, view)
        guard let row = sections.row(in: details) else { return nil }
        switch sections.section(of: details).title {
        case PersonDetails.timeline:
            guard let index = person.timeline.items.firstIndex(where: { $0.key == row.id }) else { return nil }
            switch person.timeline.items[index] {
            case .crash(let crash): return .open(IssuePane(id: crash.issue))
            case .message(let message): return .open(MessagePane(id: message.message))
            case .event(let found): return event(found.value, at: index, view).map { .open(TextPane("Event", $0)) }
            }
        case PersonDetails.properties: return .open(TextPane("Property", "\(row.id)\n\n\(row.whole)"))
        default: return .open(PersonPane(id: name.isInstallation ? row.id : "installation \(row.id)"))
        }
    }

    /// A summary of the event, and its JSON.
    private func event(_ event: EventResponse, at index: Int, _ view: PaneView) -> String? {
        guard let body = view.results[best(view).request].body, let items = try? JSONValue(body)["items"]?.elements, items.indices.contains(index)
        else { return nil }
        let facts = [
            event.name, "happened \(view.moment(event.timestamp)), received \(view.moment(event.receivedAt))",
            event.system.isEmpty ? "" : "on \(event.system)", event.flags.map { "flags: \($0.map(\.name).joined(separator: ", "))" } ?? "",
        ]
        return (facts.filter { !$0.isEmpty } + ["", items[index].pretty]).joined(separator: "\n")
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let query = best(view)
        let found = view.results.value(query)
        let heading = name.isInstallation ? "Installation" : "Person"
        guard let body = Block.open(heading, found.map { note($0) } ?? "", query, view, in: area.inset(1), on: &frame, missing: name.unknown),
            let found
        else { return }
        let rest = facts(found, view).draw(in: body, leaving: 8, on: &frame)
        sections.draw(PersonDetails.all(found, name, searchText: searchText, view), in: rest, on: &frame)
    }

    private func note(_ person: PersonResponse) -> String {
        let count = Numbers.short(person.timeline.items.count)
        let isAll = person.timeline.next == nil, isMost = person.timeline.items.count >= PersonPane.most
        let loaded = isAll ? "\(count) total" : isMost ? "newest \(count)" : "newest \(count), G loads more"
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
        guard let person = view.results.value(best(view)) else { return nil }
        let rows = person.timeline.items.map { item in
            let received = item.event?.receivedAt ?? item.crash?.receivedAt
            return [
                item.timestamp.time.rfc3339, received?.time.rfc3339 ?? "", item.event?.name ?? "", item.crash?.issue ?? "",
                item.sessionId, item.id, item.event?.params?.line ?? "", item.message?.message ?? "",
            ]
        }
        return Sheet(["timestamp", "received_at", "name", "issue", "session_id", "id", "params", "message"], rows)
    }
}
