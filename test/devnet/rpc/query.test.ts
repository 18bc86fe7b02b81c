import { matchesAttributes, matchesEvent } from '../../../devnet/rpc/query/match.ts'
import { formatQuery, parseQuery } from '../../../devnet/rpc/query/parse.ts'
import { test } from '../../helpers/tap.ts'

const transfer = {
  type: 'transfer',
  attributes: [
    { key: 'recipient', value: 'service1to', index: true },
    { key: 'sender', value: 'service1from', index: true },
    { key: 'amount', value: '12345678901234567890uSERVICE', index: true },
    { key: 'count', value: '10', index: true },
    { key: 'note', value: 'hidden', index: false }
  ]
}

test('a query is conditions joined by AND', async t => {
  t.strictSame(parseQuery("tm.event='Tx' AND tx.height>=5 AND  a.b CONTAINS 'x y' AND c.d EXISTS"), [
    { key: 'tm.event', operator: '=', value: 'Tx', numeric: false },
    { key: 'tx.height', operator: '>=', value: '5', numeric: true },
    { key: 'a.b', operator: 'CONTAINS', value: 'x y', numeric: false },
    { key: 'c.d', operator: 'EXISTS', value: '', numeric: false }
  ])
  t.strictSame(parseQuery(' a.b < 1.50 '), [{ key: 'a.b', operator: '<', value: '1.50', numeric: true }])
})

test('a malformed query is refused with the place of the error', async t => {
  t.throws(() => parseQuery(''), { message: 'offset 0: EOF' })
  t.throws(() => parseQuery("a.b='x' OR c.d='y'"), { message: 'offset 8: got tag, want 6' })
  t.throws(() => parseQuery("a.b='x' AND"), { message: 'offset 11: EOF' })
  t.throws(() => parseQuery("a.b='x"), { message: 'offset 4: EOF' })
  t.throws(() => parseQuery('a.b=x'), {
    message: 'offset 4: got tag, wanted number, timestamp, datestamp or string'
  })
  t.throws(() => parseQuery("a.b>'x'"), {
    message: 'offset 4: got string, wanted number, timestamp or datestamp'
  })
  t.throws(() => parseQuery('a.b CONTAINS 5'), { message: 'offset 13: got number, wanted string' })
  t.throws(() => parseQuery('a.b'), { message: 'offset 3: EOF' })
  t.throws(() => parseQuery('a.b ='), { message: 'offset 5: EOF' })
  t.throws(() => parseQuery("'x'='x'"), { message: 'offset 0: got string, wanted tag' })
  t.throws(() => parseQuery('a.b & c'), { message: 'offset 4: invalid input & at offset 5' })
  t.throws(() => parseQuery(`a.b='${'x'.repeat(512)}'`), { message: 'maximum query length exceeded' })
})

test('queries that differ in spaces have the same form', async t => {
  const form = (query: string) => formatQuery(parseQuery(query))
  t.equal(form("tm.event='Tx'  AND a.b >5"), form("tm.event = 'Tx' AND a.b>5"))
  t.not(form("a.b='5'"), form('a.b=5'))
})

const matches = (query: string) => matchesEvent(parseQuery(query), transfer)

test('text is compared exactly or by a part of it', async t => {
  t.ok(matches("transfer.recipient='service1to'"))
  t.notOk(matches("transfer.recipient='service1'"))
  t.ok(matches("transfer.recipient CONTAINS 'vice1t'"))
  t.notOk(matches("transfer.recipient CONTAINS 'VICE'"))
  t.ok(matches('transfer.recipient EXISTS'))
  t.notOk(matches('transfer.memo EXISTS'))
  t.notOk(matches("recipient='service1to'"))
})

test('numbers of any size are compared exactly, with a denom only in a subscription', async t => {
  const subscribed = (query: string) =>
    matchesAttributes(parseQuery(query), { 'transfer.amount': ['12345678901234567890uSERVICE'] })
  t.ok(subscribed('transfer.amount=12345678901234567890'))
  t.notOk(subscribed('transfer.amount=12345678901234567891'))
  t.ok(subscribed('transfer.amount>12345678901234567889.9'))
  t.ok(subscribed('transfer.amount>=12345678901234567890.0'))
  t.notOk(subscribed('transfer.amount<12345678901234567890'))
  t.ok(subscribed('transfer.amount<=12345678901234567890'))
  t.notOk(matches('transfer.amount=12345678901234567890'), 'a search finds no amount')
  t.ok(matches('transfer.count>9'))
  t.notOk(matches('transfer.recipient>0'), 'text is no number')
})

test('in a search, all conditions hold within one event, and attributes that are not indexed do not count', async t => {
  t.ok(matches("transfer.recipient='service1to' AND transfer.count>5"))
  t.notOk(matches("transfer.recipient='service1to' AND message.action='x'"))
  t.notOk(matches("transfer.note='hidden'"))
})

test('in a subscription, each condition may hold in a different event', async t => {
  const attributes = { 'tm.event': ['Tx'], 'transfer.recipient': ['a', 'b'], 'tx.height': ['7'] }
  t.ok(matchesAttributes(parseQuery("tm.event='Tx' AND transfer.recipient='b' AND tx.height=7"), attributes))
  t.notOk(matchesAttributes(parseQuery("tm.event='Tx' AND transfer.recipient='c'"), attributes))
  t.notOk(matchesAttributes(parseQuery("tm.event='NewBlock'"), attributes))
})
