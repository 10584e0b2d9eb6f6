// SPDX-License-Identifier: Apache-2.0

/// The integer ID of an app in stored data.
package struct AppID: RawRepresentable, Hashable, Comparable, Sendable {
    package var rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package static func < (a: AppID, b: AppID) -> Bool { a.rawValue < b.rawValue }
}

/// An app: a tenant with separate events, crashes and messages.
package struct App: Sendable, Equatable {
    package var id: AppID
    package var name: String
    package var created: Timestamp
    package var settings: AppSettings

    package init(id: AppID, name: String, created: Timestamp, settings: AppSettings) {
        self.id = id
        self.name = name
        self.created = created
        self.settings = settings
    }

    /// The project ID that clients of Firebase and tokens name: the setting, by default the app's number.
    package var project: String { settings.project.isEmpty ? String(id.rawValue) : settings.project }
}

/// The settings of an app with their defaults.
package struct AppSettings: Sendable, Equatable, Codable {
    /// The IANA time zone of the app's days.
    package var timeZone = "UTC"
    /// Data retention: days for which raw events are kept.
    package var retentionDays = 90
    /// Hours after which an event counts as late.
    package var latenessHours = 72
    /// Session timeout in seconds.
    package var sessionTimeoutSeconds = 1_800
    /// Whether apps may register webhook endpoints with their ingest key.
    package var clientWebhooks = false
    /// Parameters that are removed when data is anonymised.
    package var privateParams: [String] = []
    /// Whether crash reports keep the local variables of their frames.
    package var localVariables = true
    /// Whether crash reports keep source lines around the places of their frames.
    package var sourceContext = true
    /// Rate limit in events a minute of an ingest key; 0 is unlimited.
    package var eventsPerMinute = 0
    package var limits = EventLimits.firebase
    /// The project ID, if it is not the app's number.
    package var project = ""
    /// Set by the operator only.
    package var quota = AppQuota()
    /// The ways in which users may sign in; none without a choice.
    package var authMethods: [SignInMethod] = []
    /// The origins of pages that the links of mails may open.
    package var authOrigins: [String] = []
    /// Whether an account is created only once its address is proved.
    package var authVerifiedOnly = false
    /// Whether entries sent with an ingest key alone may name users.
    package var users = UserRule.open
    /// The fate of a user's data when the account is deleted.
    package var onAccountDeleted = AccountDeletion.erase
    /// Whether sign-ins are stored as events `sign_up` and `login`.
    package var authEvents = false
    /// Whether queries are proved only where Google's emulator proves them.
    package var strictRules = false

    package init() {}
}

/// The operator's limits of an app; 0 is no limit.
package struct AppQuota: Sendable, Equatable, Codable {
    package var eventsPerDay = 0
    package var bytesPerDay = 0
    package var devices = 0
    /// The limit of `AppSettings.retentionDays`.
    package var retentionDays = 0
    package var storageBytes = 0

    package init() {}

    /// A limit that rejects data, by the name of its setting.
    package enum Limit: String, CaseIterable, Sendable {
        case events = "max_events_per_day"
        case bytes = "max_bytes_per_day"
        case devices = "max_devices"
        case storage = "max_storage_bytes"

        package var unit: String {
            switch self {
            case .events: "events a day"
            case .bytes: "bytes a day"
            case .devices: "devices"
            case .storage: "stored bytes"
            }
        }
    }

    package subscript(limit: Limit) -> Int {
        switch limit {
        case .events: eventsPerDay
        case .bytes: bytesPerDay
        case .devices: devices
        case .storage: storageBytes
        }
    }
}

/// A way of signing in to an account.
package enum SignInMethod: String, CaseIterable, Sendable, Codable {
    case password, anonymous
    case customToken = "custom_token"
    /// An ID token of an identity provider.
    case idToken = "id_token"
    /// A code from a mail.
    case code
}

/// The senders that may name a user in events, crash reports and registrations.
package enum UserRule: String, CaseIterable, Sendable, Codable {
    /// Every sender.
    case open
    /// The user itself with an ID token, and keys of servers.
    case proved
}

/// The fate of a user's data in other stores when the account is deleted.
package enum AccountDeletion: String, CaseIterable, Sendable, Codable {
    case erase, anonymise, keep
}

/// The count and length limits of a rule set; characters are Unicode scalars.
package struct EventLimits: Sendable, Equatable, Codable {
    package var nameLength: Int
    package var params: Int
    package var paramNameLength: Int
    package var valueLength: Int
    package var items: Int
    package var userProperties: Int
    package var userPropertyNameLength: Int
    package var userPropertyValueLength: Int
    package var eventNames: Int

    package static let firebase = EventLimits(
        nameLength: 40, params: 25, paramNameLength: 40, valueLength: 100, items: 200, userProperties: 25, userPropertyNameLength: 24,
        userPropertyValueLength: 36, eventNames: 2_000)
    package static let open = EventLimits(
        nameLength: 200, params: 256, paramNameLength: 200, valueLength: 8_192, items: 200, userProperties: 256, userPropertyNameLength: 200,
        userPropertyValueLength: 8_192, eventNames: 2_000)
}

/// The role of a key. The route table names one for each route.
package enum Role: String, CaseIterable, Sendable {
    case ingest, read, send
    /// Administers accounts and signs custom tokens; otherwise reads only the name of its app.
    case accounts
    /// Reads and writes documents without rules, nothing else.
    case data
    case admin
    /// The operator of this machine, who has access to the control socket.
    case `operator`
}
