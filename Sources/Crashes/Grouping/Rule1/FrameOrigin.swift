// SPDX-License-Identifier: Apache-2.0

import Platform

/// The owner of a frame's code. A frame of unknown origin counts as the app's.
enum FrameOrigin {
    case app
    case system
    case unknown

    private static let appPaths = bytes([
        "/var/containers/Bundle/Application/", "/private/var/containers/Bundle/Application/", "/data/app/", "/Applications/", "/Users/", "/home/",
        "/opt/", "/srv/", "/app/",
    ])
    private static let systemPaths = bytes([
        "/System/", "/usr/lib/", "/lib/", "/lib64/", "/usr/libexec/", "/Library/Apple/", "/Developer/", "/apex/", "/system/", "/vendor/", "/product/",
    ])
    private static let systemModules = bytes([
        "java.", "javax.", "android.", "androidx.", "com.android.", "dalvik.", "kotlin.", "kotlinx.", "sun.", "jdk.", "libcore.", "scala.", "System.",
        "Microsoft.",
    ])
    private static let systemFolders = bytes(["/site-packages/", "/dist-packages/", "/node_modules/", "/lib/python", "/vendor/bundle/"])

    private static let systemScripts = bytes(["node:", "internal/"])
    private static let windows = Array(#":\windows\"#.utf8)

    /// Returns the reporter's own statement, else a guess from the path of the binary, module or file.
    static func of(_ frame: StackFrame, _ style: FrameStyle) -> FrameOrigin {
        if let inApp = frame.inApp { return inApp ? .app : .system }
        switch style {
        case .native: return of(binary: frame.package ?? "")
        case .classes: return begins(Array((frame.module ?? "").utf8)[...], systemModules) ? .system : .app
        case .script: return script(Array((frame.absolutePath ?? frame.file ?? "").utf8)[...]) ? .system : .app
        }
    }

    /// Returns the origin by the path of the binary: `/usr/lib/libc.so` is `system`.
    static func of(binary path: String) -> FrameOrigin { of(binary: Array(path.utf8)[...]) }

    static func of(binary path: ArraySlice<UInt8>) -> FrameOrigin {
        if path.first == UInt8(ascii: "/") {
            if begins(path, appPaths) { return .app }
            return begins(path, systemPaths) ? .system : .unknown
        }
        // `C:\Windows\…` in any case.
        return path.dropFirst().prefix(windows.count).lazy.map(\.lowercased).elementsEqual(windows) ? .system : .unknown
    }

    private static func script(_ path: ArraySlice<UInt8>) -> Bool {
        begins(path, systemScripts) || path.indices.contains { path[$0] == UInt8(ascii: "/") && begins(path[$0...], systemFolders) }
    }

    private static func begins(_ text: ArraySlice<UInt8>, _ prefixes: [[UInt8]]) -> Bool {
        prefixes.contains { text.begins(with: $0) }
    }

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}
