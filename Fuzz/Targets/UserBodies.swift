// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import JSON
import Platform

/// User bodies. Every entry is accounted for, and every property is a scalar that decodes again.
enum UserBodies {
    private static let decoder = NativeUsers(parser: Given.parser)

    static func run(_ bytes: [UInt8]) {
        guard let submission = decode(bytes) else { return }
        accepted()
        let indices = submission.updates.map(\.index) + submission.quarantined.map(\.verdict.index)
        require(Set(indices) == Set(0..<indices.count) && indices.count <= FixedLimits.usersPerRequest, "an entry was lost or counted twice")
        for update in submission.updates { check(update) }
        for entry in submission.quarantined {
            require(entry.raw.source == .body && entry.raw.range.upperBound <= submission.body.count, "a range outside its bytes")
        }
        checkJSON(responseBody(submission.outcome))
    }

    private static func decode(_ bytes: [UInt8]) -> UserSubmission? {
        try? decoder.decode(bytes, app: Given.app, received: Given.received, hash: Given.hash)
    }

    private static func check(_ update: UserUpdate) {
        require((update.userKey == 0) == (update.user == nil), "a user without a key, or a key without a user")
        require((update.installationKey == 0) == (update.installation == nil), "an installation without a key, or a key without an installation")
        require(update.userKey != 0 || update.installationKey != 0, "an entry about nobody")
        require(!update.alias || (update.userKey != 0 && update.installationKey != 0), "an alias lacks a user or an installation")
        require(update.time <= Given.received + TimeRules.future, "a time too far ahead")
        require(Set(update.properties.map(\.name)).count == update.properties.count, "a property occurs twice")
        for property in update.properties {
            guard let value = property.value else { continue }
            let isScalar = Given.parser.withReader { reader in (try? reader.parse(value)).map { $0[0].kind != .object && $0[0].kind != .array } }
            require(isScalar == true, "a property that is not a scalar")
        }
    }
}
