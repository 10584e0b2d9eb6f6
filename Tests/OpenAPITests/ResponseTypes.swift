// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Foundation
import JSON

@testable import ingestd

/// The type in the module API of each JSON response.
enum ResponseTypes {
    /// The types by method and pattern, for all 2xx statuses of an operation.
    static let byOperation: [String: any (Codable & Sendable).Type] = [
        "GET /healthz": HealthResponse.self,
        "GET /readyz": HealthResponse.self,
        "POST /v1/events": IntakeResponse.self,
        "POST /v1/debug/events": IntakeResponse.self,
        "POST /v1/users": IntakeResponse.self,
        "POST /v1/crashes": IntakeResponse.self,
        "POST /v1/crashes/report": IntakeResponse.self,
        "GET /v1/quarantine": QuarantineResponse.self,
        "POST /v1/quarantine/replay": ReplayResponse.self,
        "POST /v1/query/sql": SQLResponse.self,
        "GET /v1/cohorts": Page<SavedQueryResponse>.self,
        "GET /v1/cohorts/{name}": SavedQueryResponse.self,
        "PUT /v1/cohorts/{name}": SavedQueryResponse.self,
        "GET /v1/saved-queries": Page<SavedQueryResponse>.self,
        "GET /v1/saved-queries/{name}": SavedQueryResponse.self,
        "PUT /v1/saved-queries/{name}": SavedQueryResponse.self,
        "GET /v1/system": SystemResponse.self,
        "GET /v1/users": Page<ProfileResponse>.self,
        "GET /v1/users/{id}": PersonResponse.self,
        "DELETE /v1/users/{id}": ErasureResponse.self,
        "GET /v1/users/{id}/export": PersonExport.self,
        "POST /v1/users/{id}/anonymise": ErasureResponse.self,
        "GET /v1/issues": Page<IssueResponse>.self,
        "PATCH /v1/issues": IssueResultsResponse.self,
        "DELETE /v1/issues": IssueResultsResponse.self,
        "GET /v1/issues/{id}": IssueResponse.self,
        "PATCH /v1/issues/{id}": IssueResponse.self,
        "POST /v1/issues/regroup": Page<RegroupedIssueResponse>.self,
        "POST /v1/issues/{id}/merge": IssueResponse.self,
        "POST /v1/issues/{id}/split": IssueResponse.self,
        "POST /v1/issues/{id}/notes": IssueResponse.self,
        "GET /v1/issues/{id}/events": Page<CrashResponse>.self,
        "GET /v1/issues/{id}/events/{event}": CrashResponse.self,
        "GET /v1/symbols": Page<SymbolsResponse>.self,
        "GET /v1/symbols/missing": Page<MissingSymbolsResponse>.self,
        "PUT /v1/symbols": Page<SymbolsResponse>.self,
        "PUT /v1/symbols/{debug_id}": Page<SymbolsResponse>.self,
        "GET /v1/app": AppResponse.self,
        "PATCH /v1/app": AppResponse.self,
        "GET /v1/apps": Page<AppResponse>.self,
        "POST /v1/apps": AppResponse.self,
        "GET /v1/apps/{app}": AppResponse.self,
        "PATCH /v1/apps/{app}": AppResponse.self,
        "GET /v1/apps/{app}/keys": Page<KeyResponse>.self,
        "POST /v1/apps/{app}/keys": KeyResponse.self,
        "POST /v1/keys/{key}/rotate": KeyResponse.self,
        "POST /v1/documents:collections": Page<String>.self,
        "POST /v1/backup": BackupResponse.self,
        "GET /v1/audit": Page<AuditEntryResponse>.self,
        "POST /v1/auth/sign-up": SessionResponse.self,
        "POST /v1/auth/sign-in": SignInResponse.self,
        "POST /v1/auth/second-factor": SessionResponse.self,
        "GET /v1/auth/user/factors": SecondFactorsResponse.self,
        "POST /v1/auth/user/factors": AddedFactorResponse.self,
        "POST /v1/auth/user/factors/{id}/confirm": ConfirmedFactorResponse.self,
        "POST /v1/auth/user/recovery-codes": RecoveryCodesResponse.self,
        "POST /v1/auth/codes/redeem": RedeemedCodeResponse.self,
        "POST /v1/auth/token": SessionResponse.self,
        "GET /v1/auth/state": SessionStateResponse.self,
        "GET /v1/auth/user": UserAccountResponse.self,
        "PATCH /v1/auth/user": UserAccountResponse.self,
        "POST /v1/auth/user/password": SessionResponse.self,
        "POST /v1/auth/user/identities": SessionResponse.self,
        "DELETE /v1/auth/user/identities/{provider}": SessionResponse.self,
        "GET /v1/auth/user/identities": Page<IdentityResponse>.self,
        "GET /v1/auth/user/sessions": Page<AccountSessionResponse>.self,
        "GET /v1/auth/accounts": Page<AccountResponse>.self,
        "POST /v1/auth/accounts": AccountResponse.self,
        "GET /v1/auth/accounts/{uid}": AccountResponse.self,
        "PATCH /v1/auth/accounts/{uid}": AccountResponse.self,
        "POST /v1/auth/accounts/import": AccountImportResponse.self,
        "GET /v1/auth/figures": AccountFiguresResponse.self,
        "GET /v1/auth/audit": Page<AccountEventResponse>.self,
        "GET /v1/auth/keys": Page<SigningKeyResponse>.self,
        "POST /v1/auth/keys/rotate": Page<SigningKeyResponse>.self,
        "POST /v1/devices": RegistrationResponse.self,
        "GET /v1/devices": Page<DeviceResponse>.self,
        "GET /v1/devices/{token}": DeviceResponse.self,
        "PUT /v1/devices/{token}": DeviceResponse.self,
        "POST /v1/devices/{token}/rotate-secret": SecretResponse.self,
        "POST /v1/app/webhook-secret": SecretResponse.self,
        "POST /v1/devices/{token}/topics": TopicChangeResponse.self,
        "GET /v1/topics": Page<TopicResponse>.self,
        "GET /v1/topics/{topic}": TopicResponse.self,
        "GET /v1/topics/{topic}/subscribers": Page<DeviceResponse>.self,
        "POST /v1/topics/{topic}/subscribe": TokenResultsResponse.self,
        "POST /v1/topics/{topic}/unsubscribe": TokenResultsResponse.self,
        "POST /v1/messages": PublishedResponse.self,
        "GET /v1/messages": Page<MessageResponse>.self,
        "GET /v1/messages/{id}": MessageResponse.self,
        "POST /v1/messages/{id}/redrive": RedriveResponse.self,
        "GET /v1/deliveries": Page<DeliveryResponse>.self,
        "GET /v1/deliveries/{id}": DeliveryResponse.self,
        "GET /v1/documents:persons": DocumentPersonsResponse.self,
        "PUT /v1/documents:persons": DocumentPersonsResponse.self,
        "GET /v1/functions/{name}/runs": Page<RunResponse>.self,
        "GET /v1/functions/{name}/logs": LogResponse.self,
        "POST /v1/functions/{name}/redrive": RedriveResponse.self,
        "GET /v1/runs/{id}": RunResponse.self,
        "POST /v1/runs/{id}/retry": RunResponse.self,
        "POST /v1/files-rules/test": FileTrialResponse.self,
        "GET /v1/files:usage": FileUsageResponse.self,
        "GET /v1/files:folders": FileFoldersResponse.self, "GET /v1/functions:statistics": FunctionStatisticsResponse.self,
        "GET /v1/files:denials": FileDenialsResponse.self,
        "GET /v1/files:check": FileCheckResponse.self,
        "GET /v1/files:persons": FilePersonsResponse.self,
        "PUT /v1/files:persons": FilePersonsResponse.self,
        "GET /v1/files:export": FileExportResponse.self,
        "GET /v1/files:pending": FilePendingResponse.self,
        "PUT /v1/files:pending": FileWaitRules.self,
        "POST /v1/files:pending": FileResponse.self,
        "POST /v1/files:import": FileImportResponse.self,
        "PUT /v1/files:import": FileResponse.self,
        "GET /v1/files/{app}": FileListResponse.self,
        "GET /v1/files/{app}/{path}": FileResponse.self,
        "PUT /v1/files/{app}/{path}": FileResponse.self,
        "PATCH /v1/files/{app}/{path}": FileResponse.self,
        "POST /v1/documents:import": DocumentImportResponse.self,
        "GET /v1/documents:statistics": DocumentStatisticsResponse.self,
        "GET /v1/documents:listeners": DocumentListenersResponse.self,
        "GET /v1/documents:denials": DocumentDenialsResponse.self,
        "GET /v1/documents:ttl": DocumentExpiryResponse.self,
        "PUT /v1/documents:ttl": DocumentExpiryResponse.self,
        "POST /v1/deliveries/{id}/retry": DeliveryResponse.self,
    ].merging(queries) { first, _ in first }

