// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Platform

/// The HTTP surface. A route not listed here does not exist; `docs/openapi.yaml` says what each takes and answers.
enum Routes {
    static let all: [Route] =
        [
            Route(.get, "/healthz", .open, .direct(Health.alive)),
            Route(.get, "/readyz", .open, .direct(Health.ready)),
            Route(.get, "/metrics", .metrics, .task(Health.metrics)),
            Route(.get, "/v1/openapi.json", .open, .task(Health.openAPI)),

            Route(.post, "/v1/events", .role(.ingest), .direct(Taking.events), admission: Taking.room),
            Route(.post, "/v1/debug/events", .role(.ingest), .direct(Taking.debugEvents)),
            Route(.post, "/v1/users", .role(.ingest), .task(Taking.users), admission: Taking.room),
            Route(.get, "/v1/quarantine", .role(.read), .task(Quarantine.list)),
            Route(.post, "/v1/quarantine/replay", .role(.admin), .task(Quarantine.replay)),

            Route(.post, "/v1/query/sql", .role(.admin), .task(SQLQueries.ask)),
            Route(.get, "/v1/export", .role(.read), .task(Exports.events)),
            Route(.get, "/v1/tail", .role(.read), .task(Tails.live)),
            Route(.get, "/v1/stream", .roles([.ingest, .send]), .task(Streams.read)),
            Route(.post, "/v1/stream/ack", .roles([.ingest, .send]), .task(Streams.acknowledge)),
            Route(.get, "/v1/system", .role(.read), .task(System.status)),

            Route(.get, "/v1/users/{id}", .role(.read), .task(Persons.show)),
            Route(.delete, "/v1/users/{id}", .role(.admin), .task(Persons.erase)),
            Route(.get, "/v1/users/{id}/export", .role(.admin), .task(PersonExports.document)),
            Route(.post, "/v1/users/{id}/anonymise", .role(.admin), .task(Persons.anonymise)),
            Route(.delete, "/v1/users/{id}/block", .role(.admin), .task(Persons.unblock)),

            Route(.get, "/v1/app", .anyKey, .task(Apps.own)),
            Route(.patch, "/v1/app", .role(.admin), .task(Apps.setOwn)),

            Route(.get, "/v1/apps", .operatorOnly, .task(Apps.list)),
            Route(.post, "/v1/apps", .operatorOnly, .task(Apps.create)),
            Route(.get, "/v1/apps/{app}", .operatorOnly, .task(Apps.show)),
            Route(.patch, "/v1/apps/{app}", .operatorOnly, .task(Apps.change)),
            Route(.delete, "/v1/apps/{app}", .operatorOnly, .task(Apps.delete)),
            Route(.get, "/v1/apps/{app}/keys", .operatorOnly, .task(Keys.list)),
            Route(.post, "/v1/apps/{app}/keys", .operatorOnly, .task(Keys.create)),
            Route(.delete, "/v1/apps/{app}/keys/{key}", .operatorOnly, .task(Keys.revoke)),
            Route(.post, "/v1/backup", .operatorOnly, .task(Backups.make)),
        ] + Queries.routes + crashes + messages + Integrations.routes

    /// What goes wrong in apps, and what makes it readable.
    private static let crashes: [Route] = [
        Route(.post, "/v1/crashes", .role(.ingest), .task(Crashing.reports), admission: Crashing.room),
        Route(.post, "/v1/crashes/report", .role(.ingest), .task(Crashing.appleReport), admission: Crashing.room),
        Route(.get, "/v1/issues", .role(.read), .task(Issues.list)),
        Route(.get, "/v1/issues/{id}", .role(.read), .task(Issues.show)),
        Route(.get, "/v1/issues/{id}/events", .role(.read), .task(Issues.events)),
        Route(.get, "/v1/issues/{id}/events/{event}", .role(.read), .task(Issues.event)),
        Route(.patch, "/v1/issues/{id}", .role(.admin), .task(Issues.change)),
        Route(.post, "/v1/issues/{id}/merge", .role(.admin), .task(Issues.merge)),
        Route(.post, "/v1/issues/{id}/split", .role(.admin), .task(Issues.split)),
        Route(.post, "/v1/issues/{id}/notes", .role(.admin), .task(Issues.note)),

        Route(.get, "/v1/symbols", .role(.read), .task(SymbolFiles.list)),
        Route(.get, "/v1/symbols/missing", .role(.read), .task(SymbolFiles.missing)),
        Route(.put, "/v1/symbols/{debug_id}", .role(.admin), .upload(SymbolFiles.largest, SymbolFiles.put), admission: SymbolFiles.room),
        Route(.delete, "/v1/symbols/{debug_id}", .role(.admin), .task(SymbolFiles.remove)),
    ]

    /// Devices, their topics, messages and deliveries. With an ingest key a device does what is its own.
    private static let messages: [Route] = [
        Route(.post, "/v1/devices", .roles([.ingest, .send]), .task(Devices.register)),
        Route(.get, "/v1/devices", .roles([.read, .send]), .task(Devices.list)),
        Route(.get, "/v1/devices/{token}", .roles([.ingest, .read, .send]), .task(Devices.show)),
        Route(.put, "/v1/devices/{token}", .roles([.ingest, .send]), .task(Devices.change)),
        Route(.delete, "/v1/devices/{token}", .roles([.ingest, .send]), .task(Devices.remove)),
        Route(.post, "/v1/devices/{token}/rotate-secret", .roles([.ingest, .send]), .task(Devices.rotateSecret)),
        Route(.post, "/v1/devices/{token}/topics", .roles([.ingest, .send]), .task(Topics.changeOfDevice)),
        Route(.post, "/v1/app/webhook-secret", .role(.send), .task(Devices.rotateAppSecret)),

        Route(.get, "/v1/topics", .roles([.read, .send]), .task(Topics.list)),
        Route(.get, "/v1/topics/{topic}", .roles([.read, .send]), .task(Topics.show)),
        Route(.get, "/v1/topics/{topic}/subscribers", .roles([.read, .send]), .task(Topics.subscribers)),
        Route(.put, "/v1/topics/{topic}/subscribers/{token}", .roles([.ingest, .send]), .task(Topics.join)),
        Route(.delete, "/v1/topics/{topic}/subscribers/{token}", .roles([.ingest, .send]), .task(Topics.leave)),
        Route(.post, "/v1/topics/{topic}/subscribe", .role(.send), .task(Topics.subscribe)),
        Route(.post, "/v1/topics/{topic}/unsubscribe", .role(.send), .task(Topics.unsubscribe)),

        Route(.post, "/v1/messages", .role(.send), .task(Publishing.publish)),
        Route(.get, "/v1/messages", .roles([.read, .send]), .task(Publishing.list)),
        Route(.get, "/v1/messages/{id}", .roles([.read, .send]), .task(Publishing.show)),
        Route(.delete, "/v1/messages/{id}", .role(.send), .task(Publishing.cancel)),
        Route(.post, "/v1/messages/{id}/redrive", .role(.send), .task(Publishing.redrive)),
        Route(.get, "/v1/deliveries", .roles([.read, .send]), .task(Deliveries.list)),
        Route(.get, "/v1/deliveries/{id}", .roles([.read, .send]), .task(Deliveries.show)),
        Route(.post, "/v1/deliveries/{id}/retry", .role(.send), .task(Deliveries.retry)),
    ]
}
