// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Dispatch
import Platform
import AcrossStores
import Symbols

/// Stored symbol files with their rows in the crash store.
///
/// Changes run one at a time, because a file and its row cannot change together. A crash in between may leave a file without a row, which
/// `sweep` removes, never a row without its file.
struct SymbolStorage: Sendable {
    private let folder: SymbolFolder
    private let crashes: CrashStore
    private let oneAtATime = OneAtATime()
    /// Copies large files off the shared threads.
    private let queue = DispatchQueue(label: "signalbox.symbol-files", qos: .utility)

    init(_ folder: SymbolFolder, _ crashes: CrashStore) {
        self.folder = folder
        self.crashes = crashes
    }

    /// Stores an uploaded file, for a build if one was named.
    func put(_ path: String, for id: DebugID?, of app: AppID, at now: Timestamp) async throws -> [StoredSymbols] {
        try await oneAtATime.run {
            let kept = try await queue.run { try copy(path, id, app) }
            let symbols = kept.contents.objects.map { object in
                StoredSymbols(
                    debugID: object.debugID.text, sha256: kept.sum, format: kept.contents.format.rawValue, architecture: object.architecture,
                    name: nil, bytes: Int64(kept.bytes), created: now)
            }
            for sum in try await crashes.bring(symbols, app: app) where sum != kept.sum { drop(sum, of: app) }
            return symbols
        }
    }

    /// Removes the symbols of a build.
    func remove(_ id: DebugID, of app: AppID) async throws {
        try await oneAtATime.run {
            if let sum = try await crashes.removeSymbols(of: id.text, app: app) { drop(sum, of: app) }
        }
    }

    /// Removes the files of a deleted app; `sweep` retries what fails.
    func removeAll(of app: AppID) async {
        try? await oneAtATime.run {
            try await queue.run {
                if try folder.apps().contains(app.rawValue) { try folder.keepOnly([], app: app.rawValue) }
            }
        }
    }

    /// Removes files without a row: of deleted apps and of interrupted changes.
    func sweep() async throws {
        for app in try folder.apps() {
            try await oneAtATime.run {
                let known = try await crashes.symbolSums(app: AppID(rawValue: app))
                try await queue.run { try folder.keepOnly(known, app: app) }
            }
        }
    }

    /// `sweep` retries what fails.
    private func drop(_ sum: String, of app: AppID) {
        try? folder.remove(app: app.rawValue, sum: sum)
    }

    private func copy(_ path: String, _ id: DebugID?, _ app: AppID) throws -> StoredSymbolFile {
        do {
            let (file, piece) = (try File(path, .read), 1 << 20)
            var upload = try folder.receive(app: app.rawValue)
            for offset in stride(from: 0, to: Int(Folder.size(of: path)), by: piece) { try upload.write(file.read(at: offset, count: piece)) }
            return try upload.finish(for: id)
        } catch let problem as SymbolFileError {
            throw problem.refusal
        }
    }
}
