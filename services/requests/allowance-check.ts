import { addAmounts, compareAmounts, exactAmount, unitsAt } from '../amounts.ts'
import type { EvmRpcs } from '../approvals/evm-rpc.ts'
import { backoffMs } from '../async/backoff.ts'
import type { ChainService } from '../chains/index.ts'
import { systemClock } from '../clock.ts'
import { ServiceError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import type { QuoteTerms } from '../quotes/contract.ts'
import { exactOf } from '../quotes/terms.ts'
import { sidesOf } from './quote-check.ts'
import type { RequestedSubmission } from './request.ts'

/**
 * Checks that the origin address has approved the amount for the chain's pool, because otherwise the transfer would fail
 * after the wallet has paid its fee (interface 6.47).
 * @param token the origin token
 * @param quote the quote that the submission matches, if known
 * @throws ServiceError APPROVAL_MISSING
 * @throws UpstreamError, UpstreamTimeoutError from the chain's RPC or the chain API, if approvals are enforced
 */
export type AllowanceCheck = (
  requested: RequestedSubmission,
  token: { address: string; decimals: number; isPermit2?: boolean },
  quote: QuoteTerms | undefined
) => Promise<void>

/**
 * How long to wait for a pending approval: longer than a block takes on any of the chains, and shorter than clients
 * wait.
 */
const MAX_WAIT_MS = 15_000

const PAUSES = { firstMs: 500, longestMs: 3_000 }

/** Permit2 has this address on every chain. A token with `isPermit2` is pulled through it, from what the user has approved for it. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'

/**
 * Matches the address of a chain's own coin, which has no contract and needs no approval; some registries write a
 * placeholder.
 */
const COIN = /^(0x(0{40}|e{40}))?$/i

/** @param options.submitTimeoutMs a missing approval is waited for no longer than this */
export function createAllowanceCheck(options: {
  mode: 'off' | 'observe' | 'enforce'
  rpcs: Pick<EvmRpcs, 'get'>
  chains: Pick<ChainService, 'pool'>
  submitTimeoutMs: number
  stopping: AbortSignal
  log: Logger
}): AllowanceCheck {
  const { mode, rpcs, chains, submitTimeoutMs, stopping, log } = options
  const waitMs = Math.min(submitTimeoutMs, MAX_WAIT_MS)

  /** Reads again until the approval is in a block, in case it is pending or the node is behind the user's. */
  async function newest(read: () => Promise<bigint>, needed: bigint): Promise<bigint> {
    const end = systemClock.elapsed() + waitMs
    let found = await read()
    for (let reads = 1; found < needed && !stopping.aborted; reads++) {
      const pauseMs = backoffMs(reads, PAUSES)
      if (systemClock.elapsed() + pauseMs > end) break
      await new Promise<void>(resolve => void systemClock.after(pauseMs, resolve))
      // If the RPC fails now, the last result still counts.
      found = await read().catch(() => found)
    }
    return found
  }

  return async (requested, token, quote) => {
    const { feeId, route } = requested
    const { chain, address, symbol } = route.origin
    const rpc = mode === 'off' || COIN.test(token.address) ? undefined : rpcs.get(chain)
    if (rpc === undefined) return
    const needed = neededUnits(requested, token.decimals, quote)
    let spender = PERMIT2
    let found: bigint
    try {
      if (token.isPermit2 !== true) spender = await chains.pool(chain)
      found = await newest(() => rpc.allowance(token.address, address, spender), needed)
    } catch (err) {
      if (mode === 'enforce') throw err
      log.warn({ err, feeId, chain }, 'allowance could not be read')
      return
    }
    if (found >= needed) return
    const allowance = { token: token.address, spender, needed: String(needed), found: String(found) }
    const problem = `must approve ${needed} base units of ${symbol} (${token.address} on ${chain}) for ${spender}; only ${found} are approved`
    throw new ServiceError('APPROVAL_MISSING', `originAddress ${problem}`, {
      details: [{ path: '/originAddress', message: problem }],
      allowance
    })
  }
}

/**
 * Returns the amount that the user was asked to approve: the quote's allowance, or else the submitted amount plus the
 * fee.
 */
export function neededUnits(
  { route, fee, chargeFeeAtTarget }: Pick<RequestedSubmission, 'route' | 'fee' | 'chargeFeeAtTarget'>,
  decimals: number,
  quote: QuoteTerms | undefined
): bigint {
  const amount = exactAmount(route.origin.amount.whole)
  const side = (quote ? sidesOf(quote, chargeFeeAtTarget) : []).find(
    ({ submitAmount }) => compareAmounts(exactOf(submitAmount), amount) === 0
  )
  const allowance = side ? exactOf(side.allowanceAmount) : addAmounts(amount, exactAmount(fee))
  // Rounded down, because users can approve only whole base units, and might have rounded so.
  return unitsAt(allowance, decimals).floor
}
