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
  memo?: string
  signer?: SignerData
}

/** Waits for a transaction's block without CosmJS's usual three seconds. */
const broadcast = (client: SigningStargateClient, bytes: Uint8Array) => client.broadcastTx(bytes, 60_000, 10)

/** A signed MsgSend as bytes. */
async function sign(client: SigningStargateClient, attempt: Attempt): Promise<Uint8Array> {
  const { from, to, amount = 1n, fee = FEE, memo = '', signer = SIGNER } = attempt
  const value = { fromAddress: from, toAddress: to, amount: coins(amount.toString(), DENOM) }
  const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
  return TxRaw.encode(await client.sign(from, [message], fee, memo, signer)).finish()
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
  await refused(
    { signer: { ...SIGNER, chainId: 'another-chain' } },
    4,
    `signature verification failed; please verify account number (0) and chain-id (${CHAIN_ID}): unauthorized`
  )
  await refused({ signer: { ...SIGNER, accountNumber: 9n } }, 4, /signature verification failed/)
  await refused(
    { fee: { amount: coins(10, DENOM), gas: '200000' } },
    13,
    `insufficient fees; got: 10${DENOM} required: 1200${DENOM}: insufficient fee`
  )
  await refused(
    { fee: { amount: coins(String(FUNDS + 1n), DENOM), gas: '200000' } },
    5,
    `spendable balance ${FUNDS}${DENOM} is smaller than ${FUNDS + 1n}${DENOM}: insufficient funds: insufficient funds`
  )
  await refused(
    { fee: { amount: coins(5_000, DENOM), gas: '1000' } },
    11,
    /^out of gas in location: \w+; gasWanted: 1000, gasUsed: \d+: out of gas$/
  )
  await refused({ memo: 'm'.repeat(257) }, 12, /memo/)
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

test('the same bytes are refused while they wait and after they are committed', async t => {
  const node = await startNode(t)
  const client = await node.connect()
  const bytes = await sign(client, { from: node.address, to: node.otherAddress })
  const { code } = await broadcast(client, bytes)
  t.equal(code, 0)
  await t.rejects(client.broadcastTxSync(bytes), { message: /"code":-32603.*tx already exists in cache/ })
})

test('the next sequence includes the transactions in the mempool', async t => {
  const node = await startNode(t)
  const client = await node.connect()
  node.chain.pause()
  const attempt = { from: node.address, to: node.otherAddress }
  for (const sequence of [0, 1, 2]) {
    await client.broadcastTxSync(await sign(client, { ...attempt, signer: { ...SIGNER, sequence } }))
  }
  await t.rejects(client.broadcastTxSync(await sign(client, { ...attempt, memo: 'again' })), {
    code: 32,
    log: 'account sequence mismatch, expected 3, got 0: incorrect account sequence'
  })
  t.strictSame(await client.getSequence(node.address), { accountNumber: 0n, sequence: 0 })
  const block = node.chain.produceBlock()
  t.strictSame(
    block.txs.map(({ result }) => result.code),
    [0, 0, 0]
  )
  t.strictSame(await client.getSequence(node.address), { accountNumber: 0n, sequence: 3 })
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
