import type { EngineContext } from '../lead/context.ts'
import { expectedSequence } from '../sdk-errors.ts'
import { controlMessage } from '../sign/transaction.ts'

/** What one node alone claims, or nodes that stand still, is no longer believed then, when another one contradicts it. */
const WEAK_CLAIM_MS = 60_000

/** The pause before nodes are asked again; a block ends it too. */
const RETRY_MS = 1000

/**
 * A transaction of the wallet that the store does not know may wait in a mempool: an older copy of the store has not signed it,
 * and a retry of what it holds would be executed beside it. Nodes that have it expect a higher sequence than the store's next
 * one, and until none does, nothing new is signed (interface 7.24).
 */
export function createMempoolGate(engine: EngineContext) {
  const { chain, wallet, settings, blockers, clock, log, signer } = engine
  let isSure = false
  let doubts = 0
  /** When a node first expected a higher sequence. */
  let since: number | undefined

  function open(): number {
    isSure = true
    since = undefined
    blockers.clear('unknown-transactions')
    return 0
  }

  return {
    /** A block had what the store did not know, so there may be more. */
    doubt(): void {
      isSure = false
      doubts += 1
      since = undefined
    },
    /** @returns the pause until nodes are asked again; 0 while new slots may be signed */
    async pause(): Promise<number> {
      if (isSure) return 0
      const { nextSequence } = signer()
      const asked = doubts
      const answers = await chain.simulateEverywhere({
        messages: [controlMessage(wallet.address, settings.feeDenom)],
        publicKey: wallet.publicKey,
        sequence: nextSequence
      })
      const heard = answers.filter(({ status }) => status !== 'unavailable')
      if (heard.length === 0 || doubts !== asked) return RETRY_MS
      const claims = heard.flatMap(({ isBehind, ...answer }) => {
        const sequence = answer.status === 'failed' ? expectedSequence(answer.log) : undefined
        return sequence !== undefined && sequence > nextSequence ? [{ sequence, isBehind }] : []
      })
      if (claims.length === 0) return open()
      const isContradicted = claims.length < heard.length
      const isWeak = isContradicted && (claims.length === 1 || claims.every(({ isBehind }) => isBehind))
      if (isWeak && since !== undefined && clock.elapsed() - since >= WEAK_CLAIM_MS) {
        log.warn({ sequence: nextSequence, claims }, 'few nodes expect a higher sequence')
        return open()
      }
      // The next block may have the transaction; only one that stays is a blocker.
      if (since === undefined) since = clock.elapsed()
      else {
        blockers.raise(
          'unknown-transactions',
          `a node expects sequence ${Math.max(...claims.map(({ sequence }) => sequence))}, and the store's next one is ${nextSequence}: a transaction of the ` +
            'wallet that the store does not know waits in its mempool'
        )
      }
      return RETRY_MS
    }
  }
}
