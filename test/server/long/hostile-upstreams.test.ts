import { createComplianceService } from '../../../services/providers/compliance.ts'
import { stretchTimers } from '../../helpers/clock.ts'
import { serve } from '../../helpers/local-server.ts'
import { test } from '../../helpers/tap.ts'
import { HOSTILITIES, hostileServer } from './hostile-server.ts'

const ADDRESS = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const RIGHT = JSON.stringify([{ address: ADDRESS, risk_score: 'low' }])

// All upstream calls use the same HTTP client, so a test of the compliance provider covers every upstream.
test('a hostile upstream causes a documented error, and the next call succeeds', async t => {
  const internal = await serve(t, (_request, response) => response.end())
  const before = process.memoryUsage().rss

  /** Calls a hostile upstream. @returns a function that repairs the upstream and calls it again */
  async function meet(kind: string, hostility: (typeof HOSTILITIES)[string]): Promise<() => Promise<void>> {
    const server = await hostileServer(t, hostility, RIGHT, internal.url)
    const { check, close } = createComplianceService({ url: server.url })
    t.teardown(close)
    const call = async () => JSON.stringify(await check([ADDRESS]))
    const end = await call().then(
      () => 'right',
      error => error.code ?? error
    )
    t.equal(end, hostility.end, `an upstream that ${kind}`)
    return async () => {
      await server.heal()
      await t.resolves(call(), `an upstream that ${kind}: the next call`)
    }
  }

  const kinds = Object.entries(HOSTILITIES)
  const isLate = ([, { end }]: (typeof kinds)[number]) => end === 'UPSTREAM_TIMEOUT'
  const works: (() => Promise<void>)[] = []
  // Real timeouts apply only to the upstreams that cause a timeout. They run in parallel, after all others.
  const restoreTimers = stretchTimers(t)
  for (const [kind, hostility] of kinds.filter(each => !isLate(each))) works.push(await meet(kind, hostility))
  restoreTimers()
  works.push(...(await Promise.all(kinds.filter(isLate).map(each => meet(...each)))))
  stretchTimers(t)
  for (const nextCall of works) await nextCall()

  const grownMiB = (process.memoryUsage().rss - before) / 1024 / 1024
  t.ok(grownMiB < 400, `memory grew by ${Math.round(grownMiB)} MiB`)
  t.same(internal.seen, [], 'no redirect is followed')
  t.equal(Reflect.get({}, 'polluted'), undefined)
})
