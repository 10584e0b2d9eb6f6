// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// A user, an installation or a session: its text and key, both empty for none.
struct Identity {
    var key: UInt64 = 0
    var text: ByteRange = .none
}

/// The fields that are defaults for all entries of a request.
struct Envelope {
    var sentAt: Timestamp?
    var installation = Identity()
    var user = Identity()
    var session = Identity()
    var context = ContextValues(repeating: .none)
    var unknownContext = UnknownFields()
    var release = ByteRange.none
    var proof = EntryProof.open
    /// The tape position of the array of entries.
    var entries: Int?

    /// Returns the part of the envelope that is stored with quarantined entries.
    func kept(in source: SourceText) -> EventSubmission.Envelope {
        EventSubmission.Envelope(json: json(in: source), user: user.key, installation: installation.key)
    }

    /// Returns everything except the entries as a flat JSON object, with the names of the query parameters.
    private func json(in source: SourceText) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        if let sentAt { json.write("sent_at", sentAt.rfc3339) }
        let identities: [(EventField, Identity)] = [(.installation, installation), (.user, user), (.session, session)]
        for (field, identity) in identities where !identity.text.isEmpty { json.write(field.key, source.string(identity.text)) }
        for (field, name) in EventContext.fields.enumerated() where !context[field].isEmpty {
            json.write("context.\(name)", source.string(context[field]))
        }
        if !release.isEmpty { json.write("release", source.string(release)) }
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ name: String, _ text: String) {
        key(name)
        string(text)
    }
}

/// Computes the keys of an app's users, installations and sessions.
struct IdentityKeys {
    let app: AppID
    let hash: KeyedHash

    func identity(_ text: ByteRange, _ domain: KeyedHash.Domain, in source: SourceText) -> Identity {
        guard !text.isEmpty else { return Identity() }
        return Identity(key: source.with(text) { hash(domain, app: app, $0) }, text: text)
    }
}

extension EventField {
    /// For fields with an ID: the domain of its key, and the reason if it is invalid.
    var identity: (domain: KeyedHash.Domain, fault: Reason)? {
        switch self {
        case .installation: (.installation, .badInstallation)
        case .user: (.user, .badUser)
        case .session: (.session, .badSession)
        default: nil
        }
    }
}

extension SourceText.Reading {
    /// Returns the text, empty if missing. Throws the error message if it is invalid.
    func value(limit: Int) throws(TextError) -> ByteRange? {
        switch self {
        case .absent: nil
        case .text(let range): range
        case .wrongType: throw TextError(message: "Must be a string.")
        case .tooLong: throw TextError(message: "Must have at most \(limit) characters.")
        case .unprintable: throw TextError(message: "Must not contain control characters or unpaired surrogates.")
        }
    }
}

/// The error message of a short text.
struct TextError: Error {
    var message: String
}
