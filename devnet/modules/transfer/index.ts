import type { ChainModule } from '../../chain/module.ts'
import { createHandlers } from './handlers.ts'
import { allow, putRecord, recordsAfter, setSettledUpTo, settledUpTo } from './keeper.ts'
import { advance } from './lifecycle.ts'
import { createRecordBook, type RecordBook } from './record-book.ts'

export interface TransferModuleOptions {
  /** The maker's brand, in the packages of the messages. */
  brand: string
  /** Bech32 prefix of the creators' addresses. */
  prefix: string
  /** Addresses that may submit (interface 17.3). */
  whitelist: readonly string[]
}

export interface TransferModule extends ChainModule {
  /** The records block by block, for the REST API and the index. */
  readonly records: RecordBook
}

/**
 * The module that accepts transfers and swaps and moves each one a step further at the end of every block. Its data
 * is in the chain's state, so a failed transaction or a simulation leaves nothing behind.
 */
export function createTransferModule({ brand, prefix, whitelist }: TransferModuleOptions): TransferModule {
  const records = createRecordBook()
  return {
    records,
    handlers: createHandlers(brand, prefix),
    initGenesis(state) {
      for (const address of whitelist) allow(state, address)
    },
    endBlock({ state, height }) {
      const settledBefore = settledUpTo(state)
      let settledNow = settledBefore
      for (const before of recordsAfter(state, settledBefore)) {
        const { record, settled } = advance(before, height)
        if (record !== before) putRecord(state, record)
        if (record !== before || record.createdAt === height) records.write(height, record)
        if (settled && record.id === settledNow + 1) settledNow = record.id
      }
      if (settledNow > settledBefore) setSettledUpTo(state, settledNow)
    }
  }
}
