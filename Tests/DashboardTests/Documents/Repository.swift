// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files of the repository: sources, scripts and pages.
enum Repository {
    static let folder = String(#filePath.split(separator: "/Tests/")[0])

    /// The paths of all files and folders from the top, except hidden ones (builds among them) and a daemon's data.
    static let paths: Set<String> = {
        let top = URL(fileURLWithPath: folder, isDirectory: true)
        let found = FileManager.default.enumerator(at: top, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        let paths = (found?.compactMap { ($0 as? URL)?.path } ?? []).map { String($0.dropFirst(folder.count + 1)) }
        return Set(paths.filter { !$0.hasPrefix("data/") })
    }()

    static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
    }
}
