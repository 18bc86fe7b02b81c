/**
 * Parts of an answer that are different on each network. `same`: equal parts of one network are equal on the other.
 * Gas is about the same.
 */
interface Kind {
  readonly name: string
  readonly pattern: RegExp
  readonly same: boolean
}

const kinds: readonly Kind[] = [
  { name: 'time', pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z/g, same: true },
  { name: 'time', pattern: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})? \+0000 UTC/g, same: true },
  { name: 'hash', pattern: /\b[0-9A-F]{64}\b/g, same: true },
  { name: 'address', pattern: /\b[0-9A-F]{40}\b/g, same: true },
  { name: 'node id', pattern: /\b[0-9a-f]{40}\b/g, same: true },
  { name: 'hash', pattern: /^[A-Za-z0-9+/]{43}=$/g, same: true },
  { name: 'signature', pattern: /^[A-Za-z0-9+/]{86}==$/g, same: true },
  { name: 'height', pattern: /(?<=\bheight(?: is|:)? )\d+/g, same: true },
  { name: 'gas', pattern: /(?<=\bgas ?[uU]sed: '?)\d+/g, same: false },
  { name: 'source line', pattern: /(?<= \[)[^\s\]]+\.(?:go|ts):\d+(?=\] [Ww]ith gas )/g, same: false },
  { name: 'place', pattern: /(?<=out of gas in location: )\w+/g, same: false },
  { name: 'port', pattern: /(?<=\b127\.0\.0\.1:)\d+/g, same: false }
]

const byKey: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    [
      'height',
      'tx.height',
      'block_height',
      'last_height',
      'last_block_height',
      'latest_block_height',
      'earliest_block_height'
    ].map(key => [key, { name: 'height', pattern: /^\d+$/g, same: true }])
  ),
  gas_used: { name: 'gas', pattern: /^\d+$/g, same: false }
}

/** A variable part that was found in a text. */
export interface Part {
  readonly kind: string
  readonly value: string
  readonly same: boolean
}

/**
 * Splits a text into what must be equal and its variable parts.
 * @param key the name of the field that holds the text
 * @param literal values that are the same on both networks, such as hashes of transactions
 */
export function split(
  text: string,
  key: string | undefined,
  literal: ReadonlySet<string>
): { template: string; parts: Part[] } {
  const parts: Part[] = []
  const ofKey = key === undefined ? undefined : byKey[key]
  // Protocol buffers' own errors have one of two spaces, so that nobody relies on them.
  let template = text.replaceAll('\u00a0', ' ')
  for (const { name, pattern, same } of ofKey === undefined ? kinds : [ofKey]) {
    template = template.replaceAll(pattern, value => {
      if (literal.has(value) || (name === 'height' && isFixedHeight(value))) return value
      parts.push({ kind: name, value, same })
      return `<${name}>`
    })
  }
  return { template, parts }
}

/** Heights that conversations name themselves: the first blocks, and some that no network reaches. */
function isFixedHeight(digits: string): boolean {
  return Number(digits) <= 2 || Number(digits) >= 1_000_000
}
