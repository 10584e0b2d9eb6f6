// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// The accounts of the app: how many there are, sign-ins by day and method, and a list that can be searched.
struct AccountsPane: Pane {
    static let name = "Accounts"
    static let summary = "Accounts of users: totals, sign-ups, sign-ins and failures by day, and a search."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the account.", when: { $0.selected($1) != nil }) { pane, view in
                pane.selected(view).map { .open(AccountPane(id: $0.id)) }
            },
            PaneKey("/", "search", "Lists accounts by the beginning of their address, or by their ID.") { pane, _ in .prompt(pane.searchPrompt) },
        ]
        + PaneKey.moves(when: { !$0.items($1).isEmpty }) { $0.list.move($1, in: $0.items($2), hasMore: $0.accounts.hasMore($0.list.pages, $2)) }
        + PaneKey.range

    private var search = ""
    private var list = ListState<AccountResponse>(id: { $0.user.id }, text: { $0.shownName })

    // MARK: Queries

    private var accounts: PagedQuery<Page<AccountResponse>> {
        let given = search.isEmpty ? [] : [("search", search)]
        return PagedQuery(DaemonQuery("accounts", "/v1/auth/accounts", [("limit", "100")] + given, every: 5), id: { $0.user.id })
    }

    static func figures(_ range: ViewRange) -> DaemonQuery<AccountFiguresResponse> {
        DaemonQuery("account_figures", "/v1/auth/figures", [("from", UsersRange(range).from)], every: 10)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] {
        [accounts.first(list.pages), AccountsPane.figures(options.range).polled]
    }

    func followUps(_ view: PaneView) -> [PolledQuery] { accounts.further(list.pages, view) }

    private func items(_ view: PaneView) -> [AccountResponse] { accounts.items(list.pages, view) }

    private func selected(_ view: PaneView) -> AccountResponse? { list.selected(in: items(view)) }

    // MARK: Keys

    private var searchPrompt: Prompt {
        Prompt("Search", "The beginning of the address, or a user ID (empty: all).", text: search, limit: 320) { [self] text in
            var changed = self
            changed.search = text.trimmed
            changed.list.startOver()
            return .replace(changed)
        }
    }

    // MARK: Drawing

    func sheet(_ view: PaneView) -> Sheet? { view.results.value(accounts.query).map { _ in AccountsPane.sheet(items(view)) } }

    func sheetPages(_ view: PaneView) -> SheetPages? { accounts.sheets(AccountsPane.sheet) }

    private static func sheet(_ accounts: [AccountResponse]) -> Sheet {
        Sheet(
            ["id", "email", "email_verified", "name", "anonymous", "disabled", "created_at", "last_sign_in_at"],
            accounts.map { account in
                [
                    account.id, account.email ?? "", "\(account.emailVerified)", account.name ?? "", "\(account.anonymous)", "\(account.disabled)",
                    account.createdAt.time.rfc3339, account.lastSignInAt?.time.rfc3339 ?? "",
                ]
            })
    }

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let figures = AccountsPane.figures(view.range)
        let days = view.results.value(figures).map { Set($0.days.map(\.day)).count } ?? 0
        PaneRow.draw(
            [
                PaneRow(
                    [(1, { AccountFigures.draw(figures, $0, in: $1, on: &$2) })], least: 5, most: max(5, days + 3), rank: 1, weight: 1),
                PaneRow([(1, { drawList($0, in: $1, on: &$2) })], least: 4, most: 200, rank: 0, weight: 1),
            ], view, in: area.inset(1), on: &frame)
    }

    private func drawList(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let (accounts, rows) = (accounts, items(view))
        let note = [list.note(of: accounts, "first", view), search.isEmpty ? "" : "«\(search)…»"].filter { !$0.isEmpty }.joined(separator: " · ")
        guard let body = Block.open("Accounts", note, accounts.query, view, in: area, on: &frame) else { return }
        guard !rows.isEmpty else {
            return Block.say(search.isEmpty ? "No accounts yet: POST /v1/auth/sign-up." : "No account matches.", in: body, on: &frame)
        }
        let hasRoom = body.width >= 100
        let columns = [
            Table.Column("account", isFlexible: true), Table.Column("ID", isFlexible: true, cut: .middle), Table.Column(""),
            Table.Column("signs in with"), Table.Column("last sign-in"),
        ]
        let cells = rows.map { account in
            let lastSignIn = account.lastSignInAt.map(view.moment) ?? "never"
            return [account.shownName, account.id, account.mark, account.ways, lastSignIn] + (hasRoom ? [view.moment(account.createdAt)] : [])
        }
        let further = hasRoom ? [Table.Column("created")] : []
        SelectableTable(columns + further, cells, chosen: list.index(in: rows)) { rows[$0].standing.disabled ? Theme.warning : .plain }
            .draw(in: body, on: &frame)
    }
}

extension AccountResponse {
    /// The address, else the name, else how it came to be.
    var shownName: String { user.email ?? user.name ?? (user.anonymous ? "anonymous" : "") }

    fileprivate var mark: String { standing.disabled ? "disabled" : user.emailVerified ? "verified" : "" }

    var ways: String { user.providers.isEmpty ? (user.anonymous ? "anonymous" : "custom token") : user.providers.joined(separator: ", ") }
}