    /// Operations that answer with the result of any query.
    static let ofQueries: Set = ["GET /v1/saved-queries/{name}/result"]

    /// Operations whose documents other libraries read, that pass on what was signed, or whose values have the types that clients gave them.
    static let ofDocuments: Set = [
        "POST /v1/auth/verify", "GET /v1/auth/{project}/.well-known/openid-configuration", "GET /v1/auth/{project}/jwks.json",
        "GET /v1/auth/{project}/certs", "POST /v1/documents:commit", "POST /v1/documents:get", "POST /v1/documents:query",
        "POST /v1/documents:aggregate", "GET /v1/documents:indexes", "PUT /v1/documents:indexes", "GET /v1/documents/{path}",
        "PUT /v1/documents/{path}", "PATCH /v1/documents/{path}",
        "POST /v1/documents/{path}", "GET /v1/documents:rules", "PUT /v1/documents:rules", "GET /v1/files-rules", "PUT /v1/files-rules",
        "POST /v1/files/{app}/{path}", "POST /v1/call/{app}/{name}",
        "GET /v1/documents:changes", "GET /v1/functions", "GET /v1/functions/{name}", "PUT /v1/functions/{name}", "POST /v1/functions/{name}/tasks",
        "POST /v1/documents:rules/test", "POST /v1/documents:rules/explain",
        "POST /v1/documents:rules/shadow", "GET /v1/documents:rules/shadow",
        "PUT /emulator/v1/projects/{app}:securityRules", "DELETE /emulator/v1/projects/{app}/databases/{database}/documents",
    ]

