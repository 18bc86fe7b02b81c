import { fastClock } from '../helpers/clock.ts'
import { startRewritingNode } from '../helpers/rewriting-node.ts'
import { test } from '../helpers/tap.ts'
import { startFaultyNetwork } from './faulty-network.ts'

/** An address that nodes refuse, and the one in the control request. */
const BAD = '0x00000000000000000000000000000000000000bA'
const NOBODY = '0x000000000000000000000000000000000000dEaD'

test('an upgrade that breaks the control message rejects nothing, and work continues', async t => {
  let isInvalid = false
  const network = await startFaultyNetwork(t, {
    nodes: async ({ rpc }) => [
      await startRewritingNode(t, rpc, (method, _result, params) => {
        if (method !== 'abci_query' || !String(params['path']).endsWith('/Simulate')) return undefined
        const simulated = Buffer.from(String(params['data']), 'hex').toString('latin1')
        const isRefused = simulated.includes(BAD) || (isInvalid && simulated.includes(NOBODY))
        const log = 'rpc error: code = Unknown desc = invalid content: invalid request'
        return isRefused ? { response: { code: 18, codespace: 'sdk', log, value: '' } } : undefined
      })
    ]
  })
  const { engine, submit, settled, submitMany, untilBlocked } = network
  await settled(await submitMany(2))
  isInvalid = true
  const bad = await submit({ targetAddress: BAD }, /^sdk 18: /)
  await untilBlocked('requests-refused')
  await settled(await submitMany(5))
  t.match(await engine.find(bad.submissionId), { status: 'queued' })
  isInvalid = false
  await settled([bad])
  t.strictSame(await network.assertExactlyOnce(), { committed: 7, rejected: 1 })
})

test('rejects a single submission that is larger than a block, and executes the others', async t => {
  const { submit, submitMany, assertExactlyOnce } = await startFaultyNetwork(t, {
    network: { maxBlockBytes: 12_000n, blockTimeMs: 500 },
    engine: { clock: fastClock(20) }
  })
  await submit({ originSymbol: 'x'.repeat(15_000) }, /^sdk 21: .*tx size is too big: \d+, max: \d+$/)
  await submitMany(6)
  t.strictSame(await assertExactlyOnce(), { committed: 6, rejected: 1 })
})
