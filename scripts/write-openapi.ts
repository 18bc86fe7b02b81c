import { writeFileSync } from 'node:fs'
import { currentDocument } from '../test/openapi/document.ts'

// `npm run openapi` runs this file, then formats openapi.json.
const target = new URL('../openapi.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(await currentDocument(), null, 2)}\n`)
