import { createMessageTypes } from '../../../messages/index.ts'
import { identitiesIn, identityKey } from '../../identities.ts'
import { IdentifiedMessageRow } from '../rows/shapes.ts'
import { createTableReader } from '../rows/table-reader.ts'
import type { Connection } from './database.ts'
import { preparing } from './statements.ts'

const { requestTransaction, requestSwapTransaction } = createMessageTypes('service')
const messages = createTableReader('submission', 'position')

/** Rows that are read at a time. */
const PAGE = 1000

/**
 * Migrates to several identities per submission. Earlier versions stored one, which was not the feeId when there was an
 * `Idempotency-Key`, and never the payment of a rail. Both are in the message: from now on they are taken as well.
 */
export function splitIdentities(connection: Connection): void {
  connection.exec('CREATE TABLE found (key TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL) STRICT')
  const { query, command } = preparing(connection)
  const read = query(
    `SELECT position, identity, type_url, message FROM submission
     WHERE status <> 'rejected' AND position > :after ORDER BY position LIMIT ${PAGE}`
  )
  // Earlier versions executed a feeId once per key: the first submission keeps it.
  const insert = command('INSERT OR IGNORE INTO found (key, position) VALUES (:key, :position)')
  for (let after = 0, rows = read.all({ after }); rows.length > 0; rows = read.all({ after })) {
    for (const row of rows) {
      const { position, identity, type_url, message } = messages.row(IdentifiedMessageRow, row)
      const inMessage = keysOf(type_url, messages.bytes(message, row, 'message'))
      for (const key of new Set([...(identity === null ? [] : [identity]), ...inMessage])) {
        insert.run({ key, position })
      }
      after = position
    }
  }
  connection.exec(REBUILT)
}

/** What a message names; nothing for one of another kind. */
function keysOf(typeUrl: string, message: Uint8Array): string[] {
  const type = typeUrl.endsWith('.MsgRequestSwapTransaction') ? requestSwapTransaction : requestTransaction
  try {
    return identitiesIn(type.decode(message)).map(identityKey)
  } catch {
    return []
  }
}

/** The table of submissions without its column for one identity, and the table of identities. */
const REBUILT = `
  CREATE TABLE submission_next (
    position         INTEGER PRIMARY KEY AUTOINCREMENT,
    submission_id    TEXT    NOT NULL UNIQUE,
    content_hash     BLOB    NOT NULL,
    type_url         TEXT    NOT NULL,
    message          BLOB    NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN ('queued', 'broadcast', 'committed', 'rejected')),
    attempts         INTEGER NOT NULL DEFAULT 0,
    lone_failures    INTEGER NOT NULL DEFAULT 0,
    batch_limit      INTEGER,
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
  INSERT INTO submission_next
    SELECT position, submission_id, content_hash, type_url, message, status, attempts, lone_failures, batch_limit, sequence,
           transaction_hash, height, tx_id, gas_used, gas_wanted, events, error, created_at, updated_at
    FROM submission ORDER BY position;
  DROP TABLE submission;
  ALTER TABLE submission_next RENAME TO submission;
  CREATE INDEX submission_queued ON submission (position) WHERE status = 'queued';
  CREATE INDEX submission_settled ON submission (updated_at) WHERE status IN ('committed', 'rejected');
  CREATE INDEX submission_by_slot ON submission (sequence);

  CREATE TABLE identity (
    key      TEXT    NOT NULL PRIMARY KEY,
    position INTEGER NOT NULL REFERENCES submission (position) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX identity_by_submission ON identity (position);
  INSERT INTO identity SELECT key, position FROM found;
  DROP TABLE found;
`
