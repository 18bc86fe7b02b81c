import { isMainThread } from 'node:worker_threads'

// Loaded with `node --import` into a process whose stdin is a pipe from its parent: ends the process when the parent
// exits or is killed. Plain JavaScript, because the compiled server runs without a loader. Worker threads also load
// this file.
if (isMainThread) {
  process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume()
  // Watching stdin must not keep the process alive.
  process.stdin.unref()
}
