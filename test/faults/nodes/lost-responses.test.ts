import { test } from '../../helpers/tap.ts'
import type { Fault } from '../fault-proxy.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

const faults: Fault[] = [
  { kind: 'swallow' },
  { kind: 'cut' },
  { kind: 'reset' },
  { kind: 'truncate' },
  { kind: 'html', status: 502 },
  { kind: 'html', status: 200 }
]

const methods = {
  'a broadcast': ['broadcast_tx_sync'],
  'queries of state and blocks': ['abci_query', 'block', 'block_results']
}

for (const [name, failing] of Object.entries(methods)) {
  test(`executes each submission once if responses to ${name} are lost, late or broken`, async t => {
    const { proxy, submitMany, settled, assertExactlyOnce } = await startFaultyNetwork(t)
    for (const fault of faults) {
      const before = proxy.failed
      for (const method of failing) proxy.fail(method, fault, 1)
      await settled(await submitMany(5))
      t.equal(proxy.failed - before, failing.length, JSON.stringify(fault))
    }
    t.strictSame(tally(await assertExactlyOnce()), { committed: faults.length * 5 })
  })
}
