import Compression
import Testing

struct DecodeTests {
    @Test func `gzip undoes itself`() throws {
        let text = Array("signals arrive, are logged, and are sent on".utf8)
        #expect(try decode(gzip(text), coding: .gzip, limit: text.count) == text)
    }
}
