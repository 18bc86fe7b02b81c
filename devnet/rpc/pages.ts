import type { Params } from './params.ts'

const DEFAULT_PER_PAGE = 30
const MAX_PER_PAGE = 100

/** The size of a page: 30 by default, at most 100. */
export function pageSize(perPage: number | undefined): number {
  if (perPage === undefined || perPage < 1) return DEFAULT_PER_PAGE
  return Math.min(perPage, MAX_PER_PAGE)
}

/**
 * The page of the results that `page` and `per_page` ask for; pages count from 1, and an empty result has one empty page.
 * @throws Error for a page out of range
 */
export function paginate<T>(results: readonly T[], params: Params): T[] {
  const page = params.int('page') ?? 1
  const size = pageSize(params.int('per_page'))
  const pages = Math.max(1, Math.ceil(results.length / size))
  if (page < 1 || page > pages) throw new Error(`page should be within [1, ${pages}] range, given ${page}`)
  return results.slice((page - 1) * size, page * size)
}

/** Orders results that are given in ascending order. @throws Error for anything but `asc` and `desc` */
export function inOrder<T>(ascending: readonly T[], order: string): readonly T[] {
  if (order === 'asc') return ascending
  if (order === 'desc') return ascending.toReversed()
  throw new Error('expected order_by to be either `asc` or `desc` or empty')
}
