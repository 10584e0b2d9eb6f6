// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import HTTPServer
import Platform

/// Firebase Authentication, as Firebase's SDKs of apps and servers use it.
///
/// SDKs put the host of Google's API before its path when they are pointed elsewhere, so the patterns begin with a host.
enum FirebaseAuth {
    static let integration = Integration(
        "Firebase Authentication", refusal: IdentityError.response, routes: clients + older + servers + projects + keys + emulator)

    private static let api = "/identitytoolkit.googleapis.com/v1"
    private static let api2 = "/identitytoolkit.googleapis.com/v2"
    private static let older3 = "/www.googleapis.com/identitytoolkit/v3/relyingparty"

    /// An app's API key is its ingest key.
    private static let client = IntegrationKey(roles: [.ingest], place: .googleAPIKey, emulation: .accounts)
    private static let server = IntegrationKey(roles: [.accounts], place: .authorization, emulation: .accounts)

    // MARK: Apps

    private static let clients = [
        clientRoute(.post, api + "/accounts:signUp", IdentityClients.signUp),
        clientRoute(.post, api + "/accounts:signInWithPassword", IdentityClients.signInWithPassword),
        clientRoute(.post, api + "/accounts:signInWithCustomToken", IdentityClients.signInWithCustomToken),
        clientRoute(.post, api + "/accounts:signInWithIdp", IdentityClients.signInWithIDP),
        clientRoute(.post, api + "/accounts:createAuthUri", IdentityClients.createAuthURI),
        clientRoute(.post, api + "/accounts:lookup", IdentityClients.lookup),
        codeRoute(.post, api + "/accounts:update", IdentityCodes.update),
        codeRoute(.post, api + "/accounts:sendOobCode", IdentityCodes.send),
        codeRoute(.post, api + "/accounts:resetPassword", IdentityCodes.reset),
        codeRoute(.post, api + "/accounts:signInWithEmailLink", IdentityCodes.signIn),
        clientRoute(.post, api + "/accounts:delete", IdentityClients.delete),
        clientRoute(.post, api2 + "/accounts/mfaEnrollment:start", IdentityClients.startEnrollment),
        clientRoute(.post, api2 + "/accounts/mfaEnrollment:finalize", IdentityClients.finalizeEnrollment),
        clientRoute(.post, api2 + "/accounts/mfaEnrollment:withdraw", IdentityClients.withdrawEnrollment),
        clientRoute(.post, api2 + "/accounts/mfaSignIn:start", IdentityClients.refusePhoneSignIn),
        clientRoute(.post, api2 + "/accounts/mfaSignIn:finalize", IdentityClients.finalizeSignIn),
        projectRoute(.get, api + "/projects", IdentityProjects.show),
        projectRoute(.get, api2 + "/passwordPolicy", IdentityProjects.passwordPolicy),
        projectRoute(.get, api2 + "/recaptchaConfig", IdentityProjects.recaptcha),
        projectRoute(.post, api2 + "/accounts:revokeToken", IdentityProjects.refuseRevocation),
        sessionRoute(.post, "/securetoken.googleapis.com/v1/token", .integration(client), IdentitySessions.refresh),
    ]

    /// The same calls by the words of the older API, which iOS and small clients use.
    private static let older = [
        clientRoute(.post, older3 + "/signupNewUser", IdentityClients.signUp),
        clientRoute(.post, older3 + "/verifyPassword", IdentityClients.signInWithPassword),
        clientRoute(.post, older3 + "/verifyCustomToken", IdentityClients.signInWithCustomToken),
        clientRoute(.post, older3 + "/verifyAssertion", IdentityClients.signInWithIDP),
        clientRoute(.post, older3 + "/createAuthUri", IdentityClients.createAuthURI),
        clientRoute(.post, older3 + "/getAccountInfo", IdentityClients.lookup),
        codeRoute(.post, older3 + "/setAccountInfo", IdentityCodes.update),
        codeRoute(.post, older3 + "/getOobConfirmationCode", IdentityCodes.send),
        codeRoute(.post, older3 + "/resetPassword", IdentityCodes.reset),
        codeRoute(.post, older3 + "/emailLinkSignin", IdentityCodes.signIn),
        clientRoute(.post, older3 + "/deleteAccount", IdentityClients.delete),
        projectRoute(.get, older3 + "/getProjectConfig", IdentityProjects.show),
    ]

    // MARK: Servers

    private static let project = api + "/projects/{app}"

