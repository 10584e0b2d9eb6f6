// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// Where a report is written.
enum ReportFile {
    /// By which a report is known again.
    static let mark = "Signalbox report"
    /// The mark stands near the top.
    private static let looked = 2_048

    /// Anything else than an older report is left alone, unless it is to be replaced by `force`.
    static func check(_ path: String, force: Bool) throws {
        guard Folder.exists(path), !force else { return }
        let start = try? SmallFile.read(path, limit: looked)
        guard let start, String(decoding: start, as: UTF8.self).contains("content=\"\(mark)\"") else {
            throw Failure("«\(path)» is there already and is no report.", hint: "Choose another name, or replace it with --force.")
        }
    }
}
