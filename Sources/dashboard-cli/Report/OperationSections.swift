// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Messaging
import Panes
import Platform
import Terminal

extension Report {
    var messagesSection: HTML {
        let lead: HTML = "Messages sent in this period, and their deliveries."
        return section("messages", "Messages", lead, from: requests.messages, isWide: true) { page in
            let recent = page.items.filter { ($0.sentAt ?? $0.createdAt).time >= period.from }
            let sent = recent.filter { !$0.isAlert }
            let alerts = recent.count - sent.count
            let note: [HTML] =
                alerts > 0 ? [.element("p", ["class": "note"], "The daemon sent \(alerts) alert\(alerts == 1 ? "" : "s").")] : []
            guard !sent.isEmpty else { return Report.nothing("No messages.") + note }
            let all = DeliveryState.allCases.map { state in (state: state, count: sent.reduce(0) { $0 + $1.count(state) }) }
            let known = all.filter { $0.count > 0 }
            let most = recent.count == page.items.count && page.next != nil ? "newest \(sent.count)" : "\(sent.count)"
            let words =
                "Of \(most) message\(sent.count == 1 ? "" : "s"): \(known.map { "\(Numbers.short($0.count)) \($0.state.name)" }.joined(separator: ", "))."
            return [.element("p", .text(words)), deliveries(sent.prefix(12))] + note
        }
    }

    private func deliveries(_ messages: some Sequence<MessageResponse>) -> HTML {
        let rows = messages.map { message -> [HTML] in
            let title = message.notification?.value.title ?? message.label ?? message.id
            let target = message.target.topic ?? message.target.condition ?? message.target.user ?? "\(message.target.tokens ?? 0) devices"
            let counts = DeliveryState.allCases.map { ($0, message.count($0)) }.filter { $0.1 > 0 }
            return [
                .name(title), .name(target), .text(message.neverSent ? "never" : period.moment((message.sentAt ?? message.createdAt).time)),
                .text(Numbers.short(message.audience)),
                .text(Numbers.short(message.count(.delivered))), .text(Numbers.short(message.count(.dead))), StateBar(counts: counts).html,
            ]
        }
        let headings = ["message", "to", "sent", "devices", "delivered", "dead", "deliveries"]
        return FigureTable(title: "Messages, newest first", headings: headings, rows: rows, texts: ["to", "sent", "deliveries"]).table
    }

    var quarantineSection: HTML {
        let lead: HTML = "Quarantined events by reason, of all time."
        return section("quarantine", "Quarantine", lead, from: requests.quarantine) { result in
            let counts = result.counts.sorted { $0.total > $1.total }
            guard !counts.isEmpty else { return Report.nothing("No quarantined events.") }
            let rows = counts.map { RankingTable.Row(name: .name($0.code), value: Double($0.total), more: [Numbers.short($0.kept)]) }
            return [
                RankingTable(
                    title: "Quarantined by reason", column: "reason", headings: ["stored"], rows: rows, format: Report.count, compares: false
                )
                .table
            ]
        }
    }

    var systemSection: HTML {
        section("daemon", "Daemon", "Current state.", from: requests.system) { system in
            let state = system.reasons.isEmpty ? "accepting data" : "not accepting data: \(system.reasons.joined(separator: ", "))"
            var facts: [(String, String)] = [("state", state), ("events/s", Numbers.decimals(system.events.perSecond, 1))]
            if let usage = system.usage {
                facts += [
                    ("events today", Numbers.short(usage.events)), ("bytes today", Numbers.bytes(Double(usage.bytes))),
                    ("stored", Numbers.bytes(Double(usage.storageBytes))), ("devices", Numbers.short(usage.devices)),
                ]
            }
            let items = facts.map { name, value in HTML.element("div", .element("dt", .text(name)), .element("dd", .text(value))) }
            return [.element("dl", items)]
        }
    }
}

/// A stacked bar of deliveries by state.
private struct StateBar {
    let counts: [(state: DeliveryState, count: Int)]

    var html: HTML {
        let all = Double(max(1, counts.reduce(0) { $0 + $1.count }))
        var start = 0.0
        let parts = counts.map { state, count -> HTML in
            let width = Double(count) / all * 120
            defer { start += width }
            let attributes: HTML.Attributes = ["class": "f\(color(state))", "x": "\(start)", "y": "0", "width": "\(width)", "height": "12"]
            return .element("rect", attributes, .element("title", "\(state.name): \(count)"))
        }
        let words = counts.map { "\($0.count) \($0.state.name)" }.joined(separator: ", ")
        return .element("svg", ["class": "states", "viewBox": "0 0 120 12", "role": "img", "aria-label": words], parts)
    }

    private func color(_ state: DeliveryState) -> Int {
        switch state {
        case .delivered: 1
        case .sent, .sending: 0
        case .dead: 3
        case .retrying: 2
        case .pending, .expired, .cancelled, .removed: 5
        }
    }
}
