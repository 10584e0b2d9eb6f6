// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Ingest
import JSON
import Platform

/// An integration: the API of another product, for clients that keep its SDK.
struct Integration: Sendable {
    let name: String
    let routes: [Route]

    /// - Parameter refusal: The form of refusals on routes that name no form of their own.
    init(_ name: String, refusal: @escaping Route.RefusalForm, routes: [Route]) {
        self.name = name
        self.routes = routes.map { Route($0, refusal: refusal) }
    }
}

/// The services of the integrations, and the list of integrations. An integration is available once it is in the list.
struct Integrations: Sendable {
    static let all: [Integration] = [
        GoogleAnalytics.integration, FirebaseMessaging.integration, FirebaseAuth.integration, Sentry.integration, Segment.integration,
        PostHog.integration, FirestoreIntegration.integration, FirebaseStorage.integration, GoogleStorage.integration,
        FirebaseFunctions.integration, CloudTasks.integration,
    ]

    let intake: IntegrationIntake
    let googleAnalytics: GoogleAnalytics
    let firebaseSending: FirebaseSending
    let firebaseTopics: FirebaseTopics
    let instanceIDTopics: InstanceIDTopics
    let tokenEndpoint: TokenEndpoint
    let identityClients: IdentityClients
    let identitySessions: IdentitySessions
    let identityAccounts: IdentityAccounts
    let identityCodes: IdentityCodes
    let identityProjects: IdentityProjects
    let sentry: Sentry
    let debugFiles: DebugFiles
    let sentryReleases: SentryReleases
    let segment: Segment
    let postHog: PostHog
    let firestoreReads: FirestoreReads
    let firebaseObjects: FirebaseObjects
    let firebaseUploads: FirebaseUploads
    let googleObjects: GoogleObjects
    let googleCopies: GoogleCopies
    let googleUploads: GoogleUploads
    let cloudTasks: CloudTasks
}

extension Integrations {
    init(
        _ intake: IntegrationIntake, _ debugFiles: DebugFiles, _ accounts: AccountServices, _ emulator: AccountEmulator, _ documents: Documents,
        parser: JSONParser,
        store: Stores, limits: DeviceLimits, disk: DiskGuard, clock: WallClock, metrics: Metrics
    ) {
        self.intake = intake
        self.debugFiles = debugFiles
        sentryReleases = SentryReleases(store: store, disk: disk, clock: clock)
        googleAnalytics = GoogleAnalytics(decoder: GoogleMeasurements(parser: parser), store: store, intake: intake)
        let messages = FirebaseMessages(parser: parser)
        firebaseSending = FirebaseSending(decoder: messages, store: store, disk: disk, clock: clock)
        firebaseTopics = FirebaseTopics(store: store, limits: limits, disk: disk, clock: clock)
        instanceIDTopics = InstanceIDTopics(decoder: messages, store: store, disk: disk)
        tokenEndpoint = TokenEndpoint(store: store, clock: clock)
        identityClients = IdentityClients(store: store, accounts: accounts, emulator: emulator, clock: clock)
        identitySessions = IdentitySessions(store: store, accounts: accounts, clients: identityClients)
        identityAccounts = IdentityAccounts(store: store, accounts: accounts)
        identityCodes = IdentityCodes(store: store, accounts: accounts, clients: identityClients)
        identityProjects = IdentityProjects(store: store, configuration: emulator.configuration)
        sentry = Sentry(decoder: SentryDecoder(parser: parser), counts: SentryCounts(metrics), store: store, intake: intake, clock: clock)
        segment = Segment(decoder: SegmentCalls(parser: parser), store: store, intake: intake)
        firestoreReads = FirestoreReads(documents: documents, transactions: FirestoreTransactions(clock: clock))
        firebaseObjects = FirebaseObjects(store: store)
        firebaseUploads = FirebaseUploads(store: store)
        googleObjects = GoogleObjects(store: store)
        googleCopies = GoogleCopies(store: store)
        googleUploads = GoogleUploads(store: store)
        cloudTasks = CloudTasks(store: store, parser: parser)
        postHog = PostHog(decoder: PostHogEvents(parser: parser), store: store, intake: intake, clock: clock)
    }
}
