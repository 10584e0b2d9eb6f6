// SPDX-License-Identifier: Apache-2.0

/// The owner of a frame's code: the app, or a library, which includes the operating system and the language's runtime.
enum CodeOwner {
    case app
    case library

    /// Returns the reporter's own statement, else a guess from the class, the file, or the binary in which the address lies.
    ///
    /// - Parameter marksApp: Whether the reporter marks frames of the app in this stack. The unmarked ones then belong to libraries.
    static func of(_ frame: StackFrame, _ language: Language, _ images: ImageMap, _ paths: inout PathFacts, marksApp: Bool) -> CodeOwner {
        if frame.inApp == false || isMarkedWrongly(frame, language, &paths) { return .library }
        if frame.inApp == true { return .app }
        if marksApp { return .library }
        let isLibrary =
            switch language {
            case .native: isLibrary(binary: frame, images, &paths)
            case .java, .csharp: LibraryNames.contains(class: frame.module ?? frame.function ?? "")
            default: paths.isLibrary(file: frame.absolutePath ?? frame.file ?? "")
            }
        return isLibrary ? .library : .app
    }

    private static func isLibrary(binary frame: StackFrame, _ images: ImageMap, _ paths: inout PathFacts) -> Bool {
        let image = frame.package == nil ? images.image(of: frame) : nil
        if image?.isSystemImage == true { return true }
        let path = frame.package ?? image?.codeFile ?? ""
        return paths.isLibrary(binary: path) || frame.absolutePath.map { paths.isLibrary(file: $0) } ?? false
    }

    /// Whether a binary belongs to the operating system, by its path.
    static func isSystem(binary path: String) -> Bool { FrameOrigin.of(binary: path) == .system && !isOfApp(path) }

    /// Whether a library below `/usr/lib` is an app's: Linux packages put theirs into a folder of their own, as in `/usr/lib/atlas/libgeo.so`
    /// or `/usr/lib/x86_64-linux-gnu/atlas/libgeo.so`. Folders of shared plug-ins are known or have a version, as `gtk-3.0` has.
    private static func isOfApp(_ path: String) -> Bool {
        guard path.hasPrefix("/usr/lib/") else { return false }
        let parts = path.dropFirst(9).split(separator: "/")
        let isByProcessor = parts.first?.contains("-linux-") == true
        guard let folder = isByProcessor ? parts.dropFirst().first : parts.first, parts.count > (isByProcessor ? 2 : 1) else { return false }
        if isByProcessor, folder.utf8.contains(where: \.isDigit) { return false }
        return !systemFolders.contains(folder)
    }

    private static let systemFolders: Set<Substring> = [
        "swift", "system", "jvm", "dri", "gconv", "debug", "locale", "dyld", "i386", "gio", "nss", "vdpau", "pulseaudio", "alsa-lib", "security",
        "systemd", "mesa", "libproxy", "ossl-modules", "sasl", "perl", "libv4l", "ceph", "samba", "blas", "lapack", "atlas-base",
    ]

    /// Whether a frame is a library's although the SDK marks it as the app's. SDKs of these languages mark all that is not the runtime's.
    private static func isMarkedWrongly(_ frame: StackFrame, _ language: Language, _ paths: inout PathFacts) -> Bool {
        switch language {
        case .javascript, .node:
            paths.isLibrary(script: frame.absolutePath ?? frame.file ?? "") || frame.function.map(LibraryNames.contains(react:)) == true
        case .native:
            frame.absolutePath.map { $0.contains("/rustc/") || $0.contains("/registry/src/") || $0.hasSuffix(".rs") && $0.contains("/vendor/") }
                ?? false
        case .go: frame.absolutePath?.contains("/pkg/mod/") == true
        // A closure runs in its file, whatever object it is bound to.
        case .php:
            LibraryNames.contains(namespace: frame.function ?? "")
                && !(PHPName.isClosure(frame.function ?? "") && frame.inApp == true && !paths.isLibrary(file: frame.file ?? ""))
        case .dart: frame.package.map { LibraryNames.contains(dartPackage: $0) } ?? false
        default: false
        }
    }
}
