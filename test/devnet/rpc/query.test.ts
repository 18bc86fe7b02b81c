import { matchesAttributes, parseQuery, searchTxs } from '../../../devnet/rpc/query.ts'
import { test } from '../../helpers/tap.ts'

const attributes = [
  { key: 'recipient', value: 'service1to', index: true },
  { key: 'count', value: '12345678901234567890', index: true },
  { key: 'note', value: 'hidden', index: false }
]
const other = { type: 'message', attributes: [{ key: 'action', value: 'x', index: true }] }

/** Whether a search finds a transaction with two events in block 7, and a subscription gets it. */
function matches(query: string): [searched: boolean, subscribed: boolean] {
  const txs = [{ hash: 'AB', result: { events: [{ type: 'transfer', attributes }, other] } }]
  const index = {
    chainId: '',
    height: 9,
    tx: () => undefined,
    block: (height: number) => ({ txs: height === 7 ? txs : [] })
  }
  const published = {
    'tx.height': ['7'],
    'message.action': ['x'],
    ...Object.fromEntries(attributes.map(({ key, value }) => [`transfer.${key}`, [value]]))
  }
  const conditions = parseQuery(query)
  return [searchTxs(index as never, conditions).length === 1, matchesAttributes(conditions, published)]
}

test('what a query matches, in a search and in a subscription', async t => {
  const cases: [string, searched: boolean, subscribed?: boolean][] = [
    ["transfer.recipient='service1to'", true],
    ["transfer.recipient = 'service1'", false],
    ["transfer.recipient CONTAINS 'vice1t'", true],
    ["transfer.recipient CONTAINS 'VICE'", false],
    ['transfer.recipient EXISTS', true],
    ['transfer.memo EXISTS', false],
    ['transfer.count=12345678901234567890', true],
    ['transfer.count>12345678901234567889 AND transfer.count<12345678901234567891', true],
    ['transfer.count<12345678901234567890', false],
    ['transfer.count>=12345678901234567890 AND transfer.count<=12345678901234567890', true],
    ['transfer.recipient>0', false],
    ["transfer.recipient='service1to' AND tx.height>6 AND tx.height<=7", true],
    ["transfer.recipient='service1to' AND tx.height=8", false],
    // In a search, conditions hold within one event.
    ["transfer.recipient='service1to' AND message.action='x'", false, true],
    ["transfer.note='hidden'", false, true]
  ]
  for (const [query, searched, subscribed = searched] of cases) {
    t.strictSame(matches(query), [searched, subscribed], query)
  }
})

test('what is no query is refused', async t => {
  for (const query of ['', "a.b='x' OR c.d='y'", "a.b='x", 'a.b=x', 'a.b', 'a.b =', "'x'='x'", 'a.b & c']) {
    t.throws(() => parseQuery(query), { message: /^failed to parse query/ }, query)
  }
})
