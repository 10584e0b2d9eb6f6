// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// A user, an installation or a session: its text and its key; both empty for nobody.
struct Identity {
    var key: UInt64 = 0
    var text: ByteRange = .none
}

/// What holds for every entry of a request that does not say otherwise.
struct Envelope {
    var sentAt: Timestamp?
    var installation = Identity()
    var user = Identity()
    var session = Identity()
    var context = ContextValues(repeating: .none)
    var release = ByteRange.none
    /// The array of events, or of crashes, in the tape.
    var entries: Int?

    /// What is kept of it with entries that are refused.
    func kept(in source: SourceText) -> EventSubmission.Envelope {
        EventSubmission.Envelope(json: json(in: source), user: user.key, installation: installation.key)
    }

    /// Everything but the entries as a flat JSON object, named as the query beside an array names them.
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

/// Makes the keys of persons, installations and sessions of one app.
struct IdentityKeys {
    let app: AppID
    let hash: KeyedHash

    func identity(_ text: ByteRange, _ domain: KeyedHash.Domain, in source: SourceText) -> Identity {
        guard !text.isEmpty else { return Identity() }
        return Identity(key: source.with(text) { hash(domain, app: app, $0) }, text: text)
    }
}

extension EventField {
    /// For fields that name somebody or something: what their keys are made under, and the reason when they are wrong.
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
    /// The text, empty where nothing was given, or the message of what is wrong with it.
    func value(limit: Int) throws(TextFault) -> ByteRange? {
        switch self {
        case .absent: nil
        case .text(let range): range
        case .wrongType: throw TextFault(message: "Must be a string.")
        case .tooLong: throw TextFault(message: "Must have at most \(limit) characters.")
        case .unprintable: throw TextFault(message: "Must not hold control characters or half a surrogate pair.")
        }
    }
}

/// What is wrong with a short text, as a sentence.
struct TextFault: Error {
    var message: String
}
