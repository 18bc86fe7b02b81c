import type { EngineStore } from '../../../services/submission/store/engine-store.ts'
import type { NewsDesk } from '../../../services/submission/store/news.ts'
import type { Submission } from '../../../services/submission/types.ts'

/** The leader's store, which announces what its writes settle and report. */
export function announcing(store: EngineStore, announce: NewsDesk['announce']): EngineStore {
  function announceSettled(settled: readonly Submission[]): void {
    if (settled.length === 0) return
    announce({ kind: 'settled', submissionIds: settled.map(({ submissionId }) => submissionId) })
  }

  return {
    ...store,
    async reject(submissionId, error) {
      const rejected = await store.reject(submissionId, error)
      announceSettled([rejected])
      return rejected
    },
    async applyBlocks(blocks) {
      const settled = await store.applyBlocks(blocks)
      announceSettled(settled)
      return settled
    },
    async adopt(requests) {
      const settled = await store.adopt(requests)
      announceSettled(settled)
      return settled
    },
    async putReport(report) {
      await store.putReport(report)
      announce({ kind: 'reported' })
    }
  }
}
