// SPDX-License-Identifier: Apache-2.0

package import Events
package import Platform

package struct AppResponse: Codable, Sendable {
    package var app: Int64
    package var name: String
    package var createdAt: Moment
    /// By name, as `AppSettings.fields` lists them.
    package var settings: Members<SettingValue>
    /// The role of the key that asked; only in `/v1/app`.
    package var role: Named<Role>?
    /// The secrets by role; only in the response that creates the app.
    package var keys: Members<String>?

    package init(app: Int64, name: String, createdAt: Moment, settings: Members<SettingValue>, role: Role? = nil, keys: Members<String>? = nil) {
        self.app = app
        self.name = name
        self.createdAt = createdAt
        self.settings = settings
        self.role = role.map { .known($0) }
        self.keys = keys
    }
}

/// The value of an app's setting.
package enum SettingValue: Codable, Sendable, Equatable {
    case number(Int)
    case flag(Bool)
    case text(String)
    case list([String])

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try value.decode([String].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        }
    }
}

package struct KeyResponse: Codable, Sendable {
    package var id: Int64
    package var app: Int64
    package var role: Named<Role>
    package var label: String
    /// The ends of the secret.
    package var hint: String
    /// The secret: always of an ingest key, of others only in the response that creates them.
    package var key: String?
    /// The DSN for Sentry SDKs, of ingest keys.
    package var dsn: String?
    package var createdAt: Moment
    package var bundleIds: [String]
    package var origins: [String]
    package var eventsPerMinute: Int
    /// The start of the hour of the last request; nil if there was none.
    package var lastUsedAt: Moment?
    /// Nil if the key never expires.
    package var expiresAt: Moment?
    /// The ID of the key that a rotation replaced by this one.
    package var replaces: Int64?
    /// Only in the response that creates a service account.
    package var serviceAccount: ServiceAccountResponse?

    package init(
        id: Int64, app: Int64, role: Role, label: String, hint: String, key: String? = nil, dsn: String? = nil, createdAt: Moment,
        bundleIds: [String], origins: [String], eventsPerMinute: Int, lastUsedAt: Moment? = nil, expiresAt: Moment? = nil, replaces: Int64? = nil,
        serviceAccount: ServiceAccountResponse? = nil
    ) {
        self.id = id
        self.app = app
        self.role = .known(role)
        self.label = label
        self.hint = hint
        self.key = key
        self.dsn = dsn
        self.createdAt = createdAt
        self.bundleIds = bundleIds
        self.origins = origins
        self.eventsPerMinute = eventsPerMinute
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.replaces = replaces
        self.serviceAccount = serviceAccount
    }
}

/// The fields of a service account's file, without the private key.
package struct ServiceAccountResponse: Codable, Sendable {
    package var projectId: String
    package var privateKeyId: String
    package var clientEmail: String
    package var clientId: String
    package var tokenUri: String

    package init(projectId: String, privateKeyId: String, clientEmail: String, clientId: String, tokenUri: String) {
        self.projectId = projectId
        self.privateKeyId = privateKeyId
        self.clientEmail = clientEmail
        self.clientId = clientId
        self.tokenUri = tokenUri
    }
}

package struct BackupResponse: Codable, Sendable {
    package var files: Int
    package var bytes: Int64
    /// The path of the accounts' key, which the backup needs and does not contain.
    package var keyApart: String?

    package init(files: Int, bytes: Int64, keyApart: String? = nil) {
        self.files = files
        self.bytes = bytes
        self.keyApart = keyApart
    }
}
