/// Every pane, in the order of their keys.
enum Panes {
    static let all: [any Pane] = [OverviewPane(), TopicsPane(), MessagesPane(), DeliveriesPane(), IssuesPane()]
}
