import { randomUUID } from 'node:crypto'
import { hex } from '@scure/base'
import type { LockIntent, LockIntentBody, LockRecord, Transaction } from '../../schemas/bitcoin.ts'
import { bitcoinProblem } from '../addresses/bitcoin.ts'
import { assertPossible, canonicalAddress, type Environment, isSameAddress } from '../addresses/index.ts'
import type { ChainFilter } from '../chains/filter.ts'
import type { ChainService } from '../chains/index.ts'
import { poolAddress } from '../chains/pools.ts'
import { fieldError, ServiceError } from '../errors/index.ts'
import type { ComplianceService } from '../providers/compliance.ts'
import type { BitcoinLock, BitcoinLockStore } from '../submission/contract.ts'
import { StoreUnavailableError, StoreUncertainError } from '../submission/errors.ts'
import { UpstreamError } from '../upstream/errors.ts'
import type { Esplora } from './esplora.ts'
import { HTLC_VERSION, htlcOutput, htlcScript, keyHashOf, LAST_TIME, ownsAddress } from './htlc.ts'

const HOUR = 3600
/**
 * The minimum time until the timeout of a recorded lock, in seconds, so that the pool can pull it before its sender can
 * reclaim it.
 */
const LEFT_TO_PULL = HOUR / 2
/** The maximum duration of a lock, in seconds. Intents are kept that long. */
const MAX_LOCK = 48 * HOUR
/** The transaction id in the input of a coinbase. */
const NO_TXID = '00'.repeat(32)
/** How many seconds a timeout may be postponed for a new address. */
const ATTEMPTS = 60

interface Client {
  /** An address, a network or a caller (interface 14.10). */
  client: string
  caller: string | undefined
}

/** Locks of bitcoins for the pool (interface section 26). Every method can throw ServiceError or UpstreamError. */
export interface Locks {
  /** Stores an intent. Its address is new, and only the pool and the sender's key can spend from it. */
  intend(body: LockIntentBody, client: Client): Promise<LockIntent>
  /**
   * Returns an intent of the caller.
   * @param field that contains the `lockId`, for errors
   */
  find(lockId: string, caller: string | undefined, field: string): Promise<BitcoinLock>
  /**
   * Finds the output that fulfils an intent, and records it. May be repeated.
   * @param field that contains the `txid`, for errors
   */
  record(intent: BitcoinLock, txid: string, field: string): Promise<LockRecord>
}

