// Loaded with `node --import` into a process whose stdin is a pipe from its parent: it ends when the parent does,
// also when that is killed. Plain JavaScript, because the built server runs without a loader.
process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume()
// Waiting for that keeps no process alive.
process.stdin.unref()
