import { writeFileSync } from 'node:fs'
import { currentDocument } from '../test/openapi/document.ts'

// npm run openapi: writes openapi.json, which the script then formats.
const target = new URL('../openapi.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(await currentDocument(), null, 2)}\n`)
