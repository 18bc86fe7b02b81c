import type { EngineStore } from '../engine-store.ts'
import { StoreConflictError } from '../errors.ts'
import { toQueuedMessage, toVariant } from '../rows/index.ts'
import { readEach } from '../rows/read-each.ts'
import { settlingTime } from '../settling-time.ts'
import type { Database } from './database.ts'
import { engineSql as sql } from './engine-statements.ts'
import type { SettledWriter } from './engine-writes.ts'
import { channelOf, writeNews } from './news.ts'
import { createTermWrites } from './term-writes.ts'

/** The leader's part of the store in one term. Every write first locks the term, and has no effect once it is over. */
export function createEngineStore(options: {
  database: Database
  wallet: number
  epoch: number
  now: () => number
  outbox?: SettledWriter | undefined
}): EngineStore {
  const { database, wallet, now } = options

  const write = createTermWrites(options)

  return {
    putSigner: ({ accountNumber, probePassed, ...state }) =>
      write(({ run }) =>
        run(sql.putSigner, {
          ...state,
          accountNumber: String(accountNumber),
          probePassed: Number(probePassed)
        })
      ),
    correctSequence: (from, to) =>
      write(({ expect }) =>
        expect(
          1,
          sql.correctSequence,
          { from, to },
          `sequence ${from} is not the next one, or a slot is open`
        )
      ),
    setProbePassed: () => write(({ run }) => run(sql.setProbePassed, {})),
    excuseFailures: () => write(({ run }) => run(sql.excuseFailures, {})),
    queued: async (limit, onDamage) =>
      readEach(await database.all(sql.queued, { wallet, limit }), toQueuedMessage, onDamage),
    openVariants: async () => (await database.all(sql.openVariants, { wallet })).map(toVariant),
    openSlot: variant => write(({ openSlot }) => openSlot(variant)),
    addVariant: variant => write(writes => writes.addVariant(variant)),
    reject: (submissionId, error) =>
      write(async ({ expect, settled }) => {
        const parameters = { submissionId, error: JSON.stringify(error), now: now() }
        expect(1, sql.rejectQueued, parameters, `${submissionId} is not queued`)
        const [rejected] = await settled([submissionId])
        if (!rejected) throw new StoreConflictError(`submission ${submissionId} does not exist`)
        return rejected
      }),
    applyBlocks: blocks =>
      write(async ({ applyBlock, adopt, run, settled }) => {
        const adopted: string[] = []
        for (const block of blocks) {
          applyBlock(block)
          if (block.adoptions?.length) adopted.push(...(await adopt(block.adoptions)))
        }
        run(sql.dateSettled, { at: settlingTime(blocks, now()) })
        const own = blocks.flatMap(({ resolutions }) =>
          resolutions.flatMap(({ outcomes }) =>
            outcomes.flatMap(({ submissionId, status }) => (status === 'queued' ? [] : submissionId))
          )
        )
        return settled([...own, ...adopted])
      }),
    adopt: requests => write(async ({ adopt, settled }) => settled(await adopt(requests))),
    putReport: report =>
      write(({ run }) => {
        run(sql.putReport, { report: JSON.stringify(report) })
        run(sql.notify, { channel: channelOf(wallet), payload: writeNews({ kind: 'reported' }) })
      })
  }
}
