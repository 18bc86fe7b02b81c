import { createBalance } from '../../../services/funds/balance.ts'
import { advanceClock, stopClock } from '../../helpers/clock.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { test } from '../../helpers/tap.ts'

test('logs a low balance once, when it falls below the threshold, and once when it recovers', async t => {
  stopClock(t)
  const { log, entries } = keepingLog()
  let present = 0n
  const chain = { balance: async () => present, agreement: async () => ({ agreed: undefined, opinions: [] }) }
  const wallet = { address: 'service1wallet', denom: 'uSERVICE' }
  const balance = createBalance({ chain, ...wallet, low: 10n, isFree: false, log })
  for (present of [10n, 9n, 8n, 10n, 11n, 9n]) {
    t.equal(await balance.read(), present)
    t.equal(balance.isLow, present < 10n)
    // Skip the 15 seconds for which the balance is cached.
    advanceClock(16)
  }
  t.match(entries, [
    {
      level: 'warn',
      fields: { balance: '9', threshold: '10', denom: 'uSERVICE', address: 'service1wallet' }
    },
    { level: 'info', fields: { balance: '10' } },
    { level: 'warn', fields: { balance: '9' } }
  ])
})
