import { type Loop, startLoop } from '../async/loop.ts'
import { cachedRead } from '../caches/cached-read.ts'
import type { ChainClient } from '../chain-client/index.ts'
import { systemClock } from '../clock.ts'
import type { Logger } from '../logger.ts'

const FRESH_MS = 15_000

const WATCH_MS = 30_000

export interface Balance {
  /** Returns base units, at most 15 seconds old. @throws NodeUnavailableError */
  read(): Promise<bigint>
  /** Whether two nodes agree that the wallet cannot pay any fee. */
  readonly isEmpty: boolean
  watch(): void
  stop(): void
}

/**
 * Reads the wallet's balance in the fee denomination (interface 17.9).
 * @param options.isFree whether transactions cost nothing, so that the wallet may be empty
 */
export function createBalance(options: {
  chain: Pick<ChainClient, 'crossCheck' | 'balance'>
  address: string
  denom: string
  isFree: boolean
  log: Logger
}): Balance {
  const { chain, address, denom, isFree, log } = options
  let isEmpty = false
  let watching: Loop | undefined

  const read = cachedRead({ maxKeys: 1, freshMs: FRESH_MS }, () => chain.balance(address, denom))

  /**
   * Returns whether two nodes agree that the wallet is empty. One node is not enough, because `/ready` depends on the
   * result (interface 19.18).
   */
  async function agreesOnNothing(): Promise<boolean> {
    const { agreed } = await chain.crossCheck<bigint>({
      question: 'balance',
      ask: node => node.balance(address, denom),
      agree: (one, other) => (one === 0n) === (other === 0n)
    })
    return agreed?.[0] === 0n
  }

  async function judgeEmpty(balance: bigint): Promise<void> {
    const wasEmpty = isEmpty
    isEmpty = balance === 0n && (await agreesOnNothing())
    if (isEmpty === wasEmpty) return
    const fields = { denom, address }
    if (isEmpty)
      log.error(
        fields,
        'the wallet has no balance in the fee denomination: send it funds, or correct SERVICE_GAS_PRICE'
      )
    else log.info(fields, 'the wallet has funds')
  }

  async function look(): Promise<number> {
    try {
      await judgeEmpty((await read('')).value)
    } catch (err) {
      log.debug({ err }, 'wallet balance could not be read')
    }
    return WATCH_MS
  }

  return {
    read: async () => (await read('')).value,
    get isEmpty() {
      return isEmpty
    },
    watch() {
      if (!isFree) watching = startLoop('balance', look, { clock: systemClock, log })
    },
    stop() {
      void watching?.stop()
    }
  }
}
