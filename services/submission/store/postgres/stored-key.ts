/** The database does not store the character NUL, so a key with one is written as JSON. No identity begins with `json:`. */
export function storedKey(key: string): string {
  return key.includes('\0') ? `json:${JSON.stringify(key)}` : key
}
