import { isMainThread } from 'node:worker_threads'

// Loaded into measured processes with `node --import`. Reports resource usage to the parent process on request.
interface Question {
  topic: string
  collect?: boolean
}

if (isMainThread) {
  process.on('message', ({ topic, collect }: Question) => {
    // Collect garbage, so that memory sizes are comparable.
    if (collect) globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    process.send?.({ topic, cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() })
  })
  // Do not let the channel keep the process alive.
  process.channel?.unref()
}
