// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// One account: profile, sessions, and what happened to it.
struct AccountPane: Pane {
    static let name = "Account"
    static let summary = "One account: profile, sessions and events; disable, sign out, reset the password, remove factors, delete."

    static let keys: [PaneKey<Self>] =
        [
            .open("person", "Opens the user's events, crashes and messages.", when: isLoaded) { pane, _ in .open(PersonPane(id: pane.id)) },
            PaneKey(.nextSection, when: isLoaded) { pane, view in
                pane.sections.showNext(of: pane.lists(view))
                return nil
            },
            PaneKey("D", "disable", "Disables the account, or enables it again; asks first.", when: isLoaded) { pane, view in
                pane.account(view).map { $0.toggle(view) }
            },
            PaneKey("O", "sign out", "Ends all sessions of the account; asks first.", when: isLoaded) { pane, view in
                pane.account(view).map { $0.signOut(view) }
            },
            PaneKey("R", "reset", "Sends the user a mail for a new password; asks first.", when: hasEmail) { pane, view in
                pane.account(view).map { $0.reset(view) }
            },
            PaneKey("F", "factors", "Removes the second factors, for a user who lost them; asks first.", when: hasFactors) { pane, view in
                pane.account(view).map { $0.removeFactors(view) }
            },
            PaneKey("X", "delete", "Deletes the account; asks first.", when: isLoaded) { pane, view in
                pane.account(view).map { $0.delete(view) }
            },
        ]
        + PaneKey.moves(when: isLoaded) { pane, move, view in pane.sections.move(move, in: pane.lists(view)) }

    private static let isLoaded: PaneKey<Self>.Condition = { $0.account($1) != nil }
    private static let hasEmail: PaneKey<Self>.Condition = { $0.account($1)?.email != nil }
    private static let hasFactors: PaneKey<Self>.Condition = { $0.account($1)?.factors?.isEmpty == false }

    private let id: String
    private let query: DaemonQuery<AccountResponse>
    private let audit: DaemonQuery<Page<AccountEventResponse>>
    private var sections = SectionedList()

    init(id: String) {
        self.id = id
        query = DaemonQuery("account", "/v1/auth/accounts/\(id.percentEncoded)", every: 3)
        audit = DaemonQuery("account_events", "/v1/auth/audit", [("user", id), ("limit", "100")], every: 3)
    }

    func queries(_ options: ViewOptions) -> [PolledQuery] { [query.polled, audit.polled] }

    private func account(_ view: PaneView) -> AccountResponse? { view.results.value(query) }

    // MARK: Lists

    private func lists(_ view: PaneView) -> [ListSection] { [events(view), sessions(view)] }

    private func events(_ view: PaneView) -> ListSection {
        let found = view.results.value(audit)
        let rows = (found?.items ?? []).map { event in
            let count = event.count > 1 ? "\(event.event) ×\(Numbers.short(event.count))" : event.event
            return ListSection.Row("\(event.id)", [view.moment(event.at), count, event.method, event.place ?? ""], event.style)
        }
        let columns = [
            Table.Column("at"), Table.Column("event"), Table.Column("method"), Table.Column("network", isFlexible: true),
        ]
        let nothing = view.results.error(audit)?.what ?? (found == nil ? "…" : "No events are stored.")
        return ListSection("Events", columns, rows, nothing: nothing, part: found?.next == nil ? nil : "newest \(rows.count)")
    }

    private func sessions(_ view: PaneView) -> ListSection {
        let rows = (account(view)?.sessions ?? []).map { session in
            let cells = [
                session.method + (session.secondFactor.map { " + \($0)" } ?? ""), view.moment(session.createdAt), view.moment(session.lastUsedAt),
                session.place ?? "", session.client ?? "",
            ]
            return ListSection.Row(session.id, cells)
        }
        let columns = [
            Table.Column("method"), Table.Column("began"), Table.Column("last used"), Table.Column("network"),
            Table.Column("client", isFlexible: true),
        ]
        return ListSection("Sessions", columns, rows, nothing: "The user is not signed in.")
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        let found = account(view)
        guard
            let body = Block.open(
                "Account", found.map(state) ?? "", query, view, in: area.inset(1), on: &frame, missing: "There is no such account."),
            let found
        else { return }
        let rest = facts(found, view).draw(in: body, leaving: 8, on: &frame)
        sections.draw(lists(view), in: rest, on: &frame)
    }

    private func state(_ account: AccountResponse) -> String {
        [account.disabled ? "disabled" : nil, account.anonymous ? "anonymous" : nil].compactMap(\.self).joined(separator: " · ")
    }

