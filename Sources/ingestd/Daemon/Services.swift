// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Ingest
import JSON
import Platform

/// The services that accept events and crash reports, and the decoders they share.
struct IntakeServices: Sendable {
    let events: EventIntake
    let crashes: CrashIntake
    let quarantine: Quarantine
    let ofIntegrations: IntegrationIntake

    init(
        _ store: Stores, _ parser: JSONParser, _ names: IntakeNames, _ minidumps: Minidumps, _ rates: KeyRates, _ disk: DiskGuard, _ clock: WallClock
    ) {
        let (eventDecoder, users, crashDecoder) = (NativeEvents(parser: parser), NativeUsers(parser: parser), NativeCrashes(parser: parser))
        crashes = CrashIntake(
            decoder: crashDecoder, appleReports: AppleReports(parser: parser), appErrors: AppErrors(parser: parser), names: names, store: store,
            rates: rates, disk: disk, clock: clock)
        events = EventIntake(decoder: eventDecoder, users: users, store: store, crashes: crashes, rates: rates, disk: disk, clock: clock)
        quarantine = Quarantine(store: store, events: eventDecoder, crashes: crashDecoder, crashIntake: crashes)
        ofIntegrations = IntegrationIntake(
            events: eventDecoder, users: users, crashes: crashDecoder, eventIntake: events, crashIntake: crashes, minidumps: minidumps, store: store,
            rates: rates, clock: clock)
    }
}

/// The services of registrations, topics, messages and streams.
struct MessageServices: Sendable {
    let limits: DeviceLimits
    let devices: Devices
    let topics: Topics
    let publishing: MessagePublishing
    let deliveries: Deliveries
    let streams: Streams

    init(_ store: Stores, _ parser: JSONParser, _ rates: KeyRates, _ disk: DiskGuard, _ configuration: LiveConfiguration, _ clock: WallClock) {
        let decoder = NativeMessages(parser: parser)
        limits = DeviceLimits(rates: rates, disk: disk, clock: clock)
        devices = Devices(store: store, decoder: decoder, limits: limits, configuration: configuration)
        topics = Topics(store: store, decoder: decoder, limits: limits)
        publishing = MessagePublishing(store: store, decoder: decoder, disk: disk, clock: clock)
        deliveries = Deliveries(store: store)
        streams = Streams(store: store, bodies: StreamBodies(store.messages), limits: limits, configuration: configuration)
    }
}
