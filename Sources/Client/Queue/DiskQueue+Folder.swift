import Foundation

extension DiskQueue {
    static func take(_ folder: URL) throws(SignalboxError) -> FolderLock {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .folderUnusable(path: folder.path, reason: error.localizedDescription)
        }
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // Events are logged behind a locked screen too, and an installation is not copied to another device.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication], ofItemAtPath: folder.path)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var folder = folder
            try? folder.setResourceValues(values)
        #endif
        return try FolderLock(folder: folder.path)
    }

    static func framed(_ envelope: [UInt8]) -> [UInt8] {
        var frame = Frame.open(.envelope)
        frame += envelope
        Frame.close(&frame)
        return frame
    }
}
