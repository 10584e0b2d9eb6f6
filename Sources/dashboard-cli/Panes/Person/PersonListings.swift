import Crashes
import Events
import Terminal

/// What is known of a person, as lists.
enum PersonListings {
    static let timeline = "Timeline"
    static let properties = "Properties"

    static func all(_ person: PersonAnswer, _ name: PersonName, wanted: String, _ view: PaneView) -> [Listing] {
        [timeline(person, wanted, view), properties(person, wanted, view), partners(person, name, wanted, view)]
    }

    private static func list(
        _ title: String, _ columns: [Table.Column], _ rows: [Listing.Row], _ wanted: String, nothing: String
    ) -> Listing {
        let sought = wanted.lowercased()
        let found = sought.isEmpty ? rows : rows.filter { row in row.cells.contains { $0.lowercased().contains(sought) } }
        return Listing(title, columns, found, nothing: rows.isEmpty ? nothing : "None of them holds «\(wanted)».")
    }

    // MARK: Events and crashes

    private static func timeline(_ person: PersonAnswer, _ wanted: String, _ view: PaneView) -> Listing {
        let columns = [
            Table.Column("at"), Table.Column("what", isFlexible: true), Table.Column("with", isFlexible: true), Table.Column("on"),
            Table.Column("session", isFlexible: true, cut: .middle),
        ]
        let rows = person.items.map { item in
            let cells = [view.moment(item.timestamp), item.what, item.details, item.system, item.sessionId ?? ""]
            return Listing.Row(item.key, cells, item.issue == nil ? .plain : CrashKind.style(item.kind ?? ""))
        }
        return list(timeline, columns, rows, wanted, nothing: "No events are kept of this person.")
    }

    // MARK: Properties and pairs

    private static func properties(_ person: PersonAnswer, _ wanted: String, _ view: PaneView) -> Listing {
        let rows = person.properties.sorted { $0.key < $1.key }.map { name, property in
            Listing.Row(name, [name, property.value.text, view.moment(property.timestamp)], whole: property.value.text)
        }
        let columns = [Table.Column("property", isFlexible: true), Table.Column("value", isFlexible: true), Table.Column("set")]
        return list(properties, columns, rows, wanted, nothing: "No properties were set: POST /v1/users.")
    }

    private static func partners(_ person: PersonAnswer, _ name: PersonName, _ wanted: String, _ view: PaneView) -> Listing {
        let partners = name.isInstallation ? person.users : person.installations
        let rows = (partners ?? []).compactMap { partner in
            (partner.installationId ?? partner.userId).map { id in
                let seen = [partner.firstSeen, partner.lastSeen].map { $0.map { view.moment($0) } ?? "" }
                return Listing.Row(id, [id] + seen + [partner.alias ? "named as the same person" : ""])
            }
        }
        let columns = [
            Table.Column(name.isInstallation ? "user" : "installation", isFlexible: true, cut: .middle), Table.Column("first seen"),
            Table.Column("last seen"), Table.Column("", isFlexible: true),
        ]
        let title = name.isInstallation ? "Users" : "Installations"
        return list(title, columns, rows, wanted, nothing: "It was never seen with any.")
    }
}

extension PersonAnswer.Item {
    fileprivate var what: String { name ?? "\(CrashKind.glyph(kind ?? "")) \(kind ?? "") crash" }

    fileprivate var details: String {
        let marks = flags ?? (late == true ? ["late"] : [])
        let said = name == nil ? release.map { "release \($0)" } ?? "" : params?.line ?? ""
        return ([said] + marks.map { "[\($0)]" }).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The device and its system.
    var system: String {
        let told = [
            deviceModel ?? context?["device_model"]?.text, platform ?? context?["platform"]?.text, osVersion ?? context?["os_version"]?.text,
        ]
        return told.compactMap(\.self).joined(separator: " ")
    }
}
