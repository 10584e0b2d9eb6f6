// SPDX-License-Identifier: Apache-2.0

internal import CSQLite
internal import Glibc
import Synchronization

/// The operating system's files as SQLite uses them, except that the gaps of pages (`PageGap`) are zero in every database file.
///
/// A log may contain other bytes in gaps until it is truncated. A checkpoint writes zeros into the file:
///
///     writer's cache    header │ pointers │ a copy of a row │ cells
///     log               the same, until it is truncated
///     file              header │ pointers │ 0 0 0 0 0 0 0 0 │ cells
enum CleanFiles {
    static let name = "signalbox"

    /// Makes the files known to SQLite under `name`. SQLite keeps the structure and the name for as long as the process lives.
    static let areRegistered: Bool = {
        guard let system = system.vfs else { return false }
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: system.pointee)
        own.pointee.pNext = nil
        own.pointee.zName = UnsafePointer(strdup(name))
        own.pointee.xOpen = { vfs, path, file, flags, openedFlags in CleanFiles.open(vfs, path, file, flags, openedFlags) }
        return sqlite3_vfs_register(own, 0) == SQLITE_OK
    }()

    /// SQLite's own structure, which does not change.
    private struct System: @unchecked Sendable {
        let vfs = sqlite3_vfs_find(nil)
    }

    private static let system = System()

    /// The functions of database files. SQLite has one set of them for all files of a kind.
    private final class Functions: @unchecked Sendable {
        let system: sqlite3_io_methods
        /// The same functions but for writes.
        let own: UnsafeMutablePointer<sqlite3_io_methods>

        init(_ system: sqlite3_io_methods) {
            self.system = system
            own = .allocate(capacity: 1)
            own.initialize(to: system)
            own.pointee.xWrite = { file, bytes, count, offset in CleanFiles.write(file, bytes, count, offset) }
        }

        deinit { own.deallocate() }
    }

    private static let functions = AtomicLazyReference<Functions>()

    private static func open(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ openedFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let open = system.vfs?.pointee.xOpen else { return SQLITE_CANTOPEN }
        let code = open(vfs, path, file, flags, openedFlags)
        if code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let file, let methods = file.pointee.pMethods {
            let functions = functions.load() ?? functions.storeIfNil(Functions(methods.pointee))
            file.pointee.pMethods = UnsafePointer(functions.own)
        }
        return code
    }

    private static func write(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        guard let methods = functions.load()?.system, let write = methods.xWrite else { return SQLITE_IOERR }
        let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        guard let gap = PageGap.range(of: page, isFirst: offset == 0), isSmall(file, methods, end: offset + Int64(count), pageBytes: count) else {
            return write(file, bytes, count, offset)
        }
        return withUnsafeTemporaryAllocation(byteCount: page.count, alignment: 8) { copy in
            copy.copyMemory(from: page)
            // One call, as a debug build writes byte by byte otherwise.
            if let start = copy.baseAddress { memset(start + gap.lowerBound, 0, gap.count) }
            return write(file, copy.baseAddress, count, offset)
        }
    }

    /// Whether the file has fewer than 2^25 pages (256 GiB). In a larger one the first byte of a page of text, which belongs to a page number,
    /// may be equal to that of a page of a table, so its pages are written as they are.
    private static func isSmall(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ methods: sqlite3_io_methods, end: Int64, pageBytes: Int32
    ) -> Bool {
        var size: Int64 = 0
        return methods.xFileSize(file, &size) == SQLITE_OK && max(size, end) >> 25 < Int64(pageBytes)
    }
}

extension Connection {
    /// Writes zeros into the gaps of all pages, for a file that another program or an earlier release has written.
    ///
    /// The log must be empty. Other connections may read meanwhile, as nothing reads gaps. The time grows with the file.
    package func cleanPages() throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        try check(sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file), nil)
        guard let file, let methods = file.pointee.pMethods?.pointee else { return }
        let pageBytes = try statement("PRAGMA page_size").first { $0.int(0) } ?? 0
        var size: Int64 = 0
        try check(methods.xFileSize(file, &size), nil)
        let code = withUnsafeTemporaryAllocation(byteCount: pageBytes, alignment: 8) { page in
            for offset in stride(from: 0, to: size, by: pageBytes) {
                let code = Connection.cleanPage(at: offset, of: file, methods, page)
                if code != SQLITE_OK { return code }
            }
            return methods.xSync(file, SQLITE_SYNC_NORMAL)
        }
        try check(code, nil)
        releaseMemory()
    }

    private static func cleanPage(
        at offset: Int64, of file: UnsafeMutablePointer<sqlite3_file>, _ methods: sqlite3_io_methods, _ page: UnsafeMutableRawBufferPointer
    ) -> Int32 {
        let code = methods.xRead(file, page.baseAddress, Int32(page.count), offset)
        if code != SQLITE_OK { return code }
        guard let gap = PageGap.range(of: UnsafeRawBufferPointer(page), isFirst: offset == 0),
            !isZero(UnsafeRawBufferPointer(rebasing: page[gap]))
        else { return SQLITE_OK }
        return methods.xWrite(file, page.baseAddress, Int32(page.count), offset)
    }

    /// Whether all bytes are zero: the first is, and each one is equal to the next.
    private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, let first = bytes.first else { return true }
        return first == 0 && memcmp(start, start + 1, bytes.count - 1) == 0
    }
}
