import { parseJson } from '../../json.ts'
import { identityKey } from '../identities.ts'
import type { Identity } from '../types.ts'

/** The key of an identity as databases store it: PostgreSQL has no character NUL, and JSON has it escaped. */
export const keyOfIdentity = (identity: Identity): string => storedText(identityKey(identity))

/** A text that may have a NUL, or half a character. None begins with `json:` as it is. */
export function storedText(text: string): string {
  const whole = Buffer.from(text).toString()
  return whole.includes('\0') ? `json:${JSON.stringify(whole)}` : whole
}

/** The text that `storedText` has written. */
export function originalText(stored: string): string {
  return stored.startsWith('json:') ? String(parseJson(stored.slice('json:'.length))) : stored
}
