// Loaded with `node --import` into a process that is measured: answers its parent what it has used so far. Plain
// JavaScript, because the built server runs without a loader.
process.on('message', question => {
  if (question?.topic !== 'usage') return
  // A heap is only comparable with an earlier one when both are without garbage.
  if (question.collect) globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  process.send({ topic: question.answer, at: Date.now(), cpuMs: (user + system) / 1000, rss, heapUsed })
})
// Measuring keeps no process alive.
process.channel.unref()
