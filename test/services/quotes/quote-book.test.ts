import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createQuoteBook } from '../../../services/quotes/quote-book.ts'
import { RENEWABLE_MS } from '../../../services/quotes/quote-proof.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { NOW, quote } from './quote.ts'

function bookAt(t: Test, path = join(temporaryFolder(t), 'quotes.json')) {
  const { log, entries } = keepingLog()
  const clock = { now: NOW }
  return { book: createQuoteBook({ path, log, now: () => clock.now }), path, clock, entries }
}

test('keeps a quote until it can no longer be renewed', async t => {
  const { book, clock } = bookAt(t)
  await book.remember(quote('f-1'))
  t.same(await book.find('f-1'), quote('f-1'))
  t.equal(await book.find('f-2'), undefined)
  clock.now += 1000 + RENEWABLE_MS - 1
  t.same(await book.find('f-1'), quote('f-1'))
  clock.now += 1
  t.equal(await book.find('f-1'), undefined)
})

test('evicts the least recently used quote above 50,000 quotes', async t => {
  const { book } = bookAt(t)
  for (let index = 0; index < 50_000; index += 1) await book.remember(quote(`f-${index}`))
  t.ok(await book.find('f-0'))
  await book.remember(quote('f-50000'))
  t.ok(await book.find('f-0'))
  t.equal(await book.find('f-1'), undefined)
})

test('concurrent renewals of a quote get the result of the first renewal', async t => {
  const { book } = bookAt(t)
  await book.remember(quote('f-1'))
  const found = await book.find('f-1')
  const refused = { ...quote('f-1', NOW + 2000), isRefused: true }
  t.same(await book.replace(found, refused), refused)
  t.same(await book.replace(found, quote('f-1', NOW + 3000)), refused)
})

test('saves valid and renewable quotes to a private file on close, and loads them at the next start', async t => {
  const { book, path } = bookAt(t)
  await book.remember(quote('f-1'))
  await book.remember(quote('expired', NOW - RENEWABLE_MS))
  await book.close()
  t.equal(statSync(path).mode & 0o777, 0o600)
  t.notMatch(readFileSync(path, 'utf8'), /expired/)
  t.same(await bookAt(t, path).book.find('f-1'), quote('f-1'))
})

test('ignores a corrupt quotes file, and corrupt quotes in a valid file', async t => {
  const { path } = bookAt(t)
  writeFileSync(path, '[{"feeId"')
  const damaged = bookAt(t, path)
  t.equal(await damaged.book.find('f-1'), undefined)
  t.match(damaged.entries, [{ level: 'warn' }])
  t.match(bookAt(t, temporaryFolder(t)).entries, [{ level: 'warn', fields: { err: { code: 'EISDIR' } } }])
  writeFileSync(path, JSON.stringify([{ ...quote('f-1'), fee: '5' }, quote('f-2')]))
  const { book } = bookAt(t, path)
  t.equal(await book.find('f-1'), undefined)
  t.ok(await book.find('f-2'))
})

test('logs an error and closes if the quotes file is not writable', async t => {
  const { book, entries } = bookAt(t, join(temporaryFolder(t), 'missing', 'quotes.json'))
  await book.remember(quote('f-1'))
  await book.close()
  t.same(
    entries.map(({ level }) => level),
    ['error'],
    'a missing file is not reported'
  )
})
