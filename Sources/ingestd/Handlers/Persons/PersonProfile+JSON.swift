// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import JSON
import Platform
import AcrossStores

extension JSONWriter {
    /// The fields of a person, inside an object.
    mutating func write(_ profile: PersonProfile, of id: PersonID) {
        field(id.kind == .user ? "user_id" : "installation_id", id.text)
        if let time = profile.firstSeen { field("first_seen", time.rfc3339) }
        if let time = profile.lastSeen { field("last_seen", time.rfc3339) }
        key("properties")
        beginObject()
        for property in profile.properties {
            key(property.name)
            beginObject()
            key("value")
            raw(property.value[...])
            field("timestamp", property.time.rfc3339)
            endObject()
        }
        endObject()
        key(id.kind == .user ? "installations" : "users")
        beginArray()
        for partner in profile.partners { write(partner, of: id.kind) }
        endArray()
    }

    private mutating func write(_ partner: PersonProfile.Partner, of kind: PersonID.Kind) {
        beginObject()
        if let id = partner.id { field(kind == .user ? "installation_id" : "user_id", id) }
        if let time = partner.firstSeen { field("first_seen", time.rfc3339) }
        if let time = partner.lastSeen { field("last_seen", time.rfc3339) }
        field("alias", partner.isAlias)
        endObject()
    }
}
