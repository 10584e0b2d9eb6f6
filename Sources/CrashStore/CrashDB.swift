// SPDX-License-Identifier: Apache-2.0

import Database
import SQLite

/// The database `crashes.db`: crash reports, issues, counters and symbol files.
///
///     crashes ──▶ groupings ──▶ issues          a report counts for one grouping, which belongs to one issue
///     payloads                                  the compressed document of a report, until it is evicted
///     report_tags                               the environment and tags of a stored report, for filters
///     attachments                               the files of a report, with their compressed bytes until they are evicted
///     issue_days, issue_values                  counters by grouping, so that issues can be merged and split
///     issue_people                              reports by issue and person
///     minidumps                                 the memory dump of a report, until its document or the quota removes it
///     waiting, to_symbolicate, symbol_files     reports before, and binaries with, symbols
///     counted_sessions                          sessions of servers, which arrive as counts
///
/// Enumerated columns contain the raw values of `IssueState`, `CrashKind`, `IssueTransitionKind` and `CrashWord.Kind`.
package struct CrashDB: TypedDatabase {
    let connection: Connection

    static let schema = Migration(steps: [
        crashesV1, crashesV2, crashesV3, attachments, sourceMaps, announcedReleases, minidumps, countedSessions, reportTags, assignees,
        heldAlerts, placedGroupings,
    ])

    /// `provisional` marks groups that an older rule assigned to an issue while the groups of stored reports were not all bound yet.
    private static let crashesV2 = """
        ALTER TABLE groupings ADD COLUMN provisional INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX groupings_provisional ON groupings (id) WHERE provisional = 1;
        """

    private static let crashesV3 = """
        -- `told` is 2 for events whose alerts are summarized.
        CREATE INDEX turns_left_out ON turns (id) WHERE told = 2;
        -- The newest build of each release in the reports of a grouping. It tells which builds an issue that is closed now was in.
        CREATE TABLE newest_builds (
            grouping INTEGER NOT NULL, release INTEGER NOT NULL, build TEXT NOT NULL, PRIMARY KEY (grouping, release)
        ) STRICT, WITHOUT ROWID;
        -- The ID of the merged issue that a grouping came from, so that a split can give it back. Null for groupings of the issue itself, and
        -- for those merged before this step.
        ALTER TABLE groupings ADD COLUMN former TEXT;
        -- Lists of issues by first appearance, and those of a person.
        CREATE INDEX issues_by_first ON issues (app, first_seen);
        CREATE INDEX issue_people_of_person ON issue_people (person);
        """

    private static let attachments = """
        -- Files of reports. `state` contains the raw values of `AttachmentState`. `size` is the size of the file, `bytes` that of the compressed
        -- `body`, 0 if it is not stored. `digest` tells a file that is sent again.
        CREATE TABLE attachments (
            id INTEGER PRIMARY KEY AUTOINCREMENT, app INTEGER NOT NULL, crash INTEGER NOT NULL, name TEXT, kind TEXT NOT NULL, content_type TEXT,
            size INTEGER NOT NULL, state INTEGER NOT NULL, received INTEGER NOT NULL, digest INTEGER NOT NULL, bytes INTEGER NOT NULL, body BLOB
        ) STRICT;
        CREATE INDEX attachments_of_crash ON attachments (crash);
        CREATE INDEX attachments_to_evict ON attachments (app, id) WHERE bytes > 0;
        ALTER TABLE stored ADD COLUMN attachment_bytes INTEGER NOT NULL DEFAULT 0;
        """

    private static let sourceMaps = """
        -- The minified file of a source map, and the place of a map that was uploaded for a release and a URL (`name`).
        ALTER TABLE symbol_files ADD COLUMN code TEXT;
        ALTER TABLE symbol_files ADD COLUMN code_bytes INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE symbol_files ADD COLUMN release TEXT;
        ALTER TABLE symbol_files ADD COLUMN dist TEXT;
        """

    private static let announcedReleases = """
        -- Releases announced by a build. `released` is null until they are finalized.
        CREATE TABLE announced_releases (
            app INTEGER NOT NULL, version TEXT NOT NULL, created INTEGER NOT NULL, released INTEGER, PRIMARY KEY (app, version)
        ) STRICT, WITHOUT ROWID;
        """

    private static let minidumps = """
        -- Compressed minidumps of stored reports, and the size of those of an app.
        CREATE TABLE minidumps (crash INTEGER PRIMARY KEY, app INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
        CREATE INDEX minidumps_of_app ON minidumps (app, crash);
        CREATE TABLE minidump_bytes (app INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
        """

    private static let countedSessions = """
        -- Sessions that arrive as counts, by quarter-hour, release and environment (numbers in `words`). Keys of requests are in `once`.
        CREATE TABLE counted_sessions (
            app INTEGER NOT NULL, quarter INTEGER NOT NULL, release INTEGER NOT NULL, environment INTEGER NOT NULL,
            sessions INTEGER NOT NULL, crashed INTEGER NOT NULL, PRIMARY KEY (app, quarter, release, environment)
        ) STRICT, WITHOUT ROWID;
        """

    private static let reportTags = """
        -- The environment and tags of stored reports, as `ReportTags`.
        CREATE TABLE report_tags (crash INTEGER PRIMARY KEY, keys BLOB NOT NULL) STRICT;
        """

    private static let assignees = "ALTER TABLE issues ADD COLUMN assignee TEXT;"

    private static let heldAlerts = """
        -- `told` is 3 for events whose alert waits until the report `awaits` is symbolicated.
        ALTER TABLE turns ADD COLUMN awaits INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX turns_held ON turns (id) WHERE told = 3;
        """

    private static let placedGroupings = """
        -- Whether a user's merge or split put the grouping into its issue.
        ALTER TABLE groupings ADD COLUMN placed INTEGER NOT NULL DEFAULT 0;
        UPDATE groupings SET placed = 1 WHERE former IS NOT NULL;
        """

    private static let crashesV1 = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

        -- Releases, systems, devices and platforms (`CrashWord`): each text once, small numbers in the rows. `first` is the time of its first use.
        CREATE TABLE words (
            id INTEGER PRIMARY KEY, app INTEGER NOT NULL, kind INTEGER NOT NULL, text TEXT NOT NULL, first INTEGER NOT NULL, UNIQUE (app, kind, text)
        ) STRICT;

        -- `users` is the number of distinct people in the stored reports, `count` the number of all reports ever received, `kept` and
        -- `kept_bytes` the number and size of the stored documents. The columns after `closing` and `muting` are the conditions that end the
        -- state. `judged` is the value of `count` when `in_session` (crashes with a known session start) and `early` were last computed.
        CREATE TABLE issues (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL, public TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL,
            title TEXT NOT NULL, culprit TEXT, reason TEXT NOT NULL,
            count INTEGER NOT NULL, users INTEGER NOT NULL, kept INTEGER NOT NULL, kept_bytes INTEGER NOT NULL,
            first_seen INTEGER NOT NULL, first_release INTEGER NOT NULL, last_seen INTEGER NOT NULL, last_release INTEGER NOT NULL,
            state INTEGER NOT NULL, since INTEGER NOT NULL, regressed INTEGER,
            closing INTEGER, closing_release TEXT, closing_build TEXT, closing_first INTEGER,
            muting INTEGER, muted_until INTEGER, muted_count INTEGER, muted_span INTEGER, window_start INTEGER, window_count INTEGER NOT NULL,
            notes INTEGER NOT NULL,
            judged INTEGER NOT NULL DEFAULT 0, in_session INTEGER NOT NULL DEFAULT 0, early INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX issues_to_judge ON issues (id) WHERE count >= 5 AND count * 2 >= judged * 3;
        CREATE INDEX issues_by_time ON issues (app, last_seen);
        CREATE INDEX issues_by_count ON issues (app, count);
        CREATE INDEX issues_by_users ON issues (app, users);
        -- IDs of issues that were merged into another.
        CREATE TABLE former_issues (public TEXT PRIMARY KEY, app INTEGER NOT NULL, issue INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX former_issues_of ON former_issues (issue);

        -- The groups of a rule's version: a row for each whole stack (`variant`), and a default row with an empty `variant`, whose issue takes
        -- new stacks. Counters belong to these rows, so issues are merged and split without recounting. `follower` is the grouping that
        -- replaced this one when its reports were symbolicated.
        CREATE TABLE groupings (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL, kind INTEGER NOT NULL, version INTEGER NOT NULL, hash BLOB NOT NULL, variant BLOB NOT NULL,
            issue INTEGER NOT NULL, title TEXT NOT NULL, culprit TEXT, reason TEXT NOT NULL, follower INTEGER,
            count INTEGER NOT NULL DEFAULT 0,
            first_seen INTEGER NOT NULL DEFAULT 0, first_release INTEGER NOT NULL DEFAULT 0,
            last_seen INTEGER NOT NULL DEFAULT 0, last_release INTEGER NOT NULL DEFAULT 0,
            UNIQUE (app, hash, version, kind, variant)
        ) STRICT;
        CREATE INDEX groupings_of_issue ON groupings (issue);

        -- `public` is the ID as received, a UUID as a blob. `key`, `user`, `installation` and `session` are keys as in events, 0 for none.
        -- `bytes` is the stored size of the report's document, 0 once it was removed; `irrelevance` is then null.
        CREATE TABLE crashes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL, key INTEGER NOT NULL, public ANY NOT NULL, grouping INTEGER NOT NULL, kind INTEGER NOT NULL,
            time INTEGER NOT NULL, received INTEGER NOT NULL,
            user INTEGER NOT NULL, installation INTEGER NOT NULL, session INTEGER NOT NULL,
            release INTEGER NOT NULL, os INTEGER NOT NULL, device INTEGER NOT NULL, platform INTEGER NOT NULL,
            flags INTEGER NOT NULL, bytes INTEGER NOT NULL, irrelevance INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX crashes_once ON crashes (app, key);
        CREATE INDEX crashes_of_grouping ON crashes (grouping, time);
        CREATE INDEX crashes_of_app ON crashes (app, time);
        CREATE INDEX crashes_to_evict ON crashes (app, irrelevance) WHERE irrelevance IS NOT NULL;
        CREATE INDEX crashes_to_evict_of_grouping ON crashes (grouping, irrelevance) WHERE irrelevance IS NOT NULL;
        CREATE TABLE payloads (crash INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT;
        -- The number and size of an app's stored documents.
        CREATE TABLE stored (app INTEGER PRIMARY KEY, payloads INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT;
        -- IDs of removed reports that are still within the dedupe window.
        CREATE TABLE once (app INTEGER NOT NULL, key INTEGER NOT NULL, received INTEGER NOT NULL, PRIMARY KEY (app, key)) STRICT, WITHOUT ROWID;
        CREATE INDEX once_by_age ON once (received);

        CREATE TABLE issue_days (
            grouping INTEGER NOT NULL, release INTEGER NOT NULL, day INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (grouping, release, day)
        ) STRICT, WITHOUT ROWID;
        -- Counters by system (kind 2) and device (kind 3).
        CREATE TABLE issue_values (
            grouping INTEGER NOT NULL, kind INTEGER NOT NULL, word INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (grouping, kind, word)
        ) STRICT, WITHOUT ROWID;
        -- The people of an issue in its stored reports: a user, or an installation without one.
        CREATE TABLE issue_people (
            issue INTEGER NOT NULL, person INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (issue, person)
        ) STRICT, WITHOUT ROWID;
        -- The number of removed reports by quarter-hour.
        CREATE TABLE past_crashes (
            app INTEGER NOT NULL, kind INTEGER NOT NULL, quarter INTEGER NOT NULL, release INTEGER NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (app, kind, quarter, release)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE notes (
            id INTEGER PRIMARY KEY AUTOINCREMENT, issue INTEGER NOT NULL, time INTEGER NOT NULL, author TEXT, text TEXT NOT NULL
        ) STRICT;
        CREATE INDEX notes_of_issue ON notes (issue);
        -- The history of issues. `told` is 0 until the alert of the transition is published.
        CREATE TABLE turns (
            id INTEGER PRIMARY KEY AUTOINCREMENT, issue INTEGER NOT NULL, kind INTEGER NOT NULL, time INTEGER NOT NULL, detail TEXT,
            told INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX turns_of_issue ON turns (issue);
        CREATE INDEX turns_to_tell ON turns (id) WHERE told = 0;

        -- Reports that wait for symbols by debug ID, and what is known about the missing symbols.
        CREATE TABLE waiting (
            app INTEGER NOT NULL, debug_id TEXT NOT NULL, crash INTEGER NOT NULL, PRIMARY KEY (app, debug_id, crash)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX waiting_crashes ON waiting (crash);
        CREATE TABLE wanted_symbols (
            app INTEGER NOT NULL, debug_id TEXT NOT NULL, name TEXT, arch TEXT, first INTEGER NOT NULL, last INTEGER NOT NULL,
            PRIMARY KEY (app, debug_id)
        ) STRICT, WITHOUT ROWID;
        -- Uploaded symbols for which reports still wait.
        CREATE TABLE arrived_symbols (app INTEGER NOT NULL, debug_id TEXT NOT NULL, PRIMARY KEY (app, debug_id)) STRICT, WITHOUT ROWID;
        -- Reports ready to be symbolicated. `leased` is the end of the lease of a running symbolication.
        CREATE TABLE to_symbolicate (crash INTEGER PRIMARY KEY, leased INTEGER NOT NULL, tries INTEGER NOT NULL) STRICT;
        CREATE INDEX to_symbolicate_next ON to_symbolicate (leased);
        -- A file may contain symbols of several binaries, one for each architecture.
        CREATE TABLE symbol_files (
            app INTEGER NOT NULL, debug_id TEXT NOT NULL, sha256 TEXT NOT NULL, format TEXT NOT NULL, arch TEXT NOT NULL, name TEXT,
            bytes INTEGER NOT NULL, created INTEGER NOT NULL, PRIMARY KEY (app, debug_id)
        ) STRICT, WITHOUT ROWID;

        -- Deleted apps whose data is not completely removed yet.
        CREATE TABLE deleted_apps (app INTEGER PRIMARY KEY) STRICT;
        """
}
