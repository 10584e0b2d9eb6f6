// SPDX-License-Identifier: Apache-2.0

import Platform

extension FileContext {
    /// Removes some uploads, links and changes whose time is over. Returns the number of rows.
    func removeOver() throws -> Int {
        let limit = bounds.removedAtOnce
        // One request may last longer than an upload without requests is kept.
        for (id, time) in openUploads.receiving() { try file.keep(id, until: time + bounds.uploadsKept) }
        let expired = try file.expiredUploads(at: now, atMost: limit)
        for upload in expired { try cancel(upload) }
        let oldest = (now - bounds.changesKept).milliseconds * 1_000
        return try expired.count + file.removeLinks(endedAt: now, atMost: limit) + file.removeChanges(before: oldest, atMost: limit)
    }
}
