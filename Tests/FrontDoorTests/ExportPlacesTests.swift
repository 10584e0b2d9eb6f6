import Platform
import Testing

@testable import ingestd

@Suite struct ExportPlacesTests {
    @Test func `a place is free again when its export has ended`() throws {
        let places = ExportPlaces()
        var taken = try (0..<ExportPlaces.most).map { _ in try places.take() }
        #expect(throws: Refusal.self) { try places.take() }
        taken.removeLast()
        taken.append(try places.take())
        #expect(throws: Refusal.self) { try places.take() }
        #expect(taken.count == ExportPlaces.most)
    }
}
