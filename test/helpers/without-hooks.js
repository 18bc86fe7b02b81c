import processOnSpawn from 'process-on-spawn'

// Loaded into tap's test processes after tap's own loaders, so that child processes run without them, as in production.
// Otherwise tap would load itself into every Node process, which nearly doubles a server's startup time and crashes
// TypeScript's compiler.
delete process.env.NODE_OPTIONS
processOnSpawn.removeAllListeners()
