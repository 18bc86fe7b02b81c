import { StargateClient } from '@cosmjs/stargate'
import { transactionHash } from '../../../services/chain-client/index.ts'
import { openAccount, sendMessage, sign } from '../../devnet/transactions.ts'
import { rpc } from '../../helpers/rpc.ts'
import { until } from '../../helpers/until.ts'
import type { RealChain } from './index.ts'

/** Lifetime of an unordered transaction, below the chain's limit of ten minutes. */
const UNORDERED_TTL_S = 240

/**
 * @returns a function of another program that sends a transfer from the service's wallet to itself, behind those in the
 * mempool, and waits for its block; it throws an Error if the node or the chain rejects the transfer
 */
export async function openForeignWallet({ urls: { rpc: url } }: RealChain, unordered: boolean) {
  const account = await openAccount()
  const { address } = account
  const client = await StargateClient.connect(url)
  let count = 0

  return async (): Promise<{ height: number }> => {
    count += 1
    const messages = [sendMessage(address, address, count)]
    let { sequence } = unordered ? { sequence: 0 } : await client.getSequence(address)
    // Unordered transactions of an account need different timeouts.
    const unorderedUntil = Math.floor(Date.now() / 1000) + UNORDERED_TTL_S + count
    for (;;) {
      const options = { gas: 300_000, sequence, ...(unordered && { unorderedUntil }) }
      const tx = await sign(account, messages, options)
      const sent = { tx: Buffer.from(tx).toString('base64') }
      const { result, error } = await rpc(url, 'broadcast_tx_sync', sent)
      const { code, log } = (result ?? { code: -1, log: error?.data }) as { code: number; log: string }
      if (code === 0) return executed(url, transactionHash(tx))
      const [, expected] = /account sequence mismatch, expected (\d+)/.exec(log) ?? []
      if (expected === undefined)
        throw new Error(`the node rejected the transaction with code ${code}: ${log}`)
      sequence = Number(expected)
    }
  }
}

/** Waits until a block contains the transaction. @throws Error if the transaction failed */
async function executed(url: string, hash: string): Promise<{ height: number }> {
  const found = await until(async () => {
    const { result } = await rpc(url, 'tx', { hash: Buffer.from(hash, 'hex').toString('base64') })
    return result as { height: string; tx_result: { code: number; log: string } } | undefined
  }, `a block contains ${hash}`)
  const { code, log } = found.tx_result
  if (code !== 0) throw new Error(`the transaction failed with code ${code}: ${log}`)
  return { height: Number(found.height) }
}
