import { isMainThread } from 'node:worker_threads'

/** What a process has used since its start: CPU time in milliseconds, and resident memory in bytes. */
export interface Usage {
  topic: 'usage'
  cpuMs: number
  rss: number
}

// Loaded into measured processes with `node --import`. `collect` collects the garbage first.
if (isMainThread) {
  process.on('message', ({ collect }: { collect: boolean }) => {
    if (collect) globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const usage: Usage = { topic: 'usage', cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() }
    process.send?.(usage)
  })
  process.channel?.unref()
}
