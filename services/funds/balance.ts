import { type Loop, startLoop } from '../async/loop.ts'
import { cachedRead } from '../caches/cached-read.ts'
import type { ChainClient } from '../chain-client/index.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'

const FRESH_MS = 15_000

const WATCH_MS = 30_000

export interface Balance {
  /** Returns base units, at most 15 seconds old. @throws NodeUnavailableError */
  read(): Promise<bigint>
  /** Whether a threshold is set and the last balance read was below it. */
  readonly isLow: boolean
  watch(): void
  stop(): void
}

/**
 * Reads the wallet's balance in the fee denomination (interface 17.9).
 * @param options.low threshold in base units; undefined to not monitor the balance
 */
export function createBalance(options: {
  chain: Pick<ChainClient, 'balance'>
  address: string
  denom: string
  low: bigint | undefined
  log: Logger
  clock?: Clock
}): Balance {
  const { chain, address, denom, low, log, clock = systemClock } = options
  let isLow = false
  let watching: Loop | undefined

  async function load(): Promise<bigint> {
    const balance = await chain.balance(address, denom)
    if (low !== undefined) judge(balance, low)
    return balance
  }

  function judge(balance: bigint, threshold: bigint): void {
    if (balance < threshold === isLow) return
    isLow = balance < threshold
    const fields = { balance: String(balance), threshold: String(threshold), denom, address }
    if (isLow) log.warn(fields, 'wallet balance is below SERVICE_LOW_BALANCE')
    else log.info(fields, 'wallet balance is no longer low')
  }

  const read = cachedRead({ maxKeys: 1, freshMs: FRESH_MS }, load)

  async function look(): Promise<number> {
    await read('').catch(err => log.debug({ err }, 'wallet balance could not be read'))
    return WATCH_MS
  }

  return {
    read: async () => (await read('')).value,
    get isLow() {
      return isLow
    },
    watch() {
      if (low !== undefined) watching = startLoop('balance', look, { clock, log })
    },
    stop() {
      void watching?.stop()
    }
  }
}
