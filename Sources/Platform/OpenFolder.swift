// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An open folder whose entries are reached by name. No link is followed, so a planted one leads nowhere.
///
///     let files = try OpenFolder("/data/files")
///     let app = try files.makeFolder("1")              durable on return
///     let file = try app.file("9f86d0…", .new)
package final class OpenFolder: Sendable {
    private let descriptor: Int32
    package let path: String

    private init(descriptor: Int32, path: String) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    package convenience init(_ path: String) throws(FileError) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor < 0 { throw FileError("open", path) }
        self.init(descriptor: descriptor, path: path)
    }

    deinit {
        close(descriptor)
    }

    package func folder(_ name: String) throws(FileError) -> OpenFolder {
        let opened = unsafe openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if opened < 0 { throw FileError("open", place(name)) }
        return OpenFolder(descriptor: opened, path: place(name))
    }

    /// Opens a folder in this one, which is created with mode 0700 durably if it is missing.
    package func makeFolder(_ name: String) throws(FileError) -> OpenFolder {
        if unsafe mkdirat(descriptor, name, 0o700) == 0 {
            try sync()
        } else if errno != EEXIST {
            throw FileError("create the folder", place(name))
        }
        return try folder(name)
    }

    package func file(_ name: String, _ mode: File.Mode) throws(FileError) -> File {
        let opened = unsafe openat(descriptor, name, mode.flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if opened < 0 { throw FileError("open", place(name)) }
        return File(descriptor: opened, path: place(name))
    }

    /// Renames a file into a folder of the same file system.
    package func move(_ name: String, to folder: OpenFolder, as newName: String) throws(FileError) {
        if unsafe renameat(descriptor, name, folder.descriptor, newName) != 0 { throw FileError("rename", place(name)) }
    }

    /// Gives a file a further name in a folder of the same file system.
    package func link(_ name: String, to folder: OpenFolder, as newName: String) throws(FileError) {
        if unsafe linkat(descriptor, name, folder.descriptor, newName, 0) != 0 { throw FileError("link", place(name)) }
    }

    /// Removes a file; a missing one is not an error.
    package func remove(_ name: String) throws(FileError) {
        if unsafe unlinkat(descriptor, name, 0) != 0 && errno != ENOENT { throw FileError("remove", place(name)) }
    }

    /// Removes a folder if it is empty.
    package func removeIfEmpty(_ name: String) throws(FileError) {
        guard unsafe unlinkat(descriptor, name, AT_REMOVEDIR) != 0, ![ENOENT, ENOTEMPTY, EEXIST].contains(errno) else { return }
        throw FileError("remove", place(name))
    }

    /// Makes created and renamed names durable.
    package func sync() throws(FileError) {
        if fsync(descriptor) != 0 { throw FileError("sync", path) }
    }

    /// Returns the sorted names, without `.` and `..`.
    package func names() throws(FileError) -> [String] { try Folder.names(in: path) }

    private func place(_ name: String) -> String { "\(path)/\(name)" }
}
