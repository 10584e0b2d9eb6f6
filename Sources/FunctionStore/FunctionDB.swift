// SPDX-License-Identifier: Apache-2.0

package import Database
package import SQLite

/// The database `functions.db`: definitions, runs with their attempts, logs, and how far each source of triggers was read.
///
///     functions ──▶ runs ──▶ attempts        one run per task or match of a trigger, with its log of attempts
///     run_counts                             runs by function and state
///     cursors, schedules                     the place up to which a source was read; the next time of a schedule
///
/// `runs.state` contains the raw values of `RunState`.
package struct FunctionDB: TypedDatabase {
    package static let schema = Migration(steps: [
        """
        -- `claims` is the number of the last claim, `ended_claims` the last one before this start.
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO meta (key, value) VALUES ('claims', 0), ('ended_claims', 0);

        -- `definition` is JSON; `secret` signs requests to the function's address.
        CREATE TABLE functions (
            id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, name TEXT NOT NULL, definition BLOB NOT NULL, secret BLOB NOT NULL,
            created INTEGER NOT NULL, updated INTEGER NOT NULL, UNIQUE (app, name)
        ) STRICT;

        -- Deleted functions whose runs are not completely removed yet.
        CREATE TABLE deleted_functions (function INTEGER PRIMARY KEY, app INTEGER NOT NULL) STRICT;
        CREATE INDEX deleted_functions_of_app ON deleted_functions (app);

        -- The number of the last change of a source for which runs were made. It is committed with them.
        CREATE TABLE cursors (app INTEGER NOT NULL, source TEXT NOT NULL, place TEXT NOT NULL, PRIMARY KEY (app, source)) STRICT, WITHOUT ROWID;
        CREATE TABLE schedules (
            function INTEGER NOT NULL, cron TEXT NOT NULL, next INTEGER NOT NULL, PRIMARY KEY (function, cron)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX schedules_by_time ON schedules (next);

        -- `task` is the ID that a client gave, `key` orders the runs of a function, and `body` is the JSON that the function gets as `data`.
        -- `user` and `installation` are the person that a run is about. `at` is the time of the change that it follows from, or before
        -- which a task is not carried out. `due` is the time of the next attempt, or the end of a lease; null if the run is over or waits for an
        -- earlier one with its key.
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT, public TEXT NOT NULL UNIQUE, app INTEGER NOT NULL, function INTEGER NOT NULL,
            type TEXT NOT NULL, subject TEXT, task TEXT, key TEXT, user TEXT, installation TEXT, depth INTEGER NOT NULL, body BLOB NOT NULL,
            state INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, at INTEGER NOT NULL, due INTEGER, claim INTEGER NOT NULL DEFAULT 0,
            created INTEGER NOT NULL, changed INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX runs_due ON runs (function, due) WHERE due IS NOT NULL;
        CREATE INDEX runs_by_state ON runs (function, state);
        -- A partial index is used only by statements that repeat its condition literally.
        CREATE INDEX runs_of_key ON runs (function, key) WHERE key IS NOT NULL AND state < 4;
        CREATE INDEX runs_over ON runs (changed) WHERE state >= 4;
        CREATE INDEX runs_of_user ON runs (app, user) WHERE user IS NOT NULL;
        CREATE INDEX runs_of_installation ON runs (app, installation) WHERE installation IS NOT NULL;
        CREATE INDEX runs_of_app ON runs (app);
        CREATE TABLE run_counts (
            app INTEGER NOT NULL, function INTEGER NOT NULL, state INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (app, function, state)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE attempts (
            run INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, milliseconds INTEGER NOT NULL, status INTEGER NOT NULL,
            error TEXT NOT NULL, response BLOB, PRIMARY KEY (run, number)
        ) STRICT, WITHOUT ROWID;

        -- IDs of tasks, which a function accepts once until a time.
        CREATE TABLE task_ids (
            function INTEGER NOT NULL, id TEXT NOT NULL, app INTEGER NOT NULL, run INTEGER NOT NULL, until INTEGER NOT NULL,
            PRIMARY KEY (function, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX task_ids_by_end ON task_ids (until);
        CREATE INDEX task_ids_of_run ON task_ids (run);

        -- `run` is null for a line of a call.
        CREATE TABLE logs (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, function INTEGER NOT NULL, run INTEGER, user TEXT, at INTEGER NOT NULL,
            level INTEGER NOT NULL, line TEXT NOT NULL
        ) STRICT;
        CREATE INDEX logs_of_function ON logs (function);
        CREATE INDEX logs_of_run ON logs (run) WHERE run IS NOT NULL;
        CREATE INDEX logs_of_user ON logs (app, user) WHERE user IS NOT NULL;
        CREATE INDEX logs_of_app ON logs (app);
        CREATE INDEX logs_by_age ON logs (at);
        CREATE TABLE log_bytes (app INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
        """
    ])

    package let connection: Connection

    package init(connection: Connection) {
        self.connection = connection
    }
}
