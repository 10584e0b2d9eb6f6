import Symbols
import Testing

struct SymbolFormatTests {
    @Test func namesAreThoseOfReports() {
        #expect(SymbolFormat.machO.rawValue == "macho")
    }
}
