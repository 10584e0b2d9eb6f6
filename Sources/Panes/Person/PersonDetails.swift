// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Messaging
import Platform
import Terminal

/// The lists of a person: timeline, properties, installations or users.
enum PersonDetails {
    static let timeline = "Timeline"
    static let properties = "Properties"

    static func all(_ person: PersonResponse, _ name: PersonReference, searchText: String, _ view: PaneView) -> [ListSection] {
        [timeline(person, searchText, view), properties(person, searchText, view), partners(person, name, searchText, view)]
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

    private static func timeline(_ person: PersonResponse, _ searchText: String, _ view: PaneView) -> ListSection {
        let isWide = view.width >= 100
        let columns =
            [Table.Column("at"), Table.Column("what", isFlexible: true), Table.Column("with", isFlexible: true)]
            + (isWide ? [Table.Column("on"), Table.Column("session", isFlexible: true, cut: .middle)] : [])
        let rows = person.items.filter { fits([$0.what, $0.details, $0.system, $0.sessionId ?? ""], searchText) }.map { item in
            let cells = [moment(item.timestamp, view), item.what, item.details] + (isWide ? [item.system, item.sessionId ?? ""] : [])
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
        let found = person.properties.filter { fits([$0.key, $0.value.value.text], searchText) }
        let rows = found.sorted { $0.key < $1.key }.map { name, property in
            ListSection.Row(name, [name, property.value.text, view.moment(property.timestamp)], whole: property.value.text)
        }
        let columns = [Table.Column("property", isFlexible: true), Table.Column("value", isFlexible: true), Table.Column("set")]
        return ListSection(properties, columns, rows, nothing: none(searchText, "No properties: POST /v1/users."))
    }

    private static func partners(_ person: PersonResponse, _ name: PersonReference, _ searchText: String, _ view: PaneView) -> ListSection {
        let partners = name.isInstallation ? person.users : person.installations
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

extension PersonResponse.Item {
    fileprivate var what: String {
        if let name { return name }
        return message == nil ? "\(CrashKind.glyph(kind ?? "")) \(kind ?? "") crash" : "message"
    }

    fileprivate var style: Style {
        if issue != nil { return CrashKind.style(kind ?? "") }
        return state.flatMap { DeliveryState(name: $0) }?.style ?? .plain
    }

    fileprivate var details: String {
        let marks = flags ?? (late == true ? ["late"] : [])
        let said = name == nil ? release.map { "release \($0)" } ?? "" : params?.line ?? ""
        let parts = message == nil ? [said] + marks.map { "[\($0)]" } : [state, notification?.title, topic ?? condition, label].compactMap(\.self)
        return parts.filter { !$0.isEmpty }.joined(separator: message == nil ? " " : " · ")
    }

    /// Device model and system.
    var system: String {
        let told = [
            deviceModel ?? context?["device_model"]?.text, platform ?? context?["platform"]?.text, osVersion ?? context?["os_version"]?.text,
        ]
        return told.compactMap(\.self).joined(separator: " ")
    }
}
