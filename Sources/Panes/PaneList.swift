// SPDX-License-Identifier: Apache-2.0

/// Every pane, in the order of the tabs.
package enum PaneList {
    package static let tabs: [any Pane] = [
        OverviewPane(), LivePane(), EventsPane(), ScreensPane(), UsersPane(), FunnelsPane(), RevenuePane(), SessionsPane(), IssuesPane(),
        TopicsPane(), MessagesPane(), DeliveriesPane(), QuarantinePane(), SystemPane(), ReleasesPane(), AccountsPane(), DocumentsPane(),
        FilesPane(), FunctionsPane(),
    ]

    /// Panes without a tab, which other panes open.
    package static let details: [any Pane.Type] = [
        LiveEventPane.self, ScreenPane.self, UserListPane.self, PersonPane.self, IssuePane.self, VariantPane.self, CrashPane.self,
        MissingSymbolsPane.self, ReleasePane.self, SubscribersPane.self, MessagePane.self, DeliveryPane.self, QuarantinedEventPane.self,
        TextPane.self, AuditPane.self, AccountPane.self, CollectionPane.self, DocumentPane.self, FolderPane.self, FunctionPane.self, RunPane.self,
    ]

    package static var types: [any Pane.Type] { tabs.map { type(of: $0) } + details }

    /// Items that open by their ID.
    package static let targets = [
        PaneTarget("issue", of: IssuesPane.name) { IssuePane(id: $0) }, PaneTarget("message", of: MessagesPane.name) { MessagePane(id: $0) },
        PaneTarget("delivery", of: DeliveriesPane.name) { DeliveryPane(id: $0) },
        PaneTarget("person", of: UsersPane.name) { PersonPane(id: $0) }, PaneTarget("topic", of: TopicsPane.name) { SubscribersPane(topic: $0) },
        PaneTarget("release", of: ReleasesPane.name) { ReleasePane($0) },
        PaneTarget("account", of: AccountsPane.name) { AccountPane(id: $0) },
        PaneTarget("path", of: DocumentsPane.name) { DocumentPlace($0).pane }, PaneTarget("folder", of: FilesPane.name) { FolderPane($0) },
        PaneTarget("function", of: FunctionsPane.name) { FunctionPane($0) }, PaneTarget("run", of: FunctionsPane.name) { RunPane(id: $0) },
    ]
}

/// An item that opens by its ID: `:issue iss_7Qk2`, or `dashboard-cli crashes iss_7Qk2`.
package struct PaneTarget: Equatable, Sendable {
    package let word: String
    /// The pane with a tab below which it opens.
    package let pane: String
    package let open: @Sendable (String) -> any Pane

    package init(_ word: String, of pane: String, _ open: @escaping @Sendable (String) -> any Pane) {
        (self.word, self.pane, self.open) = (word, pane, open)
    }

    package static func == (a: PaneTarget, b: PaneTarget) -> Bool { a.word == b.word }
}
