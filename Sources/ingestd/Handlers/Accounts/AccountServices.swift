// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
import AcrossStores
import EventStore
import HTTPServer
import Ingest
import Platform

/// The services of accounts and the parts they share.
struct AccountServices: Sendable {
    let tokens: IDTokens
    let hashing: AccountHashing
    let departures: AccountDepartures
    let signIns: SignIns
    let providerKeys: ProviderKeys
    let providers: ProviderSignIns
    let secondFactors: SecondFactorSignIns
    let ownFactors: OwnFactors
    let sessions: RefreshedSessions
    let own: OwnAccounts
    let ownSessions: OwnSessions
    let administration: AccountAdministration
    let discovery: AccountDiscovery
    let transfers: AccountTransfers
    let states: SessionStates
    let reports: AccountReports
    let mailSetup: MailSetup
    let codes: MailCodes
    let pages: ActionPages

    init(
        _ store: Stores, _ users: NativeUsers, _ disk: DiskGuard, _ server: ServerHandle, _ configuration: LiveConfiguration,
        _ slots: ExportSlots, _ clock: WallClock, _ log: Log, _ metrics: Metrics, _ events: NativeEvents, _ quotas: AppQuotas
    ) throws {
        mailSetup = try configuration.now.mail.prepared()
        tokens = IDTokens(store: store, configuration: configuration, server: server, clock: clock)
        hashing = AccountHashing(store: store.accounts)
        departures = AccountDepartures(store: store, log: log)
        let limits = AccountLimits(hash: store.events.hash, clock: clock)
        let responses = SessionResponses(store: store, tokens: tokens)
        let rules = AccountRules(disk: disk, store: store, configuration: configuration)
        let links = InstallationLinks(users: users, store: store, clock: clock, log: log)
        let traces = SignInTraces(links: links, events: events, quotas: quotas)
        let pendings = PendingSignIns(clock: clock)
        providerKeys = ProviderKeys(configuration, clock, log, metrics)
        providers = ProviderSignIns(
            store: store, limits: limits, rules: rules, responses: responses, configuration: configuration, keys: providerKeys, clock: clock)
        signIns = SignIns(
            store: store, hashing: hashing, limits: limits, rules: rules, responses: responses, traces: traces, tokens: tokens,
            providers: providers, pendings: pendings, clock: clock)
        secondFactors = SecondFactorSignIns(
            store: store.accounts, limits: limits, rules: rules, responses: responses, traces: traces, pendings: pendings)
        ownFactors = OwnFactors(store: store, limits: limits, rules: rules, clock: clock)
        sessions = RefreshedSessions(store: store, limits: limits, rules: rules, responses: responses, configuration: configuration)
        own = OwnAccounts(store: store, hashing: hashing, limits: limits, rules: rules, responses: responses, departures: departures, clock: clock)
        ownSessions = OwnSessions(store: store)
        administration = AccountAdministration(
            store: store, hashing: hashing, rules: rules, tokens: tokens, departures: departures, clock: clock)
        discovery = AccountDiscovery(store: store, tokens: tokens, clock: clock)
        transfers = AccountTransfers(
            store: store, rules: rules, importer: AccountImporter(store: store, hashing: hashing), slots: slots, clock: clock)
        states = SessionStates(store: store, tokens: tokens, configuration: configuration, clock: clock)
        reports = AccountReports(store: store, clock: clock)
        codes = MailCodes(store: store, hashing: hashing, limits: limits, rules: rules, clock: clock)
        pages = ActionPages(store: store, codes: codes, limits: limits, rules: rules)
    }
}

/// The rules that requests of several routes must meet.
struct AccountRules: Sendable {
    let disk: DiskGuard
    let store: Stores
    let configuration: LiveConfiguration

    /// Rejects a request that could not be stored now.
    func requireCapacity() throws(Refusal) {
        try disk.requireFree()
        try store.accounts.checkCapacity()
    }

    /// Rejects a way of signing in that the app does not allow.
    func require(_ method: SignInMethod, in app: App) throws(Refusal) {
        guard !app.settings.authMethods.contains(method) else { return }
        throw Refusal(
            .methodOff, "This app does not allow the sign-in method \(method.rawValue).", hint: "Name it in the app's setting auth_methods.")
    }

    /// Rejects a new password that the policy forbids.
    func check(password: String) throws(Refusal) {
        guard let problem = PasswordPolicy.problem(of: password, isDevelopment: configuration.now.mode == .development) else { return }
        let text =
            switch problem {
            case .tooShort(let least): "must have at least \(least) bytes"
            case .tooLong(let most): "must have at most \(most) bytes"
            case .common: "is one of the passwords that are guessed first"
            }
        throw Refusal(.weakPassword, "The password \(text).", hint: "Choose another password.", fields: [.init("password", "weak", text)])
    }

    func email(_ text: String) throws(Refusal) -> EmailAddress {
        guard let email = EmailAddress(text) else {
            throw Refusal(
                .invalidEmail, "This is not an email address.", hint: "Write it as name@example.org.",
                fields: [.init("email", "invalid", "must be an email address")])
        }
        return email
    }
}