/** @param options.confirmations how many blocks must contain or follow a lock */
export function createLocks(options: {
  environment: Environment
  prefix: string
  confirmations: number
  esplora: Esplora
  chains: Pick<ChainService, 'tssPubkey' | 'status'>
  filter: ChainFilter
  compliance: Pick<ComplianceService, 'assertCompliant'>
  store: BitcoinLockStore & { now(): number }
}): Locks {
  const { environment, prefix, confirmations, esplora, chains, filter, compliance, store } = options
  /** Each confirmation takes ten minutes on average, and rarely an hour. */
  const usual = HOUR * (1 + confirmations)
  const now = () => Math.floor(store.now() / 1000)

  /** @param field that belongs to the pool, for errors */
  async function readPool(field: string) {
    if (!filter.allows('origin', 'BTC'))
      throw fieldError(field, 'must not be for BTC, which is not allowed as origin here', 'CHAIN_FILTERED')
    if ((await chains.status('BTC')) !== 'available')
      throw fieldError(field, 'must not be for BTC while it is disabled; try again later', 'CHAIN_DISABLED')
    const [keys] = (await chains.tssPubkey()).value.tssPubkey
    const address = (keys && poolAddress('BTC', keys)) ?? ''
    const keyHash = keyHashOf(address, environment)
    if (keyHash === undefined)
      throw new UpstreamError('chain API', 'the pool of BTC is not the address of a key')
    return { address, keyHash }
  }

  function timeoutOf(requested: number | undefined): number {
    const earliest = now() + usual / 2
    const latest = Math.min(now() + MAX_LOCK, LAST_TIME - ATTEMPTS)
    if (requested === undefined) return now() + usual
    if (requested >= earliest && requested <= latest) return requested
    throw fieldError('timeout', `must be a Unix time in seconds from ${earliest} to ${latest}`)
  }

  /** Returns the output that fulfils an intent, or why there is none. */
  function lockIn({ vin, vout }: Transaction, outputScript: string, amountSats: number): number | string {
    // The API's own mark of a coinbase is not covered by the transaction id, so check the input.
    if (vin.some(({ txid }) => txid === NO_TXID)) return 'must not be the coinbase of a block'
    const paid = vout.filter(({ scriptpubkey }) => scriptpubkey === outputScript)
    if (paid.length === 0) return 'must have an output to the htlcAddress of the intent'
    const most = Math.max(...paid.map(({ value }) => value))
    if (most < amountSats) return `must pay the htlcAddress ${amountSats} satoshis in one output, not ${most}`
    return vout.findIndex(({ scriptpubkey, value }) => scriptpubkey === outputScript && value >= amountSats)
  }

  function confirmationsOf({ txid, status }: Transaction, tip: number): number {
    if (!status.confirmed) return 0
    if (typeof status.block_height === 'number') return tip - status.block_height + 1
    throw new UpstreamError('Bitcoin API', `the block of ${txid} has no height`)
  }

  return {
    async find(lockId, caller, field) {
      const lock = await store.findLock(lockId).catch(unavailable)
      if (lock !== undefined && lock.caller === caller) return lock
      throw fieldError(field, UNKNOWN, 'LOCK_UNKNOWN')
    },

    async intend({ timeout: requested, ...body }, owner) {
      await esplora.assertNetwork()
      const senderAddress = canonicalAddress(body.senderAddress)
      const problem = bitcoinProblem(senderAddress, environment)
      if (problem !== undefined) throw fieldError('senderAddress', problem, 'ADDRESS_INVALID')
      const senderPubkey = body.senderPubkey.toLowerCase()
      const senderKey = hex.decode(senderPubkey)
      if (!ownsAddress(senderKey, senderAddress, environment))
        throw fieldError('senderPubkey', 'must be the key of senderAddress')
      const pool = await readPool('poolAddress')
      if (!isSameAddress(body.poolAddress, pool.address))
        throw fieldError(
          'poolAddress',
          'must be the pool address of BTC in GET /chains/pool',
          'ADDRESS_INVALID'
        )
      assertPossible('recipientAddress', body.recipientAddress, prefix)
      let timeout = timeoutOf(requested)
      const { recipientAddress, amountSats } = body
      await compliance.assertCompliant({ senderAddress, recipientAddress })

      for (const last = timeout + ATTEMPTS; timeout < last; timeout++) {
        const script = htlcScript(pool.keyHash, senderKey, timeout)
        const { address, hash, outputScript } = htlcOutput(script, environment)
        const terms = { senderAddress, senderPubkey, recipientAddress, amountSats }
        const lock = {
          ...owner,
          lockId: randomUUID(),
          address,
          expiresAt: timeout * 1000,
          terms: { ...terms, poolAddress: pool.address, outputScript }
        }
        const result = await store.putLock(lock).catch(unavailable)
        if (result === 'stored') {
          const { lockId } = lock
          return { lockId, htlcAddress: address, hash, timeoutHeight: timeout, timeout, ...terms }
        }
        if (result === 'client-full') throw new ServiceError('LOCK_SHARE')
        if (result === 'full') throw new ServiceError('OVERLOADED')
      }
      throw new ServiceError('LOCK_SHARE')
    },

    async record({ lockId, terms, expiresAt, outpoint: earlier }, txid, field) {
      const invalid = (problem: string) => fieldError(field, problem, 'LOCK_INVALID')
      const { amountSats, outputScript, senderPubkey, poolAddress: locked } = terms
      const timeout = expiresAt / 1000
      if (timeout - now() < LEFT_TO_PULL) throw invalid('must be recorded half an hour before the timeout')
      if ((await readPool(field)).address !== locked)
        throw invalid('must pay the pool, whose key has changed')
      const tip = await esplora.tip()
      const transaction = await esplora.transaction(txid)
      if (transaction === undefined) throw pending('is not visible yet')
      const vout = lockIn(transaction, outputScript, amountSats)
      if (typeof vout === 'string') throw invalid(vout)
      const outspend = await esplora.outspend(txid, vout)
      if (outspend === undefined) throw pending('is not visible any more')
      if (outspend.spent) throw invalid('must not be spent')
      const count = confirmationsOf(transaction, tip.height)
      if (count < confirmations) throw pending(`has ${Math.max(0, count)} of ${confirmations} confirmations`)
      const outpoint = `${txid}:${vout}`
      if (earlier !== outpoint) {
        const [before = ''] = earlier?.split(':') ?? []
        const isThere = before !== '' && (await esplora.transaction(before)) !== undefined
        const record = () => store.recordLock(lockId, outpoint, earlier).catch(unavailable)
        if (isThere || !(await record()))
          throw fieldError(field, 'must be the transaction that was recorded before', 'LOCK_ALREADY_USED')
      }
      return {
        lockId,
        htlcCreationHash: txid,
        htlcCreationVout: vout,
        htlcExpirationTimestamp: String(timeout),
        htlcVersion: HTLC_VERSION,
        senderPubKey: senderPubkey
      }
    }
  }
}

const UNKNOWN = 'must be the lockId of an intent of this caller that has not expired'

const pending = (problem: string) => new ServiceError('LOCK_PENDING', `The lock ${problem}`)

function unavailable(cause: unknown): never {
  const isTemporary = cause instanceof StoreUnavailableError || cause instanceof StoreUncertainError
  throw isTemporary ? new ServiceError('STORE_UNAVAILABLE', undefined, { cause }) : cause
}
