import type { KeyObject } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { parseJson } from '../json.ts'
import { checkFor } from '../schema-check.ts'
import { EVENT_TYPES, ONLY_RECEIVER, type Subscription } from '../submission/store/payload.ts'
import { webhookKey } from './signature.ts'

/** A receiver of webhooks with what it needs. */
export interface ReceiverSettings extends Subscription {
  /** May have credentials. */
  url: string
  /** They sign its events. While a secret is replaced there are two. */
  keys: readonly KeyObject[]
}

/** The receivers as they are configured now. */
export interface Receivers {
  current(): readonly ReceiverSettings[]
  /** Where they are in a file: its path, and a function that reads it again. @throws what the reader throws; then nothing changes */
  file?: { path: string; read(): void }
}

const ReceiverEntry = Type.Object(
  {
    /** Lower-case letters, digits and hyphens, a letter first. */
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,62}$' }),
    url: Type.String(),
    secrets: Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true }),
    /** The events that it gets; without it all. */
    types: Type.Optional(
      Type.Array(Type.Union(EVENT_TYPES.map(type => Type.Literal(type))), { minItems: 1, uniqueItems: true })
    )
  },
  { additionalProperties: false }
)

const ReceiversFile = Type.Object(
  { receivers: Type.Array(ReceiverEntry, { minItems: 1, maxItems: 32 }) },
  { additionalProperties: false }
)
const valid = checkFor(ReceiversFile)

/** The file of receivers is not what it should be; the message says where, without a value. */
export class ReceiversFileError extends Error {
  override name = 'ReceiversFileError'
}

/**
 * Reads the text of SERVICE_WEBHOOKS_FILE (interface 23.16).
 * @param isStrict whether only https URLs are accepted
 * @throws ReceiversFileError
 */
export function parseReceivers(text: string, isStrict: boolean): ReceiverSettings[] {
  const file = parseJson(text)
  if (!valid.Check(file)) {
    const at = valid.Errors(file).First()
    throw new ReceiversFileError(
      `is malformed at \`${at?.path.slice(1).replaceAll('/', '.') || 'receivers'}\``
    )
  }
  const names = file.receivers.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new ReceiversFileError(`has the receiver ${twice} twice`)
  for (const { name, url, secrets } of file.receivers) {
    if (!isWebhookUrl(url))
      throw new ReceiversFileError(`has a URL of ${name} that is not an http(s) URL without a fragment`)
    if (isStrict && !url.startsWith('https:'))
      throw new ReceiversFileError(`has a URL of ${name} that is not https`)
    if (keysOf(secrets).length < secrets.length)
      throw new ReceiversFileError(
        `has a secret of ${name} that is not \`whsec_\` and the base64 of 24 to 64 bytes`
      )
  }
  return file.receivers.map(toSettings)
}

const isWebhookUrl = (url: string): boolean => /^https?:\/\/[^#]*$/.test(url) && URL.canParse(url)

const toSettings = ({ name, url, secrets, types }: Static<typeof ReceiverEntry>): ReceiverSettings => ({
  receiver: name,
  url,
  keys: keysOf(secrets),
  types: types ?? EVENT_TYPES
})

const keysOf = (secrets: readonly string[]): KeyObject[] =>
  secrets.map(webhookKey).filter(key => key !== undefined)

/** The one receiver that the variables configure. */
export function singleReceiver(url: string, secrets: readonly string[]): Receivers {
  const receivers = [{ ...ONLY_RECEIVER, url, keys: keysOf(secrets) }]
  return { current: () => receivers }
}

/** The receivers in a file. @throws what `read` throws */
export function receiversInFile(path: string, read: () => ReceiverSettings[]): Receivers {
  let receivers = read()
  return {
    current: () => receivers,
    file: {
      path,
      read() {
        receivers = read()
      }
    }
  }
}

/** Whether events go to the same place with the same signatures. */
export const isSameReceiver = (one: ReceiverSettings, other: ReceiverSettings): boolean =>
  one.url === other.url &&
  one.keys.length === other.keys.length &&
  one.keys.every((key, at) => other.keys[at]?.equals(key))
