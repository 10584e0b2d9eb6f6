// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Terminal

/// The lists of a person: timeline, properties, installations or users.
enum PersonDetails {
    static let timeline = "Timeline"
    static let properties = "Properties"

    static func all(
        _ person: PersonResponse, _ timeline: [TimelineItem], _ name: PersonReference, searchText: String, _ view: PaneView
    ) -> [ListSection] {
        [section(timeline, searchText, view), properties(person, searchText, view), partners(person, name, searchText, view)]
    }

    /// Whether a text contains the search text, ignoring case.
    private static func fits(_ texts: [String], _ searchText: String) -> Bool {
        let sought = searchText.lowercased()
        return sought.isEmpty || texts.contains { $0.lowercased().contains(sought) }
    }

    private static func none(_ searchText: String, _ nothing: String) -> String {
        searchText.isEmpty ? nothing : "No match for «\(searchText)»."
    }

    // MARK: Events, crashes and messages

    private static func section(_ items: [TimelineItem], _ searchText: String, _ view: PaneView) -> ListSection {
        let isWide = view.width >= 100
        let columns =
            [Table.Column("at"), Table.Column("what", isFlexible: true), Table.Column("with", isFlexible: true)]
            + (isWide ? [Table.Column("on"), Table.Column("session", isFlexible: true, cut: .middle)] : [])
        let rows = items.filter { fits([$0.what, $0.details, $0.system, $0.sessionId], searchText) }.map { item in
            let cells = [moment(item.timestamp, view), item.what, item.details] + (isWide ? [item.system, item.sessionId] : [])
            return ListSection.Row(item.key, cells, item.style)
        }
        return ListSection(timeline, columns, rows, nothing: none(searchText, "No events of this person are stored."))
    }

    /// Shows the time of day for older days too.
    private static func moment(_ moment: Moment, _ view: PaneView) -> String {
        let text = view.moment(moment)
        return text.contains(":") ? text : "\(text) \(view.clock(moment.time))"
    }

    // MARK: Properties and installations

    private static func properties(_ person: PersonResponse, _ searchText: String, _ view: PaneView) -> ListSection {
        let found = person.profile.properties.pairs.filter { fits([$0.name, $0.value.text], searchText) }
        let rows = found.map { name, property in
            ListSection.Row(name, [name, property.text, view.moment(property.timestamp)], whole: property.text)
        }
        let columns = [Table.Column("property", isFlexible: true), Table.Column("value", isFlexible: true), Table.Column("set")]
        return ListSection(properties, columns, rows, nothing: none(searchText, "No properties: POST /v1/users."))
    }

    private static func partners(_ person: PersonResponse, _ name: PersonReference, _ searchText: String, _ view: PaneView) -> ListSection {
        let partners = name.isInstallation ? person.profile.users : person.profile.installations
        let rows = (partners ?? []).compactMap { partner -> ListSection.Row? in
            guard let id = partner.installationId ?? partner.userId, fits([id], searchText) else { return nil }
            let seen = [partner.firstSeen, partner.lastSeen].map { $0.map { view.moment($0) } ?? "" }
            return ListSection.Row(id, [id] + seen + [partner.alias ? "alias" : ""])
        }
        let columns = [
            Table.Column(name.isInstallation ? "user" : "installation", isFlexible: true, cut: .middle), Table.Column("first seen"),
            Table.Column("last seen"), Table.Column("", isFlexible: true),
        ]
        let title = name.isInstallation ? "Users" : "Installations"
        return ListSection(title, columns, rows, nothing: none(searchText, "None."))
    }
}

extension ProfileResponse.Property {
    var text: String { value.value.text }
}

extension TimelineItem {
    var event: EventResponse? {
        if case .event(let event) = self { event.value } else { nil }
    }

    var crash: CrashResponse? {
        if case .crash(let crash) = self { crash } else { nil }
    }

    var message: PersonDeliveryResponse? {
        if case .message(let message) = self { message } else { nil }
    }

    var id: String {
        switch self {
        case .event(let event): event.value.id
        case .crash(let crash): crash.id
        case .message(let message): message.id
        }
    }

    /// A key that is unique among events, crashes and messages.
    var key: String {
        switch self {
        case .event(let event): "event \(event.value.seq)"
        case .crash(let crash): "crash \(crash.id)"
        case .message(let message): "message \(message.id)"
        }
    }

    var timestamp: Moment {
        switch self {
        case .event(let event): event.value.timestamp
        case .crash(let crash): crash.timestamp
        case .message(let message): message.timestamp
        }
    }

    var sessionId: String { event?.sessionId ?? "" }

    fileprivate var what: String {
        switch self {
        case .event(let event): event.value.name
        case .crash(let crash): "\(crash.kind.glyph) \(crash.kind.name) crash"
        case .message: "message"
        }
    }

    fileprivate var style: Style {
        switch self {
        case .event: .plain
        case .crash(let crash): crash.kind.style
        case .message(let message): message.state.style
        }
    }

    fileprivate var details: String {
        let (parts, separator): ([String?], String) =
            switch self {
            case .event(let event): ([event.value.params?.line] + (event.value.flags ?? []).map { "[\($0.name)]" }, " ")
            case .crash(let crash): ([crash.release.map { "release \($0)" }, crash.late ? "[late]" : nil], " ")
            case .message(let message):
                ([message.state.name, message.notification?.value.title, message.topic ?? message.condition, message.label], " · ")
            }
        return parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: separator)
    }

    /// Device model and system.
    var system: String {
        switch self {
        case .event(let event): event.value.system
        case .crash(let crash): [crash.deviceModel, crash.platform, crash.osVersion].compactMap(\.self).joined(separator: " ")
        case .message: ""
        }
    }
}

extension EventResponse {
    /// Device model and system.
    var system: String { ["device_model", "platform", "os_version"].compactMap { context?[$0] }.joined(separator: " ") }
}
