package import Platform

/// Why a file is of no use as a symbol file.
package enum SymbolFileProblem: Error, Equatable {
    case unknownFormat
    /// It says something of itself that does not hold; with what it is.
    case damaged(String)
    case withoutID(SymbolFormat)
    case withoutSymbols(SymbolFormat)
    case tooLarge(Int)
    case unreadable

    package var refusal: Refusal {
        switch self {
        case .unknownFormat:
            Refusal(.invalid, "This is no symbol file.", hint: "Bring the Mach-O file inside a .dSYM, an ELF file with DWARF, or Breakpad's text.")
        case .damaged(let what):
            Refusal(.invalid, "The symbol file is damaged: \(what).", hint: "Build or copy it again.")
        case .withoutID(let format):
            Refusal(.invalid, "The symbol file has no id to be found by.", hint: format.idHint)
        case .withoutSymbols(let format):
            Refusal(.invalid, "The file holds no symbols.", hint: format.symbolsHint)
        case .tooLarge(let limit):
            Refusal(.tooLarge, "The symbol file is larger than \(limit) bytes.")
        case .unreadable:
            Refusal(.storageFailed, "The symbol file cannot be read.")
        }
    }
}

extension SymbolFormat {
    fileprivate var idHint: String {
        switch self {
        case .machO: "Link without -no_uuid."
        case .elf: "Link with --build-id."
        case .breakpad: "Its first line is MODULE, system, architecture, id, name."
        }
    }

    fileprivate var symbolsHint: String {
        switch self {
        case .machO: "Bring the file in Contents/Resources/DWARF of the .dSYM, not the app's binary."
        case .elf: "Build with -g, and bring it before it is stripped."
        case .breakpad: "Make it with dump_syms from a binary with debug information."
        }
    }
}
