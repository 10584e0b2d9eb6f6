// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Testing

@testable import ingestd

@Suite struct ExportSlotsTests {
    private let slots = ExportSlots()

    @Test func `a slot is free after its export ends`() throws {
        var taken = try (0..<ExportSlots.maxPerApp).map { _ in try slots.take(for: AppID(rawValue: 1)) }
        #expect(throws: Refusal.self) { try slots.take(for: AppID(rawValue: 1)) }
        taken.removeLast()
        taken.append(try slots.take(for: AppID(rawValue: 1)))
        #expect(throws: Refusal.self) { try slots.take(for: AppID(rawValue: 1)) }
        #expect(taken.count == ExportSlots.maxPerApp)
    }

    @Test func `an app cannot take all slots, and the apps cannot take the operator's`() throws {
        var taken: [ExportSlots.Slot] = []
        for number in 0..<ExportSlots.maxTotal { taken.append(try slots.take(for: AppID(rawValue: Int64(number % 5)))) }
        #expect(throws: Refusal.self) { try slots.take(for: AppID(rawValue: 9)) }
        for _ in 0..<ExportSlots.maxPerApp { taken.append(try slots.take(for: nil)) }
        #expect(throws: Refusal.self) { try slots.take(for: nil) }
        withExtendedLifetime(taken) {}
    }

    @Test func `a draining daemon rejects exports`() throws {
        slots.end()
        #expect(throws: Refusal.draining) { try slots.take(for: nil) }
    }
}
