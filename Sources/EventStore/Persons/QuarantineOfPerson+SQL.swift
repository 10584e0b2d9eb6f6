// SPDX-License-Identifier: Apache-2.0

import AppDirectory
import Database
import Platform
import SQLite

extension DayDB {
    /// Returns the numbers of quarantined events that name a person.
    ///
    /// A person is named by the event's own fields or by its request's envelope. The bytes of an event whose user or installation could not
    /// be read are searched for the ID as a JSON string: for the user `ann`, `"ann"` with its quotes.
    func quarantined(_ keys: PersonKeys, _ texts: PersonTexts, through last: Int64) throws -> [Int64] {
        let needles = try texts.users.union(texts.installations).map { try quoted($0) }
        var found: [Int64] = []
        let sql = """
            SELECT seq, user, installation, json_extract(envelope, '$.user_id'), json_extract(envelope, '$.installation_id'),
                   CASE WHEN user IS NULL OR installation IS NULL THEN raw END
            FROM quarantine WHERE app = ? AND seq <= ? ORDER BY seq
            """
        try statement(sql).each([.integer(keys.app.rawValue), .integer(last)]) { row in
            let isNamed =
                keys.user != 0 && row.key(1) == keys.user || row.key(2) != 0 && keys.installations.contains(row.key(2)) && !keys.onlyAnonymous
                || !row.isNull(3) && texts.users.contains(row.bytes(3)) || !row.isNull(4) && texts.installations.contains(row.bytes(4))
            if isNamed || !row.isNull(5) && needles.contains(where: { row.bytes(5).holds($0) }) { found.append(row.integer(0)) }
        }
        return found
    }

    private func quoted(_ text: [UInt8]) throws -> [UInt8] {
        try statement("SELECT json_quote(?)").first(.utf8(text)) { $0.bytes(0) } ?? []
    }
}

extension [UInt8] {
    fileprivate func holds(_ needle: [UInt8]) -> Bool {
        guard let first = needle.first else { return false }
        var at = 0
        while at + needle.count <= count {
            if self[at] == first, self[at..<at + needle.count].elementsEqual(needle) { return true }
            at += 1
        }
        return false
    }
}
