import { expectedSequence } from '../decide/sdk-errors.ts'
import { controlTransfer } from '../transaction.ts'
import type { EngineContext } from './context.ts'

/**
 * How long a higher sequence closes the gate if other nodes contradict it, and only one node or only nodes that are
 * behind report it.
 */
const WEAK_CLAIM_MS = 60_000

/** The pause between two checks while the gate is closed. A new block ends it early. */
const RETRY_MS = 1000

/**
 * Keeps new slots from being signed while a mempool may contain a transaction of the wallet that the store does not
 * know (interface 7.24). If the store was restored from an older copy, a retry of its content would be executed a
 * second time. A node with such a transaction expects a higher sequence than the store's next one.
 */
export function createMempoolGate(engine: EngineContext) {
  const { chain, wallet, settings, blockers, clock, log, walletState } = engine
  let isSure = false
  let closings = 0
  /** When a node first expected a higher sequence. */
  let since: number | undefined

  function open(): number {
    isSure = true
    blockers.clear('unknown-transactions')
    return 0
  }

  return {
    get isOpen() {
      return isSure
    },
    /** Closes the gate after a block with a transaction that is missing from the store: there may be more. */
    close(): void {
      isSure = false
      closings += 1
      since = undefined
    },
    /** @returns the pause before the next check; 0 if new slots may be signed */
    async pause(): Promise<number> {
      if (isSure) return 0
      const { nextSequence } = walletState()
      const asked = closings
      const answers = await chain.simulateEverywhere({
        messages: [controlTransfer(wallet.address, settings.feeDenom)],
        publicKey: wallet.publicKey,
        sequence: nextSequence
      })
      const heard = answers.filter(({ status }) => status !== 'unavailable')
      if (heard.length === 0 || closings !== asked) return RETRY_MS
      const claims = heard.flatMap(({ isBehind, ...answer }) => {
        const sequence = answer.status === 'failed' ? expectedSequence(answer.log) : undefined
        return sequence !== undefined && sequence > nextSequence ? [{ sequence, isBehind }] : []
      })
      if (claims.length === 0) return open()
      const isContradicted = claims.length < heard.length
      const isWeak = isContradicted && (claims.length === 1 || claims.every(({ isBehind }) => isBehind))
      if (isWeak && since !== undefined && clock.elapsed() - since >= WEAK_CLAIM_MS) {
        log.warn(
          { sequence: nextSequence, claims },
          'ignored nodes that expect a higher sequence, because other nodes contradict them'
        )
        return open()
      }
      // The next block may contain the transaction. Raise a blocker only if the claim persists.
      if (since === undefined) since = clock.elapsed()
      else {
        const claimed = Math.max(...claims.map(({ sequence }) => sequence))
        blockers.raise(
          'unknown-transactions',
          `a node expects sequence ${claimed}, but the store's next one is ${nextSequence}: the node's mempool contains ` +
            'a transaction of the wallet that is missing from the store'
        )
      }
      return RETRY_MS
    }
  }
}
