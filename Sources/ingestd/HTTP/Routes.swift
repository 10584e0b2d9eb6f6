// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// The HTTP surface, composed of each service's own table. A route not listed does not exist; `docs/openapi.yaml` describes them all.
enum Routes {
    static let all: [Route] =
        Health.routes + EventIntake.routes + CrashIntake.routes + Quarantine.routes
        + Queries.routes + SavedQueries.routes + SQLQueries.routes + Exports.routes + Tails.routes
        + Persons.routes + PersonLists.routes + PersonExports.routes + Issues.routes + Attachments.routes + SymbolFiles.routes
        + Devices.routes + Topics.routes + MessagePublishing.routes + Deliveries.routes + Streams.routes
        + SignIns.routes + RefreshedSessions.routes + OwnAccounts.routes + OwnSessions.routes + AccountAdministration.routes
        + SecondFactorSignIns.routes + OwnFactors.routes + ProviderSignIns.routes + AccountDiscovery.routes
        + AccountTransfers.routes + SessionStates.routes + AccountReports.routes + MailCodes.routes + ActionPages.routes
        + Documents.routes + DocumentIndexes.routes + DocumentPersons.routes + DocumentExpiry.routes + DocumentChanges.routes
        + DocumentTransfers.routes
        + DocumentStatisticsRoutes.routes + DocumentListens.routes + DocumentPaths.routes + DocumentRules.routes
        + files + FileRules.routes + FileFigures.routes
        + AppFunctions.routes + FunctionTasks.routes + FunctionRuns.routes + FunctionStatisticsRoutes.routes
        + Callables.routes
        + RuleTrials.routes + DocumentEmulator.routes
        + Apps.routes + Keys.routes + Backups.routes + Audits.routes + SystemStatus.routes
        + Integrations.all.flatMap(\.routes)

    private static let files = AppFiles.routes + FilePaths.routes + TusUploads.routes + FileTransfers.routes + FilesPending.routes

    /// The patterns under which files are read and changed, whose refusals the file store counts.
    static let patternsOfFiles = Set((files + FirebaseStorage.integration.routes + GoogleStorage.integration.routes).map(\.pattern))
}
