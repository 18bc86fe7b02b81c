import { Decimal } from '@cosmjs/math'
import { bech32, hex } from '@scure/base'
import type { MsgRequestTransaction } from '../../../../services/messages/index.ts'
import type { State, StateView } from '../../chain/state/state.ts'
import { type LockTerms, lockOutput } from './lock-script.ts'
import { type Amounts, amountsOf } from './record.ts'
import type { LockRequest } from './validate.ts'

/** A lock of bitcoins, as in the chain's REST API. */
type Lock = ReturnType<typeof newLock>

const COUNT = 'transfer/locks'
const keyOf = (txHash: string, sender: string) => `transfer/lock/${txHash}/${sender}`
const indexOf = (id: number) => `transfer/lock/${id}`
const whole = (amount: string) => BigInt(Decimal.fromUserInput(amount, 30).atomics)

function newLock(id: number, { fromAddress, htlcTimeout, ...terms }: LockRequest & { creator: string }) {
  const progress = { status: 'Locked', errReason: '', pull_status: '' }
  return { ...terms, id: String(id), senderAddress: fromAddress, htlcTimestamp: htlcTimeout, ...progress }
}

/** @returns why the lock is refused, otherwise 0 */
export function registerLock(state: State, message: LockRequest & { creator: string }): 0n | string {
  const { fromAddress, senderPubkey, htlcTimeout, txHash, htlcAddress } = message
  const key = keyOf(txHash, fromAddress)
  if (state.get(key) !== undefined) return 'the lock is registered already'
  const terms = termsOf(senderPubkey, htlcTimeout)
  if (terms === undefined) return 'senderPubkey is not a compressed key in hex, hex-encoded once more'
  const [version, ...program] = bech32.decodeUnsafe(htlcAddress)?.words ?? []
  const paid = bech32.fromWordsUnsafe(program)
  if (version !== 0 || !paid || hex.encode(lockOutput(terms)) !== `0020${hex.encode(paid)}`)
    return 'htlcAddress is not the address of the lock'
  const id = (state.get<number>(COUNT) ?? 0) + 1
  state.set(COUNT, id)
  state.set(indexOf(id), key)
  state.set<Lock>(key, newLock(id, message))
  return 0n
}

/** Takes the registered lock for a transfer. @returns why it is refused, otherwise what the pool needs to pull it */
export function takeLock(
  state: State,
  message: Pick<
    MsgRequestTransaction,
    'originAddress' | 'fee' | 'htlcCreationHash' | 'htlcCreationVout' | 'htlcExpirationTimestamp'
  >,
  amounts: Amounts
): (LockTerms & { txid: string; vout: number }) | string {
  const { htlcCreationHash: txid, htlcCreationVout: vout } = message
  const key = keyOf(txid, message.originAddress)
  const lock = state.get<Lock>(key)
  const terms = lock && termsOf(lock.senderPubkey, lock.htlcTimestamp)
  if (lock === undefined || terms === undefined) return 'the lock is not registered'
  if (lock.status !== 'Locked') return 'the lock is reclaimed'
  if (lock.htlcTimestamp !== message.htlcExpirationTimestamp) return 'the lock has another timeout'
  const { amount, amountIn = amount ?? '' } = amountsOf(amounts)
  if (whole(amountIn) + whole(message.fee) > whole(lock.amount)) return 'the lock does not cover the amount'
  state.set<Lock>(key, { ...lock, pull_status: 'Requested' })
  return { ...terms, txid, vout }
}

/** @returns why the lock cannot be reclaimed, otherwise 0 */
export function reclaimLock(
  state: State,
  { txHash, senderAddress }: Pick<Lock, 'txHash' | 'senderAddress'>
): 0n | string {
  const key = keyOf(txHash, senderAddress)
  const lock = state.get<Lock>(key)
  if (lock === undefined) return 'the lock is not registered'
  if (lock.status !== 'Locked' || lock.pull_status !== '') return 'the lock is reclaimed or used'
  state.set<Lock>(key, { ...lock, status: 'Reclaimed' })
  return 0n
}

/** Returns the locks in the order of their registration. */
export function listLocks(state: StateView): Lock[] {
  const ids = Array.from({ length: state.get<number>(COUNT) ?? 0 }, (_, index) => index + 1)
  return ids.flatMap(id => state.get<Lock>(state.get<string>(indexOf(id)) ?? '') ?? [])
}

function termsOf(senderPubkey: string, timeout: string): LockTerms | undefined {
  const senderKey = Buffer.from(senderPubkey, 'hex').toString()
  return /^0[23][0-9a-f]{64}$/.test(senderKey) ? { senderKey, timeout: Number(timeout) } : undefined
}
