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
import { createSqliteOutbox } from '../outbox.ts'
import { createOperatorEvents } from './events.ts'
import { createOperatorQueries } from './queries.ts'
import { createOperatorWrites } from './writes.ts'

/**
 * The embedded store in a directory, for the operator's tool.
 * @param options.hasWebhooks whether what settles a submission writes its event
 */
export function sqliteForOperator(
  directory: string,
  { hasWebhooks }: { hasWebhooks: boolean }
): OperatorAccess {
  return {
    async read() {
      const { connection, close } = openForReading(directory)
      return { queries: createOperatorQueries(connection), close: async () => close() }
    },
    async own() {
      // Without a database there is nothing to change, and none must be created.
      assertHoldsDatabase(directory)
      const { connection, close } = openAlone(directory)
      const outbox = hasWebhooks ? createSqliteOutbox({ connection, now: Date.now }) : undefined
      return {
        store: createEngineStore(connection, Date.now, undefined, outbox),
        queries: createOperatorQueries(connection),
        writes: createOperatorWrites(connection, outbox),
        close: async () => close()
      }
    },
    async events() {
      assertHoldsDatabase(directory)
      const { connection, close } = openAlone(directory)
      return { ...createOperatorEvents(connection), close: async () => close() }
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
