import processOnSpawn from 'process-on-spawn'

// Loaded into the processes that tap starts, after tap has: what a test starts runs as its users start it. tap would
// load itself into each Node, which nearly doubles the time that a server takes to start, and TypeScript's compiler
// crashes with it.
delete process.env.NODE_OPTIONS
processOnSpawn.removeAllListeners()
