import { createQuoteBook } from '../../../services/quotes/quote-book.ts'
import { createSqliteStore } from '../../../services/submission/store/sqlite/index.ts'
import { temporaryFolder } from '../../helpers/app.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'
import { quote } from './quote.ts'

const OWN = { environment: 'testnet', chainId: 'chain-1', brand: 'service', wallet: 'service1wallet' }

test('a quote is unknown in another environment, on another chain, and with another brand or wallet', async t => {
  const store = createSqliteStore(temporaryFolder(t))
  t.teardown(() => store.close())
  const bookOf = ({ chainId, ...service }: typeof OWN) => {
    const chain = { status: async () => ({ chainId, height: 1 }) }
    return createQuoteBook({ store, chain, ...service, log: keepingLog().log })
  }
  const { isRefused: _, ...terms } = quote('f-1', Date.now() + 60_000)
  await bookOf(OWN).remember(terms, { client: 'shopper' })
  t.match(await bookOf(OWN).find('f-1'), terms)
  for (const name of Object.keys(OWN))
    t.equal(await bookOf({ ...OWN, [name]: 'other' }).find('f-1'), undefined, name)
})
