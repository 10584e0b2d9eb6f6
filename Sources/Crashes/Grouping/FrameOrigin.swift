/// Whose code a frame is.
enum FrameOrigin {
    case app
    case system

    private static let appPaths = [
        "/var/containers/Bundle/Application/", "/private/var/containers/Bundle/Application/", "/data/app/", "/Applications/", "/Users/", "/home/",
        "/opt/", "/srv/", "/app/",
    ]
    private static let systemPaths = [
        "/System/", "/usr/lib/", "/lib/", "/lib64/", "/usr/libexec/", "/Library/Apple/", "/Developer/", "/apex/", "/system/", "/vendor/", "/product/",
    ]
    private static let systemModules = [
        "java.", "javax.", "android.", "androidx.", "com.android.", "dalvik.", "kotlin.", "kotlinx.", "sun.", "jdk.", "libcore.", "scala.", "System.",
        "Microsoft.",
    ]
    private static let systemFolders = ["/site-packages/", "/dist-packages/", "/node_modules/", "/lib/python", "/vendor/bundle/"]

    /// As the reporter says, else by where its binary, module or file lies. What nothing is known of is the app's, unless it is a library's that is linked into everything.
    static func of(_ frame: StackFrame, _ style: FrameStyle) -> FrameOrigin {
        if let inApp = frame.inApp { return inApp ? .app : .system }
        switch style {
        case .native: return native(frame)
        case .classes: return systemModules.contains { frame.module?.utf8.starts(with: $0.utf8) == true } ? .system : .app
        case .script: return script(frame.absolutePath ?? frame.file ?? "") ? .system : .app
        }
    }

    private static func native(_ frame: StackFrame) -> FrameOrigin {
        guard let package = frame.package?.utf8, let first = package.first else { return .app }
        if first == UInt8(ascii: "/") {
            if appPaths.contains(where: { package.starts(with: $0.utf8) }) { return .app }
            return systemPaths.contains { package.starts(with: $0.utf8) } ? .system : .app
        }
        return isWindows(package) ? .system : .app
    }

    /// `C:\Windows\…`, in any case.
    private static func isWindows(_ package: String.UTF8View) -> Bool {
        package.dropFirst().prefix(10).lazy.map(\.lowercased).elementsEqual(#":\windows\"#.utf8)
    }

    private static func script(_ path: String) -> Bool {
        if path.utf8.starts(with: "node:".utf8) || path.utf8.starts(with: "internal/".utf8) { return true }
        guard path.utf8.contains(UInt8(ascii: "/")) else { return false }
        return systemFolders.contains { path.utf8.holds($0.utf8) }
    }
}

extension String.UTF8View {
    /// Whether `other` stands somewhere in it.
    fileprivate func holds(_ other: String.UTF8View) -> Bool {
        guard let first = other.first else { return true }
        var rest = self[...]
        while let at = rest.firstIndex(of: first) {
            rest = rest[at...]
            if rest.starts(with: other) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
