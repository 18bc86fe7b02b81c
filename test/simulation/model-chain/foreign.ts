import type { BlockTransaction } from '../../../services/chain-client/index.ts'
import type { Random } from '../random.ts'
import { consumedEvent } from './results.ts'
import type { ModelTransaction } from './transaction.ts'

const GAS = 120_000

/** Transactions that the engine has not sent. */
export interface ForeignTransactions {
  /** One that another program signs with the same wallet; some fail but still consume the sequence. */
  ofTheWallet(sequence: number): ModelTransaction
  /** One of another wallet, as it is in a block. */
  ofAnother(): BlockTransaction
}

export function createForeignTransactions(random: Random): ForeignTransactions {
  let count = 0
  const nextHash = () => `FOREIGN-${++count}`

  return {
    ofTheWallet(sequence) {
      const behaviour = random.chance(0.7) ? 'transfer' : 'hidden-poison'
      const messages = [{ identity: 'foreign', content: '', behaviour } as const]
      return { hash: nextHash(), sequence, gasLimit: GAS, fee: GAS, messages }
    },
    ofAnother() {
      const gas = { gasWanted: BigInt(GAS), gasUsed: BigInt(GAS) }
      const events = [consumedEvent('another-wallet', random.int(0, 200))]
      const empty = { bytes: new Uint8Array(), data: new Uint8Array() }
      return { hash: nextHash(), code: 0, codespace: '', log: '[]', events, ...empty, ...gas }
    }
  }
}