    private func facts(_ account: AccountResponse, _ view: PaneView) -> FieldList {
        let claims = account.claims.value.pairs.map { "\($0.name)=\($0.value.shown)" }.joined(separator: " · ")
        let lastSignIn = account.lastSignInAt.map { "last sign-in \(view.moment($0))" } ?? "never signed in"
        return FieldList([
            "id": account.id, "email": account.email.map { "\($0)\(account.emailVerified ? ", verified" : ", not verified")" },
            "name": account.name, "phone": account.phone, "ways": account.ways, "linked": identities(account), "factors": factors(account, view),
            "since": "\(view.moment(account.createdAt)), \(lastSignIn)",
            "claims": claims.isEmpty ? nil : claims,
        ])
    }

    /// The users of identity providers: `google.com 1078… (ana@example.org)`.
    private func identities(_ account: AccountResponse) -> String? {
        let all = (account.identities ?? []).map { "\($0.provider) \($0.subject)" + ($0.email.map { " (\($0))" } ?? "") }
        return all.isEmpty ? nil : all.joined(separator: " · ")
    }

    private func factors(_ account: AccountResponse, _ view: PaneView) -> String? {
        let all = (account.factors ?? []).map { factor in
            "\(factor.kind)" + (factor.name.map { " «\($0)»" } ?? "")
                + (factor.confirmedAt.map { " since \(view.moment($0))" } ?? ", not confirmed")
        }
        let codes = (account.recoveryCodes ?? 0) > 0 ? ["\(account.recoveryCodes ?? 0) recovery codes"] : []
        return all.isEmpty ? nil : (all + codes).joined(separator: " · ")
    }

    func sheet(_ view: PaneView) -> Sheet? {
        view.results.value(audit).map { page in
            Sheet(
                ["at", "event", "method", "network", "session", "count"],
                page.items.map { [$0.at.time.rfc3339, $0.event, $0.method, $0.place ?? "", $0.session ?? "", "\($0.count)"] })
        }
    }
}

extension AccountEventResponse {
    fileprivate var style: Style {
        switch event {
        case "sign_in_failed", "disabled": Theme.warning
        case "refresh_reused", "deleted": Theme.bad
        default: .plain
        }
    }
}

extension ClaimValue {
    /// Objects and lists are not shown.
    fileprivate var shown: String {
        switch self {
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .flag(let flag): "\(flag)"
        case .text(let text): text
        case .other: "…"
        }
    }
}

// MARK: - Changes

extension PaneView {
    /// Why the key may not change accounts; nil if it may, or the role is unknown.
    fileprivate var whyNotAdminister: String? {
        guard let role, role != .accounts, role != .admin else { return nil }
        return "A key with the role \(role.rawValue) cannot change accounts. Log in with an accounts or admin key."
    }
}

extension AccountResponse {
    private var path: String { "/v1/auth/accounts/\(user.id.percentEncoded)" }
    private var who: String { user.email.map { "\($0) (\(user.id))" } ?? user.id }

    fileprivate func toggle(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotAdminister { return .unavailable(why) }
        let question =
            standing.disabled
            ? "Enable the account \(who)?" : "Disable the account \(who)? Its sessions end, and nobody can sign in to it."
        return .confirm(
            PendingAction(confirmation: question, method: "PATCH", path: path, body: Array(#"{"disabled":\#(!standing.disabled)}"#.utf8)) {
                (account: AccountResponse) in account.standing.disabled ? "Account disabled." : "Account enabled."
            })
    }

    fileprivate func signOut(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotAdminister { return .unavailable(why) }
        return .confirm(
            PendingAction(confirmation: "End all sessions of \(who)?", method: "POST", path: path + "/sign-out", outcome: "Signed out everywhere."))
    }

    fileprivate func reset(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotAdminister { return .unavailable(why) }
        return .confirm(
            PendingAction(
                confirmation: "Send \(who) a mail for a new password? The old one works until then.", method: "POST", path: path + "/reset",
                outcome: "The mail for a new password is queued."))
    }

    fileprivate func removeFactors(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotAdminister { return .unavailable(why) }
        return .confirm(
            PendingAction(
                confirmation: "Remove factors of \(who)?", method: "DELETE", path: path + "/factors",
                outcome: "Second factors removed."))
    }

    fileprivate func delete(_ view: PaneView) -> PaneEffect {
        if let why = view.whyNotAdminister { return .unavailable(why) }
        return .confirm(
            PendingAction(
                confirmation: "Delete the account \(who)? The app's setting on_account_deleted decides about the user's data.", method: "DELETE",
                path: path, closesPane: true, outcome: "Account deleted."))
    }
}
