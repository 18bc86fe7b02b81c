import { migrations as shared } from '../schema.ts'

const POSTGRES: readonly [sqlite: RegExp, postgres: string][] = [
  [/INTEGER PRIMARY KEY AUTOINCREMENT/g, 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY'],
  [/INTEGER/g, 'BIGINT'],
  [/BLOB/g, 'BYTEA'],
  [/BINARY/g, '"C"'],
  [/\) STRICT/g, ')']
]

/** What only replicas share. A crash of the server may empty it. */
const QUOTES = `
  CREATE UNLOGGED TABLE quote (
    wallet_id  BIGINT NOT NULL,
    fee_id     TEXT   NOT NULL,
    expires_at BIGINT NOT NULL,
    quote      TEXT   NOT NULL,
    PRIMARY KEY (wallet_id, fee_id)
  );
  CREATE INDEX quote_expired ON quote (wallet_id, expires_at);
`

const toPostgres = (step: string) => POSTGRES.reduce((text, [from, to]) => text.replace(from, to), step)

/** The schema of the database, one step per version. */
export const migrations: readonly string[] = shared.map((step, index) =>
  index === 0 ? toPostgres(step) + QUOTES : toPostgres(step)
)
