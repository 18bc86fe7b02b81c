import { systemClock } from '../../../services/clock.ts'
import { RENEWABLE_MS } from '../../../services/quotes/quote-proof.ts'
import { createSharedQuoteBook } from '../../../services/quotes/shared-quote-book.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { runSql, startPostgres } from '../../helpers/postgres/index.ts'
import { openReplica } from '../../helpers/postgres/replicas.ts'
import { t as root, type Test, test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { NOW, quote } from './quote.ts'

const postgres = await startPostgres(root)

async function bookAt(t: Test, url: string, now = NOW, owner = 'service1wallet') {
  const { log, entries } = keepingLog()
  const { quotes: table } = await openReplica(t, url, { owner })
  const book = createSharedQuoteBook({ table, log, clock: { ...systemClock, now: () => now } })
  t.teardown(() => book.close())
  return { book, entries }
}

test('shares a quote with other replicas until it can no longer be renewed', async t => {
  const url = await postgres.createDatabase()
  const { book } = await bookAt(t, url)
  await book.remember(quote('f-1'))
  await book.remember({ ...quote('f-1'), fee: { value: '7', decimals: 6 } })
  await book.remember(quote('f-2'))
  const { book: other } = await bookAt(t, url)
  t.match(await other.find('f-1'), { feeId: 'f-1', fee: { value: '7' } }, 'the last version is returned')
  t.strictSame(await other.find('f-2'), quote('f-2'))
  t.equal(await other.find('f-3'), undefined)
  const { book: expired } = await bookAt(t, url, NOW + 1000)
  t.strictSame(await expired.find('f-2'), quote('f-2'), 'an expired quote that can be renewed is returned')
  const { book: later } = await bookAt(t, url, NOW + 1000 + RENEWABLE_MS)
  t.equal(await later.find('f-2'), undefined)
  const left = () => runSql(url, 'SELECT fee_id FROM quote')
  await until(async () => (await left()).length === 0, 'expired quotes are deleted')
})

test('both replicas use the first renewal of a quote', async t => {
  const url = await postgres.createDatabase()
  const [{ book: one }, { book: other }] = [await bookAt(t, url), await bookAt(t, url)]
  await one.remember(quote('f-1'))
  for (const feeId of ['f-1', 'lost']) {
    const [found, same] = [await one.find(feeId), await other.find(feeId)]
    const refused = { ...quote(feeId, NOW + 2000), isRefused: true }
    t.strictSame(await one.replace(found, refused), refused)
    t.strictSame(await other.replace(same, quote(feeId, NOW + 3000)), refused)
  }
  const { book: later } = await bookAt(t, url, NOW + 1000 + RENEWABLE_MS)
  t.match(await later.find('f-1'), { expiresAt: NOW + 2000 }, 'a renewed quote is kept longer')
})

test('does not share quotes between wallets with the same database', async t => {
  const url = await postgres.createDatabase()
  const { book } = await bookAt(t, url)
  await book.remember(quote('f-1'))
  const { book: other } = await bookAt(t, url, NOW, 'service1other')
  t.equal(await other.find('f-1'), undefined)
})

test('above the limit, deletes the quotes of the own wallet that expire first', async t => {
  const url = await postgres.createDatabase()
  const { quotes } = await openReplica(t, url, { owner: 'service1wallet' })
  const { quotes: others } = await openReplica(t, url, { owner: 'service1other' })
  for (const keptUntil of [20, 40, 30]) {
    await quotes.put({ feeId: `until-${keptUntil}`, keptUntil, text: 'own' })
    await others.put({ feeId: `until-${keptUntil}`, keptUntil, text: 'other' })
  }
  const left = () => runSql(url, "SELECT quote || ' ' || expires_at AS kept FROM quote ORDER BY 1")
  const kept = (...quotes: string[]) => quotes.map(kept => ({ kept }))
  await quotes.forget(10, 2)
  t.same(await left(), kept('other 20', 'other 30', 'other 40', 'own 30', 'own 40'))
  await quotes.forget(30, 2)
  t.same(await left(), kept('other 20', 'other 30', 'other 40', 'own 40'))
})

test('ignores a corrupt quote', async t => {
  const url = await postgres.createDatabase()
  const { book } = await bookAt(t, url)
  await book.remember(quote('f-1'))
  await runSql(url, "UPDATE quote SET quote = '{'")
  t.equal(await book.find('f-1'), undefined)
})

test('remember() succeeds while the database is down, but find() fails with 503', async t => {
  const { book, entries } = await bookAt(t, await postgres.createDatabase())
  await postgres.stop()
  await book.remember(quote('f-1'))
  t.match(
    entries.filter(({ level }) => level === 'warn'),
    [{ fields: { feeId: 'f-1' } }]
  )
  const closed = { statusCode: 503, code: 'INTAKE_CLOSED' }
  await t.rejects(book.find('f-1'), closed)
  await t.rejects(book.replace(undefined, quote('f-2')), closed)
  t.match(
    entries.filter(({ level, message }) => level === 'error' && message.includes('quote')),
    [{ fields: { feeId: 'f-1' } }, { fields: { feeId: 'f-2' }, message: /renewed/ }]
  )
})
