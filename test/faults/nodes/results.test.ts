import { getAccount } from '../../../packages/devnet/chain/auth/accounts.ts'
import { OTHER_WALLET, walletAddresses } from '../../../packages/devnet/wallets.ts'
import { controlTransfer, signTransaction } from '../../../services/submission/transaction.ts'
import { createSigner } from '../../../services/wallet/signer.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { PATIENT, startFaultyNetwork, tally } from '../faulty-network.ts'

/** Starts a node that changes each transaction result with `change`. */
const inResults =
  (change: (result: RpcResult) => RpcResult): Rewrite =>
  (method, result) => {
    const results = result['txs_results']
    if (method !== 'block_results' || !Array.isArray(results)) return undefined
    return { ...result, txs_results: results.map(change) }
  }

const hasSequence = ({ type }: { type: string }) => type === 'tx'

/** Functions that turn a success into a failure that consumed the sequence, or the reverse. */
const LIES: Record<string, (result: RpcResult) => RpcResult> = {
  'a success as a failure': result =>
    result['code'] !== 0
      ? result
      : {
          ...result,
          code: 5,
          codespace: 'sdk',
          data: null,
          log: 'failed',
          events: (result['events'] as { type: string }[]).filter(hasSequence)
        },
  'a failure as a success': result =>
    result['code'] === 0 ? result : { ...result, code: 0, codespace: '', log: '' },
  'a success as a rejection by an event': result =>
    result['code'] !== 0
      ? result
      : {
          ...result,
          data: null,
          log: '',
          events: [{ type: 'error', attributes: [{ key: 'content', value: 'no' }] }]
        }
}

for (const [name, lie] of Object.entries(LIES)) {
  for (const isFirst of [true, false]) {
    test(`settles submissions correctly when ${isFirst ? 'the first' : 'the second'} of two nodes reports ${name}`, async t => {
      const network = await startFaultyNetwork(t, {
        network: { blockTimeMs: 200 },
        engine: PATIENT,
        nodes: async ({ rpc }) => {
          const liar = await startRewritingNode(t, rpc, inResults(lie))
          return isFirst ? [liar, rpc] : [rpc, liar]
        }
      })
      const { control, submit, settled, assertExactlyOnce } = network
      await settled([await submit()])
      control.failMessages({ count: 1, code: 5, codespace: 'sdk', log: 'not now', simulated: false })
      await settled([await submit()])
      t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
    })
  }
}

/** Lies of one node, while the other one drops connections. The first also hides that a sequence was consumed. */
const TEMPORARY: Record<string, (result: RpcResult) => RpcResult> = {
  'a success as a failure without events': result =>
    result['code'] !== 0
      ? result
      : { ...result, code: 5, codespace: 'sdk', data: null, log: 'no', events: [] },
  ...LIES
}

/** The next header contradicts these after they were applied. */
const IS_APPLIED = ['a failure as a success', 'a success as a rejection by an event']

for (const [name, lie] of Object.entries(TEMPORARY)) {
  for (const restarts of [false, true]) {
    for (const isAlone of [false, true]) {
      const title = `${isAlone ? 'the only node' : 'a node'} reports ${name}`
      test(`settles everything after ${title}${restarts ? ', with a restart' : ''}`, async t => {
        let isLying = false
        let lies = 0
        const { log, entries } = keepingLog()
        const network = await startFaultyNetwork(t, {
          network: { blockTimeMs: 200 },
          engine: { ...PATIENT, log },
          nodes: async ({ rpc, proxy }) => {
            const change = inResults(result => {
              const changed = lie(result)
              if (changed !== result) lies += 1
              return changed
            })
            const liar = await startRewritingNode(t, rpc, (...call) =>
              isLying ? change(...call) : undefined
            )
            return isAlone ? [liar] : [liar, proxy]
          }
        })
        const { control, proxy, engine, submit, restart, assertExactlyOnce, untilBlocked } = network
        control.failMessages({ count: 1, code: 5, codespace: 'sdk', log: 'not now', simulated: false })
        proxy.fail('*', { kind: 'reset' })
        isLying = true
        await submit()
        await submit()
        await until(() => lies > 0, 'the node has lied')
        await untilBlocked('nodes-disagree')
        isLying = false
        proxy.heal()
        if (restarts) await restart()
        // Until then, clients still get the false result.
        const isCorrected = () => entries.some(({ message }) => message.startsWith('stepped back'))
        if (IS_APPLIED.includes(name)) await until(isCorrected, 'the results are corrected')
        t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
        await until(() => engine.health().blockers.length === 0, 'no blocker is left')
      })
    }
  }
}

