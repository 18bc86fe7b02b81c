import { createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tokenAbi } from '../../packages/devnet/evm/abi.ts'
import type { MsgRequestTransaction } from '../../services/messages/index.ts'
import { startNetwork } from '../helpers/app.ts'
import { test } from '../helpers/tap.ts'
import { until } from '../helpers/until.ts'
import { openAccount, sign, transfer } from './transactions.ts'

type Route = 'ETH' | 'POL'

const NEEDED = 100_910_000n
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const TRANSFERS = '/service-finance/service-blockchain/transaction/transaction_data'

test('the pool moves the tokens on both chains, and a refund returns them', async t => {
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
  const [eth, pol] = [end('ETH', 'USDT'), end('POL', 'USDC')]
  const balanceOf = ({ client, address }: typeof eth, owner: Hex) =>
    client.readContract({ address, abi: tokenAbi, functionName: 'balanceOf', args: [owner] })
  const balances = () =>
    Promise.all([
      balanceOf(eth, user.address),
      balanceOf(eth, pool),
      balanceOf(pol, OTHER),
      balanceOf(pol, pool)
    ])

  let count = 0
  /** Approves what the pool needs, and submits a transfer, past the service. @returns its final record */
  async function complete(change: Partial<MsgRequestTransaction> = {}): Promise<Record<string, string>> {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args: [pool, NEEDED] })
    const account = privateKeyToAccount(user.privateKey)
    const wallet = createWalletClient({ account, transport: http(eth.url) })
    const hash = await wallet.sendTransaction({ to: eth.address, data, chain: null })
    await eth.client.waitForTransactionReceipt({ hash })

    const message = { originAddress: user.address, targetAddress: OTHER, ...change }
    const messages = [transfer(addresses.development, message)]
    chain.submitTx(await sign(await openAccount(), messages, { sequence: count, gas: 2_000_000 }))
    count += 1
    return until(async () => {
      const { transactionData } = Object(await (await fetch(`${urls.rest}${TRANSFERS}/${count}`)).json())
      return /^(Completed|Failed|Refund.+ed)/.test(transactionData?.status) && transactionData
    }, 'the transfer is final')
  }

  const [ofUser = 0n, ofPool = 0n, ofTarget = 0n, ofTargetPool = 0n] = await balances()
  // 100.5 tokens, and at the origin a fee of 0.41.
  const record = await complete()
  t.match(record, { status: 'Completed', failReason: '' })
  const paid = [ofTarget + 100_500_000n, ofTargetPool - 100_500_000n]
  const after = [ofUser - NEEDED, ofPool + NEEDED, ...paid]
  t.same(await balances(), after)
  for (const [{ client }, hash] of [
    [eth, record['tssPullHash']] as const,
    [pol, record['tssReleaseHash']] as const
  ])
    t.equal((await client.getTransactionReceipt({ hash: hash as Hex })).status, 'success')

  const refund = await complete({ targetAddress: '0x00000000000000000000000000000000000000f3' })
  t.match(refund, { status: 'RefundCompleted', tssPullHash: /^0x/, tssRefundHash: /^0x/ })
  t.same(await balances(), after)
})
