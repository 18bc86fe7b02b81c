import { fromBase64, toBase64 } from '@cosmjs/encoding'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { startNetwork } from '../../helpers/app.ts'
import { startEngine } from '../../helpers/engine-at.ts'
import { keepingLog } from '../../helpers/keeping-log.ts'
import { type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { type Test, test } from '../../helpers/tap.ts'
import { PATIENCE_MS, until } from '../../helpers/until.ts'

function withSequence(result: RpcResult, above: bigint): RpcResult {
  const { response } = result as { response: { value: string } }
  const { account } = QueryAccountResponse.decode(fromBase64(response.value))
  const base = BaseAccount.decode(account?.value ?? new Uint8Array())
  const value = BaseAccount.encode({ ...base, sequence: base.sequence + above }).finish()
  const changed = QueryAccountResponse.fromPartial({ account: { typeUrl: BaseAccount.typeUrl, value } })
  return { response: { ...response, value: toBase64(QueryAccountResponse.encode(changed).finish()) } }
}

const startLiar = (t: Test, rpc: string, above: bigint) =>
  startRewritingNode(t, rpc, (method, result, params) =>
    method === 'abci_query' && String(params['path']).endsWith('Query/Account')
      ? withSequence(result, above)
      : undefined
  )

test('corrects a sequence that two nodes misreported on first start after two nodes agree on another', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 500 })
  const { rpc } = devnet.urls
  const nodes = [await startLiar(t, rpc, 1000n), await startLiar(t, rpc, 1000n)]
  const first = await startEngine(t, devnet, { nodes })
  await until(() => first.engine.health().height !== undefined, 'the false account is stored')
  await first.stop()
  const { directory } = first
  const { log, entries } = keepingLog()
  const { engine, submit } = await startEngine(t, devnet, {
    directory,
    nodes: [rpc, nodes[0] ?? rpc, rpc],
    log
  })
  await until(() => engine.health().blockers.length === 0, 'the engine has caught up')
  const { submissionId } = await submit('fee-0')
  t.match(await engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
  t.match(
    entries.find(({ message }) => /^corrected/.test(message)),
    { level: 'warn', fields: { sequence: 0, expected: 1000 } }
  )
  t.strictSame(engine.health().blockers, [])
})

test('signs nothing with a sequence that the only node misreported, and /ready reports the mismatch', async t => {
  const devnet = await startNetwork(t, { blockTimeMs: 500 })
  const { rpc } = devnet.urls
  const first = await startEngine(t, devnet, { nodes: [await startLiar(t, rpc, 70n)] })
  await until(() => first.engine.health().height !== undefined, 'the false account is stored')
  await first.stop()
  const { directory } = first
  const { engine, submit, stop } = await startEngine(t, devnet, { directory })
  const { submissionId } = await submit('fee-0')
  await until(() => engine.health().blockers.length > 0, 'the engine reports the mismatch')
  t.match(engine.health().blockers, [
    { kind: 'sequence-differs', reason: "the account's next sequence is 0, but the store's is 70" }
  ])
  t.match(await engine.find(submissionId), { status: 'queued' })
  await stop()
  // Another program's transactions consume the sequences below the stored one.
  for (let sent = 0; sent < 70; sent++) await devnet.control.send({ from: 'development' })
  const healed = await startEngine(t, devnet, { directory })
  t.match(await healed.engine.settled(submissionId, PATIENCE_MS), { status: 'committed' })
  t.strictSame(healed.engine.health().blockers, [])
})
