import { writeFileSync } from 'node:fs'
import { clientTypes } from './client-types.ts'

// `npm run client-types` runs this file.
writeFileSync(new URL('../packages/client/openapi.ts', import.meta.url), clientTypes())
