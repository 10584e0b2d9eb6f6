// SPDX-License-Identifier: Apache-2.0

import CrashStore
import Crashes
import Platform
import Symbols

/// Copies the source maps of a bundle and their minified files into the folder of symbols. A map that cannot be read is left out.
struct BundleUnpacking {
    /// A map of the bundle that was not stored.
    struct LeftOut: Sendable {
        var name: String
        var reason: String
    }

    private static let patience = Duration.seconds(120)
    private static let nameCharacters = 200

    private let folder: SymbolFolder
    private let readers: MappedPlaces?
    private let deadline = ContinuousClock.now + patience
    private let app: AppID
    private let now: Timestamp
    /// The bytes that the bundle may still unpack to.
    private var left: Int
    /// The rows of the unpacked maps.
    private(set) var symbols: [StoredSymbols] = []
    /// Further IDs under which reports wait for them.
    private(set) var arrived: [String] = []
    private(set) var leftOut: [LeftOut] = []

    init(_ folder: SymbolFolder, _ readers: MappedPlaces?, app: AppID, now: Timestamp) {
        (self.folder, self.readers, self.app, self.now) = (folder, readers, app, now)
        left = folder.fileBytes
    }

    /// - Parameter release: The release of the request. It takes precedence over that of the bundle.
    mutating func unpack(_ path: String, release: String?, distribution: String?) throws {
        let bundle = try ArtifactBundle(path: path)
        let (release, distribution) = (release ?? bundle.release, distribution ?? bundle.distribution)
        let entries = bundle.scripts.flatMap { [$0.map] + ($0.code.map { [$0] } ?? []) }
        try folder.beginBatch(app: app.rawValue, files: entries.count, bytes: entries.reduce(0) { $0 + $1.size })
        for script in bundle.scripts {
            let place = release.flatMap { release in script.url.map { ScriptPlace(release: release, distribution: distribution, url: $0) } }
            guard script.debugID != nil || place != nil else { continue }
            do {
                try keep(script, of: bundle.archive, at: place)
            } catch let error as SymbolFileError {
                guard let damage = error.damageOfMap else { throw error }
                let name = script.map.name.unicodeScalars.prefix(BundleUnpacking.nameCharacters)
                leftOut.append(LeftOut(name: String(String.UnicodeScalarView(name)), reason: damage))
            }
        }
        guard !symbols.isEmpty else {
            throw SymbolFileError.damaged(leftOut.sentence ?? "it has no source map with a debug ID or a release")
        }
        try folder.endBatch(app: app.rawValue)
    }

    /// Throws if a map cannot be read.
    private func check(_ file: String, _ format: SymbolFormat) throws(SymbolFileError) {
        guard ContinuousClock.now < deadline else { throw .damaged("reading the files before it took too long") }
        try readers?.check(file, format)
    }

    private mutating func keep(_ script: ArtifactBundle.Script, of archive: ZipArchive, at place: ScriptPlace?) throws {
        guard let id = script.debugID ?? place?.id else { return }
        // The manifest names the ID; that in the map may be missing.
        let file = try copy(script.map, of: archive).finish(as: id, check: check)
        let code = try script.code.map { try copy($0, of: archive).finishUninspected() }
        var stored = StoredSymbols(
            debugID: id.text, sha256: file.sum, format: SymbolFormat.sourceMap.rawValue, architecture: "", name: nil,
            bytes: Int64(file.bytes), created: now)
        stored.code = code.map { StoredSymbols.Code(sha256: $0.sum, bytes: Int64($0.bytes)) }
        if script.debugID != nil { symbols.append(stored) }
        guard let place else { return }
        symbols.append(stored.placed(at: place))
        arrived.append(place.general.id.text)
    }

    private mutating func copy(_ entry: ZipArchive.Entry, of archive: ZipArchive) throws -> SymbolUpload {
        guard entry.size <= left else { throw SymbolFileError.tooLarge(folder.fileBytes) }
        left -= entry.size
        var upload = try folder.receiveOfBatch(app: app.rawValue)
        try archive.read(entry, most: SourceMap.longest) { try upload.write($0) }
        return upload
    }
}

extension [BundleUnpacking.LeftOut] {
    private static var namedAtMost: Int { 8 }

    /// Names the files, as in `a.js.map was left out: its mappings are not base64`. Nil if there are none.
    var sentence: String? {
        guard !isEmpty else { return nil }
        let named = prefix(Self.namedAtMost).map { "\($0.name) was left out: \($0.reason)" }
        return (named + (count > named.count ? ["\(count - named.count) more were left out"] : [])).joined(separator: "; ")
    }
}

extension SymbolFileError {
    /// The reason why a map of a bundle is left out. Nil for errors that concern the whole upload.
    fileprivate var damageOfMap: String? {
        switch self {
        case .damaged(let reason): reason
        case .unknownFormat, .notSourceMap, .withoutSymbols: "it is not a source map"
        case .withoutID, .otherBuild, .tooLarge, .tooMany, .diskFull, .unreadable: nil
        }
    }
}
