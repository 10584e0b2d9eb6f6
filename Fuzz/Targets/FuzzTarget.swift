// SPDX-License-Identifier: Apache-2.0

/// A decoder of untrusted bytes, with its invariants.
package struct FuzzTarget: Sendable {
    package let name: String
    package let run: @Sendable ([UInt8]) -> Void

    package static let all = [
        FuzzTarget(name: "requests", run: Requests.run),
        FuzzTarget(name: "filerequests", run: FileRequests.run),
        FuzzTarget(name: "uploadmetadata", run: UploadMetadata.run),
        FuzzTarget(name: "uploadchecksums", run: UploadChecksums.run),
        FuzzTarget(name: "uploadranges", run: UploadRanges.run),
        FuzzTarget(name: "fileglobs", run: FileGlobs.run),
        FuzzTarget(name: "workerlines", run: WorkerLines.run),
        FuzzTarget(name: "responses", run: Responses.run),
        FuzzTarget(name: "relatedbodies", run: RelatedBodies.run),
        FuzzTarget(name: "codings", run: Codings.run),
        FuzzTarget(name: "json", run: Documents.run),
        FuzzTarget(name: "configuration", run: Configurations.run),
        FuzzTarget(name: "events", run: EventBodies.run),
        FuzzTarget(name: "users", run: UserBodies.run),
        FuzzTarget(name: "messages", run: MessageBodies.run),
        FuzzTarget(name: "firebase", run: FirebaseBodies.run),
        FuzzTarget(name: "conditions", run: Conditions.run),
        FuzzTarget(name: "webhookurls", run: WebhookURLs.run),
        FuzzTarget(name: "origins", run: Origins.run),
        FuzzTarget(name: "tokens", run: Tokens.run),
        FuzzTarget(name: "keysets", run: KeySets.run),
        FuzzTarget(name: "accounttexts", run: AccountTexts.run),
        FuzzTarget(name: "accountbodies", run: AccountBodies.run),
        FuzzTarget(name: "settings", run: SettingBodies.run),
        FuzzTarget(name: "passwordfunctions", run: PasswordFunctions.run),
        FuzzTarget(name: "accountimports", run: AccountImports.run),
        FuzzTarget(name: "mailtexts", run: MailTexts.run),
        FuzzTarget(name: "postbodies", run: PostBodies.run),
        FuzzTarget(name: "crashes", run: CrashBodies.run),
        FuzzTarget(name: "applereports", run: AppleReportBodies.run),
        FuzzTarget(name: "sentry", run: SentryBodies.run),
        FuzzTarget(name: "measurements", run: IntegrationBodies.measurements),
        FuzzTarget(name: "segment", run: IntegrationBodies.segment),
        FuzzTarget(name: "posthog", run: IntegrationBodies.postHog),
        FuzzTarget(name: "texts", run: Texts.run),
        FuzzTarget(name: "questions", run: Questions.run),
        FuzzTarget(name: "rules", run: RuleTexts.run),
        FuzzTarget(name: "firestore", run: FirestoreBodies.run),
        FuzzTarget(name: "firestoreexports", run: FirestoreExports.run),
        FuzzTarget(name: "documentbodies", run: DocumentBodies.run),
        FuzzTarget(name: "documentrequests", run: DocumentRequestBodies.run),
        FuzzTarget(name: "rulecases", run: RuleCaseBodies.run),
        FuzzTarget(name: "symbols", run: SymbolFiles.run),
        FuzzTarget(name: "symboltexts", run: SymbolTexts.run),
        FuzzTarget(name: "swiftnames", run: SwiftNames.run),
        FuzzTarget(name: "rustnames", run: RustNames.run),
        FuzzTarget(name: "sourcemaps", run: SourceMaps.run),
        FuzzTarget(name: "generatedfiles", run: GeneratedFiles.run),
        FuzzTarget(name: "classmappings", run: ClassMappings.run),
        FuzzTarget(name: "archives", run: Archives.run),
        FuzzTarget(name: "minidumps", run: Minidumps.run),
        FuzzTarget(name: "minidumpforms", run: MinidumpForms.run),
        FuzzTarget(name: "unwindrecords", run: UnwindRecords.run),
        FuzzTarget(name: "backups", run: Backups.run),
        FuzzTarget(name: "sessionchunks", run: SessionChunks.run),
    ]
}

/// Terminates the process with `message` unless the condition holds; libFuzzer then keeps the input.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    guard !condition else { return }
    fatalError(message())
}

/// Pseudorandom numbers derived from the input.
struct InputRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ bytes: [UInt8]) {
        state = bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 33
    }
}
