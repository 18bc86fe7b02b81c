import { coins } from '@cosmjs/proto-signing'
import { type SignerData, type SigningStargateClient, type StdFee, TimeoutError } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { CHAIN_ID, DENOM, FUNDS, startNode } from '../../helpers/devnet/node.ts'
import { test } from '../../helpers/tap.ts'

const FEE = { amount: coins(5_000, DENOM), gas: '200000' }

interface Attempt {
  from: string
  to: string
  amount?: bigint
  fee?: StdFee
  sequence?: number
}

/** Waits for a transaction's block without CosmJS's usual three seconds. */
const broadcast = (client: SigningStargateClient, bytes: Uint8Array) => client.broadcastTx(bytes, 60_000, 10)

/** A signed MsgSend as bytes. */
async function sign(client: SigningStargateClient, attempt: Attempt): Promise<Uint8Array> {
  const { from, to, amount = 1n, fee = FEE, sequence = 0 } = attempt
  const signer: SignerData = { accountNumber: 0n, sequence, chainId: CHAIN_ID }
  const value = { fromAddress: from, toAddress: to, amount: coins(amount.toString(), DENOM) }
  const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
  return TxRaw.encode(await client.sign(from, [message], fee, '', signer)).finish()
}

test('CosmJS reports what CheckTx refuses, what fails in its block, and what no block includes', async t => {
  const { connect, chain, address, otherAddress } = await startNode(t)
  const client = await connect()
  const attempt = { from: address, to: otherAddress }
  await t.rejects(client.broadcastTxSync(await sign(client, { ...attempt, sequence: 3 })), {
    name: 'BroadcastTxError',
    codespace: 'sdk',
    code: 32,
    log: 'account sequence mismatch, expected 0, got 3: incorrect account sequence'
  })

  const tooMuch = await broadcast(client, await sign(client, { ...attempt, amount: FUNDS }))
  t.equal(tooMuch.code, 5)
  t.match(tooMuch.rawLog, /^failed to execute message; message index: 0: spendable balance/)
  t.strictSame(tooMuch.msgResponses, [])
  const { gasUsed } = await broadcast(client, await sign(client, { ...attempt, sequence: 1 }))
  const fee = { amount: coins(5_000, DENOM), gas: String(gasUsed - 1_000n) }
  const tooLittleGas = await broadcast(client, await sign(client, { ...attempt, fee, sequence: 2 }))
  t.equal(tooLittleGas.code, 11)
  t.match(tooLittleGas.rawLog, /^out of gas in location: .+; gasWanted: \d+, gasUsed: \d+: out of gas$/)
  t.strictSame(await client.getSequence(address), { accountNumber: 0n, sequence: 3 })
  t.equal((await client.getBalance(address, DENOM)).amount, String(FUNDS - 15_001n))

  chain.pause()
  const waiting = await sign(client, { ...attempt, sequence: 3 })
  const error = await client.broadcastTx(waiting, 200, 10).then(
    () => undefined,
    (thrown: unknown) => thrown
  )
  t.ok(error instanceof TimeoutError)
  t.match(error, { txId: /^[0-9A-F]{64}$/ })
  await t.rejects(client.broadcastTxSync(waiting), { message: /"code":-32603.*tx already exists in cache/ })
})
