import { TypeCompiler } from '@sinclair/typebox/compiler'
import { type FeeQuery, QuoteCore } from '../../schemas/fee-quote.ts'
import { toSmallestUnit } from '../amounts.ts'
import type { ChainService } from '../chains/index.ts'
import { fieldError } from '../errors/field-error.ts'
import { ServiceError } from '../errors/index.ts'
import type { Logger } from '../logger.ts'
import { isRail } from '../rails/index.ts'
import { UpstreamError, UpstreamRefusalError } from '../upstream/errors.ts'
import { createUpstream } from '../upstream/index.ts'

const Quote = TypeCompiler.Compile(QuoteCore)

/** Statuses by which the fee service refuses the transfer itself (interface 5.15). */
const QUOTE_REFUSED = [400, 422]

export interface FeeService {
  /**
   * A fee quote as the fee service gave it (interface 5.7).
   * @throws ServiceError VALIDATION for too many fraction digits in the amount, or for a missing origin address
   * @throws ServiceError QUOTE_REFUSED with the fee service's text, for its 400 or 422 (interface 5.15)
   * @throws UpstreamError, UpstreamTimeoutError for its other failures
   */
  quote(query: FeeQuery): Promise<QuoteCore>
  close(): Promise<void>
}

/**
 * @param options.creator chain address of the wallet that will submit
 * @param options.chains source of the origin token's decimals
 */
export function createFeeService(options: {
  baseUrl: string
  path: string
  creator: string
  chains: Pick<ChainService, 'token'>
  log: Logger
}): FeeService {
  const { creator, path, chains, log } = options
  const upstream = createUpstream({ name: 'fee service', baseUrl: options.baseUrl })

  /** Undefined when the registry does not have the token or is down. The fee service decides then. */
  async function originDecimals(originChain: string, originSymbol: string): Promise<number | undefined> {
    try {
      return (await chains.token(originChain, originSymbol))?.decimals
    } catch (err) {
      if (!(err instanceof UpstreamError)) throw err
      log.warn({ err, originChain, originSymbol }, 'quoting without the decimals of the origin token')
      return undefined
    }
  }

  return {
    async quote(query) {
      const { amount, originSymbol, targetAddress, targetChain, targetSymbol, deductFee } = query
      const origin = originOf(query)
      const decimals = await originDecimals(query.originChain, originSymbol)
      if (decimals !== undefined) toSmallestUnit(amount, decimals, 'amount')
      const body = {
        creator,
        ...origin,
        originSymbol,
        targetChain,
        targetAddress,
        targetSymbol,
        amount,
        deductFee
      }
      try {
        return await upstream.post(path, body, Quote)
      } catch (error) {
        if (error instanceof UpstreamRefusalError && QUOTE_REFUSED.includes(error.httpStatus)) {
          const reason = error.reason ?? 'no reason given'
          throw new ServiceError('QUOTE_REFUSED', `The fee service does not quote this transfer: ${reason}`)
        }
        throw error
      }
    },

    close: upstream.close
  }
}

/** The rails are FIAT to the fee service and have no address there (interface 5.5 and 5.6). */
function originOf({ originChain, originAddress }: FeeQuery): { originChain: string; originAddress: string } {
  if (isRail(originChain)) return { originChain: 'FIAT', originAddress: '' }
  if (originAddress !== '') return { originChain, originAddress }
  throw fieldError('originAddress', 'must not be empty for a crypto origin')
}
