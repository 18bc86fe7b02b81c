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

/** Statuses with which a fee service says that this transfer, not the call, is at fault. */
const QUOTE_REFUSED = [400, 422]

export interface FeeService {
  /**
   * A fee quote, as the fee service gave it: a feeId and transactionValues for certain, and what else it has.
   * @throws ServiceError VALIDATION for an amount finer than the origin token, or a missing origin address
   * @throws ServiceError QUOTE_REFUSED for a transfer that the fee service refuses to quote (its 400 or 422, with
   * its words)
   * @throws UpstreamError for any other failure of the fee service, UpstreamTimeoutError
   */
  quote(query: FeeQuery): Promise<QuoteCore>
  close(): Promise<void>
}

/**
 * @param options.creator chain address of the wallet that will submit
 * @param options.chains tells the origin token's decimals
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

  /** Undefined when the registry does not say; the fee service has the last word then. */
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

/** The rails are one origin to the chain, FIAT, and have no address there (contract §3, Fee quote). */
function originOf({ originChain, originAddress }: FeeQuery): { originChain: string; originAddress: string } {
  if (isRail(originChain)) return { originChain: 'FIAT', originAddress: '' }
  if (originAddress !== '') return { originChain, originAddress }
  throw fieldError('originAddress', 'must not be empty for a crypto origin')
}
