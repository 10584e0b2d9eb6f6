import Glibc

/// The process itself: where it prints and how it ends.
enum Process {
    /// Makes what was printed visible where standard output is a pipe or a file.
    static func flush() {
        _ = fflush(nil)
    }

    static func end(code: Int32) -> Never {
        exit(code)
    }
}