    private static let queries = Dictionary(
        uniqueKeysWithValues: QueryName.allCases.flatMap { name in
            ["GET", "POST"].map { ("\($0) /v1/query/\(name.rawValue)", result(of: name)) }
        })

    private static func result(of query: QueryName) -> any (Codable & Sendable).Type {
        switch query {
        case .series: RangedResult<SeriesResult>.self
        case .top: RangedResult<TopResult>.self
        case .activeUsers: RangedResult<ActiveUsersResult>.self
        case .retention: RangedResult<RetentionResult>.self
        case .funnel: RangedResult<FunnelResult>.self
        case .revenue: RangedResult<RevenueResult>.self
        case .sessions: RangedResult<SessionsResult>.self
        case .lifecycle: RangedResult<LifecycleResult>.self
        case .realtime: RangedResult<RealtimeResult>.self
        case .crashFree: RangedResult<CrashFreeResult>.self
        }
    }

    /// Decodes a response as clients do.
    static func decode(_ body: [UInt8], as type: any (Codable & Sendable).Type) throws -> any Codable & Sendable {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: Data(body))
    }

    /// The members of a response that its type does not have; empty if the type reads everything. Embedded JSON is not compared.
    static func losses(
        of body: [UInt8], as type: any (Codable & Sendable).Type, embedded: Set<String> = embedded
    ) throws -> [String] {
        var json = JSONWriter()
        try json.encode(decode(body, as: type))
        return try missing(in: JSONValue(json.bytes), from: JSONValue(body), except: embedded, at: "$")
    }

    /// The members whose JSON a client sent.
    static let embedded: Set = ["params", "report", "notification", "data", "platform", "envelope", "context"]

    private static func missing(in copy: JSONValue, from original: JSONValue, except embedded: Set<String>, at place: String) -> [String] {
        original.members.flatMap { name, value -> [String] in
            guard let copied = copy[name] else { return ["\(place).\(name)"] }
            return embedded.contains(name) ? [] : missing(in: copied, from: value, except: embedded, at: "\(place).\(name)")
        }
            + zip(original.items, copy.items).enumerated().flatMap { missing(in: $1.1, from: $1.0, except: embedded, at: "\(place)[\($0)]") }
            + (original.items.count == copy.items.count ? [] : ["\(place) has \(copy.items.count) items of \(original.items.count)"])
    }
}
