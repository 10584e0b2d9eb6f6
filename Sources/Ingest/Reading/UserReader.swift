// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Platform

/// Decodes user updates from a tape.
struct UserReader {
    private let keys: IdentityKeys
    private let rules: RuleSet
    private let time: TimeRules
    private let proof: EntryProof
    private(set) var source: SourceText
    private(set) var updates: [UserUpdate] = []
    private(set) var log = VerdictLog()

    init(app: App, rules: RuleSet, received: Timestamp, sentAt: Timestamp?, hash: KeyedHash, proof: UserProof, source: SourceText) {
        let keys = IdentityKeys(app: app.id, hash: hash)
        var source = source
        self.proof = proof == .open ? .open : EntryProof(proof, keys, &source)
        self.keys = keys
        self.rules = rules
        time = TimeRules(received: received, sentAt: sentAt, settings: app.settings)
        self.source = source
    }

    mutating func readElements(of array: Int, _ count: Int) {
        var place = array + 1
        for number in 0..<count {
            log.begin(number)
            do throws(EntryError) {
                let update = try update(place, number)
                updates.append(update)
            } catch {
                let raw = source.tape.slice(place)
                log.quarantine(error, raw: ByteRange(offset: raw.lowerBound, count: raw.count), time: nil, named: named(place))
            }
            place = source.tape[place].next
        }
    }

    private mutating func named(_ place: Int) -> NamedKeys {
        guard let fields = try? fields(of: place) else { return NamedKeys() }
        var named = NamedKeys()
        do throws(EntryError) { named.user = try person("user_id", .badUser, fields)?.key ?? 0 } catch {}
        do throws(EntryError) { named.installation = try person("installation_id", .badInstallation, fields)?.key ?? 0 } catch {}
        return named
    }

    private mutating func update(_ place: Int, _ number: Int) throws(EntryError) -> UserUpdate {
        let fields = try fields(of: place)
        let installation = try person("installation_id", .badInstallation, fields)
        let user = try proved(try person("user_id", .badUser, fields))
        guard installation != nil || user != nil else { throw EntryError(.badUser, "user_id", "Set user_id, installation_id or both.") }
        let alias = try flag("alias", fields)
        if alias, user == nil || installation == nil {
            throw EntryError(.badUser, "alias", "An alias links an installation_id to a user_id; set both.")
        }
        let moment = try moment(fields["timestamp"])
        let properties = try properties(fields["properties"])
        let once = try flag("once", fields)
        return UserUpdate(
            index: number, installation: installation?.text, installationKey: installation?.key ?? 0, user: user?.text, userKey: user?.key ?? 0,
            properties: properties, time: moment, alias: alias, once: once)
    }

    /// Returns the user that the request may name.
    private func proved(_ named: (text: String, key: UInt64)?) throws(EntryError) -> (text: String, key: UInt64)? {
        if case .open = proof { return named }
        let user = try proof.user(Identity(key: named?.key ?? 0))
        return user.key == 0 ? nil : named ?? (source.string(user.text), user.key)
    }

    private static let fields: [StaticString] = ["installation_id", "user_id", "properties", "timestamp", "alias", "once"]

    private func fields(of place: Int) throws(EntryError) -> [String: Int] {
        guard source.tape[place].kind == .object else { throw EntryError(.notAnObject, "user", "Must be an object.") }
        guard source.tape[place].children <= FixedLimits.membersPerObject else {
            throw EntryError(.tooManyEntries, "user", VerdictMessages.tooManyMembers)
        }
        var fields: [String: Int] = [:]
        var at = place + 1
        while at < source.tape[place].next {
            let value = source.tape[at].next
            if let name = UserReader.fields.first(where: { source.tape.isText(source.tape[at], $0) })?.description {
                guard fields.updateValue(value, forKey: name) == nil else { throw EntryError(.duplicateKey, name, "Is a duplicate.") }
            }
            at = source.tape[value].next
        }
        return fields
    }

