// SPDX-License-Identifier: Apache-2.0

/// The fields of app settings by name, used by `app set`, the settings routes and the store. A new setting is one line here.
extension AppSettings {
    package struct Field: Sendable {
        package enum Kind: Sendable {
            case number(ClosedRange<Int>)
            case flag
            case zone
            case list
            /// Origins of web pages, separated by commas.
            case origins
            case project
            case choice([String])
            /// Words of a list, separated by commas.
            case words([String])
        }

        package let name: String
        package let kind: Kind
        package let help: String
        /// Whether only the operator may change it.
        package var isForOperator = false
        let get: @Sendable (AppSettings) -> String
        let put: @Sendable (inout AppSettings, String) -> Void

        package func text(in settings: AppSettings) -> String { get(settings) }
    }

    package static let fields: [Field] = [
        Field(name: "tz", kind: .zone, help: "The IANA time zone of the app's days.", get: \.timeZone, put: { $0.timeZone = $1 }),
        number("retention_days", 1...3_650, \.retentionDays, "Days for which raw events are kept."),
        number("lateness_hours", 1...72, \.latenessHours, "Hours after which an event counts as late."),
        number("session_timeout_seconds", 1...86_400, \.sessionTimeoutSeconds, "Seconds without an event that end a session."),
        Field(
            name: "client_webhooks", kind: .flag, help: "Whether ingest keys may register webhook endpoints.",
            get: { $0.clientWebhooks ? "true" : "false" }, put: { $0.clientWebhooks = $1 == "true" }),
        Field(
            name: "private_params", kind: .list, help: "Parameters that anonymising removes.",
            get: { $0.privateParams.joined(separator: ",") },
            put: { $0.privateParams = $1.commaSeparated }),
        Field(
            name: "local_variables", kind: .flag, help: "Whether crash reports keep the local variables of their frames.",
            get: { $0.localVariables ? "true" : "false" }, put: { $0.localVariables = $1 == "true" }),
        Field(
            name: "source_context", kind: .flag, help: "Whether crash reports keep the source lines of their frames.",
            get: { $0.sourceContext ? "true" : "false" }, put: { $0.sourceContext = $1 == "true" }),
        number("events_per_minute", 0...100_000_000, \.eventsPerMinute, "Events a minute that one ingest key may send; 0 is unlimited."),
        number("name_length", 1...200, \.limits.nameLength, "Characters of an event name."),
        number("params", 1...256, \.limits.params, "Parameters of an event."),
        number("param_name_length", 1...200, \.limits.paramNameLength, "Characters of a parameter name."),
        number("value_length", 1...8_192, \.limits.valueLength, "Characters of a parameter value."),
        number("items", 1...1_000, \.limits.items, "Items of a purchase."),
        number("user_properties", 1...256, \.limits.userProperties, "Properties of a user in one request."),
        number("user_property_name_length", 1...200, \.limits.userPropertyNameLength, "Characters of a user property's name."),
        number("user_property_value_length", 1...8_192, \.limits.userPropertyValueLength, "Characters of a user property's value."),
        number("event_names", 1...100_000, \.limits.eventNames, "Different event names in a day."),
        Field(
            name: "project", kind: .project, help: "The project ID that Firebase's clients and tokens name; empty: the app's number.",
            isForOperator: true, get: \.project, put: { $0.project = $1 }),
        quota("max_events_per_day", 0...1_000_000_000_000, \.quota.eventsPerDay, "Events, users and crashes that a UTC day may bring"),
        quota("max_bytes_per_day", 0...1_000_000_000_000_000, \.quota.bytesPerDay, "Bytes of request bodies that a UTC day may bring"),
        quota("max_devices", 0...100_000, \.quota.devices, "Registered devices"),
        quota(
            "max_storage_bytes", 0...1_000_000_000_000_000, \.quota.storageBytes,
            "Bytes on the disk: events, crash reports with their files, and symbol files"),
        quota("max_retention_days", 0...3_650, \.quota.retentionDays, "The highest value of retention_days that can be set"),
        Field(
            name: "auth_methods", kind: .words(SignInMethod.allCases.map(\.rawValue)), help: "Ways in which users may sign in to accounts.",
            get: { $0.authMethods.map(\.rawValue).joined(separator: ",") },
            put: { $0.authMethods = $1.commaSeparated.compactMap { SignInMethod(rawValue: String($0)) } }),
        Field(
            name: "auth_origins", kind: .origins, help: "Origins of the app's pages that links of mails may open, such as https://shop.example.",
            get: { $0.authOrigins.joined(separator: ",") }, put: { $0.authOrigins = $1.commaSeparated }),
        Field(
            name: "auth_verified_only", kind: .flag, help: "Whether a sign-up creates the account only once its address is proved by a mail.",
            get: { $0.authVerifiedOnly ? "true" : "false" }, put: { $0.authVerifiedOnly = $1 == "true" }),
        Field(
            name: "users", kind: .choice(UserRule.allCases.map(\.rawValue)), help: "Whether an ingest key alone may name users.",
            get: \.users.rawValue, put: { $0.users = UserRule(rawValue: $1) ?? $0.users }),
        Field(
            name: "on_account_deleted", kind: .choice(AccountDeletion.allCases.map(\.rawValue)),
            help: "What happens to the data of a deleted account.",
            get: \.onAccountDeleted.rawValue, put: { $0.onAccountDeleted = AccountDeletion(rawValue: $1) ?? $0.onAccountDeleted }),
        Field(
            name: "auth_events", kind: .flag, help: "Whether sign-ins are stored as events, sign_up and login.",
            get: { $0.authEvents ? "true" : "false" }, put: { $0.authEvents = $1 == "true" }),
        Field(
            name: "strict_rules", kind: .flag, help: "Whether security rules prove queries only where Google's emulator does.",
            get: { $0.strictRules ? "true" : "false" }, put: { $0.strictRules = $1 == "true" }),
    ]

