import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import processOnSpawn from 'process-on-spawn'

// Loaded into tap's test processes after tap's own loaders, so that child processes run without them, as in production.
// Otherwise tap would load itself into every Node process, which nearly doubles a server's startup time and crashes
// TypeScript's compiler.
delete process.env.NODE_OPTIONS
processOnSpawn.removeAllListeners()

// tap finds the test that an uncaught error belongs to with a hook on each promise, which takes a sixth of the CPU time.
// Without it, an uncaught error ends the process, and so fails its file.
asyncHooks.createHook = () => ({ enable() {}, disable() {} })
syncBuiltinESMExports()
