// SPDX-License-Identifier: Apache-2.0

import JSON

/// A property with a native field.
enum PostHogProperty: Int {
    // Properties with a field of their own.
    case token, distinctID, set, setOnce, unset, deviceID, sessionID, windowID, isIdentified, profile, geoIP, isServer, os, osName, osVersion
    case appVersion, appBuild, deviceModel, locale, insertID, anonymousID, screen
    // Properties that are also kept as parameters.
    case library, path, address, language, country
    // Properties that are parameters unless they name the view.
    case screenName, pageName

    var isParam: Bool { rawValue >= PostHogProperty.library.rawValue }

    /// Returns the property for a key, mostly decided by its length. It is not an initializer, because that would retain the tape.
    static func named(_ key: JSONToken, in tape: JSONTape) -> PostHogProperty? {
        // No SDK writes these names with escapes.
        func first(_ name: StaticString, _ property: PostHogProperty) -> PostHogProperty? { tape.isText(key, name) ? property : nil }
        return switch key.count {
        case 3: first("$os", .os)
        case 4: first("$set", .set) ?? first("$lib", .library)
        case 5: first("token", .token)
        case 6: first("$unset", .unset)
        case 7: first("$locale", .locale)
        case 8: first("$os_name", .osName)
        case 9: first("$set_once", .setOnce) ?? first("$pathname", .path) ?? first("page_name", .pageName)
        case 10:
            first("$device_id", .deviceID) ?? first("$window_id", .windowID) ?? first("$is_server", .isServer) ?? first("$app_build", .appBuild)
                ?? first("$insert_id", .insertID)
        case 11:
            first("distinct_id", .distinctID) ?? first("$session_id", .sessionID) ?? first("$os_version", .osVersion)
                ?? first("screen_name", .screenName)
        case 12: first("$app_version", .appVersion) ?? first("$screen_name", .screen) ?? first("$current_url", .address)
        case 13: first("$device_model", .deviceModel)
        case 14: first("$is_identified", .isIdentified) ?? first("$geoip_disable", .geoIP)
        case 17: first("$anon_distinct_id", .anonymousID) ?? first("$browser_language", .language)
        case 19: first("$geoip_country_code", .country)
        case 23: first("$process_person_profile", .profile)
        default: nil
        }
    }
}

/// The positions of an event's properties in the tape, found in one pass. The first of duplicate names counts.
struct PostHogProperties {
    private var places = InlineArray<29, Int>(repeating: 0)
    /// A bit for each of the first members that is not a parameter.
    private var placed: UInt64 = 0

    /// - Parameter object: The object with the properties, if there is one.
    init(of object: Int?, in tape: JSONTape) {
        guard let object else { return }
        tape.eachKey(of: object) { number, place in
            guard let property = PostHogProperty.named(tape[place], in: tape) else { return }
            if !property.isParam, number < UInt64.bitWidth { placed |= 1 << UInt64(number) }
            if places[property.rawValue] == 0 { places[property.rawValue] = tape[place].next }
        }
        for i in places.indices where places[i] != 0 && tape[places[i]].kind == .null { places[i] = 0 }
    }

    /// Whether the member with this number is a parameter.
    func isParam(_ number: Int, _ key: JSONToken, in tape: JSONTape) -> Bool {
        number < UInt64.bitWidth ? placed & 1 << UInt64(number) == 0 : PostHogProperty.named(key, in: tape)?.isParam ?? true
    }

    subscript(property: PostHogProperty) -> Int? {
        let place = places[property.rawValue]
        return place == 0 ? nil : place
    }
}