    /// The settings that clients with an ingest key may see, because they decide what is collected. Limits and private parameters are not
    /// their concern.
    package static let fieldsOfClients = fields.filter {
        ["tz", "session_timeout_seconds", "client_webhooks", "local_variables", "auth_methods"].contains($0.name)
    }

    package static func field(named name: String) -> Field? {
        fields.first { $0.name == name }
    }

    /// Sets a field from text; throws a refusal that names the field and its accepted values.
    package mutating func set(_ name: String, to text: String) throws(Refusal) {
        guard let field = AppSettings.field(named: name) else {
            let known = AppSettings.fields.map(\.name).joined(separator: ", ")
            throw Refusal(
                .invalid, "There is no setting «\(name)».", hint: "Known settings: \(known).",
                fields: [.init(name, "unknown", "is not a known setting")])
        }
        if let problem = field.problem(with: text) {
            throw Refusal(.invalid, "\(name) \(problem).", hint: field.help, fields: [.init(name, "invalid", problem)])
        }
        field.put(&self, text)
    }

    /// Throws if a change exceeds what the operator allows. A value that was set before the limit works until it is changed.
    package func checkQuota(of changes: [(name: String, value: String)]) throws(Refusal) {
        let most = quota.retentionDays
        guard most > 0, retentionDays > most, changes.contains(where: { $0.name == "retention_days" }) else { return }
        throw Refusal(
            .invalid, "The operator allows at most \(most) retention_days.", hint: "The operator can raise max_retention_days.",
            fields: [.init("retention_days", "above_limit", "must be at most \(most)")])
    }

    private static func quota(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<AppSettings, Int> & Sendable, _ help: String
    ) -> Field {
        var field = number(name, range, path, "\(help); 0 is no limit. Only the operator may set it.")
        field.isForOperator = true
        return field
    }

    private static func number(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<AppSettings, Int> & Sendable, _ help: String
    ) -> Field {
        Field(
            name: name, kind: .number(range), help: help, get: { String($0[keyPath: path]) },
            put: { $0[keyPath: path] = Int($1) ?? $0[keyPath: path] })
    }
}

extension AppSettings.Field {
    /// Returns the error for a text, to be appended to the field's name.
    fileprivate func problem(with text: String) -> String? {
        switch kind {
        case .number(let range):
            guard let number = Int(text), range.contains(number) else {
                return "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
            }
        case .flag:
            guard text == "true" || text == "false" else { return "must be true or false" }
        case .zone:
            guard TimeZoneName.isKnown(text) else { return "must be an IANA time zone such as Europe/Berlin" }
        case .origins:
            let origins = text.commaSeparated
            guard text.utf8.count <= 4_096, origins.allSatisfy({ OriginRule($0).map { $0 != .any } ?? false }) else {
                return "must be a list of origins such as https://shop.example or https://*.shop.example"
            }
        case .list:
            guard text.utf8.count <= 4_096 else { return "must be at most 4,096 bytes" }
        case .choice(let words):
            guard words.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else { return "must be one of \(words.joined(separator: ", "))" }
        case .words(let words):
            let chosen = text.commaSeparated.map { String($0) }
            guard Set(chosen).count == chosen.count, chosen.allSatisfy({ one in words.contains { $0.utf8.elementsEqual(one.utf8) } }) else {
                return "must be a list of \(words.joined(separator: ", ")), each at most once"
            }
        case .project:
            guard text.isEmpty || ProjectName.isValid(text) else {
                return "must have 4 to 63 lower-case letters, digits and hyphens, begin with a letter and not be a word of the API"
            }
        }
        return nil
    }
}

/// Time zone names.
enum TimeZoneName {
    package static func isKnown(_ name: String) -> Bool {
        ZoneOffsets(name) != nil
    }

    /// Whether a name is safe as a part of a path.
    static func isPlain(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= 64, name.utf8.allSatisfy(isAllowed), !name.contains(".."), !name.hasPrefix("/") else { return false }
        return true
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2f, 0x5f: true
        default: false
        }
    }
}
