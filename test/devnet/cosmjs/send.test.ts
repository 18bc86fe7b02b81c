import { Secp256k1HdWallet } from '@cosmjs/amino'
import { coins } from '@cosmjs/proto-signing'
import { assertIsDeliverTxSuccess } from '@cosmjs/stargate'
import { MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { DEVELOPMENT_WALLET } from '../../../devnet/wallets.ts'
import { DENOM, FUNDS, PREFIX, startNode } from '../../helpers/devnet/node.ts'
import { test } from '../../helpers/tap.ts'

const GAS = 200_000
const FEE = { amount: coins(5_000, DENOM), gas: String(GAS) }

test('signAndBroadcast sends tokens, signed in direct mode', async t => {
  const node = await startNode(t)
  const client = await node.connect()
  const { address, otherAddress } = node
  const message = {
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: { fromAddress: address, toAddress: otherAddress, amount: coins(1_234, DENOM) }
  }
  const result = await client.signAndBroadcast(address, [message], FEE, 'for tea')
  assertIsDeliverTxSuccess(result)

  t.match(result, { code: 0, txIndex: 0, gasWanted: BigInt(GAS), transactionHash: /^[0-9A-F]{64}$/ })
  t.ok(result.gasUsed > 60_000n && result.gasUsed < 110_000n, `gas used: ${result.gasUsed}`)
  t.ok(result.height > 1)
  t.strictSame(result.msgResponses, [
    { typeUrl: '/cosmos.bank.v1beta1.MsgSendResponse', value: MsgSendResponse.encode({}).finish() }
  ])
  const attributes = (type: string) =>
    result.events
      .filter(event => event.type === type)
      .map(event => Object.fromEntries(event.attributes.map(({ key, value }) => [key, value])))
  t.match(attributes('tx'), [
    { fee: `5000${DENOM}`, fee_payer: address },
    { acc_seq: `${address}/0` },
    { signature: /.+/ }
  ])
  t.match(attributes('transfer').at(-1), { recipient: otherAddress, sender: address, amount: `1234${DENOM}` })
  t.match(attributes('message').at(1), {
    action: '/cosmos.bank.v1beta1.MsgSend',
    sender: address,
    module: 'bank'
  })
  t.match(JSON.parse(result.rawLog ?? ''), [{ events: [{ type: 'message' }] }])

  t.strictSame(await client.getBalance(otherAddress, DENOM), { denom: DENOM, amount: String(FUNDS + 1_234n) })
  t.strictSame(await client.getBalance(address, DENOM), { denom: DENOM, amount: String(FUNDS - 6_234n) })
})

test('sendTokens signs in Amino mode, several times in a row', async t => {
  const node = await startNode(t)
  const client = await node.connect(
    await Secp256k1HdWallet.fromMnemonic(DEVELOPMENT_WALLET, { prefix: PREFIX })
  )
  const heights: number[] = []
  for (const amount of [1, 2, 3]) {
    const result = await client.sendTokens(
      node.address,
      node.otherAddress,
      coins(amount, DENOM),
      FEE,
      `no ${amount}`
    )
    assertIsDeliverTxSuccess(result)
    heights.push(result.height)
  }
  t.strictSame(
    heights,
    heights.toSorted((a, b) => a - b)
  )
  t.strictSame(await client.getSequence(node.address), { accountNumber: 0n, sequence: 3 })
  t.equal((await client.getBalance(node.otherAddress, DENOM)).amount, String(FUNDS + 6n))
})

test("fee 'auto' simulates the transaction and pays for its gas", async t => {
  const node = await startNode(t)
  const client = await node.connect()
  const result = await client.sendTokens(node.address, node.otherAddress, coins(7, DENOM), 'auto')
  assertIsDeliverTxSuccess(result)
  t.ok(result.gasWanted > result.gasUsed)
})

test('simulate returns the gas and changes nothing', async t => {
  const node = await startNode(t)
  const client = await node.connect()
  const message = (amount: number | bigint) => ({
    typeUrl: '/cosmos.bank.v1beta1.MsgSend',
    value: {
      fromAddress: node.address,
      toAddress: node.otherAddress,
      amount: coins(amount.toString(), DENOM)
    }
  })
  const gas = await client.simulate(node.address, [message(1)], '')
  t.ok(gas > 50_000 && gas < 110_000, `gas: ${gas}`)
  t.equal((await client.getBalance(node.otherAddress, DENOM)).amount, String(FUNDS))
  t.strictSame(await client.getSequence(node.address), { accountNumber: 0n, sequence: 0 })

  await t.rejects(client.simulate(node.address, [message(FUNDS + 1n)], ''), {
    message: new RegExp(
      `Query failed with \\(6\\): rpc error: code = Unknown desc = failed to execute message; message index: 0: spendable balance ${FUNDS}${DENOM} is smaller than ${FUNDS + 1n}${DENOM}: insufficient funds.* With gas wanted: '\\d+' and gas used: '\\d+' : unknown request`
    )
  })
})
