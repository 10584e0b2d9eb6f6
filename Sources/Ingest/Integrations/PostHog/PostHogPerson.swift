// SPDX-License-Identifier: Apache-2.0

import JSON

/// The user of an event.
enum PostHogPerson {
    case nobody
    case installation(Int)
    case user(Int, installation: Int?)

    /// Classifies an event's ID: an ID generated for one event is ignored, and a device's own ID is an installation.
    init(_ fields: PostHogFields, _ own: PostHogProperties, in tape: JSONTape) {
        let given = fields[.distinctID] ?? own[.distinctID]
        let device = own[.deviceID]
        guard let id = given, !PostHogPerson.isPlaceholder(id, tape) else {
            self = device.map { .installation($0) } ?? .nobody
            return
        }
        let profile = own[.profile] ?? fields[.options].flatMap { tape.value("process_person_profile", of: $0) }
        if let device, tape.isSameText(tape[device], tape[id]) {
            self = .installation(id)
        } else if let known = own[.isIdentified], tape[known].kind == .false {
            self = .installation(id)
        } else if let profile, tape[profile].kind == .false {
            self = device.map { .installation($0) } ?? .nobody
        } else {
            self = .user(id, installation: device)
        }
    }

    func write(to json: inout TapeWriter, _ tape: JSONTape) {
        switch self {
        case .nobody: break
        case .installation(let id): json.id("installation_id", copying: id, of: tape)
        case .user(let id, let installation):
            json.id("user_id", copying: id, of: tape)
            json.id("installation_id", copying: installation, of: tape)
        }
    }

    /// Whether the ID is a placeholder such as `null` or `guest`, which would merge all unknown users.
    static func isPlaceholder(_ id: Int, _ tape: JSONTape) -> Bool {
        let token = tape[id]
        guard token.count <= 36 else { return false }
        if token.isNumber { return token.count == 1 && tape.bytes[token.offset] == UInt8(ascii: "0") }
        guard token.kind == .string, !token.escaped else { return false }
        for name in placeholders where name.utf8CodeUnitCount == token.count && tape.isText(token, lowerCased: name) { return true }
        return false
    }

    private static let placeholders: [StaticString] = [
        "0", "[object object]", "anonymous", "backend", "distinct_id", "distinctid", "email", "false", "guest", "id", "nan", "nil", "none",
        "not_authenticated", "null", "system", "true", "undefined", "user", "00000000-0000-0000-0000-000000000000",
    ]
}
