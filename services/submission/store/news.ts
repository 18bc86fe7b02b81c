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
