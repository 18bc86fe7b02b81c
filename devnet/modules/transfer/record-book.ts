import type { TransactionRecord } from './record.ts'

/**
 * The records after each block, for readers outside of the chain: the REST API reads the newest height, the index an
 * older one.
 */
export interface RecordBook {
  /** The record after the block of that height; undefined when it did not exist yet. */
  find(id: number, height: number): TransactionRecord | undefined
  /** All records of that height, in the order of their ids. */
  list(height: number): TransactionRecord[]
}

interface Version {
  height: number
  record: TransactionRecord
}

/** Creates an empty book. `write` is called at the end of a block. */
export function createRecordBook(): RecordBook & { write(height: number, record: TransactionRecord): void } {
  const versions = new Map<number, Version[]>()

  function find(id: number, height: number): TransactionRecord | undefined {
    return versions.get(id)?.findLast(version => version.height <= height)?.record
  }

  return {
    find,
    list: height => [...versions.keys()].map(id => find(id, height)).filter(record => record !== undefined),
    write(height, record) {
      const known = versions.get(record.id)
      if (known === undefined) versions.set(record.id, [{ height, record }])
      else known.push({ height, record })
    }
  }
}
