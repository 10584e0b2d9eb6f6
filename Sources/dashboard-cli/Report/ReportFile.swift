// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// The file of a report.
enum ReportFile {
    /// The mark that identifies a report.
    static let mark = "Signalbox report"
    /// The number of bytes that are searched for the mark.
    private static let looked = 2_048

    /// Throws if the file exists and is not a report, unless `force` is set.
    static func check(_ path: String, force: Bool) throws {
        guard Folder.exists(path), !force else { return }
        let start = try? SmallFile.read(path, limit: looked)
        guard let start, String(decoding: start, as: UTF8.self).contains("content=\"\(mark)\"") else {
            throw Failure("«\(path)» exists and is not a report.", hint: "Choose another name, or replace it with --force.")
        }
    }
}
