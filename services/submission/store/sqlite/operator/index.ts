import type { OperatorAccess } from '../../operator-store.ts'
import {
  assertHoldsDatabase,
  DataDirectoryError,
  DirectoryInUseError,
  type OpenDatabase,
  openDatabase,
  openForReading
} from '../database.ts'
import { createEngineStore } from '../engine-store.ts'
import { createOperatorQueries } from './queries.ts'
import { createOperatorWrites } from './writes.ts'

/** The embedded store in a directory, for the operator's tool. */
export function sqliteForOperator(directory: string): OperatorAccess {
  return {
    async read() {
      const { connection, close } = openForReading(directory)
      return { queries: createOperatorQueries(connection), close: async () => close() }
    },
    async own() {
      // Without a database there is nothing to change, and none must be created.
      assertHoldsDatabase(directory)
      const { connection, close } = openAlone(directory)
      return {
        store: createEngineStore(connection),
        queries: createOperatorQueries(connection),
        writes: createOperatorWrites(connection),
        close: async () => close()
      }
    }
  }
}

function openAlone(directory: string): OpenDatabase {
  try {
    return openDatabase(directory)
  } catch (cause) {
    if (!(cause instanceof DirectoryInUseError)) throw cause
    throw new DataDirectoryError(directory, 'is in use by another process: stop the server first', { cause })
  }
}
