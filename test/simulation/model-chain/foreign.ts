import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { BlockTransaction } from '../../../services/chain-client/index.ts'
import type { Random } from '../random.ts'
import type { Failure } from './execution.ts'
import { bareResult, consumedEvent } from './results.ts'
import type { ModelTransaction } from './transaction.ts'

const GAS = 120_000

/** Ante handler failures that can occur in a block, because the proposer's CheckTx ran on an older state. */
const ANTE_FAILURES: readonly Failure[] = [
  {
    code: 32,
    codespace: 'sdk',
    log: 'account sequence mismatch, expected 7, got 6: incorrect account sequence'
  },
  {
    code: 5,
    codespace: 'sdk',
    log: '0unit is smaller than 3000unit: insufficient funds: insufficient funds'
  },
  {
    code: 11,
    codespace: 'sdk',
    log: 'out of gas in location: txSize; gasWanted: 10, gasUsed: 990: out of gas'
  }
]

const MESSAGE_FAILURE: Failure = {
  code: 5,
  codespace: 'sdk',
  log: 'failed to execute message; message index: 0: insufficient funds'
}

export const isForeign = ({ hash }: { hash: string }) => hash.startsWith('FOREIGN')

/** Misleading transactions that do not consume a sequence of the wallet. */
export type OddTransaction = 'unordered' | 'failedEarly' | 'misreported'

function encode(sequence: number, unordered: boolean): Uint8Array {
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ unordered })).finish()
  const signerInfos = [{ sequence: BigInt(sequence) }]
  const authInfoBytes = AuthInfo.encode(AuthInfo.fromPartial({ signerInfos })).finish()
  return TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes })).finish()
}

export function createForeignTransactions(address: string, random: Random) {
  let count = 0

  function transaction(sequence: number, unordered = false) {
    count += 1
    return { hash: `FOREIGN-${count}`, bytes: encode(sequence, unordered), gasLimit: GAS }
  }

  function inBlock(sequence: number, accSeq: string, unordered = false): BlockTransaction {
    const passed = { code: 0, codespace: '', log: '[]' }
    const outcome = random.chance(0.7) ? passed : MESSAGE_FAILURE
    return bareResult(transaction(sequence, unordered), outcome, [consumedEvent(accSeq)], GAS)
  }

  return {
    /**
     * Builds a transaction that another program signed with the same wallet. Some have several messages or signers;
     * some fail but still consume the sequence.
     */
    ofTheWallet(sequence: number): ModelTransaction {
      const behaviour = random.chance(0.7) ? 'transfer' : 'hidden-poison'
      const message = { identity: 'foreign', content: '', behaviour } as const
      const messages = random.chance(0.2) ? [message, message] : [message]
      const otherSigners = random.chance(0.2) ? ['another-wallet/3'] : []
      return { ...transaction(sequence), sequence, fee: GAS, messages, otherSigners }
    },
    ofAnother(): BlockTransaction {
      const sequence = random.int(0, 200)
      return inBlock(sequence, `another-wallet/${sequence}`)
    },
    /** Builds a transaction from the wallet that consumes no sequence but reports sequence 0 (SDK 0.53). */
    unordered: () => inBlock(0, `${address}/0`, true),
    failedEarly: (sequence: number) => bareResult(transaction(sequence), random.pick(ANTE_FAILURES), [], 0),
    /**
     * Builds a transaction whose event reports a wallet sequence that is either already consumed or not yet reached.
     */
    misreported(next: number): BlockTransaction {
      const ahead = next + random.pick([1, 2, random.int(100, 1000)])
      const sequence = next > 0 && random.chance(0.5) ? random.int(0, next - 1) : ahead
      return inBlock(sequence, `${address}/${sequence}`)
    }
  }
}
