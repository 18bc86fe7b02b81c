#!/usr/bin/env node
// Before the code of the server is loaded: the frames of its stacks name source files only if its maps are read then.
process.setSourceMapsEnabled(true)
await import('./server.ts')
