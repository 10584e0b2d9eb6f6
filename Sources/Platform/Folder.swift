// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Operations on folders and files by path.
package enum Folder {
    /// Creates a folder with mode 0700 durably. An existing one is left as it is.
    package static func make(_ path: String) throws(FileError) {
        guard unsafe mkdir(path, 0o700) != 0 else { return try syncParent(of: path) }
        if errno != EEXIST { throw FileError("create the folder", path) }
    }

    /// Syncs a folder. If this user may not read it, syncing is left to the system.
    private static func syncParent(of path: String) throws(FileError) {
        let above = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if let folder = try? File(above, .read) { try folder.sync() }
    }

    /// Creates a folder and its parents.
    package static func makeAll(_ path: String) throws(FileError) {
        if exists(path) { return }
        if let slash = path.lastIndex(of: "/"), slash > path.startIndex { try makeAll(String(path[..<slash])) }
        try make(path)
    }

    /// Returns the sorted names in a folder, without `.` and `..`.
    ///
    /// - Parameter followsLink: Whether the path may be a symbolic link.
    package static func names(in path: String, followsLink: Bool = true) throws(FileError) -> [String] {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw FileError("list", path) }
        guard let folder = unsafe fdopendir(descriptor) else {
            let error = FileError("list", path)
            close(descriptor)
            throw error
        }
        // Closes the descriptor, too.
        defer { unsafe closedir(folder) }
        var out: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { tuple in
                unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { out.append(name) }
        }
        return out.sorted()
    }

    package static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    package static func isLink(_ path: String) -> Bool {
        var info = stat()
        return unsafe lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }

    /// Removes a file; a missing one is not an error.
    package static func remove(_ path: String) throws(FileError) {
        if unsafe unlink(path) != 0 && errno != ENOENT { throw FileError("remove", path) }
    }

    /// Removes the contents of a folder without following links.
    package static func empty(_ path: String) throws(FileError) {
        for name in try names(in: path) {
            let inner = path + "/" + name
            if unsafe unlink(inner) == 0 { continue }
            try empty(inner)
            try removeEmpty(inner)
        }
    }

    package static func removeEmpty(_ path: String) throws(FileError) {
        if unsafe rmdir(path) != 0 { throw FileError("remove", path) }
    }

    /// Returns the canonical path without links.
    package static func real(_ path: String) throws(FileError) -> String {
        guard let found = unsafe realpath(path, nil) else { throw FileError("find", path) }
        // Allocated by the C library.
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    package static func rename(_ from: String, to: String) throws(FileError) {
        if unsafe Glibc.rename(from, to) != 0 { throw FileError("rename", from) }
    }

    /// Gives a file a further name. Returns false if the file system cannot, as both names are on different ones.
    package static func link(_ from: String, to: String) throws(FileError) -> Bool {
        if unsafe Glibc.link(from, to) == 0 { return true }
        if [EXDEV, EPERM, EMLINK, ENOSYS, EOPNOTSUPP].contains(errno) { return false }
        throw FileError("link", from)
    }

    /// Whether both paths are on one file system.
    package static func areTogether(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        return unsafe stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev
    }

    /// Makes created and renamed names in a folder durable (fsync).
    package static func sync(_ path: String) throws(FileError) {
        try File(path, .read).sync()
    }

    /// The size of a file system and its free bytes.
    package struct Space: Sendable {
        package var total: Int64
        package var free: Int64
        /// The bytes that this process can write; for root also those that are reserved for it.
        package var writable: Int64
    }

    /// Returns the size and the free bytes of the file system of `path`.
    package static func space(at path: String) throws(FileError) -> Space {
        var info = statvfs()
        if unsafe statvfs(path, &info) != 0 { throw FileError("read the free space of", path) }
        let writable = geteuid() == 0 ? info.f_bfree : info.f_bavail
        return Space(
            total: Int64(clamping: UInt64(info.f_blocks) &* UInt64(info.f_frsize)),
            free: Int64(clamping: UInt64(info.f_bavail) &* UInt64(info.f_frsize)),
            writable: Int64(clamping: UInt64(writable) &* UInt64(info.f_frsize)))
    }

    /// Returns the free bytes of the file system of `path`.
    package static func freeBytes(at path: String) throws(FileError) -> Int64 { try space(at: path).free }

    package static func size(of path: String) -> Int64 {
        var info = stat()
        return unsafe stat(path, &info) == 0 ? Int64(info.st_size) : 0
    }
}