    private static let servers = [
        serverRoute(.post, project + "/accounts", .accountCreate, IdentityAccounts.create),
        serverRoute(.post, project + "/accounts:lookup", nil, IdentityAccounts.lookup),
        serverRoute(.post, project + "/accounts:update", .accountChange, IdentityAccounts.update),
        serverRoute(.post, project + "/accounts:delete", .accountDelete, IdentityAccounts.delete),
        serverRoute(.get, project + "/accounts:batchGet", nil, IdentityAccounts.batchGet),
        serverRoute(.post, project + "/accounts:batchCreate", .accountImport, IdentityAccounts.batchCreate),
        serverRoute(.post, project + "/accounts:batchDelete", .accountDelete, IdentityAccounts.batchDelete),
        serverRoute(.post, project + "/accounts:query", nil, IdentityAccounts.query),
        Route(
            .post, project + "/accounts:sendOobCode", .integration(server), .task(\.integrations.identityCodes, IdentityCodes.sendForServer),
            audit: .accountCode, most: SignIns.bodyBytes),
        sessionRoute(.post, project + ":createSessionCookie", .integration(server), IdentitySessions.createCookie),
    ]

    private static let ofProject = api2 + "/projects/{app}"

    private static let projects = [
        Route(.get, ofProject + "/config", .integration(server), .task(\.integrations.identityProjects, IdentityProjects.settings)),
        Route(.get, ofProject + "/{resource}", .integration(server), .task(\.integrations.identityProjects, IdentityProjects.none)),
        refused(.post, ofProject + "/{resource}"),
        refused(.get, ofProject + "/{resource}/{id}"),
        refused(.patch, ofProject + "/{resource}/{id}"),
        refused(.delete, ofProject + "/{resource}/{id}"),
    ]

    // MARK: Documents and emulator

    private static let keys = [
        sessionRoute(.get, "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com", .open, IdentitySessions.certificates),
        sessionRoute(.get, "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", .open, IdentitySessions.keySet),
        sessionRoute(.get, older3 + "/publicKeys", .open, IdentitySessions.certificates),
        sessionRoute(.get, api + "/sessionCookiePublicKeys", .open, IdentitySessions.keySet),
    ]

    private static let emulator = [
        Route(.delete, "/emulator/v1/projects/{app}/accounts", .emulator, .task(\.integrations.identityAccounts, IdentityAccounts.deleteAll)),
        Route(.get, "/emulator/v1/projects/{app}/oobCodes", .emulator, .task(\.integrations.identityCodes, IdentityCodes.list)),
        Route(.get, "/emulator/v1/projects/{app}/config", .emulator, .task(\.integrations.identityProjects, IdentityProjects.settings)),
    ]

    // MARK: Rows

    private typealias Handle<Service> = @Sendable (Service) -> (Call) async throws -> HandlerResponse

    private static func clientRoute(_ method: HTTPMethod, _ pattern: String, _ handle: @escaping Handle<IdentityClients>) -> Route {
        Route(method, pattern, .integration(client), .task(\.integrations.identityClients, handle), most: SignIns.bodyBytes)
    }

    private static func codeRoute(_ method: HTTPMethod, _ pattern: String, _ handle: @escaping Handle<IdentityCodes>) -> Route {
        Route(method, pattern, .integration(client), .task(\.integrations.identityCodes, handle), most: SignIns.bodyBytes)
    }

    private static func projectRoute(_ method: HTTPMethod, _ pattern: String, _ handle: @escaping Handle<IdentityProjects>) -> Route {
        Route(method, pattern, .integration(client), .task(\.integrations.identityProjects, handle), most: SignIns.bodyBytes)
    }

    private static func sessionRoute(
        _ method: HTTPMethod, _ pattern: String, _ access: Route.Access, _ handle: @escaping Handle<IdentitySessions>
    ) -> Route {
        Route(method, pattern, access, .task(\.integrations.identitySessions, handle), most: SignIns.bodyBytes)
    }

    private static func serverRoute(
        _ method: HTTPMethod, _ pattern: String, _ audit: AuditAction?, _ handle: @escaping Handle<IdentityAccounts>
    ) -> Route {
        Route(method, pattern, .integration(server), .task(\.integrations.identityAccounts, handle), audit: audit)
    }

    private static func refused(_ method: HTTPMethod, _ pattern: String) -> Route {
        Route(method, pattern, .integration(server), .task(\.integrations.identityProjects, IdentityProjects.refuse))
    }
}
