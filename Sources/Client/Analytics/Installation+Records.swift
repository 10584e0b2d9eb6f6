// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Encodes queue records. User ID and session ID come from the installation.
extension Installation {
    /// The JSON fields shared by all events of a launch, without braces.
    func envelope(_ options: SignalboxOptions) -> [UInt8] {
        var json = JSONText()
        json.field("installation_id", id)
        options.context.write(to: &json, environment: options.environment.name)
        return json.bytes
    }

    func event(_ name: String, _ parameters: [String: ParameterValue] = [:], id: String? = nil, at now: Date) -> [UInt8] {
        var json = JSONText(appendingTo: Frame.open(.event))
        json.object { json in
            json.key("id")
            if let id { json.string(id) } else { json.id(milliseconds: now.microseconds / 1_000) }
            json.field("name", name)
            json.field("timestamp", now.microseconds)
            json.field("user_id", userID)
            json.field("session_id", session?.id)
            let defaults = defaults ?? [:]
            guard !parameters.isEmpty || !defaults.isEmpty else { return }
            json.object("params") { json in
                for (name, value) in parameters { value.write(to: &json, as: name) }
                for (name, value) in defaults where parameters[name] == nil { value.write(to: &json, as: name) }
            }
        }
        return json.bytes
    }

    /// Encodes a user property record.
    ///
    /// - Parameter isAlias: Whether the record links the installation to the user (an alias).
    func userProperties(at now: Date, isAlias: Bool = false, _ properties: (inout JSONText) -> Void) -> [UInt8] {
        var json = JSONText(appendingTo: Frame.open(.user))
        json.object { json in
            json.field("installation_id", id)
            json.field("user_id", userID)
            json.field("timestamp", now.microseconds)
            if isAlias { json.field("alias", true) }
            json.object("properties", properties)
        }
        return json.bytes
    }
}
