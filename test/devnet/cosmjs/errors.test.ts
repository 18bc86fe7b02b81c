import { coins } from '@cosmjs/proto-signing'
import { type SignerData, type SigningStargateClient, type StdFee, TimeoutError } from '@cosmjs/stargate'
import { TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { CHAIN_ID, DENOM, FUNDS, startNode } from '../../helpers/devnet/node.ts'
import { test } from '../../helpers/tap.ts'

const FEE = { amount: coins(5_000, DENOM), gas: '200000' }
const SIGNER: SignerData = { accountNumber: 0n, sequence: 0, chainId: CHAIN_ID }

interface Attempt {
  from: string
  to: string
  amount?: bigint
  fee?: StdFee
  signer?: SignerData
}

/** Waits for a transaction's block without CosmJS's usual three seconds. */
const broadcast = (client: SigningStargateClient, bytes: Uint8Array) => client.broadcastTx(bytes, 60_000, 10)

/** A signed MsgSend as bytes. */
async function sign(client: SigningStargateClient, attempt: Attempt): Promise<Uint8Array> {
  const { from, to, amount = 1n, fee = FEE, signer = SIGNER } = attempt
  const value = { fromAddress: from, toAddress: to, amount: coins(amount.toString(), DENOM) }
  const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
  return TxRaw.encode(await client.sign(from, [message], fee, '', signer)).finish()
}

test('a transaction that CheckTx refuses is a BroadcastTxError with codespace, code and log', async t => {
  const node = await startNode(t)
  const client = await node.connect()
  const attempt = { from: node.address, to: node.otherAddress }
  const refused = async (changes: Partial<Attempt>, code: number, log: string | RegExp) => {
    const bytes = await sign(client, { ...attempt, ...changes })
    await t.rejects(client.broadcastTxSync(bytes), { name: 'BroadcastTxError', codespace: 'sdk', code, log })
  }

  await refused(
    { signer: { ...SIGNER, sequence: 3 } },
    32,
    'account sequence mismatch, expected 0, got 3: incorrect account sequence'
  )
  await refused({ to: 'service1nonsense' }, 7, /invalid address/)

  t.strictSame(await client.getSequence(node.address), { accountNumber: 0n, sequence: 0 })
  t.equal((await client.getBalance(node.address, DENOM)).amount, String(FUNDS))
})

test('a transaction that fails in its block is reported, pays its fee and uses up its sequence', async t => {
  const node = await startNode(t)
  const client = await node.connect()
  const attempt = { from: node.address, to: node.otherAddress }

  const tooMuch = await broadcast(client, await sign(client, { ...attempt, amount: FUNDS }))
  t.equal(tooMuch.code, 5)
  t.equal(
    tooMuch.rawLog,
    `failed to execute message; message index: 0: spendable balance ${FUNDS - 5_000n}${DENOM} is smaller than ${FUNDS}${DENOM}: insufficient funds`
  )
  t.strictSame(tooMuch.msgResponses, [])
  t.notOk(
    tooMuch.events.some(
      ({ type, attributes }) => type === 'message' && attributes.some(a => a.key === 'action')
    )
  )

  const { gasUsed } = await broadcast(
    client,
    await sign(client, { ...attempt, signer: { ...SIGNER, sequence: 1 } })
  )
  const fee = { amount: coins(5_000, DENOM), gas: String(gasUsed - 1_000n) }
  const tooLittleGas = await broadcast(
    client,
    await sign(client, { ...attempt, fee, signer: { ...SIGNER, sequence: 2 } })
  )
  t.equal(tooLittleGas.code, 11)
  t.match(
    tooLittleGas.rawLog,
    new RegExp(`out of gas in location: .+; gasWanted: ${fee.gas}, gasUsed: \\d+: out of gas`)
  )

  t.strictSame(await client.getSequence(node.address), { accountNumber: 0n, sequence: 3 })
  t.equal((await client.getBalance(node.address, DENOM)).amount, String(FUNDS - 15_001n))
  t.equal((await client.getBalance(node.otherAddress, DENOM)).amount, String(FUNDS + 1n))
})

test('a transaction that no block includes ends in a TimeoutError with its hash', async t => {
  const node = await startNode(t)
  const client = await node.connect()
  node.chain.pause()
  const bytes = await sign(client, { from: node.address, to: node.otherAddress })
  const error = await client.broadcastTx(bytes, 50, 10).then(
    () => undefined,
    (thrown: unknown) => thrown
  )
  t.type(error, TimeoutError)
  t.match(error, { txId: /^[0-9A-F]{64}$/ })
})
