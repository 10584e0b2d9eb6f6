package enum SymbolFormat: String, Sendable {
    case machO = "macho"
    case elf
    case breakpad
}
