// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Testing

@testable import ingestd

@Suite struct ExportPlacesTests {
    private let places = ExportPlaces()

    @Test func `a place is free again when its export has ended`() throws {
        var taken = try (0..<ExportPlaces.mostOfOne).map { _ in try places.take(for: AppID(rawValue: 1)) }
        #expect(throws: Refusal.self) { try places.take(for: AppID(rawValue: 1)) }
        taken.removeLast()
        taken.append(try places.take(for: AppID(rawValue: 1)))
        #expect(throws: Refusal.self) { try places.take(for: AppID(rawValue: 1)) }
        #expect(taken.count == ExportPlaces.mostOfOne)
    }

    @Test func `no app takes all places, and all apps together not the operator's`() throws {
        var taken: [ExportPlaces.Place] = []
        for number in 0..<ExportPlaces.most { taken.append(try places.take(for: AppID(rawValue: Int64(number % 5)))) }
        #expect(throws: Refusal.self) { try places.take(for: AppID(rawValue: 9)) }
        for _ in 0..<ExportPlaces.mostOfOne { taken.append(try places.take(for: nil)) }
        #expect(throws: Refusal.self) { try places.take(for: nil) }
        withExtendedLifetime(taken) {}
    }

    @Test func `none begins once the daemon drains`() throws {
        places.end()
        #expect(throws: Refusal.draining) { try places.take(for: nil) }
    }
}