test('applies a block again after a node reported a failure without its consumed sequence', async t => {
  let isLying = true
  const network = await startFaultyNetwork(t, {
    network: { blockTimeMs: 500 },
    engine: PATIENT,
    nodes: async ({ rpc }) => {
      const lie = inResults(result => (result['code'] === 0 ? result : { ...result, events: [] }))
      return [await startRewritingNode(t, rpc, (...call) => (isLying ? lie(...call) : undefined))]
    }
  })
  const { control, engine, store, submit, restart, blocks, assertExactlyOnce } = network
  control.failMessages({ count: 1, code: 5, codespace: 'sdk', log: 'not now', simulated: false })
  await submit()
  await until(async () => (await store.walletState())?.nextSequence === 1, 'a slot is open')
  await blocks(3)
  isLying = false
  await restart()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
  await until(() => engine.health().blockers.length === 0, 'no blocker is left')
})

test('the engine stops while two nodes report different events', async t => {
  let isLying = false
  const network = await startFaultyNetwork(t, {
    engine: PATIENT,
    nodes: async ({ rpc }) => {
      const lie = inResults(result => (result['code'] === 0 ? result : { ...result, events: [] }))
      return [await startRewritingNode(t, rpc, (...call) => (isLying ? lie(...call) : undefined)), rpc]
    }
  })
  const { control, engine, submit, assertExactlyOnce } = network
  isLying = true
  control.failMessages({ count: 1, code: 5, codespace: 'sdk', log: 'not now', simulated: false })
  const { submissionId } = await submit()
  const isStopped = () => engine.health().blockers.some(({ kind }) => kind === 'nodes-disagree')
  await until(isStopped, 'the engine stops')
  await t.rejects(submit(), { code: 'INTAKE_CLOSED', statusCode: 503 })
  t.match(await engine.find(submissionId), { status: 'broadcast' })
  isLying = false
  await until(() => !isStopped(), 'the engine continues')
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
})

test('a transaction of another wallet consumes no slot, although the only node reports that', async t => {
  const { development, other } = walletAddresses('service')
  const attributes = [{ key: 'acc_seq', value: `${development}/0` }]
  const network = await startFaultyNetwork(t, {
    engine: PATIENT,
    nodes: async ({ rpc }) => [
      await startRewritingNode(
        t,
        rpc,
        inResults(result =>
          JSON.stringify(result).includes(development)
            ? result
            : { ...result, events: [{ type: 'tx', attributes }] }
        )
      )
    ]
  })
  const { devnet, control, chain, address, submit, assertExactlyOnce } = network
  const sequenceOf = (account: string) => Number(getAccount(devnet.chain.pendingState(), account)?.sequence)
  control.pause()
  const account = getAccount(devnet.chain.pendingState(), other)
  const accountNumber = BigInt(account?.accountNumber ?? 0)
  const signed = await signTransaction(
    await createSigner({ mnemonic: OTHER_WALLET, prefix: 'service' }),
    { chainId: devnet.chain.chainId, accountNumber },
    {
      ...{ messages: [controlTransfer(other, 'uSERVICE')], denom: 'uSERVICE' },
      ...{ sequence: sequenceOf(other), gasLimit: 200_000, feeAmount: 50_000n }
    }
  )
  t.match(await chain.broadcast(signed.bytes), { status: 'accepted' })
  await submit()
  await until(() => sequenceOf(address) === 1, 'both transactions are in the mempool')
  control.resume()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 1 })
})

test('a later transaction shows that a failed one consumed its sequence, although the only node never reports it', async t => {
  const network = await startFaultyNetwork(t, {
    engine: PATIENT,
    nodes: async ({ rpc }) => {
      const lie = inResults(result => (result['code'] === 0 ? result : { ...result, events: [] }))
      return [await startRewritingNode(t, rpc, lie)]
    }
  })
  const { control, engine, store, submit, blocks, assertExactlyOnce } = network
  control.failMessages({ count: 1, code: 5, codespace: 'sdk', log: 'not now', simulated: false })
  await submit()
  await until(async () => (await store.walletState())?.nextSequence === 1, 'a slot is open')
  await blocks(3)
  await submit()
  t.strictSame(tally(await assertExactlyOnce()), { committed: 2 })
  await until(() => engine.health().blockers.length === 0, 'no blocker is left')
})
