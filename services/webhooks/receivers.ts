import type { KeyObject } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { ENTRY_NAME } from '../../schemas/leaves.ts'
import { entriesReader, FileError, type NamedFile, openNamedFile } from '../named-file.ts'
import { EVENT_TYPES, ONLY_RECEIVER, type Subscription } from '../submission/store/payload.ts'
import { webhookKey } from './signature.ts'

export interface ReceiverSettings extends Subscription {
  url: string
  /** The signing keys: two while a secret is being replaced. */
  keys: readonly KeyObject[]
}

/** The configured receivers, which change only if they come from a file. */
export type Receivers = NamedFile<ReceiverSettings>

const ReceiverEntry = Type.Object(
  {
    name: Type.String({ pattern: ENTRY_NAME.source }),
    url: Type.String(),
    secrets: Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true }),
    /** Event types to send; omit for all. */
    types: Type.Optional(
      Type.Array(Type.Union(EVENT_TYPES.map(type => Type.Literal(type))), { minItems: 1, uniqueItems: true })
    )
  },
  { additionalProperties: false }
)

const readEntries = entriesReader('receivers', Type.Array(ReceiverEntry, { minItems: 1, maxItems: 32 }))

function parse(text: string, isStrict: boolean): ReceiverSettings[] {
  return readEntries(text).map(({ name: receiver, url, secrets, types = EVENT_TYPES }) => {
    const keys = keysOf(secrets)
    if (!/^https?:\/\/[^#]*$/.test(url) || !URL.canParse(url))
      throw new FileError(`has an invalid URL for ${receiver}: must be http(s), without a fragment`)
    if (isStrict && !url.startsWith('https:'))
      throw new FileError(`has an invalid URL for ${receiver}: must be https`)
    if (keys.length < secrets.length)
      throw new FileError(
        `has a secret for ${receiver} that is not \`whsec_\` followed by the base64 of 24 to 64 bytes`
      )
    return { receiver, url, keys, types }
  })
}

const keysOf = (secrets: readonly string[]): KeyObject[] =>
  secrets.map(webhookKey).filter(key => key !== undefined)

export function singleReceiver(url: string, secrets: readonly string[]): Receivers {
  const receivers = [{ ...ONLY_RECEIVER, url, keys: keysOf(secrets) }]
  return { current: () => receivers, follow: () => () => {} }
}

/**
 * Reads the receivers in SERVICE_WEBHOOKS_FILE (interface 23.16).
 * @param isStrict whether only https URLs are accepted
 * @throws ConfigError
 */
export function receiversInFile(path: string, isStrict: boolean): Receivers {
  return openNamedFile({
    variable: 'SERVICE_WEBHOOKS_FILE',
    path,
    content: 'receivers',
    expected: 'a file of receivers as docs/events-and-webhooks.md describes it',
    parse: text => parse(text, isStrict)
  })
}

export const isSameReceiver = (one: ReceiverSettings, other: ReceiverSettings): boolean =>
  one.url === other.url &&
  one.keys.length === other.keys.length &&
  one.keys.every((key, at) => other.keys[at]?.equals(key))
