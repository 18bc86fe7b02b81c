import { sdkError } from '../../../chain/errors.ts'
import { type AnteContext, nanoseconds } from './context.ts'

/** The SDK's default limit on how far in the future a timeout can be. */
const MAX_TTL_MS = 600_000
const GAS = 2240

/**
 * Records the timeout of an unordered transaction, which has no sequence. A signer can use each timeout only once.
 * @throws AbciError 18
 */
export function takeUnorderedNonces({ tx, mode, state, time, meter }: AnteContext): void {
  if (!tx.unordered) return
  if (tx.timeoutTimestamp === 0n) {
    throw sdkError('invalidRequest', 'unordered transaction must have timeout_timestamp set')
  }
  if (tx.timeoutTimestamp > nanoseconds(time + MAX_TTL_MS)) {
    throw sdkError('invalidRequest', 'unordered tx ttl exceeds 10m0s')
  }
  meter.consume(GAS, 'unordered tx')
  if (mode === 'simulate') return
  for (const signer of tx.signers) {
    const key = `auth/unordered/${tx.timeoutTimestamp}/${signer}`
    if (state.get<boolean>(key)) {
      const used = `sender ${signer} has already used timeout ${tx.timeoutTimestamp}`
      throw sdkError('invalidRequest', `failed to add unordered nonce: ${used}`)
    }
    state.set(key, true)
  }
}
