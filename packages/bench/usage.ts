import { isMainThread } from 'node:worker_threads'

/** What a measured process has used since its start. */
export interface Usage {
  topic: 'usage'
  /** CPU time of all threads, in user and kernel mode, in milliseconds. */
  cpuMs: number
  /** Resident memory after a garbage collection, in bytes. */
  rss: number
}

// Loaded into measured processes with `node --import`. Reports the usage to the parent process on request.
if (isMainThread) {
  process.on('message', ({ collect }: { collect: boolean }) => {
    if (collect) globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    const usage: Usage = { topic: 'usage', cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() }
    process.send?.(usage)
  })
  // Do not let the channel keep the process alive.
  process.channel?.unref()
}