    private mutating func person(_ field: String, _ reason: Reason, _ fields: [String: Int]) throws(EntryError) -> (text: String, key: UInt64)? {
        guard let index = fields[field] else { return nil }
        do throws(TextError) {
            let reading = source.text(index, limit: FixedLimits.personLength)
            guard let range = try reading.value(limit: FixedLimits.personLength), !range.isEmpty else { return nil }
            return (source.string(range), keys.identity(range, reason == .badUser ? .user : .installation, in: source).key)
        } catch {
            throw EntryError(reason, field, error.message)
        }
    }

    private func flag(_ field: String, _ fields: [String: Int]) throws(EntryError) -> Bool {
        guard let index = fields[field] else { return false }
        switch source.tape[index].kind {
        case .true: return true
        case .false, .null: return false
        default: throw EntryError(.badUser, field, "Must be true or false.")
        }
    }

    private func moment(_ index: Int?) throws(EntryError) -> Timestamp {
        guard let index, source.tape[index].kind != .null else { return time.received }
        guard let claimed = Timestamp(index, in: source) else { throw EntryError(.badTimestamp, "timestamp", VerdictMessages.timestamp) }
        return time.moment(claimed)
    }
}

// MARK: - Properties

extension UserReader {
    private mutating func properties(_ index: Int?) throws(EntryError) -> [UserProperty] {
        guard let index, source.tape[index].kind != .null else { return [] }
        guard source.tape[index].kind == .object else { throw EntryError(.badParams, "properties", "Must be an object.") }
        guard source.tape[index].children <= FixedLimits.membersPerObject else {
            throw EntryError(.tooManyUserProperties, "properties", VerdictMessages.tooManyMembers)
        }
        var properties: [UserProperty] = []
        var places: [String: Int] = [:]
        var at = index + 1
        while at < source.tape[index].next {
            let value = source.tape[at].next
            if let name = name(at, value) { add(name, value, to: &properties, &places) }
            at = source.tape[value].next
        }
        return properties
    }

    /// Returns the name of a valid property; nil if a correction was added instead.
    private mutating func name(_ key: Int, _ value: Int) -> String? {
        let rules = rules
        guard let name = source.tape.text(source.tape[key]) else {
            log.correct(.badUserProperty, "properties.?", "Contains an unpaired surrogate.")
            return nil
        }
        if let fault = rules.fault(userProperty: name.utf8Span.span) {
            log.correct(fault, UserReader.field(name), VerdictMessages.property(fault, rules))
            return nil
        }
        if let fault = source.fault(value, limit: rules.limits.userPropertyValueLength, nesting: false) {
            let reason = fault == .valueTooLong ? Reason.userPropertyTooLong : fault
            log.correct(reason, UserReader.field(name), VerdictMessages.property(reason, rules))
            return nil
        }
        return name
    }

    /// Adds a property. The last of duplicate names wins.
    ///
    /// - Parameter places: The index in `properties` of each name.
    private mutating func add(_ name: String, _ value: Int, to properties: inout [UserProperty], _ places: inout [String: Int]) {
        let rules = rules
        if let twin = places[name] {
            log.correct(.duplicateParam, UserReader.field(name), "Is a duplicate; the last value is used.")
            properties[twin] = property(name, value)
        } else if properties.count < rules.limits.userProperties {
            places[name] = properties.count
            properties.append(property(name, value))
        } else {
            log.correct(.tooManyUserProperties, UserReader.field(name), VerdictMessages.property(.tooManyUserProperties, rules))
        }
    }

    private func property(_ name: String, _ value: Int) -> UserProperty {
        let isRemoval = source.tape[value].kind == .null
        return UserProperty(name: name, value: isRemoval ? nil : Array(source.tape.bytes[source.tape.slice(value)]))
    }

    private static func field(_ name: String) -> String { "properties." + VerdictMessages.short(name) }
}
