/** One condition of an event query. `value` is empty for EXISTS. */
export interface Condition {
  /** `type.attribute`, or `tx.hash`, `tx.height`, `block.height`, `tm.event`. */
  key: string
  operator: '=' | '<' | '<=' | '>' | '>=' | 'CONTAINS' | 'EXISTS'
  value: string
  /** Whether the value is a number: then it is compared as one. */
  numeric: boolean
}

const MAX_LENGTH = 512
const TOKEN = /\s*(?:(?<text>'[^']*')|(?<operator><=|>=|<|>|=)|(?<word>[^\s'"=<>()]+))/y
const NUMBER = /^\d+(\.\d+)?$/

/**
 * Parses an event query such as `tm.event='Tx' AND transfer.recipient='x' AND tx.height>=5`.
 * @throws Error naming the first token that does not fit
 */
export function parseQuery(query: string): Condition[] {
  if (query.length > MAX_LENGTH) throw new Error('maximum query length exceeded')
  const tokens = tokenize(query)
  const conditions = [parseCondition(tokens)]
  while (tokens.length > 0) {
    const and = tokens.shift()
    if (and !== 'AND') throw new Error(`failed to parse query: expected AND, got ${and}`)
    conditions.push(parseCondition(tokens))
  }
  return conditions
}

function tokenize(query: string): string[] {
  const tokens: string[] = []
  const text = query.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (match === null) throw new Error(`failed to parse query: unexpected ${text.slice(start).trim()}`)
    tokens.push(match[0].trim())
  }
  return tokens
}

/** Takes the tokens of one condition off the front. */
function parseCondition(tokens: string[]): Condition {
  const key = tokens.shift()
  if (key === undefined || /^['<>=]/.test(key)) {
    throw new Error(`failed to parse query: expected an event attribute, got ${key ?? 'the end'}`)
  }
  const operator = tokens.shift()
  switch (operator) {
    case 'EXISTS':
      return { key, operator, value: '', numeric: false }
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'CONTAINS':
      return { key, operator, ...parseOperand(operator, tokens.shift()) }
    default:
      throw new Error(
        `failed to parse query: expected an operator after ${key}, got ${operator ?? 'the end'}`
      )
  }
}

function parseOperand(operator: string, token = ''): { value: string; numeric: boolean } {
  const isText = token.startsWith("'")
  const allowed = isText ? operator === '=' || operator === 'CONTAINS' : operator !== 'CONTAINS'
  if (!allowed || (!isText && !NUMBER.test(token))) {
    throw new Error(`failed to parse query: invalid operand for ${operator}: ${token || 'the end'}`)
  }
  return { value: isText ? token.slice(1, -1) : token, numeric: !isText }
}
