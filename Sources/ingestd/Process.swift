import Glibc

/// The process itself: how it ends.
enum Process {
    static func end(code: Int32) -> Never {
        exit(code)
    }
}
