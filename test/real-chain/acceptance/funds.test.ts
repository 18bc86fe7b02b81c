import { StargateClient } from '@cosmjs/stargate'
import { OTHER_WALLET } from '../../../packages/devnet/wallets.ts'
import { testEachBuild } from '../harness/builds.ts'
import { type RealChain, startRealChain } from '../harness/index.ts'
import { bankSend, openForeignWallet } from '../harness/transactions.ts'
import { BLOCKS, SLOW_BLOCKS, startEngineAtNode, tally } from './engine-at-node.ts'

const REFILL = 1_000_000_000n

/** Sends away the development wallet's balance, except `left`. @returns a pattern that matches the transfer */
async function drain(chain: RealChain, left: bigint): Promise<RegExp> {
  const { development, other } = chain.addresses
  const client = await StargateClient.connect(chain.urls.rpc)
  const { amount } = await client.getBalance(development, 'uSERVICE')
  client.disconnect()
  const fee = 10_000n
  const wallet = await openForeignWallet(chain)
  const { hash } = await wallet.execute([bankSend(development, other, BigInt(amount) - fee - left)], {
    fee: [{ denom: 'uSERVICE', amount: String(fee) }]
  })
  return new RegExp(`MsgSend: executed in ${hash}`)
}

async function refill(chain: RealChain): Promise<void> {
  const { development, other } = chain.addresses
  const wallet = await openForeignWallet(chain, OTHER_WALLET)
  await wallet.execute([bankSend(other, development, REFILL)])
}

testEachBuild('executes submissions after a wallet without funds is refilled', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk })
  const drained = await drain(chain, 6000n)
  const { engine, submit, settled, submitMany, untilBlocked, assertExactlyOnce } = await startEngineAtNode(
    t,
    chain
  )
  await settled([await submit()])
  await settled([await submit()])
  await submitMany(5)
  await untilBlocked('insufficient-funds')
  await refill(chain)
  t.strictSame(tally(await assertExactlyOnce(drained)), { committed: 7 })
  t.strictSame(engine.health().blockers, [])
})

testEachBuild('waits for a refill when the wallet cannot pay for pending transactions', async (t, sdk) => {
  const chain = await startRealChain(t, { sdk, ...SLOW_BLOCKS })
  const { submitApart, untilBlocked, assertExactlyOnce, proxy } = await startEngineAtNode(t, chain)
  await submitApart(3)
  await proxy.goDown()
  await chain.restart(BLOCKS)
  await chain.blocks(1)
  const drained = await drain(chain, 1n)
  await proxy.comeBack()
  await untilBlocked('insufficient-funds')
  await refill(chain)
  t.strictSame(tally(await assertExactlyOnce(drained)), { committed: 3 })
})
