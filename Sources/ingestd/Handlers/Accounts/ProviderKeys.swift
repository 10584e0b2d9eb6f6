// SPDX-License-Identifier: Apache-2.0

import Accounts
import Delivery
import HTTPClient
import JOSE
import JSON
import Platform
import Synchronization

/// The key sets of identity providers in memory, fetched when a token needs them.
///
///     sign-in → keys known and fresh → check
///             → else one fetch for all who wait → check
///
/// Fetches run on threads of `HTTPClient`, never on event loops or writers, at most one for each provider (`KeySetAge`).
final class ProviderKeys: Sendable {
    private struct Source: Sendable {
        var age = KeySetAge()
        var running: Task<Void, Never>?
    }

    private enum Next {
        case keys(KeySet)
        case wait(Task<Void, Never>)
        case missing
    }

    private let configuration: LiveConfiguration
    private let clock: WallClock
    private let log: Log
    private let client = ProviderClient()
    private let sources = Mutex<[IdentityProvider.KeySource: Source]>([:])
    private let fetches: MetricFamily<Counter>

    init(_ configuration: LiveConfiguration, _ clock: WallClock, _ log: Log, _ metrics: Metrics) {
        (self.configuration, self.clock, self.log) = (configuration, clock, log)
        fetches = metrics.counters(
            "signalbox_auth_provider_fetches_total", "Fetches of identity providers' keys by provider and result.", labels: ["provider", "result"])
    }

    /// Returns the claims of a provider's ID token. `unknownKey` also stands for a provider whose keys nobody could fetch.
    func claims(of token: String, _ provider: IdentityProvider, nonce: String?) async throws -> TokenClaims {
        guard let known = await keys(of: provider, unknownKey: false) else { throw ProviderKeys.unavailable }
        do throws(TokenError) {
            return try provider.rules.check(token, keys: known, nonce: nonce, now: clock.now())
        } catch {
            guard error == .unknownKey, let newer = await self.keys(of: provider, unknownKey: true) else { throw error }
            return try provider.rules.check(token, keys: newer, nonce: nonce, now: clock.now())
        }
    }

    /// The age of each provider's keys; none for a provider whose keys were never fetched.
    var ages: [(provider: String, seconds: Double)] {
        let (now, providers) = (clock.now(), configuration.now.accounts.providers)
        let known = sources.withLock { $0.compactMapValues(\.age.fetched) }
        let ages = providers.compactMap { provider in
            known[provider.keySource].map { (provider: provider.id, seconds: Double((now - $0).milliseconds) / 1_000) }
        }
        return Dictionary(ages.map { ($0.provider, $0.seconds) }, uniquingKeysWith: max).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static let unavailable = Refusal(
        .providerUnavailable, "The keys of the identity provider could not be fetched.", hint: "Send the request again later.",
        retryAfterSeconds: 60)

    // MARK: Fetching

    private func keys(of provider: IdentityProvider, unknownKey: Bool) async -> KeySet? {
        var unknownKey = unknownKey
        // A fetch that runs already may be an old one that fails; then one more is made.
        for _ in 0..<3 {
            switch next(provider, unknownKey: unknownKey) {
            case .keys(let keys): return keys
            case .missing: return nil
            case .wait(let fetch): await fetch.value
            }
            unknownKey = false
        }
        return nil
    }

    private func next(_ provider: IdentityProvider, unknownKey: Bool) -> Next {
        let now = clock.now()
        return sources.withLock { sources in
            var source = sources[provider.keySource] ?? Source()
            defer { sources[provider.keySource] = source }
            let step = source.age.step(unknownKey: unknownKey, at: now)
            if let running = source.running, step == .unavailable || step == .fetch || unknownKey { return .wait(running) }
            switch step {
            case .use: break
            case .unavailable: return .missing
            case .useAndFetch where source.running != nil: break
            case .fetch, .useAndFetch:
                source.age.began(at: now)
                let fetch = Task { await self.fetch(provider) }
                source.running = fetch
                if step == .fetch { return .wait(fetch) }
            }
            return source.age.keys.map { Next.keys($0) } ?? Next.missing
        }
    }

    private func fetch(_ provider: IdentityProvider) async {
        let result: Result<ProviderClient.Fetched, any Error>
        do {
            result = .success(try await client.keys(provider.keySource, configuration.now))
        } catch {
            result = .failure(error)
            log.warning(
                "could not fetch the keys of an identity provider; retrying in a minute",
                ["provider": .text(provider.id), "reason": .text("\(error)")])
        }
        let now = clock.now()
        sources.withLock { sources in
            switch result {
            case .success(let fetched): sources[provider.keySource]?.age.succeeded(fetched.keys, lifetime: fetched.lifetime, at: now)
            case .failure: sources[provider.keySource]?.age.failed()
            }
            sources[provider.keySource]?.running = nil
            // A reload may have removed providers.
            let known = Set(configuration.now.accounts.providers.map(\.keySource))
            sources = sources.filter { known.contains($0.key) || $0.value.running != nil }
        }
        fetches(provider.id, (try? result.get()) == nil ? "failed" : "done").add()
    }
}

/// Fetches the documents of identity providers: https, no redirects, at most 64 KiB, and only from addresses that webhooks may go to.
struct ProviderClient: Sendable {
    struct Fetched: Sendable {
        var keys: KeySet
        var lifetime: Timestamp.Span
    }

    /// The reason why a document is not usable.
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    private static let mostBytes = 65_536
    private let client = HTTPClient()

    func keys(_ source: IdentityProvider.KeySource, _ configuration: Configuration) async throws -> Fetched {
        let url =
            switch source {
            case .keys(let url): url
            case .discovery(let issuer): try await keysURL(of: issuer, configuration)
            }
        let response = try await get(url, configuration)
        let keys: KeySet
        do throws(KeySet.Problem) { keys = try KeySet(json: response.body) } catch { throw Fault(description: error.rawValue) }
        guard keys.count > 0 else { throw Fault(description: "the key set has no key that can check a signature") }
        return Fetched(keys: keys, lifetime: KeySetAge.lifetime(cacheControl: response.header("Cache-Control")))
    }

    private func keysURL(of issuer: String, _ configuration: Configuration) async throws -> String {
        let response = try await get(ProviderURL.discovery(of: issuer), configuration)
        let document = try? JSONValue(response.body)
        guard document?["issuer"]?.string?.hasSameBytes(as: issuer) == true else {
            throw Fault(description: "the discovery document is not that of the configured issuer")
        }
        guard let url = document?["jwks_uri"]?.string else { throw Fault(description: "the discovery document has no jwks_uri") }
        return url
    }

    private func get(_ text: String, _ configuration: Configuration) async throws -> HTTPClientResponse {
        guard let url = ProviderURL(text), !url.isPlain || configuration.mode == .development else {
            throw Fault(description: "the address is no https URL")
        }
        let destinations = configuration.sender.destinations
        var request = HTTPClientRequest("GET", url.text, headers: [("Accept", "application/json"), ("User-Agent", "Signalbox/\(Version.current)")])
        (request.connectTimeout, request.timeout, request.maxResponseBytes) = (.seconds(5), .seconds(10), ProviderClient.mostBytes)
        request.permits = { destinations.permits($0) }
        do {
            let response = try await client.request(request)
            guard response.status == 200 else { throw Fault(description: "the provider answered with the status \(response.status)") }
            return response
        } catch let error as HTTPClientError {
            throw Fault(description: error.message)
        }
    }
}
