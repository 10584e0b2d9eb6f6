// SPDX-License-Identifier: Apache-2.0

import Accounts
import AcrossStores
import HTTPServer
import JSON
import Platform

/// The settings of a project for its clients and servers, and refusals of resources that no project has.
struct IdentityProjects: Sendable {
    let store: Stores
    let configuration: LiveConfiguration

    /// The client's configuration.
    func show(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        return .identity("GetProjectConfigResponse") { json in
            json.field("projectId", app.project)
            json.field("authorizedDomains", domains)
        }
    }

    /// The server's configuration of a project.
    func settings(_ call: Call) async throws -> HandlerResponse {
        let app = try call.project(in: store)
        let methods = app.settings.authMethods
        return HandlerResponse.response(
            .json { json in
                json.beginObject()
                json.field("name", "projects/\(app.project)/config")
                json.key("signIn")
                json.beginObject()
                for (name, method) in [("email", SignInMethod.password), ("anonymous", SignInMethod.anonymous)] {
                    json.key(name)
                    json.beginObject()
                    json.field("enabled", methods.contains(method))
                    json.endObject()
                }
                json.endObject()
                json.field("authorizedDomains", domains)
                json.endObject()
            })
    }

    /// The rules for passwords, which are the same for every app.
    func passwordPolicy(_ call: Call) async throws -> HandlerResponse {
        _ = try call.app(in: store)
        let least = PasswordPolicy.least(isDevelopment: configuration.now.mode == .development)
        return HandlerResponse.response(
            .json { json in
                json.beginObject()
                json.key("customStrengthOptions")
                json.beginObject()
                json.field("minPasswordLength", least)
                json.field("maxPasswordLength", PasswordPolicy.most)
                json.endObject()
                json.field("allowedNonAlphanumericCharacters", [String]())
                json.field("schemaVersion", 1)
                json.field("enforcementState", "ENFORCE")
                json.endObject()
            })
    }

    /// No provider of reCAPTCHA is ever enforced.
    func recaptcha(_ call: Call) async throws -> HandlerResponse {
        _ = try call.app(in: store)
        return HandlerResponse.response(
            .json { json in
                json.beginObject()
                json.field("recaptchaEnforcementState", [String]())
                json.endObject()
            })
    }

    /// Lists tenants or providers of a project, of which it has none: providers are settings of the operator.
    func none(_ call: Call) async throws -> HandlerResponse {
        _ = try call.project(in: store)
        try IdentityProjects.requireKnown(call)
        return .response(.json(Array("{}".utf8)))
    }

    func refuse(_ call: Call) async throws -> HandlerResponse {
        _ = try call.project(in: store)
        try IdentityProjects.requireKnown(call)
        throw Refusal.identity(
            .operationNotAllowed, "Tenants and SAML are not supported, and providers are settings of the daemon.", code: .notImplemented)
    }

    func refuseRevocation(_ call: Call) async throws -> HandlerResponse {
        _ = try call.app(in: store)
        throw Refusal.identity(.operationNotAllowed, "Tokens of Apple cannot be revoked without Apple's client secret.", code: .notImplemented)
    }

    private static func requireKnown(_ call: Call) throws(Refusal) {
        guard ["tenants", "oauthIdpConfigs", "inboundSamlConfigs"].contains(call.parameter("resource")) else {
            throw .identity(.operationNotAllowed, "There is no such resource.", code: .notImplemented)
        }
    }

    /// The hosts of pages and links: this machine in development, and the daemon's own.
    private var domains: [String] {
        let url = configuration.now.accounts.url ?? ""
        let host = url.firstRange(of: "://").map { url[$0.upperBound...].prefix { $0 != "/" && $0 != ":" } } ?? ""
        return ["localhost"] + (host.isEmpty ? [] : [String(host)])
    }
}
