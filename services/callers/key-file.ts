import { createHash, randomBytes } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { ENTRY_NAME } from '../../schemas/leaves.ts'
import { parseOriginPattern } from '../http/origins.ts'
import { parseJson, repeatsName } from '../json.ts'
import { checkFor, literals } from '../schema-check.ts'

/** `submit`: transfers and swaps. `read`: own submissions. `operate`: all submissions, and redelivering events. */
export const scopes = ['submit', 'read', 'operate'] as const
export type Scope = (typeof scopes)[number]

const closed = { additionalProperties: false }

const CallerEntry = Type.Object(
  {
    name: Type.String({ pattern: ENTRY_NAME.source }),
    scopes: Type.Array(literals(scopes), { minItems: 1, uniqueItems: true }),
    quota: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    /** Origins of the pages that may use the key. Without origins, no browser may use it. */
    origins: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    keys: Type.Array(
      Type.Object(
        {
          /** SHA-256 of the key, in hex. No salt is needed, because keys are random. */
          hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
          expiresAt: Type.Optional(
            Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
          )
        },
        closed
      ),
      { minItems: 1 }
    )
  },
  closed
)

/** An entry of the API key file (interface 24.2). */
export type CallerEntry = Static<typeof CallerEntry>

const keyFile = checkFor(Type.Object({ callers: Type.Array(CallerEntry) }, closed))

/** The key file is invalid. The message contains the location of the problem, but no value. */
export class KeyFileError extends Error {
  override name = 'KeyFileError'
}

const twiceIn = <T>(values: readonly T[]) => values.find((value, index) => values.indexOf(value) < index)

/** @throws KeyFileError */
export function parseKeyFile(text: string): CallerEntry[] {
  const file = parseJson(text)
  if (!keyFile.Check(file)) {
    const place = keyFile.Errors(file).First()?.path.slice(1).replaceAll('/', '.')
    throw new KeyFileError(`is malformed at \`${place || 'callers'}\``)
  }
  if (repeatsName(text)) throw new KeyFileError('has a property name twice in one object')
  const { callers } = file
  const name = twiceIn(callers.map(({ name }) => name))
  if (name !== undefined) throw new KeyFileError(`has more than one entry named ${name}`)
  const hashes = callers.flatMap(({ keys }) => keys.map(({ hash }) => hash))
  if (twiceIn(hashes) !== undefined) throw new KeyFileError('has the same key twice')
  for (const { name, origins = [], keys } of callers) {
    // A key with an invalid expiry time would never expire.
    if (keys.some(({ expiresAt }) => expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))))
      throw new KeyFileError(`has a key of ${name} with an invalid expiry time`)
    if (origins.some(origin => parseOriginPattern(origin) === undefined))
      throw new KeyFileError(
        `has an invalid origin for ${name}: expected an origin such as https://shop.example`
      )
  }
  return callers
}

export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

/** Generates a key with a prefix that secret scanners can recognise. */
export const createKey = (): string => `tbe_${randomBytes(32).toString('base64url')}`
