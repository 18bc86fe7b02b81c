/** One condition of an event query. `value` is empty for EXISTS. */
export interface Condition {
  /** `type.attribute`, or `tx.hash`, `tx.height`, `block.height`, `tm.event`. */
  key: string
  operator: '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS'
  value: string
  /** Whether the value is a number: then it is compared as one. */
  numeric: boolean
}

type TokenKind = 'tag' | 'string' | 'number' | 'AND operator' | `${Condition['operator']} operator`

interface Token {
  kind: TokenKind
  text: string
  /** Where it begins. */
  at: number
}

const TOKEN =
  /'(?<text>[^']*)'|(?<number>\d+(?:\.\d*)?)|(?<operator><=|>=|<|>|=)|(?<word>[\p{L}\d_][\p{L}\d._-]*)/uy
const SPACE = /\s*/y
const OPERATORS = ['<=', '>=', '<', '>', '=', 'CONTAINS', 'EXISTS'] as const
/** What a comparison of greater and less may be with. */
const ORDERED = ['number', 'timestamp', 'datestamp'] as const
const MAX_LENGTH = 512
/** The number by which a node's error names AND. */
const AND = 6

/**
 * Parses an event query such as `tm.event='Tx' AND transfer.recipient='x' AND tx.height>=5`. Timestamps and dates are
 * not supported.
 * @throws Error with the words of CometBFT 0.38
 */
export function parseQuery(query: string): Condition[] {
  if (query.length > MAX_LENGTH) throw new Error('maximum query length exceeded')
  const scanner = createScanner(query)
  const conditions = [parseCondition(scanner)]
  for (;;) {
    const and = scanner.next()
    if (and === undefined) return conditions
    if (and.kind !== 'AND operator') throw new Error(`offset ${and.at}: got ${and.kind}, want ${AND}`)
    conditions.push(parseCondition(scanner))
  }
}

/** A query in its one form: conditions that are spelled differently are the same. */
export function formatQuery(conditions: readonly Condition[]): string {
  return conditions
    .map(({ key, operator, value, numeric }) => `${key} ${operator} ${numeric ? value : `'${value}'`}`)
    .join(' AND ')
}

type Scanner = ReturnType<typeof createScanner>

function createScanner(query: string) {
  let at = 0

  /** The next token; undefined at the end. */
  function next(): Token | undefined {
    SPACE.lastIndex = at
    SPACE.test(query)
    at = SPACE.lastIndex
    // A text without its closing quote is the end, too.
    if (at === query.length || /^'[^']*$/.test(query.slice(at))) return undefined
    TOKEN.lastIndex = at
    const groups = TOKEN.exec(query)?.groups
    if (groups === undefined) throw new Error(`offset ${at}: invalid input ${query[at]} at offset ${at + 1}`)
    const token = tokenOf(groups, at)
    at = TOKEN.lastIndex
    return token
  }

  return {
    next,
    /** @throws Error when the next token is of no kind in `wanted` */
    require(wanted: readonly string[]): Token {
      const token = next()
      if (token === undefined) throw new Error(`offset ${at}: EOF`)
      if (wanted.includes(token.kind)) return token
      const last = wanted.at(-1)
      const label = wanted.length > 1 ? `${wanted.slice(0, -1).join(', ')} or ${last}` : last
      throw new Error(`offset ${token.at}: got ${token.kind}, wanted ${label}`)
    }
  }
}

function tokenOf(
  { text, number, operator, word = '' }: Record<string, string | undefined>,
  at: number
): Token {
  if (text !== undefined) return { kind: 'string', text, at }
  if (number !== undefined) return { kind: 'number', text: number, at }
  const symbol = OPERATORS.find(name => name === (operator ?? word))
  if (symbol !== undefined) return { kind: `${symbol} operator`, text: symbol, at }
  return { kind: word === 'AND' ? 'AND operator' : 'tag', text: word, at }
}

function parseCondition(scanner: Scanner): Condition {
  const key = scanner.require(['tag']).text
  const { text } = scanner.require(OPERATORS.map(name => `${name} operator`))
  const operator = OPERATORS.find(name => name === text) ?? 'EXISTS'
  switch (operator) {
    case 'EXISTS':
      return { key, operator, value: '', numeric: false }
    case 'CONTAINS':
      return { key, operator, value: scanner.require(['string']).text, numeric: false }
    default: {
      const value = scanner.require(operator === '=' ? [...ORDERED, 'string'] : ORDERED)
      return { key, operator, value: value.text, numeric: value.kind === 'number' }
    }
  }
}
