import { type Static, Type } from '@sinclair/typebox'
import { HtlcLock } from '../../schemas/bitcoin.ts'
import { maybe } from '../../schemas/leaves.ts'
import { isSameAddress } from '../addresses/index.ts'
import { cachedRead } from '../caches/cached-read.ts'
import { checkFor } from '../schema-check.ts'
import { scrubAll } from '../secrets.ts'
import type { ChainApi } from '../upstream/chain-api.ts'
import { UpstreamError } from '../upstream/errors.ts'
import type { Esplora } from './esplora.ts'

const PAGE = 200

/** The maximum number of pages to search. The newest locks come first, and each is needed only for days. */
const MAX_PAGES = 10

/** The cache for `shown`: a lock is read at most twice a minute, however often its transfer's status is polled. */
const SHOWN = { freshMs: 30_000, keepFailures: true, maxKeys: 1_000 }

const Page = checkFor(Type.Object({ pagination: maybe(Type.Object({ next_key: maybe(Type.String()) })) }))
const Locks = checkFor(Type.Array(HtlcLock))

export interface ChainLocks {
  /** Returns the chain's record of the lock with this Bitcoin transaction and sender. @throws UpstreamError */
  find(txHash: string, senderAddress: string): Promise<Lock | undefined>
  /** Like `find`, but up to 30 seconds old, for display; undefined while it cannot be read. Never throws. */
  shown(txHash: string, senderAddress: string): Promise<Lock | undefined>
}

type Lock = Static<typeof HtlcLock>

export function createChainLocks(chainApi: Pick<ChainApi, 'name' | 'get'>): ChainLocks {
  async function page(key: string) {
    const after = key === '' ? '' : `&pagination.key=${encodeURIComponent(key)}`
    const path = `/transaction/htlc_locking_transaction?pagination.limit=${PAGE}&pagination.reverse=true${after}`
    const response = (await chainApi.get(path, Page)) ?? {}
    // Gateways differ in the name of the list.
    const locks = Object.values(response).find(value => Array.isArray(value)) ?? []
    if (!Locks.Check(locks)) throw new UpstreamError(chainApi.name, 'the response is not a list of locks')
    return { locks, next: response.pagination?.next_key ?? '' }
  }

  async function find(txHash: string, senderAddress: string): Promise<Lock | undefined> {
    let key = ''
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const { locks, next } = await page(key)
      const found = locks.find(
        lock => lock.txHash.toLowerCase() === txHash && isSameAddress(lock.senderAddress, senderAddress)
      )
      if (found || next === '') return found
      key = next
    }
    return undefined
  }

  const shared = cachedRead(SHOWN, async key => {
    const [txHash = '', senderAddress = ''] = key.split(' ')
    return scrubAll(await find(txHash, senderAddress))
  })

  return {
    find,
    async shown(txHash, senderAddress) {
      const { value } = await shared(`${txHash} ${senderAddress}`).catch(() => ({ value: undefined }))
      return value
    }
  }
}

/** From this value on, a lock's timeout is a time in Unix seconds; below it, a height (BIP-65). */
export const FIRST_TIME = 500_000_000

/** Returns whether the timeout of a lock has passed. Other services of the chain register locks with heights, too. */
export async function isOver(esplora: Pick<Esplora, 'tip'>, timeout: number, now: number): Promise<boolean> {
  return timeout < FIRST_TIME ? timeout <= (await esplora.tip()).height : timeout * 1000 <= now
}

/** The maximum number of outputs to read. A lock has one. */
const MAX_OUTPUTS = 10

/**
 * Returns whether a lock has been spent, or no output pays to its address. The chain would refuse to refund it, and
 * each attempt would cost the wallet gas.
 */
export async function isSpent(
  esplora: Pick<Esplora, 'transaction' | 'outspend'>,
  txHash: string,
  htlcAddress: string | undefined
): Promise<boolean> {
  const { vout = [] } = (await esplora.transaction(txHash)) ?? {}
  const indexes = [...vout.keys()].filter(index => vout[index]?.scriptpubkey_address === htlcAddress)
  for (const index of indexes.slice(0, MAX_OUTPUTS))
    if ((await esplora.outspend(txHash, index))?.spent !== false) return true
  return indexes.length === 0
}
