// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The field of an event that a filter, a breakdown or a ranking refers to: `name`, `context.platform`, `params.level`, `user.tier`.
package enum FieldPath: Sendable, Equatable {
    case name
    /// An index into `EventContext.fields`.
    case context(Int)
    case param(String)
    /// A user property with its current value.
    case user(String)
    /// A field of the items of purchases and refunds, which is only for metrics that count items.
    case item(String)
    /// Whether the person is in one of these cohorts, for conditions. The value is `1` or missing.
    indirect case cohorts([NamedCohort])
    /// Several fields, whose values count together. No single text stands for it.
    indirect case several([FieldPath])

    /// The number of fields that a breakdown may combine.
    package static let combined = 3

    package init(_ text: String, parameter: String) throws(Refusal) {
        if text == "name" {
            self = .name
            return
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.count <= 1_000 else {
            throw .field(parameter, "bad_field", "must be a field: name, context.…, params.… or user.…")
        }
        let name = parts[1]
        switch parts[0] {
        case "params": self = .param(name)
        case "user": self = .user(name)
        case "items": self = .item(name)
        case "context":
            guard let place = EventContext.fields.firstIndex(of: name) else {
                throw .field(parameter, "unknown_field", "must be one of context.\(EventContext.fields.joined(separator: ", context."))")
            }
            self = .context(place)
        default: throw .field(parameter, "bad_field", "must be a field: name, context.…, params.… or user.…")
        }
    }

    package var text: String {
        switch self {
        case .name: "name"
        case .context(let place): "context." + EventContext.fields[place]
        case .param(let name): "params." + name
        case .user(let name): "user." + name
        case .item(let name): "items." + name
        case .cohorts: "cohort"
        case .several(let fields): fields.map(\.text).joined(separator: JoinedValues.separator)
        }
    }

    /// The fields that are combined; otherwise the field alone.
    package var fields: [FieldPath] {
        if case .several(let fields) = self { fields } else { [self] }
    }

    package var isOfItems: Bool {
        if case .item = self { true } else { false }
    }
}
