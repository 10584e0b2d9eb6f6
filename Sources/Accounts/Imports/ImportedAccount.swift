// SPDX-License-Identifier: Apache-2.0

import JOSE
package import JSON
package import Platform

/// One account of an import, in the fields of the native API, of Firebase or of Supabase.
///
///     {"id": "ana", "email": "ana@example.org", "password_hash": "$2b$10$…"}
///     {"localId": "ana", "email": "ana@example.org", "passwordHash": "…", "salt": "…"}       with the parameters of the hashes (`HashImport`)
///     {"id": "8f…", "email": "ana@example.org", "encrypted_password": "$2a$10$…"}
package struct ImportedAccount: Sendable {
    package var uid = ""
    package var email: EmailAddress?
    package var isEmailVerified = false
    package var name: String?
    package var photoURL: String?
    package var phone: String?
    package var isAnonymous = false
    package var isDisabled = false
    package var claims: String?
    package var created: Timestamp?
    package var lastSignIn: Timestamp?
    package var identities: [ImportedIdentity] = []
    /// A fast hash must be wrapped before it is stored.
    package var hash: PasswordHash?
    package var parts = ImportedParts()

    /// Where the entries of an import come from.
    package enum Source: Sendable {
        case otherProduct
        /// An export of ours; `hasKey` if its hashes were sealed with the key of this daemon.
        case ownExport(hasKey: Bool)
    }

    /// - Parameter hashes: How passwords were hashed; nil if no parameters were given.
    package init(_ object: JSONValue, hashes: HashImport?, from source: Source = .otherProduct) throws(ImportProblem) {
        let fields = try ImportFields(object)
        if fields.has("localId") {
            try readFirebase(fields, hashes)
        } else if fields.has("encrypted_password") || fields.has("raw_app_meta_data") {
            try readSupabase(fields)
        } else {
            try readNative(fields, hashes, source)
        }
    }

    // MARK: Products

    private mutating func readNative(_ fields: ImportFields, _ hashes: HashImport?, _ source: Source) throws(ImportProblem) {
        try readBasics(fields, id: "id", email: "email", verified: "email_verified", name: "name", photo: "photo_url", phone: "phone")
        (isAnonymous, isDisabled) = (try fields.flag("anonymous"), try fields.flag("disabled"))
        claims = try fields.value("claims").flatMap { value throws(ImportProblem) in try ImportedAccount.claims(Array(value.json), "claims") }
        (created, lastSignIn) = (try fields.time("created_at"), try fields.time("last_sign_in_at"))
        identities = try fields.identities("identities", ImportedIdentity.native)
        if case .ownExport(let hasKey) = source { parts = try ImportedParts(fields, hasKey: hasKey) }
        guard let text = try fields.text("password_hash", limit: 2_048) else { return }
        guard text.hasPrefix("$") else { return try readHash(fields, hashes, "password_hash", salt: "password_salt") }
        switch source {
        case .otherProduct:
            hash = HashImport.hash(text: text)
            if hash == nil { throw ImportProblem("password_hash", "is no hash of bcrypt or Argon2") }
        case .ownExport(let hasKey):
            hash = PasswordHash(stored: text)
            guard let hash else { throw ImportProblem("password_hash", "is no stored hash") }
            guard hasKey || !hash.needsKey else { throw ImportProblem("password_hash", "was sealed with the accounts.key of another daemon") }
        }
    }

    private mutating func readFirebase(_ fields: ImportFields, _ hashes: HashImport?) throws(ImportProblem) {
        try readBasics(
            fields, id: "localId", email: "email", verified: "emailVerified", name: "displayName", photo: "photoUrl", phone: "phoneNumber")
        isDisabled = try fields.flag("disabled")
        // Codes by SMS are not sent, and without its second factor the account would be less protected than before.
        guard fields.value("mfaInfo")?.elements.isEmpty ?? true else {
            throw ImportProblem("mfaInfo", "has second factors, which cannot be imported; without this field the account is added without them")
        }
        if let text = try fields.text("customAttributes", limit: 4_096) {
            claims = try ImportedAccount.claims(Array(text.utf8), "customAttributes")
        }
        (created, lastSignIn) = (try fields.time("createdAt"), try fields.time("lastLoginAt", "lastSignedInAt"))
        identities = try fields.identities("providerUserInfo", ImportedIdentity.firebase)
        // An account without any way to sign in was an anonymous one.
        let ways = fields.value("providerUserInfo")?.elements.count ?? 0
        isAnonymous = email == nil && phone == nil && ways == 0 && fields.has("createdAt")
        if fields.has("passwordHash") { try readHash(fields, hashes, "passwordHash", salt: "salt") }
    }

    private mutating func readSupabase(_ fields: ImportFields) throws(ImportProblem) {
        try readBasics(fields, id: "id", email: "email")
        isEmailVerified = try fields.time("email_confirmed_at") != nil
        if let number = try fields.text("phone") {
            let text = number.hasPrefix("+") ? number : "+" + number
            guard PhoneNumber.isOne(text) else { throw ImportProblem("phone", "must be a number such as +4930123456") }
            phone = text
        }
        if let data = fields.value("raw_user_meta_data") {
            let profile = try ImportFields(data)
            name = try profile.text("full_name", "name")
            photoURL = try ImportedAccount.picture(profile, "avatar_url")
        }
        (created, lastSignIn) = (try fields.time("created_at"), try fields.time("last_sign_in_at"))
        (isAnonymous, isDisabled) = (try fields.flag("is_anonymous"), fields.has("banned_until") || fields.has("deleted_at"))
        identities = try fields.identities("identities", ImportedIdentity.supabase)
        guard let text = try fields.text("encrypted_password", limit: 512) else { return }
        guard let hash = HashImport.hash(text: text) else { throw ImportProblem("encrypted_password", "is no hash of bcrypt or Argon2") }
        self.hash = hash
    }

    // MARK: Parts

    private mutating func readBasics(
        _ fields: ImportFields, id: String, email: String, verified: String? = nil, name: String? = nil, photo: String? = nil,
        phone: String? = nil
    ) throws(ImportProblem) {
        guard let uid = try fields.text(id, limit: 128), AccountID.isValid(uid) else {
            throw ImportProblem(id, "must have 1 to 128 bytes and no control characters")
        }
        self.uid = uid
        if let text = try fields.text(email, limit: 1_024) {
            guard let address = EmailAddress(text) else { throw ImportProblem(email, "must be an email address") }
            self.email = address
        }
        if let verified { isEmailVerified = try fields.flag(verified) }
        if let name { self.name = try fields.text(name) }
        if let photo { photoURL = try ImportedAccount.picture(fields, photo) }
        if let phone, let text = try fields.text(phone) {
            guard PhoneNumber.isOne(text) else { throw ImportProblem(phone, "must be a number such as +4930123456") }
            self.phone = text
        }
    }

    private mutating func readHash(_ fields: ImportFields, _ hashes: HashImport?, _ name: String, salt: String) throws(ImportProblem) {
        guard let hashes else { throw ImportProblem(name, "needs the parameters of the hashes") }
        guard let bytes = try fields.bytes(name) else { return }
        guard let made = hashes.hash(bytes, salt: try fields.bytes(salt) ?? []) else {
            throw ImportProblem(name, "cannot be a hash of this algorithm")
        }
        hash = made
    }

    private static func picture(_ fields: ImportFields, _ name: String) throws(ImportProblem) -> String? {
        guard let text = try fields.text(name, limit: 2_048) else { return nil }
        guard PictureURL.isOne(text) else { throw ImportProblem(name, "must be a URL that begins with https:// or http://") }
        return text
    }

    private static func claims(_ json: [UInt8], _ name: String) throws(ImportProblem) -> String? {
        do throws(CustomClaims.Problem) {
            let claims = try CustomClaims(json: json)
            return claims == .none ? nil : String(decoding: json, as: UTF8.self)
        } catch {
            throw ImportProblem(name, "must be an object of at most 1,000 bytes without names that ID tokens use themselves")
        }
    }
}
