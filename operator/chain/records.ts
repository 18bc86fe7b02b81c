import { brandNames } from '../../services/brand.ts'
import { statusResources } from '../../services/status/resources.ts'
import type { ChainApi } from '../../services/upstream/chain-api.ts'

/** The chain's transaction ids by the hash of the transaction that requested them, in ascending order. */
export type RecordedIds = ReadonlyMap<string, readonly number[]>

/**
 * Reads the records of the chain's REST API from an id on to the newest. Each executed request has one, and they outlive
 * the blocks. A record that is missing proves nothing: the API may lag.
 * @param brand in the names of the records
 */
export async function readRecords(chainApi: ChainApi, brand: string, from: number): Promise<RecordedIds> {
  const names = brandNames(brand)
  const { transfer, swap } = statusResources(names)
  const ids = new Map<string, number[]>()
  for (let id = from; ; id++) {
    const text = String(id)
    const record =
      (await chainApi.find(transfer.restPath, text, transfer.restProperty)) ??
      (await chainApi.find(swap.restPath, text, swap.restProperty))
    if (record === undefined) return ids
    const hash = String(record[names.txHashField] ?? '').toUpperCase()
    ids.set(hash, [...(ids.get(hash) ?? []), id])
  }
}
