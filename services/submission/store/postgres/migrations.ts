/**
 * The schema of the database, one step per version, as SQL. A released step is never changed. The tables are those of the
 * embedded store, with the wallet in each key, and `wallet` with the epoch of the wallet's present
 * term and what its leader reported last.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE wallet (
    wallet_id   INTEGER NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    address     TEXT    NOT NULL UNIQUE,
    epoch       BIGINT  NOT NULL DEFAULT 0,
    report      TEXT,
    reported_at TIMESTAMPTZ
  );

  CREATE TABLE signer (
    wallet_id      INTEGER NOT NULL PRIMARY KEY REFERENCES wallet (wallet_id),
    address        TEXT    NOT NULL,
    chain_id       TEXT    NOT NULL,
    account_number TEXT    NOT NULL,
    next_sequence  BIGINT  NOT NULL,
    cursor_height  BIGINT  NOT NULL,
    cursor_hash    TEXT    NOT NULL,
    probe_passed   INTEGER NOT NULL
  );

  CREATE TABLE slot (
    wallet_id        INTEGER NOT NULL,
    sequence         BIGINT  NOT NULL,
    transaction_hash TEXT,
    origin           TEXT CHECK (origin IN ('own', 'foreign')),
    height           BIGINT,
    PRIMARY KEY (wallet_id, sequence)
  );
  CREATE INDEX slot_open ON slot (wallet_id, sequence) WHERE origin IS NULL;

  CREATE TABLE variant (
    position       BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    wallet_id      INTEGER NOT NULL,
    hash           TEXT    NOT NULL,
    sequence       BIGINT  NOT NULL,
    bytes          BYTEA   NOT NULL,
    gas_limit      BIGINT  NOT NULL,
    fee_amount     TEXT    NOT NULL,
    submission_ids TEXT    NOT NULL,
    UNIQUE (wallet_id, hash),
    FOREIGN KEY (wallet_id, sequence) REFERENCES slot (wallet_id, sequence)
  );
  CREATE INDEX variant_by_slot ON variant (wallet_id, sequence);

  CREATE TABLE submission (
    position         BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    wallet_id        INTEGER NOT NULL,
    submission_id    TEXT    NOT NULL,
    content_hash     BYTEA   NOT NULL,
    type_url         TEXT    NOT NULL,
    message          BYTEA   NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN ('queued', 'broadcast', 'committed', 'rejected')),
    attempts         INTEGER NOT NULL DEFAULT 0,
    lone_failures    INTEGER NOT NULL DEFAULT 0,
    batch_limit      INTEGER,
    sequence         BIGINT,
    transaction_hash TEXT,
    height           BIGINT,
    tx_id            BIGINT,
    gas_used         BIGINT,
    gas_wanted       BIGINT,
    events           TEXT,
    error            TEXT,
    created_at       BIGINT  NOT NULL,
    updated_at       BIGINT  NOT NULL,
    UNIQUE (wallet_id, submission_id),
    FOREIGN KEY (wallet_id, sequence) REFERENCES slot (wallet_id, sequence)
  );
  CREATE INDEX submission_queued ON submission (wallet_id, position) WHERE status = 'queued';
  CREATE INDEX submission_settled ON submission (wallet_id, updated_at) WHERE status IN ('committed', 'rejected');
  CREATE INDEX submission_by_slot ON submission (wallet_id, sequence);

  CREATE TABLE identity (
    wallet_id INTEGER          NOT NULL,
    key       TEXT COLLATE "C" NOT NULL,
    position  BIGINT REFERENCES submission (position) ON DELETE CASCADE,
    PRIMARY KEY (wallet_id, key)
  );
  CREATE INDEX identity_by_submission ON identity (position);

  CREATE UNLOGGED TABLE quote (
    wallet_id  INTEGER NOT NULL,
    fee_id     TEXT    NOT NULL,
    expires_at BIGINT  NOT NULL,
    quote      TEXT    NOT NULL,
    PRIMARY KEY (wallet_id, fee_id)
  );
  CREATE INDEX quote_expired ON quote (wallet_id, expires_at);
  `,
  `
  CREATE TABLE fee_day (
    wallet_id INTEGER NOT NULL,
    day       TEXT    NOT NULL,
    amount    NUMERIC NOT NULL,
    PRIMARY KEY (wallet_id, day)
  );
  `,
  `
  CREATE TABLE event (
    position      BIGINT  NOT NULL GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    wallet_id     INTEGER NOT NULL,
    submission_id TEXT    NOT NULL,
    type          TEXT    NOT NULL CHECK (type IN ('submission.committed', 'submission.rejected', 'transfer.finished')),
    payload       TEXT    NOT NULL,
    state         TEXT    NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'given-up')),
    attempts      INTEGER NOT NULL DEFAULT 0,
    problem       TEXT,
    due_at        BIGINT  NOT NULL,
    watch_due_at  BIGINT,
    created_at    BIGINT  NOT NULL,
    updated_at    BIGINT  NOT NULL,
    UNIQUE (wallet_id, submission_id, type)
  );
  CREATE INDEX event_due ON event (wallet_id, due_at, created_at) WHERE state = 'pending';
  CREATE INDEX event_done ON event (wallet_id, state, updated_at) WHERE state <> 'pending';
  CREATE INDEX event_watched ON event (wallet_id, watch_due_at) WHERE watch_due_at IS NOT NULL AND state <> 'pending';
  `,
  'ALTER TABLE event ADD COLUMN redeliveries INTEGER NOT NULL DEFAULT 0',
  `
  ALTER TABLE signer ADD COLUMN cursor_time BIGINT;
  ALTER TABLE submission ADD COLUMN settled_at BIGINT;
  UPDATE submission SET settled_at = updated_at WHERE status IN ('committed', 'rejected');
  DROP INDEX submission_settled;
  CREATE INDEX submission_settled ON submission (wallet_id, settled_at) WHERE status IN ('committed', 'rejected');
  `
]
