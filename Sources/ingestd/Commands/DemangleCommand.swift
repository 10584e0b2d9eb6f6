import Platform
import Symbols

/// What the daemon has done by a child of its own, because a name can be made to unfold to gigabytes.
enum DemangleCommand {
    static let name = "demangle"

    static let command = Command(name, "Says what names that compilers have mangled stand for; reads a line each.") { _ in
        Demangling.answerLines()
    }
}
