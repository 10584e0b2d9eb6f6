// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// The users that the app knows, those seen last first.
struct UserListPane: Pane {
    static let name = "User list"
    static let summary = "Users by their last sighting, by the beginning of their ID, or with some property."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the user.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { .open(PersonPane(id: pane.reference($0))) }
            },
            PaneKey("/", "search", "Lists the users whose ID begins with a text.") { pane, _ in .prompt(pane.searchPrompt) },
            PaneKey("f", "filter", "Lists the users with some property.") { pane, _ in .prompt(pane.filterPrompt) },
            PaneKey("v", "view", "Shows installations without a user, or users.") { pane, _ in
                pane.isOfInstallations.toggle()
                pane.list.startOver()
                return nil
            },
        ]
        + PaneKey.moves(when: { !$0.items($1).isEmpty }) { $0.list.move($1, in: $0.items($2), hasMore: $0.users.hasMore($0.list.pages, $2)) }

    private var search = ""
    private var filter = ""
    private var isOfInstallations = false
    private var list = ListState<ProfileResponse>(id: \.shownID, text: \.shownID)

    // MARK: Queries

    private var users: PagedQuery<Page<ProfileResponse>> {
        let given = [("search", search), ("filter", filter), ("by", isOfInstallations ? "installation" : "")].filter { !$0.1.isEmpty }
        return PagedQuery(DaemonQuery("users", "/v1/users", [("limit", "100")] + given, every: 5), id: \.shownID)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [users.first(list.pages)] }

    func followUps(_ view: PaneView) -> [PolledQuery] { users.further(list.pages, view) }

    private func items(_ view: PaneView) -> [ProfileResponse] { users.items(list.pages, view) }

    private func selected(_ view: PaneView) -> ProfileResponse? { list.selected(in: items(view)) }

    private func reference(_ user: ProfileResponse) -> String { isOfInstallations ? "installation \(user.shownID)" : user.shownID }

    // MARK: Keys

    private var searchPrompt: Prompt {
        Prompt("Search", "The beginning of the ID (empty: all).", text: search, limit: 1_000) { [self] text in
            var changed = self
            changed.search = text
            changed.list.startOver()
            return .replace(changed)
        }
    }

    private var filterPrompt: Prompt {
        Prompt("Filter", "A condition such as user.tier=free or user.age>=18 (empty: none).", text: filter, limit: 1_000) { [self] text in
            let condition = text.trimmed
            guard condition.isEmpty || UserListPane.isCondition(condition) else {
                return .unavailable("«\(condition)» is not a condition on a user property; use one like user.tier=free.")
            }
            var changed = self
            changed.filter = condition
            changed.list.startOver()
            return .replace(changed)
        }
    }

    private static func isCondition(_ text: String) -> Bool {
        if case .user? = (try? Filter(text))?.path { true } else { false }
    }

    // MARK: Drawing

    func sheet(_ view: PaneView) -> Sheet? { view.results.value(users.query).map { _ in UserListPane.sheet(items(view)) } }

    func sheetPages(_ view: PaneView) -> SheetPages? { users.sheets(UserListPane.sheet) }

    private static func sheet(_ users: [ProfileResponse]) -> Sheet {
        Sheet(
            ["user_id", "installation_id", "first_seen", "last_seen", "properties"],
            users.map { user in
                [
                    user.userId ?? "", user.installationId ?? "", user.firstSeen?.time.rfc3339 ?? "", user.lastSeen?.time.rfc3339 ?? "",
                    user.shownProperties,
                ]
            })
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let users = users, rows = items(view)
        let asked = [search.isEmpty ? nil : "«\(search)…»", filter.isEmpty ? nil : filter, isOfInstallations ? "installations" : nil].compactMap(
            \.self)
        let count = list.note(of: users, search.isEmpty ? "newest" : "first", view)
        let note = ([count] + asked).filter { !$0.isEmpty }.joined(separator: " · ")
        guard let body = Block.open(title, note, users.query, view, in: area.inset(1), on: &frame) else { return }
        guard !rows.isEmpty else {
            let hint = users.isCut(list.pages, view) ? "None among those seen last; a longer condition may be faster with a search." : nil
            return Block.say(hint ?? (asked.isEmpty ? "No users yet." : "No users match."), in: body, on: &frame)
        }
        let columns = [
            Table.Column(isOfInstallations ? "installation" : "user", isFlexible: true), Table.Column("last seen"), Table.Column("first seen"),
            Table.Column("properties", isFlexible: true),
        ]
        let cells = rows.map { user in
            [user.shownID, user.lastSeen.map(view.moment) ?? "", user.firstSeen.map(view.moment) ?? "", user.shownProperties]
        }
        SelectableTable(columns, cells, chosen: list.index(in: rows)).draw(in: body, on: &frame)
    }
}

extension ProfileResponse {
    fileprivate var shownID: String { userId ?? installationId ?? "" }

    /// `tier=free, age=30`.
    fileprivate var shownProperties: String { properties.pairs.map { "\($0.name)=\($0.value.value.value.text)" }.joined(separator: ", ") }
}
