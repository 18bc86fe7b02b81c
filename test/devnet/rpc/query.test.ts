import { test } from 'tap'
import { matchesAttributes, matchesEvent } from '../../../devnet/rpc/query/match.ts'
import { parseQuery } from '../../../devnet/rpc/query/parse.ts'

const transfer = {
  type: 'transfer',
  attributes: [
    { key: 'recipient', value: 'service1to', index: true },
    { key: 'sender', value: 'service1from', index: true },
    { key: 'amount', value: '12345678901234567890uSERVICE', index: true },
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
  t.throws(() => parseQuery(''), { message: /expected an event attribute, got the end/ })
  t.throws(() => parseQuery("a.b='x' OR c.d='y'"), { message: /expected AND, got OR/ })
  t.throws(() => parseQuery("a.b='x' AND"), { message: /expected an event attribute, got the end/ })
  t.throws(() => parseQuery("a.b='x"), { message: /unexpected 'x/ })
  t.throws(() => parseQuery('a.b=x'), { message: /invalid operand for =: x/ })
  t.throws(() => parseQuery("a.b>'x'"), { message: /invalid operand for >: 'x'/ })
  t.throws(() => parseQuery('a.b CONTAINS 5'), { message: /invalid operand for CONTAINS: 5/ })
  t.throws(() => parseQuery('a.b'), { message: /expected an operator after a.b, got the end/ })
  t.throws(() => parseQuery('a.b ='), { message: /invalid operand for =: the end/ })
  t.throws(() => parseQuery("'x'='x'"), { message: /expected an event attribute, got 'x'/ })
  t.throws(() => parseQuery(`a.b='${'x'.repeat(512)}'`), { message: 'maximum query length exceeded' })
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

test('numbers of any size, with or without a denom, are compared exactly', async t => {
  t.ok(matches('transfer.amount=12345678901234567890'))
  t.notOk(matches('transfer.amount=12345678901234567891'))
  t.ok(matches('transfer.amount>12345678901234567889.9'))
  t.ok(matches('transfer.amount>=12345678901234567890.0'))
  t.notOk(matches('transfer.amount<12345678901234567890'))
  t.ok(matches('transfer.amount<=12345678901234567890'))
  t.notOk(matches('transfer.recipient>0'), 'text is no number')
})

test('in a search, all conditions hold within one event, and attributes that are not indexed do not count', async t => {
  t.ok(matches("transfer.recipient='service1to' AND transfer.amount>5"))
  t.notOk(matches("transfer.recipient='service1to' AND message.action='x'"))
  t.notOk(matches("transfer.note='hidden'"))
})

test('in a subscription, each condition may hold in a different event', async t => {
  const attributes = { 'tm.event': ['Tx'], 'transfer.recipient': ['a', 'b'], 'tx.height': ['7'] }
  t.ok(matchesAttributes(parseQuery("tm.event='Tx' AND transfer.recipient='b' AND tx.height=7"), attributes))
  t.notOk(matchesAttributes(parseQuery("tm.event='Tx' AND transfer.recipient='c'"), attributes))
  t.notOk(matchesAttributes(parseQuery("tm.event='NewBlock'"), attributes))
})
