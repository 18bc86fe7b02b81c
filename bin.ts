#!/usr/bin/env node
// Before the files of the server are loaded: their maps are read then.
process.setSourceMapsEnabled(true)
await import('./server.ts')
