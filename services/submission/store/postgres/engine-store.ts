import type { EngineStore } from '../engine-store.ts'
import { createEngineStore as createOver } from '../engine-writes.ts'
import type { EventWriter } from '../event-outbox.ts'
import { sql } from '../sql.ts'
import { createTermWrites, type Home } from '../term-writes.ts'

/** The leader's part of the store, whose reports are for all replicas. */
export function createEngineStore(
  options: Home & { epoch: number; events?: EventWriter | undefined }
): EngineStore {
  const { wallet } = options
  const write = createTermWrites(options)
  return createOver({
    ...options,
    putReport: report =>
      write(async ({ run, announce }) => {
        await run(
          sql`UPDATE wallet SET report = ${JSON.stringify(report)}, reported_at = now() WHERE wallet_id = ${wallet}`
        )
        await announce({ kind: 'reported' }, wallet)
      })
  })
}
