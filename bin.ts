#!/usr/bin/env node
// Enable source maps first: Node reads a file's map when it loads the file.
process.setSourceMapsEnabled(true)
await import('./server.ts')
