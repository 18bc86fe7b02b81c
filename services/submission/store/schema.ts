/** The schema of version 0.2.0: stores from then on are upgraded at the start of a server (interface 7.28). */
const BASELINE = 7

/**
 * The changes since the baseline, in order, each with the schema that it leads to. They are written like the baseline,
 * and only add: columns that may be NULL or have a default, tables and indexes. A released one never changes.
 */
const MIGRATIONS: readonly { schema: number; statements: string }[] = [
  {
    schema: 10,
    statements: `
  -- The transactions after which a submission was queued again: support may have their hashes.
  CREATE TABLE former_tx (
    wallet_id     INTEGER NOT NULL,
    hash          TEXT    NOT NULL,
    submission_id TEXT    NOT NULL,
    PRIMARY KEY (wallet_id, hash, submission_id)
  ) STRICT;
  CREATE INDEX former_tx_by_submission ON former_tx (wallet_id, submission_id);
  -- The submission that is executed before this one.
  ALTER TABLE submission ADD COLUMN follows TEXT;
  CREATE INDEX submission_by_predecessor ON submission (wallet_id, follows) WHERE follows IS NOT NULL;
  -- Where the comparison with the chain has stopped.
  ALTER TABLE wallet_state ADD COLUMN verification TEXT;
  CREATE INDEX submission_by_height ON submission (wallet_id, height) WHERE height IS NOT NULL`
  }
]

export const SCHEMA_VERSION = MIGRATIONS.at(-1)?.schema ?? BASELINE

export const isUpgradable = (version: number): boolean => version >= BASELINE && version < SCHEMA_VERSION

/** The statements that upgrade a store. */
export const migrationsAfter = (version: number): string =>
  MIGRATIONS.filter(({ schema }) => schema > version)
    .map(({ statements }) => statements)
    .join(';')

/** Returns why a store with another schema is refused (interface 7.28). Completes the sentence "the database …". */
export function otherSchema(version: number): string {
  if (isUpgradable(version))
    return `has schema ${version}, and this version reads schema ${SCHEMA_VERSION}: start a server of this version, which upgrades it`
  if (version > SCHEMA_VERSION)
    return (
      `has schema ${version}, but this version knows only schemas up to ${SCHEMA_VERSION}: a newer version has upgraded it. ` +
      'Start that version, or restore the backup from before the upgrade (docs/upgrade.md)'
    )
  return (
    `has schema ${version}, which is older than 0.2.0 and cannot be upgraded: start the version that wrote it, or, once ` +
    'that version has settled its submissions, start this version with an empty store'
  )
}

/**
 * The tables of version 0.2.0, in SQLite's dialect; `postgres/schema.ts` replaces some type names. The embedded store
 * has one wallet.
 */
