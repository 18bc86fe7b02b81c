import { coins } from '@cosmjs/proto-signing'
import { assertIsDeliverTxSuccess, GasPrice, SigningStargateClient } from '@cosmjs/stargate'
import { MsgSendResponse } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { startNetwork } from '../helpers/app.ts'
import { type Test, test } from '../helpers/tap.ts'
import { DENOM, developmentWallet } from './transactions.ts'

const FUNDS = 1_000_000_000_000n

const FEE = { amount: coins(5_000, DENOM), gas: '200000' }

/** Connects a CosmJS client that signs with the development wallet to a new network. */
async function connect(t: Test) {
  const { urls, addresses } = await startNetwork(t)
  const options = { gasPrice: GasPrice.fromString(`0.025${DENOM}`), broadcastPollIntervalMs: 10 }
  const client = await SigningStargateClient.connectWithSigner(urls.rpc, await developmentWallet(), options)
  t.teardown(() => client.disconnect())
  return { client, address: addresses.development, otherAddress: addresses.other }
}

test('signAndBroadcast sends tokens, signed in direct mode', async t => {
  const { client, address, otherAddress } = await connect(t)
  const value = { fromAddress: address, toAddress: otherAddress, amount: coins(1_234, DENOM) }
  const message = { typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }
  const result = await client.signAndBroadcast(address, [message], FEE, 'for tea')
  assertIsDeliverTxSuccess(result)
  t.match(result, { code: 0, txIndex: 0, gasWanted: 200_000n, transactionHash: /^[0-9A-F]{64}$/ })
  t.ok(result.height > 1)
  t.strictSame(result.msgResponses, [
    { typeUrl: MsgSendResponse.typeUrl, value: MsgSendResponse.encode({}).finish() }
  ])
  t.strictSame(await client.getBalance(otherAddress, DENOM), { denom: DENOM, amount: String(FUNDS + 1_234n) })
  t.strictSame(await client.getBalance(address, DENOM), { denom: DENOM, amount: String(FUNDS - 6_234n) })
})

test("simulate returns the gas without changing state, and fee 'auto' pays for that gas", async t => {
  const { client, address, otherAddress } = await connect(t)
  const simulate = (amount: bigint) => {
    const value = { fromAddress: address, toAddress: otherAddress, amount: coins(String(amount), DENOM) }
    return client.simulate(address, [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value }], '')
  }
  const gas = await simulate(1n)
  t.ok(gas > 55_000 && gas < 99_000, `gas: ${gas}`)
  t.equal((await client.getBalance(otherAddress, DENOM)).amount, String(FUNDS))
  t.strictSame(await client.getSequence(address), { accountNumber: 0n, sequence: 0 })
  await t.rejects(simulate(FUNDS + 1n), {
    message: new RegExp(
      `Query failed with \\(6\\): rpc error: code = Unknown desc = failed to execute message; message index: 0: spendable balance ${FUNDS}${DENOM} is smaller than ${FUNDS + 1n}${DENOM}: insufficient funds.* With gas wanted: '\\d+' and gas used: '\\d+' : unknown request`
    )
  })
  const result = await client.sendTokens(address, otherAddress, coins(7, DENOM), 'auto')
  assertIsDeliverTxSuccess(result)
  t.ok(result.gasWanted > result.gasUsed)
})
