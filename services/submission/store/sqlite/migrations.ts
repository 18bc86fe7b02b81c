import type { Connection } from './database.ts'
import { splitIdentities } from './split-identities.ts'

/**
 * The schema of the embedded store, one step per version, as SQL or as a function. `PRAGMA user_version` counts the
 * applied steps. A released step is never changed.
 */
export const migrations: readonly (string | ((connection: Connection) => void))[] = [
  `
  CREATE TABLE signer (
    address        TEXT    NOT NULL PRIMARY KEY,
    chain_id       TEXT    NOT NULL,
    account_number TEXT    NOT NULL,
    next_sequence  INTEGER NOT NULL,
    cursor_height  INTEGER NOT NULL,
    cursor_hash    TEXT    NOT NULL
  ) STRICT;

  CREATE TABLE slot (
    sequence         INTEGER NOT NULL PRIMARY KEY,
    transaction_hash TEXT,
    origin           TEXT CHECK (origin IN ('own', 'foreign')),
    height           INTEGER
  ) STRICT;

  CREATE TABLE variant (
    position       INTEGER PRIMARY KEY AUTOINCREMENT,
    hash           TEXT    NOT NULL UNIQUE,
    sequence       INTEGER NOT NULL REFERENCES slot (sequence),
    bytes          BLOB    NOT NULL,
    gas_limit      INTEGER NOT NULL,
    fee_amount     TEXT    NOT NULL,
    submission_ids TEXT    NOT NULL,
    attempts       INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX variant_by_slot ON variant (sequence);

  CREATE TABLE submission (
    position         INTEGER PRIMARY KEY AUTOINCREMENT,
    submission_id    TEXT    NOT NULL UNIQUE,
    identity         TEXT    UNIQUE,
    content_hash     BLOB    NOT NULL,
    type_url         TEXT    NOT NULL,
    message          BLOB    NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN ('queued', 'broadcast', 'committed', 'rejected')),
    attempts         INTEGER NOT NULL DEFAULT 0,
    sequence         INTEGER REFERENCES slot (sequence),
    transaction_hash TEXT,
    height           INTEGER,
    tx_id            INTEGER,
    gas_used         INTEGER,
    gas_wanted       INTEGER,
    events           TEXT,
    error            TEXT,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX submission_queued ON submission (position) WHERE status = 'queued';
  CREATE INDEX submission_broadcast ON submission (sequence) WHERE status = 'broadcast';
  `,
  `
  CREATE INDEX submission_settled ON submission (updated_at) WHERE status IN ('committed', 'rejected');
  CREATE INDEX submission_by_slot ON submission (sequence);
  DROP INDEX submission_broadcast;
  `,
  `
  ALTER TABLE submission ADD COLUMN lone_failures INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE submission ADD COLUMN batch_limit INTEGER;
  UPDATE submission SET batch_limit = max(1, 500 >> attempts) WHERE attempts > 0;
  ALTER TABLE variant DROP COLUMN attempts;
  ALTER TABLE signer ADD COLUMN probe_passed INTEGER NOT NULL DEFAULT 0;
  `,
  splitIdentities,
  `
  CREATE TABLE fee_day (
    day    TEXT NOT NULL PRIMARY KEY,
    amount TEXT NOT NULL
  ) STRICT;
  `,
  'CREATE INDEX slot_open ON slot (sequence) WHERE origin IS NULL',
  `
  CREATE TABLE event (
    position      INTEGER PRIMARY KEY AUTOINCREMENT,
    submission_id TEXT    NOT NULL,
    type          TEXT    NOT NULL CHECK (type IN ('submission.committed', 'submission.rejected', 'transfer.finished')),
    payload       TEXT    NOT NULL,
    state         TEXT    NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'given-up')),
    attempts      INTEGER NOT NULL DEFAULT 0,
    problem       TEXT,
    due_at        INTEGER NOT NULL,
    watch_due_at  INTEGER,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    UNIQUE (submission_id, type)
  ) STRICT;
  CREATE INDEX event_due ON event (due_at, created_at) WHERE state = 'pending';
  CREATE INDEX event_done ON event (state, updated_at) WHERE state <> 'pending';
  CREATE INDEX event_watched ON event (watch_due_at) WHERE watch_due_at IS NOT NULL AND state <> 'pending';
  `,
  'ALTER TABLE event ADD COLUMN redeliveries INTEGER NOT NULL DEFAULT 0',
  `
  ALTER TABLE signer ADD COLUMN cursor_time INTEGER;
  ALTER TABLE submission ADD COLUMN settled_at INTEGER;
  UPDATE submission SET settled_at = updated_at WHERE status IN ('committed', 'rejected');
  DROP INDEX submission_settled;
  CREATE INDEX submission_settled ON submission (settled_at) WHERE status IN ('committed', 'rejected');
  `
]
