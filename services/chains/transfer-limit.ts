import type { ChainToken } from '../../schemas/chains.ts'
import { compareAmounts, type ExactAmount, exactAmount } from '../amounts.ts'
import { fieldError } from '../errors/index.ts'
import type { ChainService } from './index.ts'

/** A positive decimal. Zero and other formats are ignored because their meaning is undefined. */
const LIMIT = /^(?!0+(\.0+)?$)\d{1,78}(\.\d{1,36})?$/

/**
 * Rejects an amount of a USD-pegged token above the chain's limit. The chain would only reject it in a transaction that
 * costs a fee (interface 6.44).
 * @throws ServiceError TRANSFER_LIMIT
 */
export async function assertWithinLimit(
  chains: Pick<ChainService, 'transferLimit'>,
  { peggedTo }: Pick<ChainToken, 'peggedTo'>,
  amount: ExactAmount,
  field: string
): Promise<void> {
  if (peggedTo !== 'USD') return
  const limit = (await chains.transferLimit())?.value
  if (limit === undefined || !LIMIT.test(limit)) return
  if (compareAmounts(amount, exactAmount(limit)) <= 0) return
  const problem = `must be at most ${limit} USDT, the largest transfer that the chain allows`
  throw fieldError(field, problem, 'TRANSFER_LIMIT')
}
