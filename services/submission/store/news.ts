import type { Submission } from '../types.ts'
import type { EngineStore } from './engine-store.ts'
import type { News } from './types.ts'

/** The listeners of a store in this process. */
export interface NewsDesk {
  onNews(listener: (news: News) => void): void
  announce(news: News): void
}

export function createNewsDesk(): NewsDesk {
  const listeners: ((news: News) => void)[] = []
  return {
    onNews: listener => void listeners.push(listener),
    announce(news) {
      for (const listener of listeners) listener(news)
    }
  }
}

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
