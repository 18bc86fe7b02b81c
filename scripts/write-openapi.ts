import { writeFileSync } from 'node:fs'
import { currentDocuments } from '../test/openapi/document.ts'

// `npm run openapi` runs this file, then formats what it writes.
for (const [name, document] of Object.entries(await currentDocuments()))
  writeFileSync(new URL(`../${name}`, import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
