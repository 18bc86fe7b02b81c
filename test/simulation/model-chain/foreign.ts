import { encodeSecp256k1Pubkey } from '@cosmjs/amino'
import { encodePubkey } from '@cosmjs/proto-signing'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import type { BlockTransaction } from '../../../services/chain-client/index.ts'
import { controlTransfer } from '../../../services/submission/transaction.ts'
import type { Random } from '../random.ts'
import { PUBLIC_KEY, WALLET_ADDRESS } from '../service/wallet.ts'
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

const OTHER_KEY = new Uint8Array(33).fill(3)

function encode(sequence: number, unordered: boolean, key: Uint8Array | undefined): Uint8Array {
  // Without a key, the message tells the signer.
  const messages = key ? [] : [controlTransfer(WALLET_ADDRESS, 'unit')]
  const bodyBytes = TxBody.encode(TxBody.fromPartial({ messages, unordered })).finish()
  const publicKey = key && encodePubkey(encodeSecp256k1Pubkey(key))
  const signerInfos = [{ sequence: BigInt(sequence), ...(publicKey && { publicKey }) }]
  const authInfoBytes = AuthInfo.encode(AuthInfo.fromPartial({ signerInfos })).finish()
  return TxRaw.encode(TxRaw.fromPartial({ bodyBytes, authInfoBytes })).finish()
}

export function createForeignTransactions(address: string, random: Random) {
  let count = 0

  function transaction(sequence: number, key?: Uint8Array, unordered = false) {
    count += 1
    return { hash: `FOREIGN-${count}`, bytes: encode(sequence, unordered, key), gasLimit: GAS }
  }

  function inBlock(sequence: number, accSeq: string, key = OTHER_KEY, unordered = false): BlockTransaction {
    const passed = { code: 0, codespace: '', log: '[]' }
    const outcome = random.chance(0.7) ? passed : MESSAGE_FAILURE
    return bareResult(transaction(sequence, key, unordered), outcome, [consumedEvent(accSeq)], GAS)
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
      // A signer may omit a key that the chain knows.
      const unsigned = transaction(sequence, random.chance(0.8) ? PUBLIC_KEY : undefined)
      return { ...unsigned, sequence, fee: GAS, messages, otherSigners }
    },
    ofAnother(): BlockTransaction {
      const sequence = random.int(0, 200)
      return inBlock(sequence, `another-wallet/${sequence}`)
    },
    /** Builds a transaction from the wallet that consumes no sequence but reports sequence 0 (SDK 0.53). */
    unordered: () => inBlock(0, `${address}/0`, PUBLIC_KEY, true),
    failedEarly: (sequence: number) =>
      bareResult(transaction(sequence, PUBLIC_KEY), random.pick(ANTE_FAILURES), [], 0),
    /**
     * Builds a transaction of another wallet whose event reports a sequence of this wallet.
     */
    misreported(next: number): BlockTransaction {
      const ahead = next + random.pick([0, 1, 2, random.int(100, 1000)])
      const sequence = next > 0 && random.chance(0.5) ? random.int(0, next - 1) : ahead
      return inBlock(sequence, `${address}/${sequence}`)
    }
  }
}
