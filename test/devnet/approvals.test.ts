import { createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tokenAbi } from '../../packages/devnet/evm/abi.ts'
import type { MsgRequestTransaction } from '../../services/messages/index.ts'
import { startNetwork } from '../helpers/app.ts'
import { type Test, test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { sign, transfer } from './transactions.ts'

interface Response {
  transactionData?: Record<string, string>
}

type Route = 'ETH' | 'POL'

const NEEDED = 100_910_000n
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** A network with real chains, whose user transfers 100.5 USDT with a fee of 0.41 USDT from ETH to POL. */
async function start(t: Test) {
  const devnet = await startNetwork(t, { evm: ['ETH', 'POL'] })
  const { evm, chain, addresses, urls } = devnet
  if (evm === undefined) throw new Error('there are no EVM chains')
  const { user, pool } = evm
  function end(name: Route, symbol: string) {
    const found = evm?.chain(name)
    const address = found?.tokens[symbol]?.address
    if (found === undefined || address === undefined) throw new Error(`${name} has no ${symbol}`)
    return { ...found, address }
  }

  async function balances() {
    const read = (name: Route, symbol: string, owner: Hex) => {
      const { client, address } = end(name, symbol)
      return client.readContract({ address, abi: tokenAbi, functionName: 'balanceOf', args: [owner] })
    }
    return {
      user: await read('ETH', 'USDT', user.address),
      pool: await read('ETH', 'USDT', pool),
      target: await read('POL', 'USDC', OTHER),
      targetPool: await read('POL', 'USDC', pool)
    }
  }

  let count = 0
  /** Approves what the pool needs, and submits a transfer, past the service. @returns its final record */
  async function complete(change: Partial<MsgRequestTransaction> = {}): Promise<Record<string, string>> {
    const { address: to, url, client } = end('ETH', 'USDT')
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [pool, NEEDED] })
    const account = privateKeyToAccount(user.privateKey)
    const wallet = createWalletClient({ account, transport: http(url) })
    const hash = await wallet.sendTransaction({ to, data, chain: null })
    await client.waitForTransactionReceipt({ hash })

    const message = { originAddress: user.address, targetAddress: OTHER, ...change }
    chain.submitTx(await sign(devnet, [transfer(addresses.development, message)], { sequence: count }))
    count += 1
    const path = `/service-finance/service-blockchain/transaction/transaction_data/${count}`
    return until(async () => {
      const { transactionData } = (await (await fetch(urls.rest + path)).json()) as Response
      return /^(Completed|Failed|Refund.+ed)/.test(transactionData?.['status'] ?? '') && transactionData
    }, 'the transfer is final')
  }

  return { end, balances, complete }
}

test('the pool moves the tokens on both chains, and a refund returns them', async t => {
  const { balances, complete, end } = await start(t)
  const before = await balances()
  const record = await complete()
  t.match(record, { status: 'Completed', failReason: '' })
  const after = {
    user: before.user - NEEDED,
    pool: before.pool + NEEDED,
    target: before.target + 100_500_000n,
    targetPool: before.targetPool - 100_500_000n
  }
  t.same(await balances(), after)
  const receipt = (name: Route, symbol: string, hash: string | undefined) =>
    end(name, symbol).client.getTransactionReceipt({ hash: hash as Hex })
  t.equal((await receipt('ETH', 'USDT', record['tssPullHash'])).status, 'success')
  t.equal((await receipt('POL', 'USDC', record['tssReleaseHash'])).status, 'success')

  const refund = await complete({ targetAddress: '0x00000000000000000000000000000000000000f3' })
  t.match(refund, { status: 'RefundCompleted', tssPullHash: /^0x/, tssRefundHash: /^0x/ })
  t.same(await balances(), after)
})
