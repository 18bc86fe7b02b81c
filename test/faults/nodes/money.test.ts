import { toBase64 } from '@cosmjs/encoding'
import { SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { getBalance } from '../../../packages/devnet/chain/bank/balances.ts'
import { type Rewrite, type RpcResult, startRewritingNode } from '../../helpers/rewriting-node.ts'
import { test } from '../../helpers/tap.ts'
import { until } from '../../helpers/until.ts'
import { startFaultyNetwork, tally } from '../faulty-network.ts'

const gasOf = (gasUsed: bigint) =>
  toBase64(SimulateResponse.encode(SimulateResponse.fromPartial({ gasInfo: { gasUsed } })).finish())

/** Returns the fee and gas limit of a broadcast transaction. */
function feeAndGas(params: RpcResult) {
  const { authInfoBytes } = TxRaw.decode(Buffer.from(String(params['tx']), 'base64'))
  const { fee } = AuthInfo.decode(authInfoBytes)
  return { fee: BigInt(fee?.amount[0]?.amount ?? 0), gas: fee?.gasLimit ?? 0n }
}

/** Builds the CheckTx response to a transaction whose fee is too low. */
function insufficient(fee: bigint, required: bigint): RpcResult {
  const log = `insufficient fees; got: ${fee}uSERVICE required: ${required}uSERVICE: insufficient fee`
  return { code: 13, codespace: 'sdk', log, data: '', hash: 'AB' }
}

for (const [what, dailyFeeLimit] of [
  ['a re-signed slot', 200_000n],
  ['a new slot', 600_000n]
] as const) {
  test(`pays at most the daily limit for ${what} when the only node raises fees`, async t => {
    let lies = true
    const network = await startFaultyNetwork(t, {
      engine: { settings: { dailyFeeLimit } },
      nodes: async ({ rpc }) => {
        const rewrite: Rewrite = (method, _result, params) => {
          if (method === 'broadcast_tx_sync') {
            const { fee, gas } = feeAndGas(params)
            const required = (gas * 5n) / 40n
            return lies && fee < required ? insufficient(fee, required) : undefined
          }
          const isSimulation = method === 'abci_query' && String(params['path']).endsWith('/Simulate')
          return lies && isSimulation
            ? { response: { code: 0, value: gasOf(1_300_000n), height: '1' } }
            : undefined
        }
        return [await startRewritingNode(t, rpc, rewrite, ['broadcast_tx_sync'])]
      }
    })
    const { devnet, address, engine, submit, blocks, untilBlocked, assertExactlyOnce } = network
    const balance = () => getBalance(devnet.chain.pendingState(), address, 'uSERVICE')
    const before = balance()
    const paid = () => before - balance()
    const isBlocked = () => engine.health().blockers.some(({ kind }) => kind === 'daily-fee-limit')
    for (let count = 0; count < 5 && !isBlocked(); count++) {
      const { submissionId } = await submit()
      const isCommitted = async () => (await engine.find(submissionId))?.status === 'committed'
      await until(async () => isBlocked() || isCommitted(), 'the submission is executed or blocked')
    }
    await blocks(3)
    t.ok(paid() <= dailyFeeLimit, `${paid()} was paid`)
    const reason = /SERVICE_DAILY_FEE_LIMIT is reached: paid \d+/
    t.match(await untilBlocked('daily-fee-limit'), reason)
    await t.rejects(submit(), { code: 'DAILY_FEE_LIMIT', statusCode: 503 })

    lies = false
    t.match(tally(await assertExactlyOnce()), { committed: Number })
    t.ok(paid() <= dailyFeeLimit, 'the blocked submissions stay within the limit once the node is honest')
    await until(() => !isBlocked(), 'intake has reopened')
    await submit()
    await assertExactlyOnce()
  })
}
