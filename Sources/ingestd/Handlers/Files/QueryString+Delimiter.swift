// SPDX-License-Identifier: Apache-2.0

import FileStore
import Platform

extension QueryString {
    /// Reads the text at which a listing cuts names: `delimiter=/`.
    func delimiter() throws(Refusal) -> String? {
        guard let text = try one("delimiter") else { return nil }
        guard text.utf8.count <= FileListingQuery.maximumDelimiterBytes else {
            throw .field("delimiter", "too_long", "must have at most \(FileListingQuery.maximumDelimiterBytes) bytes", hint: "Use /.")
        }
        return text
    }
}
