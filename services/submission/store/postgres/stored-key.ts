import { parseJson } from '../../../json.ts'

/** The database does not store the character NUL, so a key with one is written as JSON. No identity begins with `json:`. */
export function storedKey(key: string): string {
  return key.includes('\0') ? `json:${JSON.stringify(key)}` : key
}

/** The key that `storedKey` has written. */
export function originalKey(stored: string): string {
  return stored.startsWith('json:') ? String(parseJson(stored.slice('json:'.length))) : stored
}
