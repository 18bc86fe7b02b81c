import { getAccount } from '../../../packages/devnet/chain/auth/accounts.ts'
import type { CommittedTx } from '../../../packages/devnet/chain/blocks/block-store.ts'
import { createEvent } from '../../../packages/devnet/chain/events.ts'
import { txHash } from '../../../packages/devnet/chain/hashes.ts'
import type { StateView } from '../../../packages/devnet/chain/state/state.ts'
import { controlTransfer } from '../../../services/submission/transaction.ts'
import type { Random } from '../random.ts'
import { OTHER_ADDRESS, OTHER_KEY, WALLET_FUNDS } from './app.ts'
import { DENOM, encodeTransaction, PUBLIC_KEY, WALLET_ADDRESS } from './messages.ts'

const GAS = 200_000

const account = (state: StateView, address: string, publicKey: Uint8Array | undefined) => {
  const { accountNumber = 0n, sequence = 0n } = getAccount(state, address) ?? {}
  return { accountNumber: Number(accountNumber), sequence: Number(sequence), publicKey }
}

/** Creates the transactions that the service has not sent. Their messages are transfers, and their memos differ. */
export function createForeignTransactions(random: Random) {
  let count = 0

  const encode = (options: Omit<Parameters<typeof encodeTransaction>[0], 'memo'>) =>
    encodeTransaction({ gasLimit: GAS, fee: GAS, ...options, memo: `foreign ${++count}` })

  const transfer = (address = WALLET_ADDRESS) => controlTransfer(address, DENOM)

  /** Puts a transaction into a block without executing it, with an event that reports a sequence of the wallet. */
  function misleading(bytes: Uint8Array, sequence: number): CommittedTx {
    const isPassed = random.chance(0.7)
    const failure = { code: 5, log: 'failed to execute message; message index: 0: insufficient funds' }
    const events = [createEvent('tx', { acc_seq: `${WALLET_ADDRESS}/${sequence}` })]
    const gas = { gasWanted: BigInt(GAS), gasUsed: BigInt(GAS) }
    const outcome = isPassed ? { code: 0, codespace: '', log: '[]' } : { ...failure, codespace: 'sdk' }
    const result = { ...outcome, ...gas, events, data: new Uint8Array() }
    return { hash: txHash(bytes), height: 0, index: 0, bytes, result }
  }

  return {
    /** Some have several messages or signers; some fail but still consume the sequence. */
    ofTheWallet(state: StateView, ahead = 0): Uint8Array {
      const messages = [random.chance(0.7) ? transfer() : controlTransfer(WALLET_ADDRESS, 'none')]
      if (random.chance(0.2)) messages.push(transfer())
      const isShared = random.chance(0.2)
      // A signer may omit a key that the chain knows.
      const wallet = account(state, WALLET_ADDRESS, isShared || random.chance(0.8) ? PUBLIC_KEY : undefined)
      const signers = [{ ...wallet, sequence: wallet.sequence + ahead }]
      if (isShared) {
        messages.unshift(transfer(OTHER_ADDRESS))
        signers.unshift(account(state, OTHER_ADDRESS, OTHER_KEY))
      }
      return encode({ messages, signers })
    },
    ofAnother: (state: StateView) =>
      encode({ messages: [transfer(OTHER_ADDRESS)], signers: [account(state, OTHER_ADDRESS, OTHER_KEY)] }),
    /** Builds a transaction of the wallet that fails in the ante handler, as if CheckTx ran on an older state. */
    failedEarly(state: StateView): Uint8Array {
      const wallet = account(state, WALLET_ADDRESS, PUBLIC_KEY)
      const outdated = { signers: [{ ...wallet, sequence: wallet.sequence + 1 }] }
      const unpaid = { fee: 2 * Number(WALLET_FUNDS) }
      const mistake = random.pick<object>([outdated, unpaid, { gasLimit: 10 }])
      return encode({ messages: [transfer()], signers: [wallet], ...mistake })
    },
    /** Builds a transaction from the wallet that consumes no sequence but reports sequence 0 (SDK 0.53). */
    unordered(state: StateView): CommittedTx {
      const signers = [{ ...account(state, WALLET_ADDRESS, PUBLIC_KEY), sequence: 0 }]
      return misleading(encode({ messages: [], signers, unordered: true }), 0)
    },
    /** Builds a transaction of another wallet whose event reports a sequence of this wallet. */
    misreported(state: StateView): CommittedTx {
      const next = account(state, WALLET_ADDRESS, undefined).sequence
      const ahead = next + random.pick([0, 1, 2, random.int(100, 1000)])
      const sequence = next > 0 && random.chance(0.5) ? random.int(0, next - 1) : ahead
      const signers = [{ ...account(state, OTHER_ADDRESS, OTHER_KEY), sequence }]
      return misleading(encode({ messages: [], signers }), sequence)
    }
  }
}
