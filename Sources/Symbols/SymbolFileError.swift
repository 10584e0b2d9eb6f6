// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Platform

/// The reason why a file cannot be used as a symbol file.
package enum SymbolFileError: Error, Equatable {
    case unknownFormat
    /// The file contradicts itself; the text names the part.
    case damaged(String)
    case withoutID(SymbolFormat)
    case withoutSymbols(SymbolFormat)
    /// The file belongs to other builds than stated; the list contains them.
    case otherBuild([DebugID])
    /// Only source maps belong to a release and a URL.
    case notSourceMap
    case tooLarge(Int)
    /// The app has reached its limit of symbol files.
    case tooMany
    case diskFull
    case unreadable

    /// The damaged part of a file, without the sentence around it.
    var damage: String {
        switch self {
        case .damaged(let what): what
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .unknownFormat: "it is of another format"
        default: "it cannot be read"
        }
    }

    package var refusal: Refusal {
        switch self {
        case .unknownFormat:
            Refusal(
                .invalid, "The file is not a symbol file.",
                hint: "Upload the Mach-O file inside a .dSYM, an ELF file with DWARF, a Breakpad text file, a source map, or a mapping of R8.")
        case .damaged(let what):
            Refusal(.invalid, "The symbol file is damaged: \(what).", hint: "Build or copy it again.")
        case .withoutID(let format):
            Refusal(.invalid, "The symbol file has no debug ID.", hint: format.idHint)
        case .withoutSymbols(let format):
            Refusal(.invalid, "The file contains no symbols.", hint: format.symbolsHint)
        case .notSourceMap:
            Refusal(.invalid, "The file is not a source map.", hint: "Upload other symbol files by debug ID.")
        case .tooLarge(let limit):
            Refusal(.tooLarge, "The symbol file is larger than \(limit) bytes.")
        case .otherBuild(let ids):
            Refusal(
                .invalid, "The symbol file belongs to another build.",
                hint: "It contains \(ids.prefix(8).map(\.text).joined(separator: ", ")).")
        case .tooMany:
            Refusal(.tooLarge, "The app has reached its limit of symbol files.", hint: "Delete the symbol files of unused releases.")
        case .diskFull:
            Refusal(
                .storageFull, "There is not enough disk space for the symbol file.", hint: "Free disk space and upload it again.",
                retryAfterSeconds: 10)
        case .unreadable:
            Refusal(.storageFailed, "The symbol file could not be read.", hint: "Upload it again.", retryAfterSeconds: 5)
        }
    }
}

extension SymbolFormat {
    fileprivate var idHint: String {
        switch self {
        case .machO: "Link without -no_uuid."
        case .elf: "Link with --build-id."
        case .breakpad: "Its first line is MODULE, system, architecture, id, name."
        case .sourceMap: "Add one with `sentry-cli sourcemaps inject`, or upload the map for a release and URL."
        case .classMapping: "Upload it under the UUID that the app reports."
        }
    }

    fileprivate var symbolsHint: String {
        switch self {
        case .machO: "Upload the file in Contents/Resources/DWARF of the .dSYM, not the app's binary."
        case .elf: "Build with -g, and upload the file before stripping it."
        case .breakpad: "Create it with dump_syms from a binary with debug information."
        case .sourceMap, .classMapping: "Build it again."
        }
    }
}
