// SPDX-License-Identifier: Apache-2.0

/// The frames of a report whose original places source maps contain, and the IDs under which the maps may be stored.
///
///     frame https://cdn.example/app.min.js:1:4711
///       image {type: sourcemap, debug_id: D, code_file: https://cdn.example/app.min.js}   →  D
///       release shop@2.1.0                                                                →  the IDs of `ScriptPlace.candidates`
package struct ScriptFrames {
    private let languages: Language.Stated
    /// The IDs of generated files, by the UTF-8 of their URLs.
    private let ids: [[UInt8]: DebugID]
    private let release: String?
    private let distribution: String?

    package init(_ report: CrashReport) {
        languages = Language.Stated(report)
        let maps = report.images.filter { $0.type == "sourcemap" }
        ids = Dictionary(maps.compactMap { image in image.debugID.map { (Array((image.codeFile ?? "").utf8), $0) } }) { first, _ in first }
        (release, distribution) = (report.release, report.build)
    }

    /// Whether the frame is JavaScript with a place in a file.
    package func contains(_ frame: StackFrame) -> Bool {
        guard frame.address == nil, frame.symbolication != .found, (frame.line ?? 0) > 0, (frame.column ?? 0) > 0 else { return false }
        guard let first = frame.url.utf8.first, !ScriptFrames.marks.contains(first), !frame.url.hasPrefix("node:") else { return false }
        switch Language.of(frame, languages) {
        case .javascript, .node: return true
        default: return false
        }
    }

    /// The first bytes of names that are no files: `<anonymous>`, `[native code]`.
    private static let marks = Array("<[".utf8)

    /// Returns the IDs of maps of the frame's file, the best first.
    package func ids(of frame: StackFrame) -> [DebugID] {
        if let id = ids[Array(frame.url.utf8)] { return [id] }
        return place(of: frame)?.candidates.map(\.id) ?? []
    }

    /// Returns the ID under which a report waits for the map of a frame of the app.
    package func awaitedID(of frame: StackFrame) -> DebugID? {
        guard frame.inApp != false, !LibraryNames.contains(script: frame.url) else { return nil }
        return ids[Array(frame.url.utf8)] ?? place(of: frame)?.general.id
    }

    /// Whether a map of the frame's file certainly exists: the file has an ID, or its code is minified.
    package func isMinified(_ frame: StackFrame) -> Bool {
        ids[Array(frame.url.utf8)] != nil || ScriptFunction.position(frame, .javascript) != nil || frame.url.contains(".min.")
    }

    private func place(of frame: StackFrame) -> ScriptPlace? {
        release.map { ScriptPlace(release: $0, distribution: distribution, url: frame.url) }
    }
}

/// The frames of a report whose original names a mapping of R8 or ProGuard contains.
package struct ClassFrames {
    private let languages: Language.Stated
    /// The mappings that the app was built with.
    package let ids: [DebugID]

    package init(_ report: CrashReport) {
        languages = Language.Stated(report)
        ids = report.images.filter { $0.type == "proguard" }.compactMap(\.debugID)
    }

    /// Whether the frame is a method of a class.
    package func contains(_ frame: StackFrame) -> Bool {
        guard !ids.isEmpty, frame.address == nil, frame.symbolication != .found, frame.module?.isEmpty == false else { return false }
        if case .java = Language.of(frame, languages) { return true }
        return false
    }
}

extension StackFrame {
    /// The URL or path of the frame's file.
    package var url: String { absolutePath ?? file ?? "" }

    /// Whether the frame's class, after deobfuscation, is one of a library.
    package var isOfLibraryClass: Bool { LibraryNames.contains(class: module ?? "") }

    /// Whether the frame's script, after a source map was applied, is one of a library.
    package var isOfLibraryScript: Bool { LibraryNames.contains(script: url) || LibraryNames.contains(script: file ?? "") }
}
