// Loaded with `node --import` into a measured process: reports its usage to its parent on request. Plain JavaScript,
// because the compiled server runs without a loader.
process.on('message', question => {
  if (question?.topic !== 'usage') return
  // Heap sizes are only comparable without garbage.
  if (question.collect) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  process.send({ topic: question.answer, at: Date.now(), cpuMs: (user + system) / 1000, rss, heapUsed })
})
// The channel must not keep the process alive. A worker thread has none.
process.channel?.unref()
