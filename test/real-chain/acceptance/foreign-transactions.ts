import { bankSend, type CheckResult, type ForeignWallet } from '../harness/transactions.ts'

let sent = 0n

/**
 * Sends coins from a wallet to itself, with the sequence after the wallet's transactions in the node's mempool. Each
 * amount is different.
 * @throws Error if the mempool is full
 */
export async function sendBehind(wallet: ForeignWallet): Promise<CheckResult> {
  sent += 1n
  const message = bankSend(wallet.address, wallet.address, sent)
  let options = {}
  for (;;) {
    const answer = await wallet.send([message], options)
    const [, expected] = /account sequence mismatch, expected (\d+)/.exec(answer.log) ?? []
    if (expected === undefined) return answer
    options = { sequence: BigInt(expected) }
  }
}
