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
    /// Reads uploaded source maps and mappings, in a child of its own.
    private let readers: MappedPlaces?
    private let oneAtATime = OneAtATime()
    /// Copies large files off the shared threads.
    private let queue = DispatchQueue(label: "signalbox.symbol-files", qos: .utility)

    init(_ folder: SymbolFolder, _ crashes: CrashStore) {
        self.folder = folder
        self.crashes = crashes
        readers = MappedPlaces.ofDaemon(in: folder.path)
    }

    /// Stores an uploaded file, for a build if one was named.
    func put(_ path: String, for id: DebugID?, of app: AppID, at now: Timestamp) async throws -> [StoredSymbols] {
        try await oneAtATime.run {
            let kept = try await run { try receive(path, app).finish(for: id, check: check) }
            return try await bring(kept.symbols(at: now), of: app)
        }
    }

    /// Stores a source map for a release and the URL of the minified file.
    func put(_ path: String, at place: ScriptPlace, of app: AppID, at now: Timestamp) async throws -> [StoredSymbols] {
        try await oneAtATime.run {
            let kept = try await run { try receive(path, app).finish(as: place.id, check: check) }
            return try await bring(kept.symbols(at: now).map { $0.placed(at: place) }, alsoArrived: [place.general.id.text], of: app)
        }
    }

    /// Stores the source maps of a bundle under their debug IDs, and for the release if there is one. Returns those left out as well.
    func put(
        bundle path: String, release: String?, distribution: String?, of app: AppID, at now: Timestamp
    ) async throws -> (symbols: [StoredSymbols], leftOut: [BundleUnpacking.LeftOut]) {
        try await oneAtATime.run {
            let unpacked = try await run {
                var unpacking = BundleUnpacking(folder, readers, app: app, now: now)
                try unpacking.unpack(path, release: release, distribution: distribution)
                return unpacking
            }
            return (try await bring(unpacked.symbols, alsoArrived: unpacked.arrived, of: app), unpacked.leftOut)
        }
    }

    /// Throws if a source map or mapping cannot be read.
    private func check(_ file: String, _ format: SymbolFormat) throws(SymbolFileError) { try readers?.check(file, format) }

    private func bring(_ symbols: [StoredSymbols], alsoArrived: [String] = [], of app: AppID) async throws -> [StoredSymbols] {
        for sum in try await crashes.bring(symbols, alsoArrived: alsoArrived, app: app) { drop(sum, of: app) }
        return symbols
    }

    /// Runs file work off the shared threads. Its errors become refusals.
    private func run<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        do {
            return try await queue.run {
                defer { readers?.rest() }
                return try body()
            }
        } catch let problem as SymbolFileError {
            throw problem.refusal
        }
    }

    /// Removes the symbols of a build.
    func remove(_ id: DebugID, of app: AppID) async throws {
        try await oneAtATime.run {
            for sum in try await crashes.removeSymbols(of: id.text, app: app) { drop(sum, of: app) }
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

    /// Copies an uploaded file into the folder. It is removed again unless the upload is finished.
    private func receive(_ path: String, _ app: AppID) throws -> SymbolUpload {
        let (file, piece) = (try File(path, .read), 1 << 20)
        var upload = try folder.receive(app: app.rawValue)
        for offset in stride(from: 0, to: Int(Folder.size(of: path)), by: piece) { try upload.write(file.read(at: offset, count: piece)) }
        return upload
    }
}

extension StoredSymbolFile {
    /// The rows of its objects.
    func symbols(at now: Timestamp) -> [StoredSymbols] {
        contents.objects.map { object in
            StoredSymbols(
                debugID: object.debugID.text, sha256: sum, format: contents.format.rawValue, architecture: object.architecture, name: nil,
                bytes: Int64(bytes), created: now)
        }
    }
}

extension StoredSymbols {
    func placed(at place: ScriptPlace) -> StoredSymbols {
        var symbols = self
        (symbols.debugID, symbols.name) = (place.id.text, place.url)
        (symbols.release, symbols.distribution) = (place.release, place.distribution)
        return symbols
    }
}