const baseline = `
  CREATE TABLE wallet (
    wallet_id   INTEGER PRIMARY KEY AUTOINCREMENT,
    address     TEXT    NOT NULL UNIQUE,
    epoch       INTEGER NOT NULL DEFAULT 0,
    report      TEXT,
    reported_at INTEGER
  ) STRICT;

  CREATE TABLE wallet_state (
    wallet_id      INTEGER NOT NULL PRIMARY KEY REFERENCES wallet (wallet_id),
    address        TEXT    NOT NULL,
    chain_id       TEXT    NOT NULL,
    account_number TEXT    NOT NULL,
    next_sequence  INTEGER NOT NULL,
    cursor_height  INTEGER NOT NULL,
    cursor_hash    TEXT    NOT NULL,
    cursor_results_hash TEXT NOT NULL,
    cursor_time    INTEGER,
    control_passed   INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE slot (
    wallet_id        INTEGER NOT NULL,
    sequence         INTEGER NOT NULL,
    transaction_hash TEXT,
    origin           TEXT CHECK (origin IN ('own', 'foreign')),
    height           INTEGER,
    PRIMARY KEY (wallet_id, sequence)
  ) STRICT;
  CREATE INDEX slot_open ON slot (wallet_id, sequence) WHERE origin IS NULL;

  CREATE TABLE signed_tx (
    position       INTEGER PRIMARY KEY AUTOINCREMENT,
    wallet_id      INTEGER NOT NULL,
    hash           TEXT    NOT NULL,
    sequence       INTEGER NOT NULL,
    bytes          BLOB    NOT NULL,
    gas_limit      INTEGER NOT NULL,
    fee_amount     TEXT    NOT NULL,
    submission_ids TEXT    NOT NULL,
    UNIQUE (wallet_id, hash),
    FOREIGN KEY (wallet_id, sequence) REFERENCES slot (wallet_id, sequence)
  ) STRICT;
  CREATE INDEX signed_tx_by_slot ON signed_tx (wallet_id, sequence);

  CREATE TABLE submission (
    position         INTEGER PRIMARY KEY AUTOINCREMENT,
    wallet_id        INTEGER NOT NULL,
    submission_id    TEXT    NOT NULL,
    content_hash     BLOB    NOT NULL,
    type_url         TEXT    NOT NULL,
    message          BLOB    NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN ('queued', 'broadcast', 'committed', 'rejected', 'damaged')),
    sequence         INTEGER,
    transaction_hash TEXT,
    height           INTEGER,
    tx_id            INTEGER,
    gas_used         INTEGER,
    gas_wanted       INTEGER,
    events           TEXT,
    error            TEXT,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    settled_at       INTEGER,
    caller           TEXT,
    fee_id           TEXT,
    payment_seed     TEXT,
    origin_address   TEXT,
    target_address   TEXT,
    history          TEXT,
    UNIQUE (wallet_id, submission_id),
    FOREIGN KEY (wallet_id, sequence) REFERENCES slot (wallet_id, sequence)
  ) STRICT;
  CREATE INDEX submission_queued ON submission (wallet_id, position) WHERE status = 'queued';
  CREATE INDEX submission_settled ON submission (wallet_id, settled_at) WHERE status IN ('committed', 'rejected');
  -- Lists compare status || '': for the plain status, SQLite would prefer the first index to ones that find fewer rows.
  CREATE INDEX submission_by_status ON submission (wallet_id, (status || ''), created_at, submission_id);
  CREATE INDEX submission_by_caller ON submission (wallet_id, caller, (status || ''), created_at, submission_id)
    WHERE caller IS NOT NULL;
  CREATE INDEX submission_by_fee ON submission (wallet_id, fee_id) WHERE fee_id IS NOT NULL;
  CREATE INDEX submission_by_tx ON submission (wallet_id, tx_id) WHERE tx_id IS NOT NULL;
  CREATE INDEX submission_by_slot ON submission (wallet_id, sequence);
  CREATE INDEX submission_by_hash ON submission (wallet_id, transaction_hash) WHERE transaction_hash IS NOT NULL;
  CREATE INDEX submission_by_seed ON submission (wallet_id, payment_seed) WHERE payment_seed IS NOT NULL;
  -- An address can have most of the rows, so these have list order. A caller that finds its own must not read the others'.
  CREATE INDEX submission_by_origin ON submission (wallet_id, origin_address, created_at, submission_id)
    WHERE origin_address IS NOT NULL;
  CREATE INDEX submission_by_target ON submission (wallet_id, target_address, created_at, submission_id)
    WHERE target_address IS NOT NULL;
  CREATE INDEX submission_by_own_origin ON submission (wallet_id, caller, origin_address, created_at, submission_id)
    WHERE caller IS NOT NULL AND origin_address IS NOT NULL;
  CREATE INDEX submission_by_own_target ON submission (wallet_id, caller, target_address, created_at, submission_id)
    WHERE caller IS NOT NULL AND target_address IS NOT NULL;

  -- Only payments have a target, and the caller that may change it. A refused payment outlives its submission.
  CREATE TABLE identity (
    wallet_id     INTEGER NOT NULL,
    key           TEXT    NOT NULL COLLATE BINARY,
    submission_id TEXT,
    target        TEXT,
    caller        TEXT,
    PRIMARY KEY (wallet_id, key),
    FOREIGN KEY (wallet_id, submission_id) REFERENCES submission (wallet_id, submission_id)
  ) STRICT;
  CREATE INDEX identity_by_submission ON identity (wallet_id, submission_id);

  CREATE TABLE fee_day (
    wallet_id INTEGER NOT NULL,
    day       INTEGER NOT NULL,
    amount    TEXT    NOT NULL,
    PRIMARY KEY (wallet_id, day)
  ) STRICT;

  -- An event about the service has a name of its own as its submission_id.
  CREATE TABLE event (
    position      INTEGER PRIMARY KEY AUTOINCREMENT,
    wallet_id     INTEGER NOT NULL,
    submission_id TEXT    NOT NULL,
    type          TEXT    NOT NULL,
    payload       TEXT    NOT NULL,
    state         TEXT    NOT NULL CHECK (state IN ('pending', 'delivered', 'abandoned')),
    attempts      INTEGER NOT NULL DEFAULT 0,
    redeliveries  INTEGER NOT NULL DEFAULT 0,
    problem       TEXT,
    history       TEXT,
    due_at        INTEGER NOT NULL,
    watch_due_at  INTEGER,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    UNIQUE (wallet_id, submission_id, type)
  ) STRICT;
  CREATE INDEX event_due ON event (wallet_id, due_at, created_at) WHERE state = 'pending';
  CREATE INDEX event_done ON event (wallet_id, state, updated_at) WHERE state <> 'pending';
  CREATE INDEX event_watched ON event (wallet_id, watch_due_at) WHERE watch_due_at IS NOT NULL AND state <> 'pending';

  CREATE TABLE notice (
    wallet_id  INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    reason     TEXT    NOT NULL,
    since      INTEGER NOT NULL,
    away_since INTEGER,
    is_sent    INTEGER NOT NULL,
    PRIMARY KEY (wallet_id, kind)
  ) STRICT;

  CREATE TABLE quote (
    position   INTEGER PRIMARY KEY AUTOINCREMENT,
    wallet_id  INTEGER NOT NULL,
    network    TEXT    NOT NULL,
    fee_id     TEXT    NOT NULL,
    client     TEXT    NOT NULL,
    caller     TEXT,
    expires_at INTEGER NOT NULL,
    ends       TEXT    NOT NULL,
    terms      TEXT    NOT NULL,
    is_refused INTEGER NOT NULL,
    UNIQUE (wallet_id, fee_id, network)
  ) STRICT;
  CREATE INDEX quote_by_expiry ON quote (wallet_id, expires_at);
  CREATE INDEX quote_by_client ON quote (wallet_id, client, expires_at);

  -- Of all wallets, no two intents have the same address.
  CREATE TABLE btc_lock (
    wallet_id  INTEGER NOT NULL,
    lock_id    TEXT    NOT NULL,
    address    TEXT    NOT NULL UNIQUE,
    client     TEXT    NOT NULL,
    caller     TEXT,
    terms      TEXT    NOT NULL,
    outpoint   TEXT,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (wallet_id, lock_id)
  ) STRICT;
  CREATE INDEX btc_lock_by_expiry ON btc_lock (wallet_id, expires_at);
  CREATE INDEX btc_lock_by_client ON btc_lock (wallet_id, client);
`

/** Creates the tables of an empty store. */
export const schema = `${baseline};${migrationsAfter(BASELINE)}`
