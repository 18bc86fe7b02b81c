import { toBech32 } from '@cosmjs/encoding'
import { coins } from '@cosmjs/proto-signing'
import { assertIsDeliverTxSuccess, type SigningStargateClient } from '@cosmjs/stargate'
import { CHAIN_ID, DENOM, PREFIX, startNode } from '../../helpers/devnet/node.ts'
import { test } from '../../helpers/tap.ts'

const FEE = { amount: coins(5_000, DENOM), gas: '200000' }
/** An address that the chain has never seen. */
const STRANGER = toBech32(PREFIX, new Uint8Array(20).fill(7))

async function send(client: SigningStargateClient, from: string, to: string, amount: number) {
  const result = await client.sendTokens(from, to, coins(amount, DENOM), FEE)
  assertIsDeliverTxSuccess(result)
  return result
}

test('balances and accounts, before and after their first use', async t => {
  const node = await startNode(t)
  const client = await node.connect()

  t.equal(await client.getChainId(), CHAIN_ID)
  t.ok((await client.getHeight()) >= 1)
  t.strictSame(await client.getBalance(STRANGER, DENOM), { denom: DENOM, amount: '0' })
  t.equal(await client.getAccount(STRANGER), null)
  await t.rejects(client.getSequence(STRANGER), { message: /does not exist on chain/ })
  t.match(await client.getAccount(node.address), {
    address: node.address,
    pubkey: null,
    accountNumber: 0n,
    sequence: 0
  })

  await send(client, node.address, STRANGER, 42)
  t.strictSame(await client.getBalance(STRANGER, DENOM), { denom: DENOM, amount: '42' })
  t.match(await client.getAccount(STRANGER), { address: STRANGER, pubkey: null, sequence: 0 })
  t.match(await client.getAccount(node.address), {
    pubkey: { type: 'tendermint/PubKeySecp256k1', value: /.+/ },
    accountNumber: 0n,
    sequence: 1
  })
})

test('transactions are found by hash', async t => {
  const node = await startNode(t)
  const client = await node.connect()
  const sent = await send(client, node.address, node.otherAddress, 1)
  t.match(await client.getTx(sent.transactionHash), {
    hash: sent.transactionHash,
    height: sent.height,
    code: 0,
    gasUsed: sent.gasUsed,
    msgResponses: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSendResponse' }]
  })
  t.equal(await client.getTx('00'.repeat(32)), null)
})
