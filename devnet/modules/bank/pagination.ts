import type { PageRequest, PageResponse } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { grpcError } from '../../chain/errors.ts'

const DEFAULT_LIMIT = 100

/**
 * One page of a sorted list, by the SDK's rules: from a key or an offset, 100 items by default. The total is set only
 * on offset pages that request it, and when the limit is not set.
 * @throws AbciError when both a key and an offset are given
 */
export function paginate<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  request: PageRequest | undefined
): { page: T[]; pagination: PageResponse } {
  const {
    key = new Uint8Array(),
    offset = 0n,
    limit = 0n,
    countTotal = false,
    reverse = false
  } = request ?? {}
  if (key.length > 0 && offset > 0n) {
    throw grpcError(
      'InvalidArgument',
      'paginate: invalid request, either offset or key is expected, got both'
    )
  }
  const ordered = reverse ? items.toReversed() : items
  const start = Buffer.from(key).toString()
  const from = key.length > 0 ? ordered.findIndex(item => keyOf(item) === start) : Number(offset)
  const to = from + (limit === 0n ? DEFAULT_LIMIT : Number(limit))
  const next = ordered[to]
  const wantsTotal = key.length === 0 && (countTotal || limit === 0n)
  return {
    page: from < 0 ? [] : ordered.slice(from, to),
    pagination: {
      nextKey: next === undefined || from < 0 ? new Uint8Array() : Buffer.from(keyOf(next)),
      total: wantsTotal ? BigInt(items.length) : 0n
    }
  }
}
