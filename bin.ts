#!/usr/bin/env node
// Enable source maps before the server's files are loaded, because that is when they are read.
process.setSourceMapsEnabled(true)
await import('./server.ts')
